// SPDX-License-Identifier: MIT
// What MariaDB 10.11 and MySQL 9.7 really printed of deadlocks (raw/), and whatever may be in its place.
#include "deadlocks/deadlockreport.h"

#include <QtCore/QFile>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

QByteArray raw(const QString &name)
{
    QFile file(QStringLiteral(LOCKSCOPE_RAW "/") + name + u".txt"_s);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qUtf8Printable(file.fileName()));
    return file.readAll();
}

QStringList edgeLines(const Deadlock &deadlock)
{
    QStringList lines;
    for (const DeadlockEdge &edge : edgesOf(deadlock))
        lines += u"%1 waits for %2: %3.%4.%5 %6"_s.arg(edge.waiter)
                     .arg(edge.holder)
                     .arg(edge.lock.schema, edge.lock.table, edge.lock.index, edge.lock.mode);
    lines.sort();
    return lines;
}

/// A status whose first side has this statement.
QByteArray withStatement(const QByteArray &statement)
{
    QByteArray status = raw(u"mysql-two"_s);
    return status.replace("update orders set total=total+1 where id=2\n", statement + '\n');
}

} // namespace

class TestDeadlockReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachFamilysTextIsRead_data();
    void eachFamilysTextIsRead();
    void aStatusWithoutADeadlockHasNone();
    void headingsInAStatementAreNoSides();
    void aLongStatementIsMarkedAsCut();
    void aCutTextIsMarked();
    void anyTextIsRead();
    void valuesAreNoPartOfAShape_data();
    void valuesAreNoPartOfAShape();
    void theSameDeadlockHasOneShapeWhoeverCameFirst();
};

void TestDeadlockReport::eachFamilysTextIsRead_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("at");
    QTest::addColumn<int>("victim");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QStringList>("statements");
    QTest::addColumn<QStringList>("edges");

    const QString primary = u"shop.orders.PRIMARY X,REC_NOT_GAP"_s;
    const QString update = u"update orders set total=total+1 where id=%1"_s;
    QTest::newRow("two sides, MariaDB") << u"mariadb-two"_s << u"2026-11-26 01:22:11"_s << 1 << u"order"_s
                                        << QStringList{u"5 "_s + update.arg(1), u"4 "_s + update.arg(2)}
                                        << QStringList{u"1 waits for 2: "_s + primary, u"2 waits for 1: "_s + primary};
    QTest::newRow("two sides, MySQL") << u"mysql-two"_s << u"2026-11-26 01:22:39"_s << 2 << u"order"_s
                                      << QStringList{u"9 "_s + update.arg(2), u"10 "_s + update.arg(1)}
                                      << QStringList{u"1 waits for 2: "_s + primary, u"2 waits for 1: "_s + primary};
    const QStringList three{u"1 waits for 2: "_s + primary, u"2 waits for 3: "_s + primary,
                            u"3 waits for 1: "_s + primary};
    const QString select = u"select * from orders where %1 for update"_s;
    QTest::newRow("three sides, MariaDB")
        << u"mariadb-three"_s << u"2026-11-26 01:22:16"_s << 3 << u"order"_s
        << QStringList{u"7 "_s + select.arg("no='b'"_L1), u"8 "_s + select.arg("id=5"_L1),
                       u"9 update orders set no='x' where id=1"_s}
        << three;
    QTest::newRow("three sides, MySQL") << u"mysql-three"_s << u"2026-11-26 01:22:44"_s << 2 << u"order"_s
                                        << QStringList{u"14 "_s + select.arg("id=5"_L1),
                                                       u"12 update orders set no='x' where id=1"_s,
                                                       u"13 "_s + select.arg("no='b'"_L1)}
                                        << three;
    QTest::newRow("equal inserts, MySQL")
        << u"mysql-insert"_s << u"2026-11-26 01:22:53"_s << 2 << u"duplicate key"_s
        << QStringList{u"19 insert into central(name) values('one')"_s, u"20 insert into central(name) values('one')"_s}
        << QStringList{u"1 waits for 2: shop.central.name X,INSERT_INTENTION"_s,
                       u"2 waits for 1: shop.central.name X,INSERT_INTENTION"_s};
}

void TestDeadlockReport::eachFamilysTextIsRead()
{
    QFETCH(QString, file);
    const auto found = latestDeadlock(raw(file));
    QVERIFY(found);
    QTEST(found->at, "at");
    QTEST(found->victim, "victim");
    QVERIFY(!found->isCut);
    QTEST(edgeLines(*found), "edges");
    QTEST(causeName(causeOf(*found)), "cause");
    QStringList statements;
    for (const DeadlockSide &side : found->sides) {
        statements += QString::number(side.session) + u' ' + side.statement;
        QVERIFY(!side.isStatementCut);
        QVERIFY(side.transaction > 0);
        QVERIFY2(side.client.startsWith("localhost root "_L1), qPrintable(side.client));
    }
    QTEST(statements, "statements");
    QVERIFY(raw(file).contains(found->text));
}

void TestDeadlockReport::aStatusWithoutADeadlockHasNone()
{
    QVERIFY(!latestDeadlock({}));
    QVERIFY(!latestDeadlock("LATEST DETECTED DEADLOCK"));
    QByteArray status = raw(u"mysql-two"_s);
    status.replace("LATEST DETECTED DEADLOCK", "LATEST FOREIGN KEY ERROR");
    QVERIFY(!latestDeadlock(status));
}

void TestDeadlockReport::headingsInAStatementAreNoSides()
{
    const auto found = latestDeadlock(withStatement("insert into notes values('\n*** (1) TRANSACTION:\n"
                                                    "*** (7) TRANSACTION:\nTRANSACTION 5, ACTIVE 1 sec\n')"));
    QVERIFY(found);
    QCOMPARE(found->sides.size(), 2);
    QVERIFY(found->sides[0].statement.endsWith("ACTIVE 1 sec\n')"_L1));
    QCOMPARE(edgesOf(*found).size(), 2);
}

void TestDeadlockReport::aLongStatementIsMarkedAsCut()
{
    QVERIFY(!latestDeadlock(withStatement("select " + QByteArray(2900, '1')))->sides[0].isStatementCut);
    QVERIFY(latestDeadlock(withStatement("select " + QByteArray(2993, '1')))->sides[0].isStatementCut);
}

void TestDeadlockReport::aCutTextIsMarked()
{
    const QByteArray status = raw(u"mysql-two"_s);
    const auto found = latestDeadlock(status.left(status.indexOf("*** (2) WAITING")));
    QVERIFY(found);
    QVERIFY(found->isCut);
    QCOMPARE(found->victim, 0);
    QCOMPARE(edgesOf(*found).size(), 1);
    QCOMPARE(causeOf(*found), DeadlockCause::Unknown);
}

/// Cut anywhere, and with any byte in any place.
void TestDeadlockReport::anyTextIsRead()
{
    for (const QString &file : {u"mariadb-two"_s, u"mysql-insert"_s}) {
        const QByteArray status = raw(file);
        qsizetype most = 0;
        for (qsizetype i = 0; i < status.size(); i += 5) {
            for (const char byte : {'\0', '\n', '*', '`', '\xff'}) {
                QByteArray changed = status;
                changed[i] = byte;
                const auto found = latestDeadlock(changed);
                most = std::max(most, found ? found->sides.size() : 0);
                if (found)
                    causeOf(*found);
            }
            const auto cut = latestDeadlock(status.left(i));
            QVERIFY(!cut || cut->sides.size() <= 2);
        }
        QCOMPARE(most, 2);
    }
}

void TestDeadlockReport::valuesAreNoPartOfAShape_data()
{
    QTest::addColumn<QString>("statement");
    QTest::addColumn<QString>("shape");
    QTest::newRow("numbers") << u"UPDATE t1 SET a = a+1.5 WHERE id=-20 AND b=0x1F"_s
                             << u"update t1 set a = a+? where id=-? and b=?"_s;
    QTest::newRow("text") << u"insert into t values ('it''s', \"a\\\"b\")"_s << u"insert into t values (?)"_s;
    QTest::newRow("many rows") << u"INSERT INTO t VALUES (1,'a'),\n (2,'b')"_s << u"insert into t values (?)"_s;
    QTest::newRow("a list") << u"select * from t where id in (1, 2, 3)"_s << u"select * from t where id in (?)"_s;
    QTest::newRow("a comment") << u"/* shop:17 */ delete from t -- now\n where a='/* no */'"_s
                               << u"delete from t where a=?"_s;
    QTest::newRow("a cut text") << u"select 'never ended"_s << u"select ?"_s;
    QTest::newRow("nothing") << QString() << QString();
}

void TestDeadlockReport::valuesAreNoPartOfAShape()
{
    QFETCH(QString, statement);
    QTEST(withoutValues(statement), "shape");
}

void TestDeadlockReport::theSameDeadlockHasOneShapeWhoeverCameFirst()
{
    auto deadlock = latestDeadlock(raw(u"mysql-three"_s));
    const QByteArray shape = shapeOf(*deadlock);
    std::ranges::reverse(deadlock->sides);
    for (DeadlockSide &side : deadlock->sides)
        side.statement.replace(u'5', u'9').replace("'b'"_L1, "'c'"_L1);
    QCOMPARE(shapeOf(*deadlock), shape);
    deadlock->sides[0].statement += " limit 1"_L1;
    QVERIFY(shapeOf(*deadlock) != shape);
}

QTEST_GUILESS_MAIN(TestDeadlockReport)
#include "tst_deadlockreport.moc"
