// SPDX-License-Identifier: MIT
// What `recording info` and `recording report` say: one incident for one thing, times in one zone, an act once.
#include "recording/recorder.h"
#include "terminal/output.h"
#include "text/recordingtext.h"
#include "waitparts.h"

#include <QtCore/QJsonArray>
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
    void ofAStretchThatWasNotSeenNothingIsClaimed();
    void whatIsNotKnownOfDeadlocksIsSaid();
    void anActIsInTheReportOfItsTimeWhileTheServerIsAway();

private:
    std::unique_ptr<Recorder> startRecorder(const QString &path) const;

    QTemporaryDir m_dir;
    std::unique_ptr<Recording> m_recording;
    QString m_report;
    QString m_info;
};

void TestRecordingText::initTestCase()
{
    qputenv("TZ", "Asia/Tokyo");
    const QString path = m_dir.filePath(u"night.lockscope"_s);
    const auto recorder = startRecorder(path);
    QVERIFY(recorder);
    for (int second = 0; second <= 100; ++second) {
        RecordedNews news = newsAt(second);
        if (second == 60)
            addKill(&news);
        recorder->take(news);
    }
    QCOMPARE(recorder->end(), QString());
    QString error;
    m_recording = Recording::open(path, &error);
    QVERIFY2(m_recording, qPrintable(error));
    const RecordingInfo &info = m_recording->info();
    m_report = ctl::reportText(*m_recording, info.from, info.to);
    m_info = ctl::infoLines(*m_recording).join(u'\n');
}

std::unique_ptr<Recorder> TestRecordingText::startRecorder(const QString &path) const
{
    RecordingOptions options;
    options.path = path;
    QString error;
    auto writer = RecordingWriter::open(options, u"mysql://ops@db1/shop"_s, &error);
    if (!writer)
        qWarning("%s", qPrintable(error));
    return writer ? std::make_unique<Recorder>(options, std::move(writer)) : nullptr;
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

void TestRecordingText::ofAStretchThatWasNotSeenNothingIsClaimed()
{
    const QString path = m_dir.filePath(u"gap.lockscope"_s);
    const auto recorder = startRecorder(path);
    QVERIFY(recorder);
    recorder->take(newsAt(0));
    LockError gone;
    gone.message = u"The server does not answer."_s;
    recorder->miss(gone);
    recorder->take(newsAt(7200));
    recorder->take(newsAt(7201));
    QString error;
    const auto recording = Recording::open(path, &error);
    QVERIFY2(recording, qPrintable(error));
    const QString within = ctl::reportText(*recording, kNow + 1h, kNow + 1h + 30min);
    QVERIFY2(!within.contains(u"nobody waited"_s) && within.contains(u"does not answer"_s), qPrintable(within));
    QVERIFY2(within.contains(u"to "_s + ctl::timeText(kNow + 2h) + u": "_s), qPrintable(within));
    const QJsonObject json = ctl::reportToJson(*recording, kNow + 1h, kNow + 1h + 30min);
    QCOMPARE(json[u"gaps"_s].toArray().size(), 1);
    const QString seen = ctl::reportText(*recording, kNow + 2h, kNow + 2h + 1s);
    QVERIFY2(seen.contains(u"nobody waited"_s) && !seen.contains(u"Not seen"_s), qPrintable(seen));
}

void TestRecordingText::whatIsNotKnownOfDeadlocksIsSaid()
{
    const QString path = m_dir.filePath(u"blind.lockscope"_s);
    const auto recorder = startRecorder(path);
    QVERIFY(recorder);
    for (int second = 100; second < 110; ++second) { // nobody waits
        RecordedNews news = newsAt(second);
        news.deadlocksMissed = second == 102 ? 5 : 0;
        if (second >= 105) {
            news.deadlockSight = DeadlockSight::Nothing;
            news.whyNoDeadlocks = u"This account may not read them."_s;
        }
        recorder->take(news);
    }
    QString error;
    const auto recording = Recording::open(path, &error);
    QVERIFY2(recording, qPrintable(error));
    const RecordingInfo &info = recording->info();
    const QString report = ctl::reportText(*recording, info.from, info.to);
    for (const QString &said : {report, ctl::infoLines(*recording).join(u'\n')}) {
        QVERIFY2(said.contains(u"5 not captured"_s) && said.contains(u"This account may not read them."_s),
                 qPrintable(said));
        QVERIFY2(!said.contains(u"no deadlock was seen"_s), qPrintable(said));
    }
    for (const QJsonObject &json : {ctl::infoToJson(*recording), ctl::reportToJson(*recording, info.from, info.to)}) {
        QCOMPARE(json[u"deadlocksNotCaptured"_s].toInt(), 5);
        QCOMPARE(json[u"deadlocksNotRead"_s].toArray().size(), 1);
    }
    const QString blind = ctl::reportText(*recording, kNow + 107s, kNow + 109s); // told before it
    QVERIFY2(!blind.contains(u"no deadlock was seen"_s) && !blind.contains(u"5 not captured"_s), qPrintable(blind));
    const QString before = ctl::reportText(*recording, kNow + 103s, kNow + 104s);
    QVERIFY2(before.contains(u"no deadlock was seen"_s), qPrintable(before));
}

void TestRecordingText::anActIsInTheReportOfItsTimeWhileTheServerIsAway()
{
    const QString path = m_dir.filePath(u"away.lockscope"_s);
    const auto recorder = startRecorder(path);
    QVERIFY(recorder);
    RecordedNews news = newsAt(0);
    news.look.waits.clock.local = std::chrono::steady_clock::now() - 20s;
    recorder->take(news);
    RecordedNews meanwhile = newsAt(20);
    addKill(&meanwhile);
    LockError gone;
    gone.message = u"The server does not answer."_s;
    recorder->miss(gone, meanwhile);
    QString error;
    const auto recording = Recording::open(path, &error);
    QVERIFY2(recording, qPrintable(error));
    const RecordingInfo &info = recording->info();
    for (const QString &said :
         {ctl::reportText(*recording, info.from, info.to), ctl::reportText(*recording, kNow + 15s, kNow + 1h)})
        QVERIFY2(said.count(u"session 12  "_s) == 1 && said.contains(u"does not answer"_s), qPrintable(said));
    const QString before = ctl::reportText(*recording, kNow, kNow + 15s);
    QVERIFY2(!before.contains(u"session 12  "_s), qPrintable(before));
}

QTEST_GUILESS_MAIN(TestRecordingText)
#include "tst_recordingtext.moc"
