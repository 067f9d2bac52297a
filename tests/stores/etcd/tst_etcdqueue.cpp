// SPDX-License-Identifier: MIT
// Those who wait for a lease on etcd: what they do on any store, and what wakes them here.
#include "etcdbench.h"
#include "stores/common/storequeuetest.h"

#include <QtTest/QTest>

#include <atomic>
#include <thread>
#include <vector>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestEtcdQueue : public StoreQueueTest
{
    Q_OBJECT

public:
    TestEtcdQueue()
        : StoreQueueTest(m_etcd)
    {
    }

private Q_SLOTS:
    void waitersSleepAndOnlyTheNextOneIsWoken();
    void aWaiterWhoseKeyIsRemovedWaitsAgain();
    void aWaiterOutlivesItsOwnTtl();
    void aWaiterWithALongTtlHasItOnlyFromItsGrantOn();
    void keysBelowItsOwnAreNotWaitedFor();

private:
    qint64 calls();

    EtcdBench m_etcd;
};

/// Of all kinds, by all.
qint64 TestEtcdQueue::calls()
{
    qint64 sum = 0;
    for (const QByteArray &line : m_etcd.http(u"/metrics"_s).split('\n')) {
        if (line.startsWith("grpc_server_started_total") && line.contains("etcdserverpb"))
            sum += qint64(line.split(' ').last().toDouble());
    }
    return sum;
}

void TestEtcdQueue::waitersSleepAndOnlyTheNextOneIsWoken()
{
    constexpr int count = 20;
    const LockRequest request = leaseRequest("r", 2min, 1h); // whose signs of life are rare
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
        QVERIFY(m_etcd.haveJoined(i + 1));
    }
    std::this_thread::sleep_for(300ms); // until the last one watches
    const qint64 before = calls();
    QVERIFY(before > 0);
    std::this_thread::sleep_for(500ms); // time to poll, for those that do
    taken.handle.release();
    QVERIFY(eventually([&] { return grants == 1; }));
    std::this_thread::sleep_for(200ms); // and for those that were woken for nothing
    const qint64 sent = calls() - before;
    mayRelease = count;
    for (std::thread &waiter : waiters)
        waiter.join();
    QCOMPARE(grants.load(), count);
    QVERIFY2(sent < count, QByteArray::number(sent)); // a release, a look and a proof are four
}

void TestEtcdQueue::aWaiterWhoseKeyIsRemovedWaitsAgain()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_etcd.haveJoined(1));
    m_etcd.eye().remove(m_etcd.queue("r").last().key);
    taken.handle.release();
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    QVERIFY(m_etcd.queue("r").isEmpty());
}

void TestEtcdQueue::aWaiterOutlivesItsOwnTtl()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_other->acquire(leaseRequest("r", 1min, ShortTtl))); });
    QVERIFY(m_etcd.haveJoined(1));
    const auto place = m_etcd.queue("r").last();
    std::this_thread::sleep_for(3 * ShortTtl);
    QCOMPARE(m_etcd.queue("r").last().created, place.created);
    taken.handle.release();
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
}

/// Else a dead one would block those behind it for as long.
void TestEtcdQueue::aWaiterWithALongTtlHasItOnlyFromItsGrantOn()
{
    const auto grantedTtl = [this](qint64 lease) {
        const QJsonObject left = m_etcd.eye().call("lease/timetolive", {{u"ID"_s, QString::number(lease)}});
        return detail::etcdNumber(left["grantedTTL"_L1]);
    };
    AcquireResult taken = m_engine->acquire(leaseRequest("r", 0s, 1h));
    QCOMPARE(grantedTtl(m_etcd.queue("r").first().lease), 3600);
    AcquireResult next;
    std::thread waiter([&] { next = m_other->acquire(leaseRequest("r", 1min, 1h)); });
    QVERIFY(m_etcd.haveJoined(1));
    QVERIFY(eventually([&] { return grantedTtl(m_etcd.queue("r").last().lease) == 30; }));
    const auto place = m_etcd.queue("r").last();
    taken.handle.release();
    waiter.join();
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.remaining() > 59min);
    QCOMPARE(next.handle.token(), quint64(place.created));
    QCOMPARE(grantedTtl(m_etcd.queue("r").first().lease), 3600);
    QCOMPARE(next.handle.release(), ReleaseOutcome::Released);
    QVERIFY(m_etcd.queue("r").isEmpty());
}

void TestEtcdQueue::keysBelowItsOwnAreNotWaitedFor()
{
    std::vector<AcquireResult> below;
    for (int i = 0; i < 40; ++i)
        below.push_back(m_engine->acquire(leaseRequest("r/" + QByteArray::number(i))));
    m_etcd.eye().put(m_etcd.url().path.toUtf8() + "/r/stranger", "x");
    m_etcd.eye().put(m_etcd.url().path.toUtf8() + "/r/abc", "without a lease");
    AcquireResult taken = m_other->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(m_engine->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_etcd.haveJoined(1));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
    for (const AcquireResult &other : below)
        QVERIFY(other.handle.isHeld());
}

QTEST_GUILESS_MAIN(TestEtcdQueue)
#include "tst_etcdqueue.moc"
