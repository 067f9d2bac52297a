// SPDX-License-Identifier: MIT
// Names of distributed transactions, as SQL has them.
#include "waits/preparedtransactions.h"
#include "waits/xid.h"

#include <QtTest/QTest>

using namespace lockscope;

class TestXid : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNameIsWrittenAsTheServerPrintsIt_data();
    void aNameIsWrittenAsTheServerPrintsIt();
    void whatIsNoNameIsNone_data();
    void whatIsNoNameIsNone();
    void innoDbsTextTellsWhichArePrepared();
    void aStatementThatLooksLikeInnoDbsTextTellsNothing();
    void namesThatLookLikeDigitsAreReadBothWays();
};

void TestXid::aNameIsWrittenAsTheServerPrintsIt_data()
{
    QTest::addColumn<qint64>("format");
    QTest::addColumn<QByteArray>("gtrid");
    QTest::addColumn<QByteArray>("bqual");
    QTest::addColumn<QByteArray>("sql");
    QTest::newRow("plain") << qint64(1) << QByteArray("x1") << QByteArray() << QByteArray("'x1'");
    QTest::newRow("two parts") << qint64(1) << QByteArray("a") << QByteArray("b") << QByteArray("'a','b'");
    QTest::newRow("another format") << qint64(7) << QByteArray("a") << QByteArray() << QByteArray("'a','',7");
    QTest::newRow("a quote") << qint64(7) << QByteArray("a'b") << QByteArray("br") << QByteArray("X'612762',X'6272',7");
    QTest::newRow("any bytes") << qint64(1) << QByteArray("\x01\xff\n", 3) << QByteArray() << QByteArray("X'01ff0a'");
}

void TestXid::aNameIsWrittenAsTheServerPrintsIt()
{
    QFETCH(qint64, format);
    QFETCH(QByteArray, gtrid);
    QFETCH(QByteArray, bqual);
    const Xid xid{format, gtrid, bqual};
    QTEST(xid.toSql(), "sql");
    QCOMPARE(Xid::fromSql(xid.toSql()), std::optional(xid));
}

void TestXid::whatIsNoNameIsNone_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text :
         {"", "x1", "'x1", "'x1';", "'x1' ONE PHASE", "'a','b',c", "0x", "X'7'8'", "'a','',99999999999999999999"})
        QTest::newRow(text) << QByteArray(text);
}

void TestXid::whatIsNoNameIsNone()
{
    QFETCH(QByteArray, text);
    QVERIFY(!Xid::fromSql(text));
}

void TestXid::innoDbsTextTellsWhichArePrepared()
{
    const QByteArray text = "---TRANSACTION 25, ACTIVE 1 sec starting index read\n"
                            "MariaDB thread id 6, OS thread handle 1, query id 31 localhost root Updating\n"
                            "---TRANSACTION 24, ACTIVE (PREPARED) 1 sec\n"
                            "2 lock struct(s), heap size 1128, 1 row lock(s), undo log entries 1\n"
                            "MariaDB thread id 7, OS thread handle 2, query id 29 localhost root \n"
                            "---TRANSACTION 23, ACTIVE (PREPARED) 2 sec recovered trx\n"
                            "2 lock struct(s), heap size 1128, 1 row lock(s), undo log entries 1\n"
                            "---TRANSACTION 22, ACTIVE 9 sec\n"
                            "MariaDB thread id 8, OS thread handle 3, query id 28 localhost root \n";
    bool isCut = true;
    QCOMPARE(preparedInStatus(text, &isCut), (QHash<quint64, quint64>{{24, 7}}));
    QVERIFY(!isCut);
    preparedInStatus(text + "\n... truncated...\n", &isCut);
    QVERIFY(isCut);
}

/// The text has the statements of all sessions in it, as they are.
void TestXid::aStatementThatLooksLikeInnoDbsTextTellsNothing()
{
    const QByteArray text = "---TRANSACTION 25, ACTIVE 1 sec\n"
                            "MariaDB thread id 6, OS thread handle 1, query id 31 localhost mallory Sending data\n"
                            "SELECT /*\n"
                            "---TRANSACTION 22, ACTIVE (PREPARED) 1 sec\n"
                            "MariaDB thread id 8, */ SLEEP(9)\n"
                            "---TRANSACTION 22, ACTIVE 9 sec\n"
                            "MariaDB thread id 8, OS thread handle 3, query id 28 localhost root \n";
    bool isCut = false;
    QCOMPARE(preparedInStatus(text, &isCut), (QHash<quint64, quint64>()));
    QVERIFY(isCut); // which of both is true is not told
}

/// MySQL's performance schema prints bytes that are none to be read as "0x" and digits, and text as it is.
void TestXid::namesThatLookLikeDigitsAreReadBothWays()
{
    using Names = QList<Xid>;
    QCOMPARE(readingsOf(1, "x1", {}), (Names{{1, "x1", {}}}));
    QCOMPARE(readingsOf(1, "0x7831", {}), (Names{{1, "0x7831", {}}})); // "x1" is printed so
    QCOMPARE(readingsOf(1, "0x783", {}), (Names{{1, "0x783", {}}}));
    QCOMPARE(readingsOf(1, "0xzz", "0x"), (Names{{1, "0xzz", "0x"}}));
    QCOMPARE(readingsOf(7, "0x00FF", "b"), (Names{{7, "0x00FF", "b"}, {7, QByteArray("\x00\xff", 2), "b"}}));
    QCOMPARE(readingsOf(1, "0x01", "0x02").size(), 4);
}

QTEST_GUILESS_MAIN(TestXid)
#include "tst_xid.moc"
