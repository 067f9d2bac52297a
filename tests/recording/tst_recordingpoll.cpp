// SPDX-License-Identifier: MIT
// What a poll finds that no later one has is in the file, whatever becomes of the poll.
#include "console/auditfile.h"
#include "recordmaker.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

using Kind = RecordedMark::Kind;

/// Where nobody listens.
SessionTarget nowhere()
{
    SessionTarget target;
    QString error;
    if (!ServerUrl::parse(u"mysql://lockscope_monitor@127.0.0.1:1/lockscope"_s, &target.url, &error))
        qFatal("%s", qUtf8Printable(error));
    return target;
}

LockError noAnswer()
{
    LockError error;
    error.message = u"The server does not answer."_s;
    return error;
}

/// Of a look that was so long ago.
RecordedNews newsBefore(Microseconds ago)
{
    RecordedNews news = newsAt(0, 0);
    news.look.waits.clock.local -= ago;
    return news;
}

RecordedNews newsOfAct()
{
    AuditLine act;
    act.target = u"session 12"_s;
    RecordedNews news;
    news.acts = {act};
    return news;
}

/// In the record of this machine.
void act(const QString &server, const QString &target)
{
    AuditFile file;
    QCOMPARE(file.open(), QString());
    AuditEntry entry;
    entry.server = server;
    entry.target = target;
    entry.reason = u"stuck"_s;
    entry.outcome = u"ended"_s;
    QCOMPARE(file.append(entry), QString());
}

} // namespace

class TestRecordingPoll : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whatWasDoneIsKeptWhileTheServerDoesNotAnswer();
    void whatAFailingLookHadReadIsKept();
    void theQueueBeforeAGapIsToldBeforeIt();
    void anActIsOfItsTimeWhileTheServerIsAway();
    void anActLongAfterTheLastLookTakesNoneAway();
    void anActOfARecorderThatNeverReachesTheServerIsItsEnd();
    void actsOnThisServerAreTakenWhoeverDidThem_data();
    void actsOnThisServerAreTakenWhoeverDidThem();

private:
    std::unique_ptr<QTemporaryDir> m_home;
};

void TestRecordingPoll::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(qputenv("XDG_DATA_HOME", QFile::encodeName(m_home->path())));
}

void TestRecordingPoll::whatWasDoneIsKeptWhileTheServerDoesNotAnswer()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    recorder.take(newsAt(0, 0));
    RecordingPoll poll;
    poll.setTarget(nowhere());
    const QStringList targets{u"session 12 of app@a7"_s, u"session 13 of app@a7"_s};
    for (const QString &target : targets) {
        act(nowhere().url.toString(), target);
        QVERIFY(recorder.look(&poll));
    }
    QVERIFY(recorder.look(&poll)); // with nothing new
    QCOMPARE(recorder.end(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    QStringList kept;
    for (const RecordedMark &mark : recording->marks(recording->info().from, recording->info().to, {Kind::Act}))
        kept.append(actOf(mark.body).target);
    QCOMPARE(kept, targets);
    QCOMPARE(recording->marks(kNow, kNow + 1h, {Kind::Unreachable}).size(), 1);
}

void TestRecordingPoll::whatAFailingLookHadReadIsKept()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    RecordedNews first = newsAt(0, 0);
    first.deadlockSight = DeadlockSight::Nothing;
    recorder.take(first);
    RecordedNews failed;
    Event event;
    event.id = 5;
    event.at = kNow;
    event.kind = Event::Kind::ForceRelease;
    event.kindName = "force_release";
    failed.events = {event};
    failed.latency.histograms[{"unique", "acquire", "granted", kNow}].add(3ms);
    recorder.miss(noAnswer(), failed);
    QCOMPARE(recorder.end(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    const ServerTime end = recording->info().to;
    const auto events = recording->marks(kNow, end, {Kind::Event});
    QCOMPARE(events.size(), 1);
    QVERIFY(eventOf(events[0].body) == failed.events[0]);
    LatencySeries read;
    for (const RecordedMark &mark : recording->marks(kNow, end, {Kind::Latency}))
        addLatency(mark.body, &read);
    QVERIFY(read.histograms == failed.latency.histograms);
    QCOMPARE(recording->marks(kNow, kNow + 1h, {Kind::DeadlockSight}).size(), 1); // it did not come that far
}

void TestRecordingPoll::theQueueBeforeAGapIsToldBeforeIt()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    recorder.take(newsAt(0, 1));
    recorder.take(newsAt(1, 12)); // the next queue is told some seconds later
    recorder.miss(noAnswer());
    const auto toldUntil = [&](int second) {
        const auto recording = Recording::open(written.options.path, &written.error);
        QStringList told;
        for (const RecordedMark &mark : recording->marks(kNow, kNow + std::chrono::seconds(second),
                                                         {Kind::Waiting, Kind::Unreachable, Kind::Reachable}))
            told.append(mark.kind == Kind::Waiting ? u"%1 at %2 s"_s.arg(mark.waiting).arg((mark.at - kNow) / 1s)
                                                   : QString::number(int(mark.kind)));
        return told;
    };
    const QStringList before{u"1 at 0 s"_s, u"12 at 1 s"_s, QString::number(int(Kind::Unreachable))};
    QCOMPARE(toldUntil(60), before); // the recorder may end here without a word
    recorder.take(newsAt(60, 3));
    QCOMPARE(toldUntil(60), before + QStringList({QString::number(int(Kind::Reachable)), u"3 at 60 s"_s}));
}

void TestRecordingPoll::anActIsOfItsTimeWhileTheServerIsAway()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    recorder.take(newsBefore(20s));
    recorder.miss(noAnswer(), newsOfAct());
    recorder.miss(noAnswer());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    const auto marks = recording->marks(kNow, kNow + 1h, {Kind::Unreachable, Kind::Act});
    QCOMPARE(marks.size(), 2);
    QCOMPARE(marks[0].kind, Kind::Unreachable);
    QCOMPARE(marks[0].at, kNow + 1us);
    QVERIFY(marks[1].at >= kNow + 20s);
    QCOMPARE(recording->info().to, marks[1].at);
    QVERIFY(recording->at(recording->info().to)->isGap);
    QCOMPARE(*recording->lookUntil(recording->info().to), kNow);
}

/// Older looks go when there are new ones.
void TestRecordingPoll::anActLongAfterTheLastLookTakesNoneAway()
{
    WrittenRecording written;
    written.options.keep = 10min;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    recorder.take(newsBefore(3h));
    recorder.miss(noAnswer(), newsOfAct());
    QCOMPARE(recorder.end(), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    QCOMPARE(recording->info().looks, 1);
    QVERIFY(recording->info().to >= kNow + 3h);
}

void TestRecordingPoll::anActOfARecorderThatNeverReachesTheServerIsItsEnd()
{
    WrittenRecording written;
    QVERIFY(written.open());
    QCOMPARE(written.write(10), QString());
    written.writer.reset();
    QVERIFY2(written.open(), qPrintable(written.error));
    const ServerTime done = RecordMaker::timeOf(3600);
    const RecordedMark act{done, Kind::Act};
    const RecordedMark end{done + 1min, Kind::Ended};
    QCOMPARE(written.writer->append({act, end}), QString());
    const auto recording = Recording::open(written.options.path, &written.error);
    QVERIFY2(recording, qPrintable(written.error));
    QCOMPARE(recording->info().to, done);
    QCOMPARE(recording->info().looks, 10);
}

void TestRecordingPoll::actsOnThisServerAreTakenWhoeverDidThem_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<int>("taken");
    QTest::newRow("the same account") << u"mysql://lockscope_monitor@127.0.0.1:1/lockscope"_s << 1;
    QTest::newRow("another account, schema and run")
        << u"mysql://lockscope_operator@127.0.0.1:1/shop (run 7 of it)"_s << 1;
    QTest::newRow("another spelling") << u"mysql://root@LocalHost:1/lockscope"_s << 1;
    QTest::newRow("another port") << u"mysql://lockscope_monitor@127.0.0.1:11/lockscope"_s << 0;
    QTest::newRow("another host") << u"mysql://lockscope_monitor@db1:1/lockscope"_s << 0;
}

void TestRecordingPoll::actsOnThisServerAreTakenWhoeverDidThem()
{
    QFETCH(const QString, server);
    RecordingPoll poll;
    poll.setTarget(nowhere());
    act(server, u"session 12 of app@a7"_s);
    RecordedNews news;
    QVERIFY(poll.poll(&news));
    QTEST(int(news.acts.size()), "taken");
}

QTEST_GUILESS_MAIN(TestRecordingPoll)
#include "tst_recordingpoll.moc"
