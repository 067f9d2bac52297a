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
    QTest::newRow("hidden, cheap") << true << std::chrono::milliseconds(0) << PollPace::hiddenInterval;
    QTest::newRow("hidden, dear") << true << std::chrono::milliseconds(700) << std::chrono::milliseconds(7000);
}

/// The time that this test itself takes belongs to the cost.
void TestPollPace::aLookRestsForItsIntervalOrTenTimesItsCost()
{
    QFETCH(bool, isHidden);
    QFETCH(std::chrono::milliseconds, cost);
    QFETCH(std::chrono::milliseconds, period);
    PollPace pace(kInterval, kLeast, nullptr);
    pace.setHidden(isHidden);
    const auto started = PollPace::Clock::now() - cost;
    pace.succeeded(started);
    const auto longest = std::chrono::ceil<std::chrono::milliseconds>(PollPace::Clock::now() - started);
    QVERIFY(pace.rest());
    QVERIFY(*pace.rest() + longest >= period);
    QVERIFY(*pace.rest() <= std::max(period, RestPerCost * longest));
}

void TestPollPace::whoIsSeenAgainIsLookedForAtOnce()
{
    PollPace pace(kInterval, kLeast, nullptr);
    pace.setHidden(true);
    pace.succeeded(PollPace::Clock::now());
    pace.setHidden(false);
    QCOMPARE(pace.rest(), std::optional(std::chrono::milliseconds(0)));
}

void TestPollPace::nobodyLooksWhilePaused()
{
    PollPace pace(kInterval, kLeast, nullptr);
    pace.setPaused(true);
    pace.succeeded(PollPace::Clock::now());
    QVERIFY(!pace.rest());
    pace.soon();
    QVERIFY(!pace.rest());
    pace.failed(errorOf(LockError::Kind::Unavailable));
    QVERIFY(!pace.rest());
    pace.setPaused(false);
    QCOMPARE(pace.rest(), std::optional(std::chrono::milliseconds(0)));
}

void TestPollPace::failuresRestLongerEachTime()
{
    PollPace pace(kInterval, kLeast, nullptr);
    std::chrono::milliseconds last(0);
    for (int failures = 0; failures < 4; ++failures) {
        pace.failed(errorOf(LockError::Kind::Unavailable));
        QVERIFY(pace.isFailing());
        QVERIFY(*pace.rest() > last);
        last = *pace.rest();
        pace.soon(); // a setting that changes does not hurry it
        QCOMPARE(*pace.rest(), last);
    }
    pace.succeeded(PollPace::Clock::now());
    QVERIFY(!pace.isFailing());
}

/// It may lock the user out.
void TestPollPace::aRefusalIsNotTriedAgain()
{
    PollPace pace(kInterval, kLeast, nullptr);
    pace.failed(errorOf(LockError::Kind::AccessDenied));
    QVERIFY(!pace.rest());
}

QTEST_GUILESS_MAIN(TestPollPace)
#include "tst_pollpace.moc"
