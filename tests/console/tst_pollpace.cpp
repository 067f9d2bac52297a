// SPDX-License-Identifier: MIT
// When a server is looked at next.
#include "console/pollpace.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr auto kInterval = 1000ms;
constexpr auto kLeast = 200ms;

LockError errorOf(LockError::Kind kind)
{
    LockError error;
    error.kind = kind;
    return error;
}

/// Polls that cost so much as a rule: one alone is an exception. Returns the start of the last one.
PollPace::Clock::time_point pollAsUsual(PollPace *pace, std::chrono::milliseconds cost)
{
    PollPace::Clock::time_point started;
    for (int i = 0; i < 3; ++i) {
        started = PollPace::Clock::now() - cost;
        pace->succeeded(started);
    }
    return started;
}

} // namespace

class TestPollPace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLookRestsForItsIntervalOrTenTimesItsCost_data();
    void aLookRestsForItsIntervalOrTenTimesItsCost();
    void aSteadyLookRestsForLess_data();
    void aSteadyLookRestsForLess();
    void afterOneSlowLookTheRestIsShort();
    void whatASlowLookCostIsRestedLater();
    void aGapIsMuchLongerThanUsual();
    void whoIsInAHurryWaitsForTheShareOfAsking();
    void whoIsSeenAgainIsLookedForAtOnce();
    void nobodyLooksWhilePaused();
    void failuresRestLongerEachTime();
    void aRefusalIsNotTriedAgain();
};

void TestPollPace::aLookRestsForItsIntervalOrTenTimesItsCost_data()
{
    QTest::addColumn<bool>("isHidden");
    QTest::addColumn<std::chrono::milliseconds>("cost");
    QTest::addColumn<std::chrono::milliseconds>("period");

    QTest::newRow("in sight, cheap") << false << std::chrono::milliseconds(0) << std::chrono::milliseconds(kInterval);
    QTest::newRow("in sight, dear") << false << std::chrono::milliseconds(700) << std::chrono::milliseconds(7000);
    QTest::newRow("hidden, cheap") << true << std::chrono::milliseconds(0) << PollPace::HiddenInterval;
    QTest::newRow("hidden, dear") << true << std::chrono::milliseconds(700) << std::chrono::milliseconds(7000);
}

/// The time that this test itself takes belongs to the cost.
void TestPollPace::aLookRestsForItsIntervalOrTenTimesItsCost()
{
    QFETCH(bool, isHidden);
    QFETCH(std::chrono::milliseconds, cost);
    QFETCH(std::chrono::milliseconds, period);
    PollPace pace(kInterval, kLeast);
    pace.setHidden(isHidden);
    const auto started = pollAsUsual(&pace, cost);
    const auto longest = PollPace::Clock::now() - started;
    QVERIFY(*pace.next() >= started + period);
    QVERIFY(*pace.next() <= started + std::max<PollPace::Clock::duration>(period, RestPerCost * longest));
}

void TestPollPace::aSteadyLookRestsForLess_data()
{
    QTest::addColumn<std::chrono::milliseconds>("cost");
    QTest::addColumn<std::chrono::milliseconds>("period");

    QTest::newRow("cheap") << std::chrono::milliseconds(0) << std::chrono::milliseconds(500);
    QTest::newRow("as dear as it may be") << std::chrono::milliseconds(600) << std::chrono::milliseconds(950);
    QTest::newRow("dearer") << std::chrono::milliseconds(6000) << std::chrono::milliseconds(9000);
}

void TestPollPace::aSteadyLookRestsForLess()
{
    QFETCH(const std::chrono::milliseconds, cost);
    QFETCH(const std::chrono::milliseconds, period);
    PollPace pace(500ms, kLeast, 950ms);
    const auto started = pollAsUsual(&pace, cost);
    const auto longest = PollPace::Clock::now() - started;
    QVERIFY(*pace.next() >= started + period);
    QVERIFY(*pace.next() <= started + std::max<PollPace::Clock::duration>(period, RestPerCost * longest));
    QVERIFY(*pace.next() <= started + std::max<PollPace::Clock::duration>(950ms, 3 * longest / 2));
}

/// A server that stood still for some seconds.
void TestPollPace::afterOneSlowLookTheRestIsShort()
{
    PollPace pace(kInterval, kLeast);
    for (int i = 0; i < 5; ++i)
        pace.succeeded(PollPace::Clock::now());
    pace.succeeded(PollPace::Clock::now() - 4000ms);
    QVERIFY(*pace.next() <= PollPace::Clock::now() + PollPace::LongestRest);
}

/// So that asking keeps to a tenth of the time: 4 s that cost nothing more are followed by 40 s in all.
void TestPollPace::whatASlowLookCostIsRestedLater()
{
    PollPace pace(kInterval, kLeast);
    auto started = PollPace::Clock::now() - 4000ms;
    pace.succeeded(started);
    PollPace::Clock::duration rested = *pace.next() - started;
    while (rested < 40'000ms) {
        started = PollPace::Clock::now();
        pace.succeeded(started);
        const auto rest = *pace.next() - started;
        QVERIFY(*pace.next() <= PollPace::Clock::now() + PollPace::LongestRest);
        QVERIFY2(rest >= kInterval, "as often as a cheap look");
        QVERIFY2(rest >= 1500ms || rested + rest >= 40'000ms, "not enough is rested");
        rested += rest;
    }
    pace.succeeded(PollPace::Clock::now());
    QVERIFY(*pace.next() <= PollPace::Clock::now() + PollPace::LongestRest);
}

void TestPollPace::aGapIsMuchLongerThanUsual()
{
    PollPace cheap(kInterval, kLeast);
    cheap.succeeded(PollPace::Clock::now());
    QVERIFY(!cheap.isGap(2s));
    QVERIFY(cheap.isGap(4s));
    PollPace dear(kInterval, kLeast);
    pollAsUsual(&dear, 700ms);
    QVERIFY(!dear.isGap(8s));
    QVERIFY(dear.isGap(40s));
}

void TestPollPace::whoIsInAHurryWaitsForTheShareOfAsking()
{
    PollPace pace(kInterval, kLeast);
    const auto started = PollPace::Clock::now();
    pace.succeeded(started);
    pace.hurry();
    QVERIFY(*pace.next() >= started + kLeast);
    QVERIFY(*pace.next() < started + kInterval);
    const auto dear = pollAsUsual(&pace, 700ms);
    pace.hurry();
    QVERIFY(*pace.next() >= dear + 7000ms);
}

void TestPollPace::whoIsSeenAgainIsLookedForAtOnce()
{
    PollPace pace(kInterval, kLeast);
    pace.setHidden(true);
    pace.succeeded(PollPace::Clock::now());
    pace.setHidden(false);
    QVERIFY(*pace.next() <= PollPace::Clock::now());
}

void TestPollPace::nobodyLooksWhilePaused()
{
    PollPace pace(kInterval, kLeast);
    pace.setPaused(true);
    pace.succeeded(PollPace::Clock::now());
    QVERIFY(!pace.next());
    pace.soon();
    QVERIFY(!pace.next());
    pace.failed(errorOf(LockError::Kind::Unavailable));
    QVERIFY(!pace.next());
    pace.setPaused(false);
    QVERIFY(*pace.next() <= PollPace::Clock::now());
}

void TestPollPace::failuresRestLongerEachTime()
{
    PollPace pace(kInterval, kLeast);
    PollPace::Clock::duration last(0);
    for (int failures = 0; failures < 4; ++failures) {
        const auto before = PollPace::Clock::now();
        pace.failed(errorOf(LockError::Kind::Unavailable));
        QVERIFY(pace.isFailing());
        const auto next = *pace.next();
        QVERIFY(next - PollPace::Clock::now() > last);
        last = next - before;
        pace.soon(); // a setting that changes does not hurry it
        QCOMPARE(*pace.next(), next);
    }
    pace.succeeded(PollPace::Clock::now());
    QVERIFY(!pace.isFailing());
}

/// It may lock the user out.
void TestPollPace::aRefusalIsNotTriedAgain()
{
    PollPace pace(kInterval, kLeast);
    pace.failed(errorOf(LockError::Kind::AccessDenied));
    QVERIFY(!pace.next());
    pace.setPaused(true);
    pace.setPaused(false);
    QVERIFY(!pace.next());
}

QTEST_GUILESS_MAIN(TestPollPace)
#include "tst_pollpace.moc"
