// SPDX-License-Identifier: MIT
// Those who wait for a lease on ZooKeeper: their order, what wakes them, and the dead among them.
#include "zookeeperfixture.h"

#include <QtTest/QTest>

#include <atomic>
#include <thread>
#include <vector>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestZooKeeperQueue : public ZooKeeperTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void waitersAreServedInTheOrderOfTheirArrival_data();
    void waitersAreServedInTheOrderOfTheirArrival();
    void aNewcomerOvertakesNobody();
    void waitersSleepAndOnlyTheNextOneIsWoken();
    void manyThreadsHoldItOneByOne();
    void aCancelledWaiterLeaves();
    void aWaiterThatLeavesInTheMiddleLosesNobody();
    void anEnginesEndCancelsItsWaiters();
    void aDeadWaiterIsPassedOver();
    void aWaiterThatFrozeAtItsGrantDoesNotBelieveInIt();
    void aWaiterWhoseNodeIsRemovedWaitsAgain();
    void aWaiterOutlivesTheOneBeforeItAndItsHolder();

private:
    std::unique_ptr<LockEngine> m_engine;
    std::unique_ptr<LockEngine> m_other;
};

void TestZooKeeperQueue::init()
{
    ZooKeeperTest::init();
    m_engine = newEngine();
    m_other = newEngine();
}

void TestZooKeeperQueue::waitersAreServedInTheOrderOfTheirArrival_data()
{
    QTest::addColumn<int>("engines");

    QTest::newRow("one engine") << 1;
    QTest::newRow("two engines") << 2;
    QTest::newRow("eight engines") << 8;
}

void TestZooKeeperQueue::waitersAreServedInTheOrderOfTheirArrival()
{
    QFETCH(int, engines);
    std::vector<std::unique_ptr<LockEngine>> all;
    for (int i = 0; i < engines; ++i)
        all.push_back(newEngine());
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QList<int> order;
    std::vector<std::thread> waiters;
    for (int i = 0; i < 8; ++i) {
        waiters.emplace_back([&, i] {
            const AcquireResult result = all[std::size_t(i % engines)]->acquire(leaseRequest("r", 1min));
            order.append(result.handle ? i : -1); // only who holds it is here
        });
        QVERIFY(haveJoined(i + 2));
    }
    taken.handle.release();
    for (std::thread &waiter : waiters)
        waiter.join();
    QCOMPARE(order, QList<int>({0, 1, 2, 3, 4, 5, 6, 7}));
}

void TestZooKeeperQueue::aNewcomerOvertakesNobody()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    std::atomic<bool> mayEnd = false;
    std::thread waiter([&] {
        const AcquireResult result = m_other->acquire(leaseRequest("r", 1min));
        while (!mayEnd)
            std::this_thread::yield();
    });
    QVERIFY(haveJoined(2));
    taken.handle.release();
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    mayEnd = true;
    waiter.join();
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestZooKeeperQueue::waitersSleepAndOnlyTheNextOneIsWoken()
{
    constexpr int count = 20;
    m_engine = newEngine(60s); // so that they are renewed, and its connections asked for, seldom
    m_other = newEngine(60s);
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
        QVERIFY(haveJoined(i + 2));
    }
    const qint64 before = packets();
    std::this_thread::sleep_for(500ms); // time to poll, for those that do
    taken.handle.release();
    QVERIFY(eventually([&] { return grants == 1; }));
    std::this_thread::sleep_for(200ms); // and for those that were woken for nothing
    const qint64 sent = packets() - before;
    mayRelease = count;
    for (std::thread &waiter : waiters)
        waiter.join();
    QCOMPARE(grants.load(), count);
    QVERIFY2(sent < count, QByteArray::number(sent)); // a release and a look are four
}

void TestZooKeeperQueue::manyThreadsHoldItOneByOne()
{
    std::atomic<int> inside = 0;
    std::atomic<int> wrong = 0;
    std::atomic<int> grants = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < 10; ++n) {
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
    QCOMPARE(grants.load(), 160);
}

void TestZooKeeperQueue::aCancelledWaiterLeaves()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    std::stop_source stop;
    LockRequest request = leaseRequest("r", Forever);
    request.stop = stop.get_token();
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(request)); });
    QVERIFY(haveJoined(2));
    stop.request_stop();
    waiter.join();
    QCOMPARE(text, QByteArray("cancelled"));
    QCOMPARE(queue("r").size(), 1);
    QVERIFY(taken.handle.isHeld());
}

void TestZooKeeperQueue::aWaiterThatLeavesInTheMiddleLosesNobody()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    std::stop_source stop;
    LockRequest first = leaseRequest("r", 1min);
    first.stop = stop.get_token();
    std::thread leaves([&] { m_other->acquire(first); });
    QVERIFY(haveJoined(2));
    QByteArray text;
    std::thread stays([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(3));
    stop.request_stop();
    leaves.join();
    QCOMPARE(queue("r").size(), 2);
    QVERIFY(text.isEmpty());
    taken.handle.release();
    stays.join();
    QCOMPARE(text, QByteArray("granted"));
}

void TestZooKeeperQueue::anEnginesEndCancelsItsWaiters()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    auto waiting = m_other->acquireAsync(leaseRequest("r", Forever));
    QVERIFY(haveJoined(2));
    m_other.reset();
    QCOMPARE(textOf(waiting.takeResult()), QByteArray("cancelled"));
    QCOMPARE(queue("r").size(), 1);
}

void TestZooKeeperQueue::aDeadWaiterIsPassedOver()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const auto worker = newWorker();
    worker->send("acquire r 60000 60000");
    QVERIFY(haveJoined(2));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(3));
    worker->kill9();
    taken.handle.release();
    waiter.join(); // once its session has ended
    QCOMPARE(text, QByteArray("granted"));
}

void TestZooKeeperQueue::aWaiterThatFrozeAtItsGrantDoesNotBelieveInIt()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const auto worker = newWorker();
    worker->send("acquire r 60000 60000");
    QVERIFY(haveJoined(2));
    worker->freeze();
    taken.handle.release(); // it is its turn, until its session has ended
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    AcquireResult next = m_engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    worker->thaw();
    QVERIFY(haveJoined(2)); // with another session
    next.handle.release();
    const QString answer = worker->answer();
    QVERIFY2(answer.startsWith(u"granted"_s), qPrintable(answer));
    QVERIFY(answer.section(u' ', 1).toULongLong() > next.handle.token());
}

void TestZooKeeperQueue::aWaiterWhoseNodeIsRemovedWaitsAgain()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(2));
    QCOMPARE(m_eye->remove(folder("r") + '/' + queue("r").last()), 0);
    taken.handle.release();
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QVERIFY(queue("r").isEmpty());
}

void TestZooKeeperQueue::aWaiterOutlivesTheOneBeforeItAndItsHolder()
{
    const auto holder = newWorker();
    QVERIFY(holder->ask("acquire r 60000 0").startsWith(u"granted"_s));
    const auto first = newWorker();
    first->send("acquire r 60000 60000");
    QVERIFY(haveJoined(2));
    QByteArray text;
    std::thread second([&] { text = textOf(m_engine->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(3));
    holder->kill9();
    first->kill9();
    second.join();
    QCOMPARE(text, QByteArray("granted"));
}

QTEST_GUILESS_MAIN(TestZooKeeperQueue)
#include "tst_zookeeperqueue.moc"
