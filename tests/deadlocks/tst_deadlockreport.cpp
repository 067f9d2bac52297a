// SPDX-License-Identifier: MIT
// What MariaDB 10.11 and MySQL 9.7 really printed of deadlocks (raw/), and whatever may be in its place.
#include "deadlocks/deadlockinbox.h"
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

DeadlockNews newsOf(const QString &name)
{
    return {.latest = latestDeadlock(raw(name))};
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
    void theSameDeadlockHasOneShapeWhoeverCameFirst();
    void aPartitionIsPartOfItsTable();
    void onlyWhatLiesInARunsSchemaIsOfARun_data();
    void onlyWhatLiesInARunsSchemaIsOfARun();
    void eachShapeIsKeptOnceTheLatestFirst();
    void whatWasNotCapturedIsCounted();
    void whatARunMadeIsNobodysConcern();
    void anInboxKeepsToItsRoom();
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

void TestDeadlockReport::aPartitionIsPartOfItsTable()
{
    QByteArray status = raw(u"mysql-two"_s);
    status.replace("`shop`.`orders` trx", "`shop`.`orders` /* Partition `p0` */ trx");
    const auto found = latestDeadlock(status);
    QVERIFY(found);
    QCOMPARE(edgesOf(*found).size(), 2);
    QCOMPARE(edgesOf(*found)[0].lock.table, u"orders"_s);
}

void TestDeadlockReport::onlyWhatLiesInARunsSchemaIsOfARun_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<bool>("isOfRun");
    QTest::newRow("a lesson") << QByteArray("`shop`") << QByteArray("`lockscope_lesson_0123456789abcdef`") << true;
    QTest::newRow("the lab") << QByteArray("`shop`") << QByteArray("`lockscope_lab_0123456789abcdef`") << true;
    QTest::newRow("somebody") << QByteArray("`shop`") << QByteArray("`shop`") << false;
    QTest::newRow("the engine's tables") << QByteArray("`shop`") << QByteArray("`lockscope`") << false;
    QTest::newRow("a like name") << QByteArray("`shop`") << QByteArray("`lockscope_lab_0123456789abcdefg`") << false;
    QTest::newRow("one of several tables")
        << QByteArray("`shop`.`orders` trx id 1570 lock_mode X locks rec but not gap\n")
        << QByteArray("`lockscope_lab_0123456789abcdef`.`orders` trx id 1570 lock_mode X "
                      "locks rec but not gap\n")
        << false;
}

void TestDeadlockReport::onlyWhatLiesInARunsSchemaIsOfARun()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QByteArray status = raw(u"mysql-two"_s);
    const auto found = latestDeadlock(status.replace(from, to));
    QVERIFY(found);
    QTEST(isOfRun(*found), "isOfRun");
}

void TestDeadlockReport::eachShapeIsKeptOnceTheLatestFirst()
{
    DeadlockInbox inbox;
    QVERIFY(inbox.take(newsOf(u"mysql-two"_s)));
    QVERIFY(inbox.take(newsOf(u"mysql-three"_s)));
    DeadlockNews again = newsOf(u"mysql-two"_s);
    again.latest->at = u"2026-11-26 02:00:00"_s;
    again.latest->sides[0].statement.replace(u'2', u'7');
    QVERIFY(inbox.take(again));
    QCOMPARE(inbox.shapes().size(), 2);
    QCOMPARE(inbox.shapes()[0].count, quint64(2));
    QCOMPARE(inbox.shapes()[0].first, u"2026-11-26 01:22:39"_s);
    QCOMPARE(inbox.shapes()[0].latest.at, u"2026-11-26 02:00:00"_s);
    QCOMPARE(inbox.shapes()[1].latest.sides.size(), 3);
    QCOMPARE(inbox.arrived(), quint64(2)); // the first was there before anybody looked
    QVERIFY(!inbox.take({}));
}

void TestDeadlockReport::whatWasNotCapturedIsCounted()
{
    DeadlockInbox inbox;
    QVERIFY(inbox.take({.notCaptured = 7}));
    QVERIFY(inbox.take({.notCaptured = 2}));
    QCOMPARE(inbox.missedBefore(), quint64(7));
    QCOMPARE(inbox.missedSince(), quint64(2));
    QVERIFY(inbox.isCounted() && !inbox.isRestarted());
    QVERIFY(inbox.take({.notCaptured = std::nullopt}));
    QVERIFY(!inbox.isCounted());
    QVERIFY(!inbox.take({.notCaptured = std::nullopt}));
    QVERIFY(inbox.take({.notCaptured = 1, .isRestarted = true}));
    QCOMPARE(inbox.missedSince(), quint64(3));
    QVERIFY(inbox.isCounted() && inbox.isRestarted());
}

void TestDeadlockReport::whatARunMadeIsNobodysConcern()
{
    QByteArray status = raw(u"mysql-two"_s);
    status.replace("`shop`", "`lockscope_lab_0123456789abcdef`");
    DeadlockInbox inbox;
    inbox.take({});
    inbox.take({.latest = latestDeadlock(status)});
    QCOMPARE(inbox.arrived(), quint64(0));
    QCOMPARE(inbox.shapes().size(), 1);
    QVERIFY(inbox.shapes()[0].isOfRun);
}

void TestDeadlockReport::anInboxKeepsToItsRoom()
{
    DeadlockInbox inbox;
    DeadlockNews news = newsOf(u"mysql-two"_s);
    const auto takeWith = [&](const QString &statement, qsizetype bytes) {
        news.latest->sides[0].statement = statement;
        news.latest->text = QByteArray(bytes, ' ');
        inbox.take(news);
    };
    for (int i = 0; i < int(DeadlockInbox::MaxShapes) + 3; ++i)
        takeWith(u"delete from t%1"_s.arg(i), 10);
    QCOMPARE(inbox.shapes().size(), DeadlockInbox::MaxShapes);
    QCOMPARE(inbox.dropped(), quint64(3));
    takeWith(u"delete from t1"_s, 10); // which had to go, and is counted on
    QCOMPARE(inbox.shapes()[0].count, quint64(2));
    QCOMPARE(inbox.dropped(), quint64(3)); // another one for it
    takeWith(u"delete from long1"_s, DeadlockInbox::MaxBytes / 2 + 1);
    takeWith(u"delete from long2"_s, DeadlockInbox::MaxBytes / 2 + 1);
    QCOMPARE(inbox.shapes().size(), 1);
    takeWith(u"delete from longest"_s, DeadlockInbox::MaxBytes + 1);
    QCOMPARE(inbox.shapes().size(), 1);
    QCOMPARE(inbox.shapes()[0].latest.sides[0].statement, u"delete from longest"_s);
}

QTEST_GUILESS_MAIN(TestDeadlockReport)
#include "tst_deadlockreport.moc"
