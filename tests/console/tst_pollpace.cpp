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

} // namespace

class TestPollPace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLookRestsForItsIntervalOrTenTimesItsCost_data();
    void aLookRestsForItsIntervalOrTenTimesItsCost();
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
    const auto started = PollPace::Clock::now() - cost;
    pace.succeeded(started);
    const auto longest = PollPace::Clock::now() - started;
    QVERIFY(*pace.next() >= started + period);
    QVERIFY(*pace.next() <= started + std::max<PollPace::Clock::duration>(period, RestPerCost * longest));
}

void TestPollPace::whoIsInAHurryWaitsForTheShareOfAsking()
{
    PollPace pace(kInterval, kLeast);
    const auto started = PollPace::Clock::now();
    pace.succeeded(started);
    pace.hurry();
    QVERIFY(*pace.next() >= started + kLeast);
    QVERIFY(*pace.next() < started + kInterval);
    pace.succeeded(started - 700ms);
    pace.hurry();
    QVERIFY(*pace.next() >= started - 700ms + 7000ms);
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
