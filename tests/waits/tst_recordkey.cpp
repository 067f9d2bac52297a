// SPDX-License-Identifier: MIT
// A key as people read it: binary columns hold text in most lock tables.
#include "waits/recordkey.h"
#include "waits/serverwaits.h"

#include <QtTest/QTest>

using namespace lockscope;

class TestRecordKey : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKeyIsShownAsTextWhereItIsText_data();
    void aKeyIsShownAsTextWhereItIsText();
    void aModeSaysWhetherOnlyTheGapIsLocked_data();
    void aModeSaysWhetherOnlyTheGapIsLocked();
    void aGapIsNamedAsOneAndIsTheRecordsLock();
};

void TestRecordKey::aKeyIsShownAsTextWhereItIsText_data()
{
    QTest::addColumn<QByteArray>("told");
    QTest::addColumn<QByteArray>("shown");

    QTest::newRow("a number") << QByteArray("5") << QByteArray("5");
    QTest::newRow("text in binary") << QByteArray("0x6C65646765722F6D6F6E7468") << QByteArray("'ledger/month'");
    QTest::newRow("text behind a number") << QByteArray("5, 0x6C6564676572") << QByteArray("5, 'ledger'");
    QTest::newRow("padded") << QByteArray("0x61620000") << QByteArray("'ab' + 2 zero bytes");
    QTest::newRow("UTF-8") << QByteArray("0x7AC3BC") << QByteArray("'z\xc3\xbc'");
    QTest::newRow("a quote") << QByteArray("0x6F27") << QByteArray("'o'''");
    QTest::newRow("bytes") << QByteArray("0xFF00") << QByteArray("0xFF00");
    QTest::newRow("a date") << QByteArray("0x99A5420000, 1") << QByteArray("0x99A5420000, 1");
    QTest::newRow("a TIMESTAMP of 2023") << QByteArray("0x65616263") << QByteArray("0x65616263");
    QTest::newRow("zeros") << QByteArray("0x0000") << QByteArray("0x0000");
    QTest::newRow("cut") << QByteArray("0x6C6") << QByteArray("0x6C6");
    QTest::newRow("a control character") << QByteArray("0x611B") << QByteArray("0x611B");
    QTest::newRow("text that looks so") << QByteArray("'0x61, 0x62', 3") << QByteArray("'0x61, 0x62', 3");
    QTest::newRow("a quote and a comma") << QByteArray("'it''s, 0x61', 0x61") << QByteArray("'it''s, 0x61', 'a'");
    QTest::newRow("the end") << QByteArray(ServerObject::EndOfIndex) << QByteArray(ServerObject::EndOfIndex);
    QTest::newRow("none") << QByteArray() << QByteArray();
}

void TestRecordKey::aKeyIsShownAsTextWhereItIsText()
{
    QFETCH(QByteArray, told);
    QTEST(readableKey(told), "shown");
}

void TestRecordKey::aModeSaysWhetherOnlyTheGapIsLocked_data()
{
    QTest::addColumn<bool>("isGap");

    QTest::newRow("X") << false;
    QTest::newRow("S,REC_NOT_GAP") << false;
    QTest::newRow("X,GAP") << true;
    QTest::newRow("X,GAP,INSERT_INTENTION") << true;
    QTest::newRow("X,INSERT_INTENTION") << true;
}

void TestRecordKey::aModeSaysWhetherOnlyTheGapIsLocked()
{
    QTEST(isGapMode(QString::fromLatin1(QTest::currentDataTag())), "isGap");
}

/// The queue is the record's: who waits for the gap may stand behind who waits for the record.
void TestRecordKey::aGapIsNamedAsOneAndIsTheRecordsLock()
{
    ServerObject record;
    record.schema = QStringLiteral("shop");
    record.name = "stock";
    record.index = QStringLiteral("PRIMARY");
    record.record = "20";
    ServerObject gap = record;
    gap.isGap = true;
    QCOMPARE(gap.toString(), QStringLiteral("shop.stock PRIMARY, gap before (20)"));
    QVERIFY(gap == record && qHash(gap) == qHash(record));
    gap.record = ServerObject::EndOfIndex;
    QCOMPARE(gap.toString(), QStringLiteral("shop.stock PRIMARY, gap at the end"));
}

QTEST_GUILESS_MAIN(TestRecordKey)
#include "tst_recordkey.moc"
