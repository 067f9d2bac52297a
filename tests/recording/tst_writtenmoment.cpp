// SPDX-License-Identifier: MIT
#include "strict.h"

#include "recording/writtenmoment.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

ServerTime timeAt(const QString &iso)
{
    return ServerTime(std::chrono::milliseconds(QDateTime::fromString(iso, Qt::ISODateWithMs).toMSecsSinceEpoch()));
}

} // namespace

class TestWrittenMoment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aMomentIsReadAsItIsWritten_data();
    void aMomentIsReadAsItIsWritten();
};

/// The recording goes from 22:00 on the 25th to 04:00 on the 26th.
void TestWrittenMoment::aMomentIsReadAsItIsWritten_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isTime");
    QTest::addColumn<QString>("moment"); // empty: none
    QTest::newRow("of the last day") << u"03:12"_s << true << u"2026-11-26T03:12:00Z"_s;
    QTest::newRow("with seconds") << u" 3:12:30 "_s << true << u"2026-11-26T03:12:30Z"_s;
    QTest::newRow("of the evening before") << u"23:59"_s << true << u"2026-11-25T23:59:00Z"_s;
    QTest::newRow("in its zone") << u"03:12Z"_s << true << u"2026-11-26T03:12:00Z"_s;
    QTest::newRow("of no such time") << u"12:00"_s << true << QString();
    QTest::newRow("with its day") << u"2026-11-25 23:00"_s << true << u"2026-11-25T23:00:00Z"_s;
    QTest::newRow("with another zone") << u"2026-11-26T03:00:00+02:00"_s << true << u"2026-11-26T01:00:00Z"_s;
    QTest::newRow("with one west of it") << u"2026-11-25 23:00:00-02:00"_s << true << u"2026-11-26T01:00:00Z"_s;
    QTest::newRow("outside") << u"2026-11-27 03:00"_s << true << u"2026-11-27T03:00:00Z"_s;
    QTest::newRow("a word") << u"noon"_s << false << QString();
    QTest::newRow("no time of day") << u"25:00"_s << false << QString();
    QTest::newRow("nothing") << QString() << false << QString();
}

void TestWrittenMoment::aMomentIsReadAsItIsWritten()
{
    QFETCH(const QString, text);
    QFETCH(const bool, isTime);
    QFETCH(const QString, moment);
    RecordingInfo info;
    info.from = timeAt(u"2026-11-25T22:00:00Z"_s);
    info.to = timeAt(u"2026-11-26T04:00:00Z"_s);
    const WrittenMoment written = momentOf(text, info, true);
    QCOMPARE(written.isTime, isTime);
    QCOMPARE(written.at, moment.isEmpty() ? std::nullopt : std::optional(timeAt(moment)));
}

QTEST_GUILESS_MAIN(TestWrittenMoment)
#include "tst_writtenmoment.moc"
