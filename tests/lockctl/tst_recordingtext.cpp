// SPDX-License-Identifier: MIT
// What `recording info` and `recording report` say: one incident for one thing, times in one zone, an act once.
#include "recording/recorder.h"
#include "terminal/output.h"
#include "text/recordingtext.h"
#include "waitparts.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr int kWaiters = 12;

RecordedNews newsAt(int second)
{
    RecordedNews news;
    ServerWaits &waits = news.look.waits;
    waits.clock = {kNow + std::chrono::seconds(second),
                   std::chrono::steady_clock::time_point(1h) + std::chrono::seconds(second)};
    ServerSession holder;
    holder.id = 12;
    holder.user = u"billing"_s;
    holder.host = u"a7"_s;
    waits.sessions.insert(holder.id, holder);
    for (int i = 0; second >= 10 && second < 60 && i < kWaiters; ++i)
        waits.edges.append({quint64(100 + i), 12, row("5"), u"X"_s, kNow + 10s});
    return news;
}

/// A kill, as both records have it.
void addKill(RecordedNews *news)
{
    AuditLine act;
    act.at = QDateTime::fromMSecsSinceEpoch(news->look.waits.clock.server.time_since_epoch() / 1ms).toUTC();
    act.operatorName = u"ada@laptop"_s;
    act.server = u"mysql://ops@db1/shop"_s;
    act.target = u"session 12 of billing@a7"_s;
    act.reason = u"stuck"_s;
    act.outcome = u"ended"_s;
    news->acts = {act};
    Event event;
    event.id = 1;
    event.at = news->look.waits.clock.server;
    event.kind = Event::Kind::Kill;
    event.kindName = "kill";
    event.key.resource = "session 12";
    event.operatorName = act.operatorName;
    event.reason = u"stuck (KILL CONNECTION 12: ended)"_s;
    news->events = {event};
}

} // namespace

class TestRecordingText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aStallIsToldOnce();
    void anActInBothRecordsIsToldOnce();
    void timesAreInOneZoneThatIsNamed();

private:
    QTemporaryDir m_dir;
    std::unique_ptr<Recording> m_recording;
    QString m_report;
    QString m_info;
};

void TestRecordingText::initTestCase()
{
    qputenv("TZ", "Asia/Tokyo");
    RecordingOptions options;
    options.path = m_dir.filePath(u"night.lockscope"_s);
    QString error;
    auto writer = RecordingWriter::open(options, u"mysql://ops@db1/shop"_s, &error);
    QVERIFY2(writer, qPrintable(error));
    Recorder recorder(options, std::move(writer));
    for (int second = 0; second <= 100; ++second) {
        RecordedNews news = newsAt(second);
        if (second == 60)
            addKill(&news);
        recorder.take(news);
    }
    QCOMPARE(recorder.end(), QString());
    m_recording = Recording::open(options.path, &error);
    QVERIFY2(m_recording, qPrintable(error));
    const RecordingInfo &info = m_recording->info();
    m_report = ctl::reportText(*m_recording, info.from, info.to);
    m_info = ctl::infoLines(*m_recording).join(u'\n');
}

void TestRecordingText::aStallIsToldOnce()
{
    const QString text = u"13 alarms: 12 sessions waited, the longest for 49 s, for row shop.stock PRIMARY (5); "
                         "session 12 billing@a7 blocked them"_s;
    for (const QString &said : {m_report, m_info})
        QVERIFY2(said.count(text) == 1, qPrintable(said));
    QVERIFY2(m_report.count(u"### "_s) == 1 && m_report.count(u"Who blocked whom"_s) == 1, qPrintable(m_report));
    QVERIFY2(m_info.count(u"Incident"_s) == 1, qPrintable(m_info));
}

void TestRecordingText::anActInBothRecordsIsToldOnce()
{
    QVERIFY2(m_report.count(u"session 12  "_s) == 1 && m_report.count(u"stuck"_s) == 1, qPrintable(m_report));
    QVERIFY2(m_report.count(u"mysql://"_s) == 1, qPrintable(m_report)); // the title
}

void TestRecordingText::timesAreInOneZoneThatIsNamed()
{
    const QString killed = ctl::timeText(kNow + 60s);
    QVERIFY2(m_report.contains(killed + u"  kill  session 12"_s), qPrintable(m_report));
    QVERIFY2(!m_report.contains(QRegularExpression(u"\\dZ"_s)), qPrintable(m_report));
    QVERIFY2(m_report.count(u"JST"_s) == 1 && m_info.count(u"JST"_s) == 1, qPrintable(m_report + m_info));
}

QTEST_GUILESS_MAIN(TestRecordingText)
#include "tst_recordingtext.moc"
