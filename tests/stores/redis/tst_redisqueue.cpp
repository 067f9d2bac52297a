// SPDX-License-Identifier: MIT
// Those who wait for a lease on Redis: their order, what wakes them, and the dead among them.
#include "redisfixture.h"

#include <QtTest/QTest>

#include <atomic>
#include <thread>
#include <vector>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestRedisQueue : public RedisTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void waitersAreServedInTheOrderOfTheirArrival_data();
    void waitersAreServedInTheOrderOfTheirArrival();
    void aNewcomerOvertakesNobody();
    void aWaiterSleepsUntilItIsWoken();
    void manyThreadsHoldItOneByOne();
    void aCancelledWaiterLeaves();
    void aWaiterLeavesWhenItsTimeIsOver();
    void anEnginesEndCancelsItsWaiters();
    void aDeadWaiterIsPassedOverAtOnce();
    void manyDeadWaitersArePassedOver();
    void aWaiterThatFrozeAtItsGrantWaitsAgain();
    void aWaiterOutlivesTheOneBeforeItAndItsHolder();
    void aLostSubscriptionIsMadeAnew();

private:
    bool haveJoined(int count)
    {
        return eventually([&] { return m_node->waiters("r") == count; });
    }

    std::unique_ptr<LockEngine> m_engine;
    std::unique_ptr<LockEngine> m_other;
};

void TestRedisQueue::init()
{
    RedisTest::init();
    m_engine = std::make_unique<LockEngine>(engineOn(*m_node));
    m_other = std::make_unique<LockEngine>(engineOn(*m_node));
}

void TestRedisQueue::waitersAreServedInTheOrderOfTheirArrival_data()
{
    QTest::addColumn<int>("engines");

    QTest::newRow("one engine") << 1;
    QTest::newRow("two engines") << 2;
    QTest::newRow("eight engines") << 8;
}

void TestRedisQueue::waitersAreServedInTheOrderOfTheirArrival()
{
    QFETCH(int, engines);
    std::vector<std::unique_ptr<LockEngine>> all;
    for (int i = 0; i < engines; ++i)
        all.push_back(std::make_unique<LockEngine>(engineOn(*m_node)));
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QList<int> order;
    std::vector<std::thread> waiters;
    for (int i = 0; i < 8; ++i) {
        waiters.emplace_back([&, i] {
            const AcquireResult result = all[std::size_t(i % engines)]->acquire(leaseRequest("r", 1min));
            order.append(result.handle ? i : -1); // only who holds it is here
        });
        QVERIFY(haveJoined(i + 1));
    }
    taken.handle.release();
    for (std::thread &waiter : waiters)
        waiter.join();
    QCOMPARE(order, QList<int>({0, 1, 2, 3, 4, 5, 6, 7}));
}

void TestRedisQueue::aNewcomerOvertakesNobody()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    std::atomic<bool> mayEnd = false;
    std::thread waiter([&] {
        const AcquireResult result = m_other->acquire(leaseRequest("r", 1min));
        while (!mayEnd)
            std::this_thread::yield();
    });
    QVERIFY(haveJoined(1));
    taken.handle.release();
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    mayEnd = true;
    waiter.join();
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestRedisQueue::aWaiterSleepsUntilItIsWoken()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(1));
    m_node->ask({"CONFIG", "RESETSTAT"});
    const auto since = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(500ms); // time to poll, for one that does
    taken.handle.release();
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    const auto looks = (std::chrono::steady_clock::now() - since) / 3s; // those that are meant
    // The release, the waiter's renewal and its release.
    const qint64 calls = m_node->calls("evalsha") + m_node->calls("eval");
    QVERIFY2(calls <= 3 + looks, QByteArray::number(calls));
}

void TestRedisQueue::manyThreadsHoldItOneByOne()
{
    std::atomic<int> inside = 0;
    std::atomic<int> wrong = 0;
    std::atomic<int> grants = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < 25; ++n) {
                const AcquireResult result = (i % 2 ? m_engine : m_other)->acquire(leaseRequest("r", 1min));
                wrong += !result.handle || ++inside != 1;
                ++grants;
                --inside;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(grants.load(), 400);
}

void TestRedisQueue::aCancelledWaiterLeaves()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    std::stop_source stop;
    LockRequest request = leaseRequest("r", Forever);
    request.stop = stop.get_token();
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(request)); });
    QVERIFY(haveJoined(1));
    stop.request_stop();
    waiter.join();
    QCOMPARE(text, QByteArray("cancelled"));
    QCOMPARE(m_node->waiters("r"), 0);
    QVERIFY(taken.handle.isHeld());
}

void TestRedisQueue::aWaiterLeavesWhenItsTimeIsOver()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r", 100ms))), QByteArray("timed"));
    QCOMPARE(m_node->waiters("r"), 0);
    taken.handle.release();
    QCOMPARE(m_node->rows({"KEYS", "*"}).size(), 1); // the last token
}

void TestRedisQueue::anEnginesEndCancelsItsWaiters()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    auto waiting = m_other->acquireAsync(leaseRequest("r", Forever));
    QVERIFY(haveJoined(1));
    m_other.reset();
    QCOMPARE(textOf(waiting.takeResult()), QByteArray("cancelled"));
    QCOMPARE(m_node->waiters("r"), 0);
}

void TestRedisQueue::aDeadWaiterIsPassedOverAtOnce()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    RedisWorker worker(*m_node);
    worker.send("acquire r 60000 60000");
    QVERIFY(haveJoined(1));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(2));
    worker.kill9();
    // Its connections have to be closed first.
    QVERIFY(eventually([&] { return m_node->ask({"CLIENT", "LIST", "TYPE", "pubsub"}).count('\n') == 2; }));
    taken.handle.release();
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QCOMPARE(m_node->waiters("r"), 0);
}

void TestRedisQueue::manyDeadWaitersArePassedOver()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    for (int i = 0; i < 1700; ++i) {
        const QByteArray id = "dead/" + QByteArray::number(i);
        m_node->ask({"ZADD", "lockscope:{r}:q", QByteArray::number(i + 1), id});
        m_node->ask({"HSET", "lockscope:{r}:w", id, "dead 30000 2 {}"});
    }
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(1701));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QCOMPARE(m_node->waiters("r"), 0);
}

void TestRedisQueue::aWaiterThatFrozeAtItsGrantWaitsAgain()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    RedisWorker worker(*m_node);
    worker.send("acquire r 60000 60000");
    QVERIFY(haveJoined(1));
    worker.freeze();
    taken.handle.release(); // granted to the frozen one, for a moment
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    AcquireResult next = m_engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    worker.thaw();
    QVERIFY(haveJoined(1));
    next.handle.release();
    const QString answer = worker.answer();
    QVERIFY2(answer.startsWith(u"granted"_s), qPrintable(answer));
    QVERIFY(answer.section(u' ', 1).toULongLong() > next.handle.token());
}

void TestRedisQueue::aWaiterOutlivesTheOneBeforeItAndItsHolder()
{
    RedisWorker holder(*m_node);
    QVERIFY(holder.ask("acquire r 1000 0").startsWith(u"granted"_s));
    RedisWorker first(*m_node);
    first.send("acquire r 60000 60000");
    QVERIFY(haveJoined(1));
    QByteArray text;
    std::thread second([&] { text = textOf(m_engine->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(2));
    holder.kill9();
    first.kill9();
    second.join();
    QCOMPARE(text, QByteArray("granted"));
}

void TestRedisQueue::aLostSubscriptionIsMadeAnew()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(1));
    QCOMPARE(m_node->ask({"CLIENT", "KILL", "TYPE", "pubsub"}), QByteArray("2"));
    taken.handle.release(); // perhaps before it is there again; then the waiter looks by itself
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QVERIFY(eventually([&] { return m_node->ask({"CLIENT", "LIST", "TYPE", "pubsub"}).count('\n') == 2; }));
}

QTEST_GUILESS_MAIN(TestRedisQueue)
#include "tst_redisqueue.moc"
