// SPDX-License-Identifier: MIT
#include "storequeuetest.h"

#include <QtTest/QTest>

#include <atomic>
#include <thread>
#include <vector>

namespace lockscope::test {

void StoreQueueTest::init()
{
    m_bench.begin();
    m_engine = m_bench.newEngine();
    m_other = m_bench.newEngine();
}

void StoreQueueTest::cleanup()
{
    m_engine.reset();
    m_other.reset();
}

/// For a worker; its lease ends soon.
QByteArray StoreQueueTest::orderToAcquire(Duration wait) const
{
    const auto milliseconds = [](Duration span) {
        return QByteArray::number(qint64(std::chrono::duration_cast<std::chrono::milliseconds>(span).count()));
    };
    return "acquire r " + milliseconds(m_bench.shortestTtl()) + ' ' + milliseconds(wait);
}

void StoreQueueTest::waitersAreServedInTheOrderOfTheirArrival_data()
{
    QTest::addColumn<int>("engines");

    QTest::newRow("one engine") << 1;
    QTest::newRow("two engines") << 2;
    QTest::newRow("eight engines") << 8;
}

void StoreQueueTest::waitersAreServedInTheOrderOfTheirArrival()
{
    QFETCH(int, engines);
    std::vector<std::unique_ptr<LockEngine>> all;
    for (int i = 0; i < engines; ++i)
        all.push_back(m_bench.newEngine());
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QList<int> order;
    std::vector<std::thread> waiters;
    for (int i = 0; i < 8; ++i) {
        waiters.emplace_back([&, i] {
            const AcquireResult result = all[std::size_t(i % engines)]->acquire(leaseRequest("r", 1min));
            order.append(result.handle ? i : -1); // only who holds it is here
        });
        QVERIFY(m_bench.haveJoined(i + 1));
    }
    taken.handle.release();
    for (std::thread &waiter : waiters)
        waiter.join();
    QCOMPARE(order, QList<int>({0, 1, 2, 3, 4, 5, 6, 7}));
}

void StoreQueueTest::aNewcomerOvertakesNobody()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    std::atomic<bool> mayEnd = false;
    std::thread waiter([&] {
        const AcquireResult result = m_other->acquire(leaseRequest("r", 1min));
        while (!mayEnd)
            std::this_thread::sleep_for(1ms);
    });
    QVERIFY(m_bench.haveJoined(1));
    taken.handle.release();
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    mayEnd = true;
    waiter.join();
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void StoreQueueTest::manyThreadsHoldItOneByOne()
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

void StoreQueueTest::aCancelledWaiterLeaves()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    std::stop_source stop;
    LockRequest request = leaseRequest("r", Forever);
    request.stop = stop.get_token();
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(request)); });
    QVERIFY(m_bench.haveJoined(1));
    stop.request_stop();
    waiter.join();
    QCOMPARE(text, QByteArray("cancelled"));
    QCOMPARE(m_bench.waiters("r"), 0);
    QVERIFY(taken.handle.isHeld());
}

void StoreQueueTest::aWaiterLeavesWhenItsTimeIsOver()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r", 100ms))), QByteArray("timed"));
    QCOMPARE(m_bench.waiters("r"), 0);
}

void StoreQueueTest::aWaiterThatLeavesInTheMiddleLosesNobody()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    std::stop_source stop;
    LockRequest first = leaseRequest("r", 1min);
    first.stop = stop.get_token();
    std::thread leaves([&] { m_other->acquire(first); });
    QVERIFY(m_bench.haveJoined(1));
    QByteArray text;
    std::thread stays([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_bench.haveJoined(2));
    stop.request_stop();
    leaves.join();
    QCOMPARE(m_bench.waiters("r"), 1);
    taken.handle.release();
    stays.join();
    QCOMPARE(text, QByteArray("granted"));
}

void StoreQueueTest::anEnginesEndCancelsItsWaiters()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    auto waiting = m_other->acquireAsync(leaseRequest("r", Forever));
    QVERIFY(m_bench.haveJoined(1));
    m_other.reset();
    QCOMPARE(textOf(waiting.takeResult()), QByteArray("cancelled"));
    QCOMPARE(m_bench.waiters("r"), 0);
}

void StoreQueueTest::aDeadWaiterIsPassedOver()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const auto worker = m_bench.newWorker();
    worker->send(orderToAcquire(1min));
    QVERIFY(m_bench.haveJoined(1));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_bench.haveJoined(2));
    worker->kill9();
    taken.handle.release();
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QCOMPARE(m_bench.waiters("r"), 0);
}

void StoreQueueTest::aWaiterThatFrozeAtItsGrantDoesNotBelieveInIt()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const auto worker = m_bench.newWorker();
    worker->send(orderToAcquire(1min));
    QVERIFY(m_bench.haveJoined(1));
    worker->freeze();
    taken.handle.release(); // it is its turn, until it is given up for dead
    AcquireResult next = m_engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    worker->thaw();
    QVERIFY(m_bench.haveJoined(1)); // anew
    const quint64 token = next.handle.token();
    next.handle.release();
    const QString answer = worker->answer();
    QVERIFY2(answer.startsWith(QLatin1String("granted")), qPrintable(answer));
    QVERIFY(answer.section(u' ', 1).toULongLong() > token);
}

void StoreQueueTest::aWaiterOutlivesTheOneBeforeItAndItsHolder()
{
    const auto holder = m_bench.newWorker();
    QVERIFY(holder->ask(orderToAcquire(0s)).startsWith(QLatin1String("granted")));
    const auto first = m_bench.newWorker();
    first->send(orderToAcquire(1min));
    QVERIFY(m_bench.haveJoined(1));
    QByteArray text;
    std::thread second([&] { text = textOf(m_engine->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_bench.haveJoined(2));
    holder->kill9();
    first->kill9();
    second.join();
    QCOMPARE(text, QByteArray("granted"));
}

} // namespace lockscope::test
