// SPDX-License-Identifier: MIT
// How long run() rests between two attempts: capped exponential back-off with full jitter.
#include "engine/optimistic/optimisticcore_p.h"

#include <QtTest/QTest>

#include <set>

using namespace lockscope;
using namespace lockscope::detail;
using namespace std::chrono_literals;

namespace {

RetryPolicy policyOf(Duration first, Duration most)
{
    RetryPolicy policy;
    policy.firstDelay = first;
    policy.maxDelay = most;
    return policy;
}

} // namespace

class TestRetryPacer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBoundDoublesUpToItsCap_data();
    void theBoundDoublesUpToItsCap();
    void aDelayIsAnythingUpToTheBound();
    void withoutAFirstDelayThereIsNone();
};

void TestRetryPacer::theBoundDoublesUpToItsCap_data()
{
    QTest::addColumn<int>("attempts");
    QTest::addColumn<qint64>("boundUs");
    QTest::newRow("behind the first") << 1 << qint64(1'000);
    QTest::newRow("behind the second") << 2 << qint64(2'000);
    QTest::newRow("behind the third") << 3 << qint64(4'000);
    QTest::newRow("below the cap") << 8 << qint64(128'000);
    QTest::newRow("at the cap") << 9 << qint64(250'000);
    QTest::newRow("far beyond it") << 1'000'000 << qint64(250'000);
}

void TestRetryPacer::theBoundDoublesUpToItsCap()
{
    QFETCH(int, attempts);
    QFETCH(qint64, boundUs);
    QCOMPARE(longestDelayAfter(policyOf(1ms, 250ms), attempts).count(), boundUs);
}

/// Of 2000 evenly drawn delays some lie in each tenth of the range: that one stays empty has odds of one to 10^90.
void TestRetryPacer::aDelayIsAnythingUpToTheBound()
{
    const RetryPolicy policy = policyOf(1ms, 250ms);
    for (const int attempts : {1, 5, 20}) {
        const Duration bound = longestDelayAfter(policy, attempts);
        std::set<qint64> tenths;
        for (int i = 0; i < 2000; ++i) {
            const Duration delay = delayAfter(policy, attempts);
            QVERIFY(delay >= Duration::zero() && delay <= bound);
            tenths.insert(std::min<qint64>(9, delay * 10 / bound));
        }
        QCOMPARE(tenths.size(), std::size_t(10));
    }
}

void TestRetryPacer::withoutAFirstDelayThereIsNone()
{
    for (const int attempts : {1, 2, 1'000'000'000})
        QCOMPARE(delayAfter(policyOf(0ms, 250ms), attempts), Duration::zero());
}

QTEST_APPLESS_MAIN(TestRetryPacer)
#include "tst_retrypacer.moc"
