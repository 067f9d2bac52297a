// SPDX-License-Identifier: MIT
// One lease on ZooKeeper, from its grant to its end: as on any store, and what is ZooKeeper's own.
#include "stores/common/storeleasetest.h"
#include "zookeeperfixture.h"

#include <QtTest/QTest>

#include <atomic>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestZooKeeperLease : public StoreLeaseTest
{
    Q_OBJECT

public:
    TestZooKeeperLease()
        : StoreLeaseTest(m_zookeeper)
    {
    }

private Q_SLOTS:
    void theTokenIsTheNodesCzxid();
    void tokensGrowAlsoWhenTheFolderIsNew();
    void aRenewalWakesNobodyAndChangesNothing();
    void aRenewalByHandMovesTheEnd();
    void aReleasedLeaseLeavesAnEmptyFolder();
    void whatZooKeeperCannotDoIsRefused();
    void whoIsAskedBeforeItWatchesHearsOfItToo();

private:
    ZooKeeperBench m_zookeeper;
};

void TestZooKeeperLease::theTokenIsTheNodesCzxid()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QVERIFY(taken.handle.isHeld());
    QVERIFY(taken.handle.remaining() > 0s && taken.handle.remaining() <= 5s); // half of the session's time
    const QByteArrayList nodes = m_zookeeper.queue("r");
    QCOMPARE(nodes.size(), 1);
    QCOMPARE(taken.handle.token(),
             quint64(m_zookeeper.m_eye->node(m_zookeeper.folder("r") + '/' + nodes.first()).token));
}

/// ZooKeeper begins to number the nodes at 0 again.
void TestZooKeeperLease::tokensGrowAlsoWhenTheFolderIsNew()
{
    const quint64 first = m_engine->acquire(leaseRequest("r")).handle.token();
    m_engine->acquire(leaseRequest("r"));
    QCOMPARE(m_zookeeper.m_eye->remove(m_zookeeper.folder("r")), 0);
    const AcquireResult taken = m_other->acquire(leaseRequest("r"));
    QVERIFY2(taken.handle.token() > first, textOf(taken));
    QVERIFY(m_zookeeper.queue("r").first().endsWith("-lock-0000000000"));
}

void TestZooKeeperLease::aRenewalWakesNobodyAndChangesNothing()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const QByteArray node = m_zookeeper.folder("r") + '/' + m_zookeeper.queue("r").first();
    for (int i = 0; i < 10; ++i)
        QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed);
    QCOMPARE(m_zookeeper.m_eye->node(node).version, 0);
}

void TestZooKeeperLease::aRenewalByHandMovesTheEnd()
{
    LockRequest request = leaseRequest("r");
    request.autoRenew = false;
    AcquireResult taken = m_engine->acquire(request);
    std::this_thread::sleep_for(100ms);
    const Duration before = taken.handle.remaining();
    QCOMPARE(taken.handle.renew(1h), RenewOutcome::Renewed);
    QVERIFY(taken.handle.remaining() > before && taken.handle.remaining() <= 5s);
    QCOMPARE(taken.handle.renew(Forever), RenewOutcome::Failed);
    QCOMPARE(taken.handle.lastError()->kind, LockError::Kind::BadRequest);
    QCOMPARE(taken.handle.renew(1s), RenewOutcome::Failed);
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(m_zookeeper.m_eye->remove(m_zookeeper.folder("r") + '/' + m_zookeeper.queue("r").first()), 0);
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::NotHeld);
    QVERIFY(!taken.handle.isHeld());
}

void TestZooKeeperLease::aReleasedLeaseLeavesAnEmptyFolder()
{
    m_engine->acquire(leaseRequest("r")).handle.release();
    QCOMPARE(m_zookeeper.m_eye->children(m_zookeeper.m_url.chroot.toUtf8()), QByteArrayList{"r"});
    QVERIFY(m_zookeeper.m_eye->children(m_zookeeper.folder("r")).isEmpty());
}

void TestZooKeeperLease::whatZooKeeperCannotDoIsRefused()
{
    const auto refusal = [this](const LockRequest &request) {
        const AcquireResult refused = m_engine->acquire(request);
        return refused.error && refused.error->kind == LockError::Kind::BadRequest ? refused.error->message : QString();
    };
    LockRequest row = leaseRequest("r");
    row.mode = Mode::Pessimistic;
    LockRequest kept = leaseRequest("r");
    kept.holdAtLeast = 1s;
    QVERIFY(!refusal(row).isEmpty());
    QVERIFY(refusal(kept).contains(u"A minimum hold time is not possible in ZooKeeper"_s));
    QVERIFY(refusal(leaseRequest("r", 0s, Forever)).contains(u"A lease without end is not possible in ZooKeeper"_s));
    QVERIFY(refusal(leaseRequest("r", 0s, 9999ms)).contains(u"The TTL must be at least 10 s in ZooKeeper"_s));
    QCOMPARE(m_zookeeper.m_eye->children(m_zookeeper.m_url.chroot.toUtf8()), QByteArrayList());
}

void TestZooKeeperLease::whoIsAskedBeforeItWatchesHearsOfItToo()
{
    std::atomic<int> heard = 0;
    LockRequest request = leaseRequest("r"); // renewed for the first time in two seconds
    request.onReleaseRequested = [&](const QString &) { ++heard; };
    const AcquireResult taken = m_engine->acquire(request);
    QCOMPARE(m_other->requestRelease("r", u"please"_s).outcome, RequestOutcome::Asked);
    QVERIFY(eventually([&] { return heard > 0; }));
    QVERIFY(taken.handle.isHeld());
}

QTEST_GUILESS_MAIN(TestZooKeeperLease)
#include "tst_zookeeperlease.moc"
