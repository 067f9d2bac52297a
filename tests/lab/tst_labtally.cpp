// SPDX-License-Identifier: MIT
// Counting holds that meet: what is found, what it costs, what is remembered for it.
#include "lab/labpairs.h"
#include "lab/labrunner.h"
#include "lab/labtally.h"

#include <QtTest/QTest>

#include <algorithm>
#include <random>
#include <set>
#include <thread>
#include <vector>

using namespace lockscope;
using Kind = LabEvent::Kind;

namespace {

LabCounts counted(const QList<LabEvent> &events, bool isSessionBound)
{
    LabTally tally(3, isSessionBound);
    tally.add(events);
    tally.finish();
    return tally.counts();
}

/// `count` holds of 24 workers, each of which meets the 23 after it.
QList<LabEvent> crossingHolds(int count)
{
    QList<LabEvent> events;
    for (int i = 0; i < count; ++i) {
        events.append({1000 + 10 * i, Kind::Got, i % 24, 1, 0, 0});
        events.append({1235 + 10 * i, Kind::Finished, i % 24, 1, 0, 0});
    }
    return events;
}

/// One holds while the other has `count` holds, one after the other, of two milliseconds.
LabCounts besideOne(qint64 count, std::size_t *remembered)
{
    LabTally tally(2);
    tally.add({{1, Kind::Got, 0, 1, 0, 0}});
    QList<LabEvent> events;
    for (qint64 i = 1; i <= count; ++i) {
        events.append({2000 * i, Kind::Got, 1, 1, 0, 0});
        events.append({2000 * i + 1999, Kind::Finished, 1, 1, 0, 0});
    }
    tally.add(events);
    *remembered = tally.remembered();
    tally.add({{2000 * (count + 1), Kind::Finished, 0, 1, 0, 0}});
    tally.finish();
    return tally.counts();
}

/// What the pairs of so many intervals of any length cost to count.
quint64 stepsOf(int count)
{
    LabPairs pairs;
    std::mt19937 random(1);
    for (int i = 0; i < count; ++i)
        pairs.add(i, i + 1 + qint64(random() % quint32(count)));
    return pairs.steps();
}

} // namespace

class TestLabTally : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pairsAreThoseThatShareAMoment();
    void aPairCostsNoMoreWhereThereAreMany();
    void aMillionStepsOfCrossingHoldsAreCounted();
    void aLongHoldMeetsEveryOther();
    void noMoreIsRememberedThanIsSaid();
    void aHoldThatIsToldLateMeetsOneThatEndedAlone();
    void aHoldThatNeverEndedLastsToTheEnd();
    void aHoldOfASessionCountsToItsEndOnlyIfItsReleaseFindsIt_data();
    void aHoldOfASessionCountsToItsEndOnlyIfItsReleaseFindsIt();
    void aCrashStallsUntilSomebodyIsGranted_data();
    void aCrashStallsUntilSomebodyIsGranted();
    void aStaleWriteIsNoViolationToo();
    void aLostWriteCountsOnce();
    void piecesThatAreNotThereCountAsTheyAreSold();
    void versionsAreLostByRanges();
    void noMoreEventsWaitThanIsSaid();
    void whoEndsWaitsForNoRoom();
    void whoIsSlowIsToldNoMoreEventsThanAreSaid();
};

void TestLabTally::pairsAreThoseThatShareAMoment()
{
    using Interval = std::pair<qint64, qint64>;
    std::vector<Interval> before;
    LabPairs pairs;
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        const auto from = qint64(random() % 40);
        const Interval next(from, from + qint64(random() % 10)); // some without length
        const auto meets = [&next](const Interval &other) {
            return std::max(next.first, other.first) < std::min(next.second, other.second);
        };
        QCOMPARE(pairs.add(next.first, next.second), quint64(std::count_if(before.begin(), before.end(), meets)));
        before.push_back(next);
        if (i == 200) {
            pairs.forgetUntil(20);
            std::erase_if(before, [](const Interval &interval) { return interval.second <= 20; });
        }
    }
}

void TestLabTally::aPairCostsNoMoreWhereThereAreMany()
{
    const double few = double(stepsOf(4'096)) / 4'096;
    const double many = double(stepsOf(262'144)) / 262'144;
    QVERIFY2(many < 3 * few, qPrintable(QStringLiteral("%1 and %2 steps").arg(few).arg(many))); // 12 and 18 bits
}

void TestLabTally::aMillionStepsOfCrossingHoldsAreCounted()
{
    constexpr int count = 500'000;
    LabTally tally(24);
    tally.add(crossingHolds(count));
    tally.finish();
    QCOMPARE(tally.counts().violations, 23u * count - 276); // the last ones have fewer after them
    QCOMPARE(tally.counts().overlaps, 0u);
}

/// Of more than three minutes.
void TestLabTally::aLongHoldMeetsEveryOther()
{
    std::size_t remembered = 0;
    QCOMPARE(besideOne(100'000, &remembered).violations, 100'000u);
}

void TestLabTally::noMoreIsRememberedThanIsSaid()
{
    std::size_t remembered = 0;
    QCOMPARE(besideOne(200'000, &remembered).violations, quint64(LabTally::MostRemembered));
    QCOMPARE(remembered, LabTally::MostRemembered);
    LabTally tally(1);
    qint64 at = 0;
    for (int i = 0; i < 100'000; ++i, at += 1000) // nobody holds beside them
        tally.add({{at, Kind::Got, 0, i, 0, 0}, {at + 1, Kind::Finished, 0, i, 0, 0}});
    QVERIFY2(tally.remembered() < 15'000, qPrintable(QString::number(tally.remembered())));
}

/// Its process was stopped between the step and telling it.
void TestLabTally::aHoldThatIsToldLateMeetsOneThatEndedAlone()
{
    LabTally tally(2);
    tally.add({{100, Kind::Got, 0, 1, 0, 0}, {120, Kind::Finished, 0, 1, 0, 0}});
    tally.add({{110, Kind::Got, 1, 1, 0, 0}, {130, Kind::Finished, 1, 1, 0, 0}});
    tally.finish();
    QCOMPARE(tally.counts().violations, 1u);
}

void TestLabTally::aHoldThatNeverEndedLastsToTheEnd()
{
    const QList<LabEvent> events{{100, Kind::Got, 0, 1, 0, 105},
                                 {102, Kind::Got, 1, 1, 0, 0},
                                 {110, Kind::Finished, 1, 1, 0, 0},
                                 {115, Kind::Got, 2, 1, 0, 0},
                                 {120, Kind::Finished, 2, 1, 0, 0}};
    QCOMPARE(counted(events, false).violations, 1u);
    QCOMPARE(counted(events, false).overlaps, 1u); // past its deadline
    QCOMPARE(counted(events, true).violations, 0u);
}

void TestLabTally::aHoldOfASessionCountsToItsEndOnlyIfItsReleaseFindsIt_data()
{
    QTest::addColumn<LabEvent::Kind>("release");
    QTest::addColumn<qint64>("secondGot");
    QTest::addColumn<quint64>("violations");
    QTest::newRow("found") << Kind::Released << qint64(140) << quint64(1);
    QTest::newRow("gone after the last proof") << Kind::NotHeld << qint64(140) << quint64(0);
    QTest::newRow("gone, and two before it") << Kind::NotHeld << qint64(120) << quint64(1);
    QTest::newRow("killed before the release was answered") << Kind::Crashed << qint64(140) << quint64(0);
}

/// Its session was killed while it had no statement, and somebody else got the row before it noticed.
void TestLabTally::aHoldOfASessionCountsToItsEndOnlyIfItsReleaseFindsIt()
{
    QFETCH(LabEvent::Kind, release);
    QFETCH(qint64, secondGot);
    const LabCounts counts = counted({{100, Kind::Got, 0, 1, 0, 100},
                                      {secondGot, Kind::Got, 1, 1, 0, secondGot},
                                      {150, Kind::Finished, 0, 1, 0, 130},
                                      {151, Kind::Failed, 0, 1, 0, 0},
                                      {160, release, 0, 1, 0, 0},
                                      {170, Kind::Finished, 1, 1, 0, 165},
                                      {180, Kind::Released, 1, 1, 0, 0}},
                                     true);
    QTEST(counts.violations, "violations");
    QCOMPARE(counts.violations + counts.overlaps, 1u);
}

void TestLabTally::aCrashStallsUntilSomebodyIsGranted_data()
{
    QTest::addColumn<QList<LabEvent>>("events");
    QTest::addColumn<quint64>("stallMs");
    const LabEvent got{1'000, Kind::Got, 0, 1, 0, 0};
    const LabEvent crashed{500'000, Kind::Crashed, 0, -1, 0, 0};
    const LabEvent next{2'500'000, Kind::Got, 1, 1, 0, 0};
    const LabEvent gaveUp{9'500'000, Kind::TimedOut, 1, 1, 0, 0};
    QTest::newRow("no crash") << QList<LabEvent>{got, gaveUp} << quint64(0);
    QTest::newRow("the next one") << QList<LabEvent>{got, crashed, next, gaveUp} << quint64(2'000);
    QTest::newRow("nobody until the end") << QList<LabEvent>{got, crashed, gaveUp} << quint64(9'000);
}

void TestLabTally::aCrashStallsUntilSomebodyIsGranted()
{
    QFETCH(QList<LabEvent>, events);
    QTEST(counted(events, false).stallMs, "stallMs");
}

void TestLabTally::aStaleWriteIsNoViolationToo()
{
    const LabCounts counts = counted({{100, Kind::Stale, 0, 1, 7, 0}}, false);
    QCOMPARE(counts.staleWrites, 1u);
    QCOMPARE(counts.violations, 0u);
}

/// However many write over it.
void TestLabTally::aLostWriteCountsOnce()
{
    QList<LabEvent> events; // four have read the first version, and write one after the other
    for (int i = 0; i < 4; ++i)
        events.append({100 + i, Kind::Wrote, i, 1, 0, i, quint64(7 + i)});
    const LabCounts counts = counted(events, false);
    QCOMPARE(counts.writes, 4u);
    QCOMPARE(counts.lostUpdates, 3u);
}

/// Workers buy six and five pieces by turns.
void TestLabTally::piecesThatAreNotThereCountAsTheyAreSold()
{
    LabTally tally(2, false, 10);
    tally.add({{100, Kind::Wrote, 0, 1}});
    QCOMPARE(tally.counts().oversold, 0u);
    tally.add({{101, Kind::Wrote, 1, 1}, {102, Kind::Wrote, 1, 2}}); // of another resource there are ten more
    QCOMPARE(tally.counts().oversold, 1u);
    tally.add({{103, Kind::Stale, 0, 1}}); // accepted too
    QCOMPARE(tally.counts().oversold, 7u);
}

void TestLabTally::versionsAreLostByRanges()
{
    std::set<quint64> lost;
    LabVersions versions;
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
        const quint64 seen = random() % 1000;
        const quint64 over = seen + random() % 6; // none, where it is what was seen
        const std::size_t before = lost.size();
        for (quint64 version = seen + 1; version <= over; ++version)
            lost.insert(version);
        QCOMPARE(versions.lose(seen, over), quint64(lost.size() - before));
    }
    quint64 most = 0;
    for (quint64 version = 2000; version < 8000; version += 2) // no two of them neighbours
        most += versions.lose(version - 1, version);
    QCOMPARE(most, 3000u);
    QVERIFY(versions.lose(0, 8000) <= 8000 - lost.size() - most);
}

void TestLabTally::noMoreEventsWaitThanIsSaid()
{
    constexpr qsizetype count = 2 * LabEvents::MostWaiting + 1;
    LabEvents events;
    std::thread worker([&events] {
        for (qsizetype i = 0; i < count; ++i)
            events.add({i, Kind::Ask});
    });
    qsizetype taken = 0;
    qsizetype most = 0;
    while (taken < count) {
        const qsizetype batch = events.take().size();
        most = std::max(most, batch);
        taken += batch;
        std::this_thread::yield();
    }
    worker.join();
    QVERIFY(most <= LabEvents::MostWaiting);
}

void TestLabTally::whoEndsWaitsForNoRoom()
{
    LabEvents events;
    std::thread worker([&events] {
        for (qsizetype i = 0; i < LabEvents::MostWaiting + 10; ++i)
            events.add({i, Kind::Ask});
    });
    events.endWaiting();
    worker.join();
    QCOMPARE(events.take().size(), LabEvents::MostWaiting + 10);
}

void TestLabTally::whoIsSlowIsToldNoMoreEventsThanAreSaid()
{
    LabMailbox mailbox;
    LabProgress progress;
    progress.events.resize(LabMailbox::MostEvents / 2);
    progress.counts.granted = 7;
    QVERIFY(mailbox.put(progress)); // whose coming is to be told
    for (int i = 0; i < 3; ++i) {
        progress.counts.granted = quint64(i);
        progress.events.last().at = i;
        QVERIFY(!mailbox.put(progress));
    }
    const LabProgress taken = mailbox.take();
    QCOMPARE(taken.counts.granted, 2u); // the newest
    QCOMPARE(taken.events.size(), LabMailbox::MostEvents);
    QCOMPARE(taken.events.last().at, 2);
    QCOMPARE(taken.missing, LabMailbox::MostEvents);
    QVERIFY(mailbox.put({}));
    QCOMPARE(mailbox.take().missing, 0);
}

QTEST_GUILESS_MAIN(TestLabTally)
#include "tst_labtally.moc"
