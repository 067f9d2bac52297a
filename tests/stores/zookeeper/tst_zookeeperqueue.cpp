// SPDX-License-Identifier: MIT
// Those who wait for a lease on ZooKeeper: what they do on any store, and what wakes them here.
#include "stores/common/storequeuetest.h"
#include "zookeeperfixture.h"

#include <QtTest/QTest>

#include <atomic>
#include <thread>
#include <vector>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestZooKeeperQueue : public StoreQueueTest
{
    Q_OBJECT

public:
    TestZooKeeperQueue()
        : StoreQueueTest(m_zookeeper)
    {
    }

private Q_SLOTS:
    void waitersSleepAndOnlyTheNextOneIsWoken();
    void aWaiterWhoseNodeIsRemovedWaitsAgain();

private:
    ZooKeeperBench m_zookeeper;
};

void TestZooKeeperQueue::waitersSleepAndOnlyTheNextOneIsWoken()
{
    constexpr int count = 20;
    m_engine = m_zookeeper.newEngine(60s); // so that they are renewed, and its connections asked for, seldom
    m_other = m_zookeeper.newEngine(60s);
    const LockRequest request = leaseRequest("r", 1min, 60s);
    AcquireResult taken = m_engine->acquire(request);
    QCOMPARE(textOf(taken), QByteArray("granted"));
    std::atomic<int> grants = 0;
    std::atomic<int> mayRelease = 0;
    std::vector<std::thread> waiters;
    for (int i = 0; i < count; ++i) {
        waiters.emplace_back([&] {
            const AcquireResult result = m_other->acquire(request);
            const int mine = ++grants;
            while (mayRelease < mine)
                std::this_thread::sleep_for(1ms);
        });
        QVERIFY(m_zookeeper.haveJoined(i + 1));
    }
    const qint64 before = m_zookeeper.packets();
    std::this_thread::sleep_for(500ms); // time to poll, for those that do
    taken.handle.release();
    QVERIFY(eventually([&] { return grants == 1; }));
    std::this_thread::sleep_for(200ms); // and for those that were woken for nothing
    const qint64 sent = m_zookeeper.packets() - before;
    mayRelease = count;
    for (std::thread &waiter : waiters)
        waiter.join();
    QCOMPARE(grants.load(), count);
    QVERIFY2(sent < count, QByteArray::number(sent)); // a release and a look are four
}

void TestZooKeeperQueue::aWaiterWhoseNodeIsRemovedWaitsAgain()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_zookeeper.haveJoined(1));
    QCOMPARE(m_zookeeper.m_eye->remove(m_zookeeper.folder("r") + '/' + m_zookeeper.queue("r").last()), 0);
    taken.handle.release();
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QVERIFY(m_zookeeper.queue("r").isEmpty());
}

QTEST_GUILESS_MAIN(TestZooKeeperQueue)
#include "tst_zookeeperqueue.moc"
