// SPDX-License-Identifier: MIT
#include "console/durationtext.h"

#include <QtTest/QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class DurationTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDurationIsAWholeNumberAndAUnit_data();
    void aDurationIsAWholeNumberAndAUnit();
    void everythingElseIsRefused_data();
    void everythingElseIsRefused();
    void foreverIsADurationOnlyWhereItIsAllowed();
};

void DurationTextTest::aDurationIsAWholeNumberAndAUnit_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("microseconds");
    QTest::newRow("nothing needs no unit") << QByteArray("0") << qint64(0);
    QTest::newRow("milliseconds") << QByteArray("400ms") << qint64(400'000);
    QTest::newRow("no seconds") << QByteArray("0s") << qint64(0);
    QTest::newRow("seconds") << QByteArray("30s") << qint64(30'000'000);
    QTest::newRow("minutes") << QByteArray("5m") << qint64(300'000'000);
    QTest::newRow("hours") << QByteArray("2h") << qint64(7'200'000'000);
    QTest::newRow("leading zeros") << QByteArray("007s") << qint64(7'000'000);
    QTest::newRow("as large as fits") << QByteArray("2562047788h") << qint64(2562047788) * 3'600'000'000;
}

void DurationTextTest::aDurationIsAWholeNumberAndAUnit()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, microseconds);
    const auto parsed = ctl::parseDuration(text.toStdString());
    QVERIFY(parsed);
    QCOMPARE(qint64(parsed->count()), microseconds);
}

void DurationTextTest::everythingElseIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"",
                             " ",
                             "s",
                             "5",
                             "1",
                             "-1s",
                             "+1s",
                             "1.5s",
                             " 1s",
                             "1s ",
                             "1 s",
                             "1S",
                             "1sec",
                             "1d",
                             "0x1s",
                             "1e3s",
                             "forever",
                             "9223372036854775808ms",
                             "9223372036854775807h",
                             "2562047789h"})
        QTest::addRow("\"%s\"", text) << QByteArray(text);
}

void DurationTextTest::everythingElseIsRefused()
{
    QFETCH(QByteArray, text);
    QVERIFY(!ctl::parseDuration(text.toStdString()));
}

void DurationTextTest::foreverIsADurationOnlyWhereItIsAllowed()
{
    QVERIFY(!ctl::parseDuration("forever"));
    QVERIFY(ctl::parseDurationOrForever("forever") == Forever);
    QVERIFY(ctl::parseDurationOrForever("1s") == Duration(1s));
    QVERIFY(!ctl::parseDurationOrForever("Forever"));
}

QTEST_GUILESS_MAIN(DurationTextTest)
#include "tst_durationtext.moc"
