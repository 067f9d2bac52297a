// SPDX-License-Identifier: MIT
// What a recording cannot tell of a stretch is told, wherever the stretch begins and however long ago it was marked.
#include "recording/incidents.h"
#include "recording/recordeddeadlocks.h"
#include "recording/recordingdatabase.h"
#include "recording/unseen.h"
#include "recordmaker.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

using Kind = RecordedMark::Kind;

ServerTime at(int second)
{
    return RecordMaker::timeOf(second);
}

LockError noAnswer()
{
    LockError error;
    error.message = u"The server does not answer."_s;
    return error;
}

void takeEach(Recorder *recorder, int from, int to)
{
    for (int second = from; second < to; ++second)
        recorder->take(newsAt(second, 0));
}

std::unique_ptr<Recording> opened(WrittenRecording *written)
{
    auto recording = Recording::open(written->options.path, &written->error);
    if (!recording)
        qFatal("%s", qUtf8Printable(written->error));
    return recording;
}

/// As a program wrote it that did not repeat marks.
void forgetRepeatedMarks(const QString &path)
{
    RecordingDatabase database(path, RecordingDatabase::Use::Write);
    for (const qint64 segment : segmentsOf(database))
        QVERIFY(database.run(u"DELETE FROM m%1 WHERE i < 0"_s.arg(segment)));
}

} // namespace

class TestUnseen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aGapIsToldWhereverTheStretchBegins_data();
    void aGapIsToldWhereverTheStretchBegins();
    void aPauseIsAGapHoweverItBegan_data();
    void aPauseIsAGapHoweverItBegan();
    void theEndOfARecordingIsNoGapBeforeIt();
    void deadlocksThatWereNotCapturedAreCounted();
    void thatDeadlocksAreNotReadIsToldOfEachStretch_data();
    void thatDeadlocksAreNotReadIsToldOfEachStretch();
    void whatWasToldOnceOutlivesItsSegment();
};

void TestUnseen::aGapIsToldWhereverTheStretchBegins_data()
{
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    QTest::addColumn<bool>("isGap");
    QTest::newRow("before it") << 0 << 9 << false;
    QTest::newRow("into it") << 5 << 3000 << true;
    QTest::newRow("within it") << 3000 << 3600 << true;
    QTest::newRow("out of it") << 3000 << 7205 << true;
    QTest::newRow("from its end on") << 7200 << 7205 << false;
    QTest::newRow("all of it") << 0 << 7209 << true;
}

void TestUnseen::aGapIsToldWhereverTheStretchBegins()
{
    QFETCH(const int, from);
    QFETCH(const int, to);
    QFETCH(const bool, isGap);
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    takeEach(&recorder, 0, 10);
    recorder.miss(noAnswer());
    takeEach(&recorder, 7200, 7210);
    QCOMPARE(recorder.end(), QString());
    const auto recording = opened(&written);
    const auto gaps = gapsOf(*recording, at(from), at(to));
    QCOMPARE(gaps.size(), isGap ? 1 : 0);
    if (!isGap)
        return;
    QCOMPARE(gaps[0].from, at(9) + 1us);
    QVERIFY(gaps[0].to == at(7200));
    QVERIFY2(gaps[0].why.contains(u"does not answer"_s), qPrintable(gaps[0].why));
}

void TestUnseen::aPauseIsAGapHoweverItBegan_data()
{
    QTest::addColumn<bool>("isEnded");
    QTest::newRow("ended") << true;
    QTest::newRow("killed") << false;
}

void TestUnseen::aPauseIsAGapHoweverItBegan()
{
    QFETCH(const bool, isEnded);
    WrittenRecording written;
    QVERIFY(written.open());
    {
        Recorder recorder(written.options, std::move(written.writer));
        takeEach(&recorder, 0, 10);
        if (isEnded)
            QCOMPARE(recorder.end(), QString());
    }
    QVERIFY2(written.open(), qPrintable(written.error));
    Recorder recorder(written.options, std::move(written.writer));
    takeEach(&recorder, 3600, 3610);
    const auto recording = opened(&written);
    for (const auto &[from, to] : QList<std::pair<int, int>>{{0, 3609}, {1000, 2000}}) {
        const auto gaps = gapsOf(*recording, at(from), at(to));
        QCOMPARE(gaps.size(), 1);
        QVERIFY(gaps[0].from >= at(9) && gaps[0].from < at(1000));
        QVERIFY(gaps[0].to == at(3600));
    }
}

void TestUnseen::theEndOfARecordingIsNoGapBeforeIt()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    takeEach(&recorder, 0, 10);
    QCOMPARE(recorder.end(), QString());
    const auto recording = opened(&written);
    QCOMPARE(gapsOf(*recording, at(0), at(9)).size(), 0);
    QCOMPARE(gapsOf(*recording, at(0), at(3600)).size(), 1);
    const auto gaps = gapsOf(*recording, at(-60), at(5));
    QCOMPARE(gaps.size(), 1);
    QCOMPARE(gaps[0].from, at(-60));
    QVERIFY(gaps[0].to == at(0));
}

void TestUnseen::deadlocksThatWereNotCapturedAreCounted()
{
    WrittenRecording written;
    QVERIFY(written.open());
    Recorder recorder(written.options, std::move(written.writer));
    for (int second = 0; second < 30; ++second) {
        RecordedNews news = newsAt(second, 0);
        news.deadlocksMissed = second == 5 ? 4 : second == 20 ? 3 : 0;
        recorder.take(news);
    }
    QCOMPARE(recorder.end(), QString());
    const auto recording = opened(&written);
    QCOMPARE(unseenDeadlocks(*recording, at(0), at(29)).notCaptured, 7);
    QCOMPARE(unseenDeadlocks(*recording, at(10), at(29)).notCaptured, 3);
    QVERIFY(unseenDeadlocks(*recording, at(10), at(29)).mayHideOne());
    QVERIFY(!unseenDeadlocks(*recording, at(6), at(19)).mayHideOne());
}

void TestUnseen::thatDeadlocksAreNotReadIsToldOfEachStretch_data()
{
    QTest::addColumn<bool>("isOld");
    QTest::newRow("of a file with repeated marks") << false;
    QTest::newRow("of an older file") << true;
}

void TestUnseen::thatDeadlocksAreNotReadIsToldOfEachStretch()
{
    QFETCH(const bool, isOld);
    WrittenRecording written(0);
    written.options.keep = 48min; // a segment a minute
    QVERIFY(written.open());
    {
        Recorder recorder(written.options, std::move(written.writer));
        for (int second = 0; second < 400; ++second) {
            RecordedNews news = newsAt(second, 0);
            if (second < 300) {
                news.deadlockSight = DeadlockSight::Nothing;
                news.whyNoDeadlocks = u"The account may not."_s;
            }
            recorder.take(news);
        }
    }
    if (isOld)
        forgetRepeatedMarks(written.options.path);
    const auto recording = opened(&written);
    for (const auto &[from, to] : QList<std::pair<int, int>>{{0, 399}, {200, 250}, {200, 399}}) {
        const UnseenDeadlocks unseen = unseenDeadlocks(*recording, at(from), at(to));
        QCOMPARE(unseen.blindness.size(), 1);
        QCOMPARE(unseen.blindness[0].from, at(0));
        QVERIFY(unseen.blindness[0].to == (to == 250 ? std::nullopt : std::optional(at(300))));
        QCOMPARE(unseen.blindness[0].why, u"The account may not."_s);
    }
    QCOMPARE(unseenDeadlocks(*recording, at(300), at(399)).blindness.size(), 0);
}

void TestUnseen::whatWasToldOnceOutlivesItsSegment()
{
    WrittenRecording written(0);
    written.options.keep = 10min;
    QVERIFY(written.open());
    {
        Recorder recorder(written.options, std::move(written.writer));
        const auto start = std::chrono::steady_clock::now() - 1500s;
        for (int second = 0; second < 1500; ++second) {
            RecordedNews news = newsAt(second, 4); // and the same four all the time
            news.look.waits.clock.local = start + std::chrono::seconds(second);
            news.deadlockSight = DeadlockSight::Nothing;
            news.whyNoDeadlocks = u"The account may not."_s;
            recorder.take(news);
        }
    }
    const auto recording = opened(&written);
    const RecordingInfo &info = recording->info();
    QVERIFY(info.from > at(600));
    QCOMPARE(recording->standingAt(info.from).alarms().size(), 4);
    QCOMPARE(recording->marks(at(0), at(1500), {Kind::AlarmRaised, Kind::DeadlockSight}).size(), 0);
    const auto incidents = incidentsOf(*recording, info.from, info.to);
    QCOMPARE(incidents.size(), 1);
    QCOMPARE(incidents[0].alarms, 4);
    QCOMPARE(unseenDeadlocks(*recording, info.from, info.to).blindness.size(), 1);
    RecordedDeadlocks deadlocks;
    deadlocks.until(*recording, info.to);
    QCOMPARE(deadlocks.refusal(), u"The account may not."_s);
}

QTEST_GUILESS_MAIN(TestUnseen)
#include "tst_unseen.moc"
