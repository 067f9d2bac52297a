// SPDX-License-Identifier: MIT
// Unique mode with more threads than connections: who does whose work, and that each gets its own answer.
#include "enginetest.h"

#include <QtTest/QTest>

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;

namespace {

QByteArray nameOf(int number)
{
    return "thread" + QByteArray::number(number);
}

/// Threads that acquire and release, each a resource of its own, until the object ends.
class Crowd
{
public:
    /// With a `wait` of zero a resource may be busy.
    Crowd(LockEngine &engine, int threads, Duration wait = Patience)
    {
        for (int i = 0; i < threads; ++i) {
            m_threads.emplace_back([this, &engine, request = requestFor(nameOf(i), wait)] {
                while (!m_isOver) {
                    auto got = engine.acquire(request);
                    if (got.outcome == Outcome::Busy && request.wait == Duration::zero())
                        continue;
                    if (got.outcome != Outcome::Granted || got.handle.release() != ReleaseOutcome::Released)
                        ++m_failures;
                    ++m_pairs;
                }
            });
        }
    }
    ~Crowd() { join(); }

    void join()
    {
        m_isOver = true;
        for (auto &thread : m_threads)
            thread.join();
        m_threads.clear();
    }
    int pairs() const { return m_pairs; }
    int failures() const { return m_failures; }

private:
    std::atomic<bool> m_isOver = false;
    std::atomic<int> m_pairs = 0;
    std::atomic<int> m_failures = 0;
    std::vector<std::thread> m_threads;
};

} // namespace

class TestUniqueThreads : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_observer.reset(); }

    void connectionsOfIdleThreadsServeTheOthersMeanwhile();
    void eachThreadGetsItsOwnAnswer();
    void crowdsOfTwoEnginesPassTheSameNamesOn();
    void killedConnectionsLoseNothing();
    void nobodyReEntersWhatIsBeingReleased();

private:
    /// Ids of the engine's connections.
    QSet<quint64> connections();
};

QSet<quint64> TestUniqueThreads::connections()
{
    QSet<quint64> ids;
    for (const QVariantList &row : m_observer->rows("SELECT id FROM information_schema.processlist WHERE "
                                                    "id <> CONNECTION_ID() AND user = 'root' AND db IS NOT NULL"))
        ids.insert(row.value(0).toULongLong());
    return ids;
}

void TestUniqueThreads::connectionsOfIdleThreadsServeTheOthersMeanwhile()
{
    EngineConfig config = configFor(*m_server);
    config.maxConnections = 8; // keeper, service, and six
    LockEngine engine(config);
    std::latch used(3);
    std::latch crowdIsOver(1);
    std::atomic<int> granted = 0;
    std::vector<std::thread> idle;
    for (int i = 0; i < 3; ++i) {
        idle.emplace_back([&, i] {
            granted += engine.acquire(requestFor(nameOf(100 + i))).outcome == Outcome::Granted ? 1 : 0;
            used.count_down();
            crowdIsOver.wait();
            granted += engine.acquire(requestFor(nameOf(100 + i))).outcome == Outcome::Granted ? 1 : 0;
        });
    }
    used.wait();
    QVERIFY(eventually([&] { return connections().size() == 5; }));
    const QSet<quint64> before = connections();
    Crowd crowd(engine, 40);
    const bool allServe = eventually([&] {
        const QSet<quint64> now = connections();
        return now.size() == 8 && (now & before).size() == 2;
    });
    crowd.join();
    const QSet<quint64> lanes = connections();
    // Afterwards threads have their own again.
    const bool isAsBefore = eventually([&] {
        engine.acquire(requestFor("again"));
        return !lanes.contains(connections());
    });
    crowdIsOver.count_down();
    for (auto &thread : idle)
        thread.join();
    QVERIFY(allServe);
    QVERIFY(isAsBefore);
    QVERIFY(eventually([&] { return connections().size() <= 8; })); // closed ones may be on their way out
    QCOMPARE(crowd.failures(), 0);
    QCOMPARE(granted.load(), 6);
}

void TestUniqueThreads::eachThreadGetsItsOwnAnswer()
{
    constexpr int Threads = 30;
    constexpr int Stuck = 5;
    LockEngine engine(smallConfigFor(*m_server));
    for (int i = 0; i < Threads; ++i) {
        for (int grants = 0; grants < i; ++grants) // so that no two tokens are equal
            QCOMPARE(engine.acquire(requestFor(nameOf(i))).outcome, Outcome::Granted);
    }
    m_observer->run("BEGIN; SELECT * FROM lock_lease WHERE resource = '" + nameOf(Stuck) + "' FOR UPDATE");
    std::vector<AcquireResult> results(Threads);
    std::atomic<int> answered = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < Threads; ++i) {
        threads.emplace_back([&, i] {
            results[std::size_t(i)] = engine.acquire(requestFor(nameOf(i), Patience));
            ++answered;
        });
    }
    const bool othersGoOn = eventually([&] { return answered == Threads - 1; });
    m_observer->run("ROLLBACK");
    for (auto &thread : threads)
        thread.join();
    QVERIFY(othersGoOn);
    for (int i = 0; i < Threads; ++i) {
        const AcquireResult &result = results[std::size_t(i)];
        QCOMPARE(result.outcome, Outcome::Granted);
        QCOMPARE(result.handle.token(),
                 m_observer->value("SELECT token FROM lock_lease WHERE resource = '" + nameOf(i) + "'").toULongLong());
    }
    QCOMPARE(m_observer->value("SELECT COUNT(DISTINCT presence) FROM lock_lease").toInt(), Threads);
}

/// Transactions that carry several threads' statements may meet in a cycle; then one of them begins again.
void TestUniqueThreads::crowdsOfTwoEnginesPassTheSameNamesOn()
{
    EngineConfig config = configFor(*m_server);
    config.maxConnections = 6;
    LockEngine one(config);
    LockEngine other(config);
    Crowd first(one, 24, Duration::zero());
    Crowd second(other, 24, Duration::zero());
    const bool bothGoOn = QTest::qWaitFor([&] { return first.pairs() > 1000 && second.pairs() > 1000; }, 120'000);
    first.join();
    second.join();
    QVERIFY(bothGoOn);
    QCOMPARE(first.failures() + second.failures(), 0);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 0);
}

void TestUniqueThreads::killedConnectionsLoseNothing()
{
    EngineConfig config = configFor(*m_server);
    config.maxConnections = 6;
    LockEngine engine(config);
    ReconnectingSession killer(targetFor(*m_server));
    Crowd crowd(engine, 40);
    for (int i = 0; i < 20; ++i) {
        const int before = crowd.pairs();
        QVERIFY(eventually([&] { return crowd.pairs() > before + 100; }));
        QSet<quint64> ids = connections();
        ids.remove(killer.connectionId());
        killer.run("KILL " + QByteArray::number(ids.values().at(i % ids.size())), "test"); // may have ended by itself
    }
    crowd.join();
    QCOMPARE(crowd.failures(), 0);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 0);
}

/// Two threads of one owner re-enter each other's lock all the time, and a third owner wants it.
void TestUniqueThreads::nobodyReEntersWhatIsBeingReleased()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    std::atomic<bool> isOver = false;
    std::atomic<int> grants = 0;
    std::atomic<int> violations = 0;
    std::atomic<int> ours = 0;
    std::atomic<int> theirs = 0;
    const auto use = [&](LockEngine &own, std::atomic<int> &inside, const std::atomic<int> &others) {
        LockRequest request = requestFor("a");
        request.ownerKey = "job";
        while (!isOver) {
            const auto got = own.acquire(request);
            if (got.outcome != Outcome::Granted)
                continue;
            ++inside;
            violations += others != 0 || !got.handle.isHeld() ? 1 : 0;
            ++grants;
            --inside;
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
        threads.emplace_back([&] { use(engine, ours, theirs); });
    threads.emplace_back([&] { use(other, theirs, ours); });
    const bool goesOn = eventually([&] { return grants > 5000; });
    isOver = true;
    for (auto &thread : threads)
        thread.join();
    QVERIFY(goesOn);
    QCOMPARE(violations.load(), 0);
}

QTEST_GUILESS_MAIN(TestUniqueThreads)
#include "tst_uniquethreads.moc"
