// SPDX-License-Identifier: MIT
// Those who wait for a lease on Redis: what they do on any store, and what wakes them here.
#include "redisfixture.h"
#include "stores/common/storequeuetest.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestRedisQueue : public StoreQueueTest
{
    Q_OBJECT

public:
    TestRedisQueue()
        : StoreQueueTest(m_redis)
    {
    }

private Q_SLOTS:
    void aWaiterSleepsUntilItIsWoken();
    void manyDeadWaitersArePassedOver();
    void aLostSubscriptionIsMadeAnew();
    void aGrantThatNobodyWaitsForIsGivenBack();

private:
    RedisBench m_redis;
};

void TestRedisQueue::aWaiterSleepsUntilItIsWoken()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_redis.haveJoined(1));
    m_redis.m_node->ask({"CONFIG", "RESETSTAT"});
    const auto since = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(500ms); // time to poll, for one that does
    taken.handle.release();
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    const auto looks = (std::chrono::steady_clock::now() - since) / 3s; // those that are meant
    // The release, the waiter's renewal and its release.
    const qint64 calls = m_redis.m_node->calls("evalsha") + m_redis.m_node->calls("eval");
    QVERIFY2(calls <= 3 + looks, QByteArray::number(calls));
}

void TestRedisQueue::manyDeadWaitersArePassedOver()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    for (int i = 0; i < 1700; ++i) {
        const QByteArray id = "dead/" + QByteArray::number(i);
        m_redis.m_node->ask({"ZADD", "lockscope:{r}:q", QByteArray::number(i + 1), id});
        m_redis.m_node->ask({"HSET", "lockscope:{r}:w", id, "dead 30000 2 {}"});
    }
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_redis.haveJoined(1701));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QCOMPARE(m_redis.m_node->waiters("r"), 0);
}

void TestRedisQueue::aLostSubscriptionIsMadeAnew()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_redis.haveJoined(1));
    QCOMPARE(m_redis.m_node->ask({"CLIENT", "KILL", "TYPE", "pubsub"}), QByteArray("2"));
    taken.handle.release(); // perhaps before it is there again; then the waiter looks by itself
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QVERIFY(eventually([&] { return m_redis.m_node->ask({"CLIENT", "LIST", "TYPE", "pubsub"}).count('\n') == 2; }));
}

/// A server that has lost the end of a request, as a failover does, grants to it.
void TestRedisQueue::aGrantThatNobodyWaitsForIsGivenBack()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const QByteArray session = m_engine->owner().session;
    m_redis.m_node->ask({"ZADD", "lockscope:{r}:q", "1", session + "/past"});
    m_redis.m_node->ask({"HSET", "lockscope:{r}:w", session + "/past", session + " 30000 2 {}"});
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    const bool hasJoined = m_redis.haveJoined(2);
    const qint64 before = m_redis.m_node->calls("zrem");
    taken.handle.release();
    const bool isGivenBack = eventually([&] { return m_redis.m_node->calls("zrem") > before; }); // of leave.lua alone
    waiter.join();
    QVERIFY(hasJoined && isGivenBack);
    QCOMPARE(text, QByteArray("granted"));
}

QTEST_GUILESS_MAIN(TestRedisQueue)
#include "tst_redisqueue.moc"
