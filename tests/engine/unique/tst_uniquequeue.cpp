// SPDX-License-Identifier: MIT
// Waiting in unique mode: order, silence, wake-ups, budgets, cancellation, takeover.
#include "engine/unique/leaserelease_p.h"
#include "enginetest.h"

#include <QtTest/QTest>

#include <array>
#include <atomic>
#include <cstdlib>
#include <future>
#include <latch>
#include <mutex>
#include <thread>

using namespace lockscope;
using namespace Qt::StringLiterals;
using namespace lockscope::test;
using Clock = std::chrono::steady_clock;

namespace {

/// Requests that wait in threads of their own and note the order in which they were granted.
class Crowd
{
public:
    /// Adds a waiter and returns when it stands in the queue.
    void add(Observer &observer, LockEngine &engine, const LockRequest &request, int number)
    {
        const int before = observer.waiters(request.resource);
        start(engine, request, number);
        QVERIFY(eventually([&] { return observer.waiters(request.resource) > before; }));
    }
    void start(LockEngine &engine, const LockRequest &request, int number)
    {
        m_threads.emplace_back([this, &engine, request, number] {
            auto result = engine.acquire(request);
            note(number, result);
        });
    }
    void join()
    {
        for (auto &thread : m_threads)
            thread.join();
        m_threads.clear();
    }
    ~Crowd() { join(); }

    // Complete after join().
    std::vector<int> grantOrder() const { return m_order; }
    std::vector<quint64> tokens() const { return m_tokens; }
    QString firstError() const { return m_error; }
    std::vector<Outcome> outcomes() const
    {
        const std::lock_guard lock(m_mutex);
        return m_outcomes;
    }

private:
    void note(int number, AcquireResult &result)
    {
        const std::lock_guard lock(m_mutex);
        m_outcomes.push_back(result.outcome);
        if (result.error && m_error.isEmpty())
            m_error = result.error->toString();
        if (result.outcome != Outcome::Granted)
            return;
        m_order.push_back(number);
        m_tokens.push_back(result.handle.token());
    } // the handle goes with the result: released after it was noted

    mutable std::mutex m_mutex;
    std::vector<std::thread> m_threads;
    QString m_error;
    std::vector<int> m_order;
    std::vector<quint64> m_tokens;
    std::vector<Outcome> m_outcomes;
};

bool isIncreasing(const std::vector<quint64> &tokens)
{
    return std::adjacent_find(tokens.begin(), tokens.end(), std::greater_equal<>()) == tokens.end();
}

} // namespace

class TestUniqueQueue : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void waitersAreGrantedInTheOrderOfTheirArrival_data();
    void waitersAreGrantedInTheOrderOfTheirArrival();
    void threadsOfOneEngineUseOneBlockedConnection();
    void thirtyTwoWaitersSendNothingWhileTheyWait();
    void oneReleaseWakesOneWaiter();
    void aHundredAndFiftyWaitersWork();
    void nobodyBargesPastTheQueue();
    void aWaiterThatTimedOutDelaysNobody();
    void budgetsHold_data();
    void budgetsHold();
    void aBudgetHoldsAlsoWhileARowLockIsHeld();
    void aCancelledWaiterLeavesNothing();
    void cancelRacesWithGrantWithoutATrace();
    void oneOfFiftyContendersGetsAnExpiredLease();
    void anOrphanIsTakenOverAtItsEnd();
    void tokensGrowInTheOrderOfGrantsWith64Contenders();
    void aLeaseWonAfterALongWaitHasItsFullTime();
    void aReleaseInAnotherThreadWakesTheNextOne_data();
    void aReleaseInAnotherThreadWakesTheNextOne();
    void aForceReleasedLeaseGoesToTheFirstWaiterAtOnce();
    void theConnectionLimitIsAnErrorAndNotAHang();
};

void TestUniqueQueue::cleanup()
{
    // Whatever happened: nobody in a queue and no held row is left behind.
    QVERIFY(eventually([&] {
        return m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-' OR queue <> ''").toInt() == 0;
    }));
    m_observer.reset();
}

void TestUniqueQueue::waitersAreGrantedInTheOrderOfTheirArrival_data()
{
    QTest::addColumn<int>("engines");
    QTest::newRow("threads of one process") << 1;
    QTest::newRow("each its own process's engine") << 12;
    QTest::newRow("three engines, mixed") << 3;
}

void TestUniqueQueue::waitersAreGrantedInTheOrderOfTheirArrival()
{
    QFETCH(int, engines);
    std::vector<std::unique_ptr<LockEngine>> pool;
    for (int i = 0; i < engines; ++i)
        pool.push_back(std::make_unique<LockEngine>(configFor(*m_server)));
    LockEngine holder(configFor(*m_server));
    auto held = holder.acquire(requestFor("a"));
    Crowd crowd;
    std::vector<int> arrival;
    for (int i = 0; i < 12; ++i) {
        crowd.add(*m_observer, *pool[std::size_t(i % engines)], requestFor("a", Patience), i);
        arrival.push_back(i);
    }
    held.handle.release();
    crowd.join();
    QCOMPARE(crowd.grantOrder(), arrival);
    QVERIFY(isIncreasing(crowd.tokens()));
}

void TestUniqueQueue::threadsOfOneEngineUseOneBlockedConnection()
{
    LockEngine holder(configFor(*m_server));
    LockEngine engine(configFor(*m_server));
    auto held = holder.acquire(requestFor("a"));
    Crowd crowd;
    for (int i = 0; i < 20; ++i)
        crowd.add(*m_observer, engine, requestFor("a", Patience), i);
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    QCOMPARE(m_observer->waiters("a"), 20);
    held.handle.release();
    crowd.join();
    QCOMPARE(crowd.grantOrder().size(), std::size_t(20));
}

void TestUniqueQueue::thirtyTwoWaitersSendNothingWhileTheyWait()
{
    LockEngine holder(configFor(*m_server));
    std::vector<std::unique_ptr<LockEngine>> engines;
    auto held = holder.acquire(requestFor("a", 0s, 60s));
    Crowd crowd;
    const auto begin = Clock::now();
    for (int i = 0; i < 32; ++i) {
        engines.push_back(std::make_unique<LockEngine>(smallConfigFor(*m_server)));
        crowd.add(*m_observer, *engines.back(), requestFor("a", Patience + 30s, 30s), i);
    }
    QVERIFY(eventually([&] { return m_observer->blocked() == 32; }));
    m_observer->startLog();
    std::this_thread::sleep_for(10s); // the fact itself: silence for as long as the lock is held
    QStringList packets = m_observer->logged();
    // The first looks after 15 s. Asking every second would be over 300 packets.
    const qsizetype most = Clock::now() - begin < 15s ? 0 : 100;
    // The holder's engine looks after what it holds every 8 s, and writes its measurements once.
    packets.removeIf([](const QString &packet) {
        return packet == u"SELECT 1" || packet.startsWith(u"INSERT INTO lock_latency")
            || packet.contains(u"FROM lock_release_request");
    });
    QVERIFY2(packets.size() <= most, qPrintable(packets.join(u'\n')));
    held.handle.release();
    crowd.join();
    QCOMPARE(crowd.grantOrder().size(), std::size_t(32));
}

void TestUniqueQueue::oneReleaseWakesOneWaiter()
{
    // The one that it wakes holds on, so nobody else may learn of the release but its successor, which moves up.
    LockEngine holder(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 60s));
    std::vector<std::unique_ptr<LockEngine>> engines;
    std::vector<std::thread> threads;
    std::atomic<int> granted = 0;
    std::atomic<bool> letGo = false;
    for (int i = 0; i < 8; ++i) {
        engines.push_back(std::make_unique<LockEngine>(smallConfigFor(*m_server)));
        threads.emplace_back([&, engine = engines.back().get()] {
            const auto result = engine->acquire(requestFor("a", Patience + 30s, 60s));
            if (result.outcome == Outcome::Granted)
                ++granted;
            while (!letGo)
                std::this_thread::sleep_for(1ms);
        });
        QVERIFY(eventually([&] { return m_observer->waiters("a") == i + 1; }));
    }
    QVERIFY(eventually([&] { return m_observer->blocked() == 8; }));
    m_observer->startLog();
    held.handle.release();
    QVERIFY(eventually([&] { return granted == 1; }));
    QVERIFY(eventually([&] { return m_observer->blocked() == 7; }));
    const auto wakes = m_observer->logged().filter(QStringLiteral("GET_LOCK"));
    letGo = true;
    for (auto &thread : threads)
        thread.join();
    // The successor of the woken one waits anew, now for the new holder; the other six slept on.
    QVERIFY2(wakes.size() <= 2, qPrintable(wakes.join(u'\n')));
    QCOMPARE(granted.load(), 8);
}

void TestUniqueQueue::aHundredAndFiftyWaitersWork()
{
    LockEngine holder(configFor(*m_server));
    std::vector<std::unique_ptr<LockEngine>> engines;
    auto held = holder.acquire(requestFor("a", 0s, 120s));
    Crowd crowd;
    for (int i = 0; i < 30; ++i) {
        engines.push_back(std::make_unique<LockEngine>(smallConfigFor(*m_server)));
        for (int k = 0; k < 5; ++k)
            crowd.start(*engines.back(), requestFor("a", 200s, 120s), 5 * i + k);
    }
    const bool allWait =
        QTest::qWaitFor([&] { return m_observer->waiters("a") == 150 || !crowd.outcomes().empty(); }, 120'000);
    held.handle.release();
    crowd.join();
    QVERIFY(allWait);
    QCOMPARE(crowd.firstError(), QString());
    QCOMPARE(crowd.tokens().size(), std::size_t(150));
    QVERIFY(isIncreasing(crowd.tokens()));
}

void TestUniqueQueue::nobodyBargesPastTheQueue()
{
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(configFor(*m_server));
    LockEngine barger(configFor(*m_server));
    auto held = holder.acquire(requestFor("a"));
    std::atomic<bool> stop = false;
    std::atomic<int> barged = 0;
    Crowd crowd;
    crowd.add(*m_observer, waiter, requestFor("a", Patience), 1);
    std::thread storm([&] {
        while (!stop) {
            if (barger.acquire(requestFor("a")).outcome == Outcome::Granted && !stop)
                ++barged;
        }
    });
    held.handle.release();
    crowd.join();
    stop = true;
    storm.join();
    QCOMPARE(crowd.tokens().front(), held.handle.token() + 1);
}

void TestUniqueQueue::aWaiterThatTimedOutDelaysNobody()
{
    LockEngine holder(configFor(*m_server));
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    QVERIFY(!one.connectToServer());
    QVERIFY(!two.connectToServer());
    auto held = holder.acquire(requestFor("a"));
    Crowd leaving;
    leaving.add(*m_observer, one, requestFor("a", 5s), 1);
    Crowd staying;
    staying.add(*m_observer, two, requestFor("a", Patience), 2);
    leaving.join();
    QCOMPARE(leaving.outcomes(), std::vector{Outcome::TimedOut});
    const quint64 token = held.handle.token();
    held.handle.release();
    staying.join();
    QCOMPARE(staying.grantOrder(), std::vector{2});
    QCOMPARE(staying.tokens(), std::vector{token + 1}); // the one that left was not granted first
}

void TestUniqueQueue::budgetsHold_data()
{
    QTest::addColumn<int>("milliseconds");
    for (int milliseconds : {1, 40, 250, 999, 1500})
        QTest::addRow("%d ms", milliseconds) << milliseconds;
}

void TestUniqueQueue::budgetsHold()
{
    QFETCH(int, milliseconds);
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(configFor(*m_server));
    QVERIFY(!waiter.connectToServer());
    const auto held = holder.acquire(requestFor("a"));
    const auto start = Clock::now();
    const auto result = waiter.acquire(requestFor("a", std::chrono::milliseconds(milliseconds)));
    const auto took = Clock::now() - start;
    QCOMPARE(result.outcome, Outcome::TimedOut);
    QVERIFY(took >= std::chrono::milliseconds(milliseconds));
    QVERIFY(took < Patience); // nothing else ends it: the lease is renewed
}

void TestUniqueQueue::aBudgetHoldsAlsoWhileARowLockIsHeld()
{
    LockEngine engine(configFor(*m_server));
    engine.acquire(requestFor("a"));
    Observer blocker(*m_server);
    blocker.run("BEGIN; UPDATE lock_lease SET note = 'x' WHERE resource = 'a'");
    const auto start = Clock::now();
    const auto result = engine.acquire(requestFor("a", 400ms));
    const auto took = Clock::now() - start;
    blocker.run("ROLLBACK");
    QCOMPARE(result.outcome, Outcome::TimedOut);
    QVERIFY(took < Patience);
    QCOMPARE(engine.acquire(requestFor("a", Patience)).outcome, Outcome::Granted);
}

void TestUniqueQueue::aCancelledWaiterLeavesNothing()
{
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(configFor(*m_server));
    const auto held = holder.acquire(requestFor("a"));
    std::stop_source stop;
    LockRequest request = requestFor("a", Forever);
    request.stop = stop.get_token();
    Crowd crowd;
    crowd.add(*m_observer, waiter, request, 1);
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    stop.request_stop();
    crowd.join();
    QCOMPARE(crowd.outcomes(), std::vector{Outcome::Cancelled});
    QCOMPARE(m_observer->waiters("a"), 0);
    // The connection that was interrupted goes on working.
    QCOMPARE(waiter.acquire(requestFor("b", Patience)).outcome, Outcome::Granted);
}

void TestUniqueQueue::cancelRacesWithGrantWithoutATrace()
{
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(configFor(*m_server));
    const QByteArray connections = "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'root'";
    int before = 0;
    int grants = 0;
    int cancels = 0;
    for (int i = 0; i < 1000; ++i) {
        auto held = holder.acquire(requestFor("a", Patience));
        QCOMPARE(held.outcome, Outcome::Granted);
        std::stop_source stop;
        LockRequest request = requestFor("a", Forever);
        request.stop = stop.get_token();
        std::atomic<bool> begun = false;
        std::promise<AcquireResult> answer;
        auto answered = answer.get_future();
        std::thread thread([&] {
            begun = true;
            answer.set_value(waiter.acquire(request));
        });
        // Every second waiter is in the queue when the race begins, the others are on their way into it.
        const auto isReady = [&] { return i % 2 == 0 ? m_observer->waiters("a") == 1 : begun.load(); };
        while (!isReady() && answered.wait_for(0s) == std::future_status::timeout)
            std::this_thread::yield();
        // The cancel sweeps over the whole hand-over, from before the release to after the grant. The two ends of the
        // sweep do not race: whatever the machine's speed, both outcomes are seen.
        const int step = i % 80 - 40;
        const auto pause = 74us * std::abs(step);
        std::thread canceller([&] {
            if (step == 39)
                answered.wait();
            else if (step > 0)
                std::this_thread::sleep_for(pause);
            stop.request_stop();
        });
        if (step == -40)
            answered.wait();
        else if (step < 0)
            std::this_thread::sleep_for(pause);
        held.handle.release();
        canceller.join();
        thread.join();
        AcquireResult result = answered.get();
        QVERIFY(result.outcome == Outcome::Granted || result.outcome == Outcome::Cancelled);
        ++(result.outcome == Outcome::Granted ? grants : cancels);
        QCOMPARE(result.handle.isHeld(), result.outcome == Outcome::Granted);
        if (step == 39 && before == 0) // after a grant, so with the waiting connection
            before = m_observer->value(connections).toInt();
    }
    QVERIFY2(grants > 0 && cancels > 0, qPrintable(QStringLiteral("%1 grants, %2 cancels").arg(grants).arg(cancels)));
    QVERIFY(eventually([&] { return m_observer->value(connections).toInt() <= before; }));
}

void TestUniqueQueue::oneOfFiftyContendersGetsAnExpiredLease()
{
    quint64 token = 0;
    {
        Worker dead(*m_server);
        token = dead.ask("acquire a 300 0").section(u' ', 1).toULongLong();
        dead.kill9();
    }
    QVERIFY(
        eventually([&] { return m_observer->value("SELECT expires_at < UTC_TIMESTAMP(6) FROM lock_lease").toBool(); }));
    std::vector<std::unique_ptr<LockEngine>> engines;
    for (int i = 0; i < 50; ++i) {
        engines.push_back(std::make_unique<LockEngine>(smallConfigFor(*m_server)));
        QVERIFY(!engines.back()->connectToServer());
    }
    std::vector<AcquireResult> results(50);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 50; ++i)
        threads.emplace_back([&, i] { results[i] = engines[i]->acquire(requestFor("a")); });
    for (auto &thread : threads)
        thread.join();
    int grants = 0;
    for (const auto &result : results) {
        QVERIFY(result.outcome == Outcome::Granted || result.outcome == Outcome::Busy);
        if (result.outcome != Outcome::Granted)
            continue;
        ++grants;
        QVERIFY(result.handle.token() > token);
    }
    QCOMPARE(grants, 1);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event WHERE kind = 'takeover'").toInt(), 1);
}

void TestUniqueQueue::anOrphanIsTakenOverAtItsEnd()
{
    Worker worker(*m_server);
    const quint64 token = worker.ask("acquire a 5000 0").section(u' ', 1).toULongLong();
    LockEngine engine(configFor(*m_server));
    Crowd crowd;
    crowd.add(*m_observer, engine, requestFor("a", Patience), 1);
    const auto expiry = m_observer->value("SELECT expires_at FROM lock_lease");
    worker.kill9();
    crowd.join();
    QCOMPARE(crowd.grantOrder(), std::vector{1});
    QVERIFY(crowd.tokens().front() > token);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event WHERE kind = 'takeover'").toInt(), 1);
    QVERIFY(m_observer->value("SELECT acquired_at FROM lock_lease").toDateTime() >= expiry.toDateTime());
}

void TestUniqueQueue::tokensGrowInTheOrderOfGrantsWith64Contenders()
{
    std::vector<std::unique_ptr<LockEngine>> engines;
    for (int i = 0; i < 16; ++i)
        engines.push_back(std::make_unique<LockEngine>(smallConfigFor(*m_server)));
    std::vector<std::thread> threads;
    std::atomic<int> inside = 0;
    std::atomic<int> violations = 0;
    std::vector<quint64> tokens; // written by holders only: the lock is what protects it
    for (std::size_t i = 0; i < 64; ++i) {
        threads.emplace_back([&, i] {
            for (int k = 0; k < 4; ++k) {
                const auto result = engines[i % 16]->acquire(requestFor("hot", 120s, 120s));
                if (result.outcome != Outcome::Granted || inside++ != 0)
                    ++violations;
                tokens.push_back(result.handle.token());
                --inside;
            }
        });
    }
    for (auto &thread : threads)
        thread.join();
    QCOMPARE(violations.load(), 0);
    QCOMPARE(tokens.size(), std::size_t(256));
    QVERIFY(isIncreasing(tokens));
}

void TestUniqueQueue::aLeaseWonAfterALongWaitHasItsFullTime()
{
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(configFor(*m_server));
    auto held = holder.acquire(requestFor("a"));
    AcquireResult result;
    Duration remaining{};
    std::thread thread([&] {
        LockRequest request = requestFor("a", Patience, 10s);
        request.autoRenew = false;
        result = waiter.acquire(request);
        remaining = result.handle.remaining();
    });
    QVERIFY(eventually([&] { return m_observer->waiters("a") == 1; }));
    const QByteArray waitedLong = "SELECT acquired_at < UTC_TIMESTAMP(6) - INTERVAL 7 SECOND FROM lock_lease";
    QVERIFY(eventually([&] { return m_observer->value(waitedLong).toBool(); }));
    held.handle.release();
    thread.join();
    QCOMPARE(result.outcome, Outcome::Granted);
    QVERIFY2(remaining > 5s, qPrintable(QString::number(remaining.count())));
}

void TestUniqueQueue::aReleaseInAnotherThreadWakesTheNextOne_data()
{
    QTest::addColumn<bool>("threadLives");
    QTest::newRow("the thread that acquired lives") << true;
    QTest::newRow("it has ended") << false;
}

void TestUniqueQueue::aReleaseInAnotherThreadWakesTheNextOne()
{
    QFETCH(bool, threadLives);
    LockEngine engine(configFor(*m_server));
    std::promise<AcquireResult> acquired;
    std::promise<void> mayEnd;
    std::thread thread([&] {
        acquired.set_value(engine.acquire(requestFor("a", 0s, 300s)));
        mayEnd.get_future().wait();
    });
    AcquireResult held = acquired.get_future().get();
    QCOMPARE(held.outcome, Outcome::Granted);
    LockEngine other(configFor(*m_server));
    Crowd crowd;
    crowd.add(*m_observer, other, requestFor("a", Patience), 1);
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    if (!threadLives) {
        mayEnd.set_value();
        thread.join();
    }
    const auto released = std::chrono::steady_clock::now();
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    crowd.join();
    QVERIFY(std::chrono::steady_clock::now() - released < 10s); // one that is not woken looks after 15 s
    QCOMPARE(crowd.grantOrder(), std::vector<int>{1});
    if (threadLives) {
        mayEnd.set_value();
        thread.join();
    }
}

void TestUniqueQueue::aForceReleasedLeaseGoesToTheFirstWaiterAtOnce()
{
    // The operator's transaction is the same as the engine's own; here it comes without the nudge, so the holder's
    // next renewal is what wakes the waiter.
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(configFor(*m_server));
    std::atomic<int> told = 0;
    std::atomic<LossReason> reason = LossReason::Expired;
    LockRequest request = requestFor("a", 0s, 9s);
    request.onLost = [&](LossReason why) {
        reason = why;
        ++told;
    };
    auto held = holder.acquire(request);
    Crowd crowd;
    crowd.add(*m_observer, waiter, requestFor("a", Patience), 1);
    m_observer->run(detail::endStatement({"a", 0, held.handle.token()}, {u"test"_s, u"stuck"_s}, m_server->family()));
    crowd.join();
    QCOMPARE(crowd.tokens(), std::vector{held.handle.token() + 1});
    QVERIFY(eventually([&] { return told > 0; }));
    QCOMPARE(reason.load(), LossReason::TakenOver);
    QVERIFY(!held.handle.isHeld());
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(told.load(), 1);
}

void TestUniqueQueue::theConnectionLimitIsAnErrorAndNotAHang()
{
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(smallConfigFor(*m_server)); // keeper, service and two more
    std::vector<AcquireResult> held;
    for (const char *name : {"a", "b", "c"})
        held.push_back(holder.acquire(requestFor(name)));
    Crowd crowd;
    crowd.add(*m_observer, waiter, requestFor("a", Patience), 1);
    crowd.add(*m_observer, waiter, requestFor("b", Patience), 2);
    const auto refused = waiter.acquire(requestFor("c", Patience));
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::LimitReached);
    QCOMPARE(waiter.acquire(requestFor("free")).outcome, Outcome::Granted); // what does not wait still works
    held.clear();
    crowd.join();
    QCOMPARE(crowd.grantOrder().size(), std::size_t(2));
}

QTEST_GUILESS_MAIN(TestUniqueQueue)
#include "tst_uniquequeue.moc"
