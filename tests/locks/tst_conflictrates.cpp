// SPDX-License-Identifier: MIT
// From totals that only grow to what happened within the last minute.
#include "locks/conflictrates.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr ServerTime kStart{std::chrono::hours(500'000)};

LockRow version(const QByteArray &resource, quint64 commits, quint64 conflicts)
{
    LockRow row;
    row.key = {LockKind::Version, resource, 0};
    row.state = LockState::Open;
    row.attempts.emplace();
    row.attempts->total = {commits, conflicts};
    return row;
}

using Recent = std::optional<AttemptCounts>;

QList<LockRow> look(ConflictRates *rates, Microseconds at, const QList<LockRow> &rows)
{
    LockSnapshot snapshot;
    snapshot.clock.server = kStart + at;
    snapshot.rows = shared(rows);
    rates->fill(&snapshot);
    return QList<LockRow>(snapshot.rows.cbegin(), snapshot.rows.cend());
}

/// Feeds rates with snapshots that have one resource.
class Watch
{
public:
    std::optional<AttemptCounts> see(Microseconds at, quint64 commits, quint64 conflicts)
    {
        return look(&m_rates, at, {version("a", commits, conflicts)}).first().attempts->recent;
    }

private:
    ConflictRates m_rates;
};

} // namespace

class TestConflictRates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRateIsTheShareOfConflicts();
    void oneLookTellsNothingRecent();
    void whatGrewSinceTheFirstLookIsRecent();
    void whatIsOlderThanTheWindowIsForgotten();
    void whenNothingHappensForAMinuteThatIsKnown();
    void manyLooksAddUpToTheSame();
    void aRowThatBeginsAnewIsNotCountedBackwards();
    void aClockThatIsSetBackIsNotBelieved();
    void resourcesAreKeptApartAndForgotten();
    void aLookThatMissedARowForgetsNothing();
    void locksOfOtherKindsAreLeftAlone();
};

void TestConflictRates::aRateIsTheShareOfConflicts()
{
    QCOMPARE((AttemptCounts{3, 1}.conflictRate()), std::optional(0.25));
    QCOMPARE((AttemptCounts{0, 2}.conflictRate()), std::optional(1.0));
    QVERIFY(!AttemptCounts().conflictRate());
    Attempts attempts;
    attempts.total = {3, 1};
    QCOMPARE(attempts.conflictRate(), std::optional(0.25));
    attempts.recent = AttemptCounts{1, 1};
    QCOMPARE(attempts.conflictRate(), std::optional(0.5));
    attempts.recent = AttemptCounts();
    QVERIFY(!attempts.conflictRate());
}

void TestConflictRates::oneLookTellsNothingRecent()
{
    Watch watch;
    QCOMPARE(watch.see(0s, 100, 50), Recent());
    QCOMPARE(watch.see(5s, 100, 50), Recent()); // engines write every few seconds
}

void TestConflictRates::whatGrewSinceTheFirstLookIsRecent()
{
    Watch watch;
    watch.see(0s, 100, 50);
    QCOMPARE(watch.see(5s, 110, 60), Recent({10, 10}));
    QCOMPARE(watch.see(6s, 110, 60), Recent({10, 10}));
    QCOMPARE(watch.see(59s, 111, 60), Recent({11, 10}));
}

void TestConflictRates::whatIsOlderThanTheWindowIsForgotten()
{
    Watch watch;
    watch.see(0s, 0, 0);
    watch.see(5s, 10, 0);
    watch.see(30s, 10, 7);
    QCOMPARE(watch.see(60s, 10, 7), Recent({10, 7}));
    QCOMPARE(watch.see(64s, 10, 7), Recent({10, 7})); // what was told at 5 s began before
    QCOMPARE(watch.see(65s, 10, 7), Recent({0, 7}));
    QCOMPARE(watch.see(89s, 10, 7), Recent({0, 7}));
    QCOMPARE(watch.see(90s, 10, 7), Recent({0, 0}));
}

void TestConflictRates::whenNothingHappensForAMinuteThatIsKnown()
{
    Watch watch;
    watch.see(0s, 5, 5);
    QCOMPARE(watch.see(59s, 5, 5), Recent());
    QCOMPARE(watch.see(60s, 5, 5), Recent({0, 0}));
}

void TestConflictRates::manyLooksAddUpToTheSame()
{
    Watch often;
    Watch seldom;
    Recent last;
    for (int i = 0; i <= 3000; ++i) { // ten minutes, five looks a second
        const auto at = i * 200ms;
        last = often.see(at, quint64(i), quint64(i / 3));
        if (i % 25 == 0)
            seldom.see(at, quint64(i), quint64(i / 3));
    }
    // A second's worth more at most: samples are that far apart.
    QVERIFY2(last && last->commits >= 300 && last->commits <= 310, qPrintable(QString::number(last->commits)));
    const auto rough = seldom.see(600s, 3000, 1000);
    QVERIFY2(rough && rough->commits >= 300 && rough->commits <= 325, qPrintable(QString::number(rough->commits)));
}

void TestConflictRates::aRowThatBeginsAnewIsNotCountedBackwards()
{
    Watch watch;
    watch.see(0s, 100, 50);
    QCOMPARE(watch.see(5s, 3, 1), Recent()); // removed and made again
    QCOMPARE(watch.see(10s, 5, 2), Recent({2, 1}));
    QCOMPARE(watch.see(15s, 6, 1), Recent());
}

void TestConflictRates::aClockThatIsSetBackIsNotBelieved()
{
    Watch watch;
    watch.see(1000s, 1, 1);
    QCOMPARE(watch.see(900s, 2, 2), Recent());
    QCOMPARE(watch.see(905s, 4, 2), Recent({2, 0}));
}

void TestConflictRates::resourcesAreKeptApartAndForgotten()
{
    ConflictRates rates;
    look(&rates, 0s, {version("a", 1, 0), version("b", 10, 10)});
    const auto rows = look(&rates, 5s, {version("a", 2, 0), version("b", 10, 12)});
    QCOMPARE(rows[0].attempts->recent, Recent({1, 0}));
    QCOMPARE(rows[1].attempts->recent, Recent({0, 2}));
    look(&rates, 6s, {version("b", 10, 12)});
    QCOMPARE(look(&rates, 65s, {version("a", 9, 0)})[0].attempts->recent,
             Recent()); // away for a minute: the first look again
}

void TestConflictRates::aLookThatMissedARowForgetsNothing()
{
    ConflictRates rates;
    look(&rates, 0s, {version("a", 1, 0)});
    look(&rates, 1s, {});
    QCOMPARE(look(&rates, 2s, {version("a", 2, 3)})[0].attempts->recent, Recent({1, 3}));
}

void TestConflictRates::locksOfOtherKindsAreLeftAlone()
{
    LockRow lease;
    lease.key.resource = "a";
    LockSnapshot snapshot;
    snapshot.rows = {SharedLockRow(lease)};
    ConflictRates().fill(&snapshot);
    QVERIFY(snapshot.rows == QList<SharedLockRow>{lease});
}

QTEST_GUILESS_MAIN(TestConflictRates)
#include "tst_conflictrates.moc"
