// SPDX-License-Identifier: MIT
// The server's time in the window, and when its data is too old to be taken for live.
#include "ui/server/liveclock.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;

namespace {

/// Data that was taken so long ago.
SnapshotClock clockOf(std::chrono::seconds age)
{
    return {ServerTime(1h), std::chrono::steady_clock::now() - age};
}

} // namespace

class TestLiveClock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void dataIsLateAfterSomeIntervalsAndCosts_data();
    void dataIsLateAfterSomeIntervalsAndCosts();
    void itStaysLateWhileFrozenUntilThereIsData();
    void whatNobodyWaitsForIsNotLate();
};

void TestLiveClock::dataIsLateAfterSomeIntervalsAndCosts_data()
{
    QTest::addColumn<std::chrono::seconds>("age");
    QTest::addColumn<std::chrono::seconds>("interval");
    QTest::addColumn<std::chrono::seconds>("cost");
    QTest::addColumn<bool>("isLate");

    QTest::newRow("fresh") << 0s << 1s << 0s << false;
    QTest::newRow("of a window that was hidden") << 5s << 1s << 0s << false;
    QTest::newRow("late") << 30s << 1s << 0s << true;
    QTest::newRow("seldom") << 30s << 60s << 0s << false;
    QTest::newRow("dear") << 30s << 1s << 10s << false;
}

void TestLiveClock::dataIsLateAfterSomeIntervalsAndCosts()
{
    QFETCH(const std::chrono::seconds, age);
    QFETCH(const std::chrono::seconds, interval);
    QFETCH(const std::chrono::seconds, cost);
    QFETCH(const bool, isLate);
    LiveClock clock;
    clock.expectEvery(interval, cost);
    clock.sync(clockOf(age));
    QCOMPARE(clock.isLate(), isLate);
}

/// Whoever hears of it stops the clock.
void TestLiveClock::itStaysLateWhileFrozenUntilThereIsData()
{
    LiveClock clock;
    connect(&clock, &LiveClock::lateChanged, &clock, &LiveClock::setFrozen);
    const QSignalSpy changed(&clock, &LiveClock::lateChanged);
    clock.expectEvery(1s, 0s);
    clock.sync(clockOf(30s));
    clock.sync(clockOf(29s));
    QVERIFY(clock.isLate());
    QCOMPARE(clock.now(), ServerTime(1h));
    clock.sync(clockOf(0s));
    QVERIFY(!clock.isLate());
    QCOMPARE(changed.count(), 2);
}

/// Of a paused or hidden window, and of another server.
void TestLiveClock::whatNobodyWaitsForIsNotLate()
{
    LiveClock clock;
    clock.sync(clockOf(30s));
    QVERIFY2(!clock.isLate(), "nobody said how often there is data");
    clock.setFrozen(true);
    clock.expectEvery(1s, 0s);
    clock.sync(clockOf(30s));
    QVERIFY(!clock.isLate());
    clock.setFrozen(false);
    clock.sync(clockOf(30s));
    QVERIFY2(!clock.isLate(), "it has been waited for only now");
    LiveClock another;
    another.expectEvery(1s, 0s);
    another.sync(clockOf(30s));
    another.forget();
    QVERIFY(!another.isLate());
    another.sync(clockOf(30s));
    QVERIFY2(!another.isLate(), "how often there is data was said of another server");
}

QTEST_GUILESS_MAIN(TestLiveClock)
#include "tst_liveclock.moc"
