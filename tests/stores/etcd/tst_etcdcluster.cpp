// SPDX-License-Identifier: MIT
// A cluster of three, which changes its leader, loses members, and is cut apart.
#include "etcdbench.h"
#include "freeze.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestEtcdCluster : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_bench.begin(); }

    void aLeaseOutlivesItsLeader();
    void aLeaderThatIsCutOffCannotRenew();
    void withoutMostMembersNothingIsGranted();

private:
    int leader()
    {
        int leads = -1;
        if (!eventually([&] { return (leads = m_bench.node().leader()) >= 0; }))
            qFatal("Nobody leads.");
        return leads;
    }

    EtcdBench m_bench{3};
};

void TestEtcdCluster::aLeaseOutlivesItsLeader()
{
    const auto engine = m_bench.newEngine();
    const auto other = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", 2min)); });
    QVERIFY(m_bench.haveJoined(1));
    m_bench.node().kill9(leader());
    QVERIFY(eventually([&] { return taken.handle.renew(30s) == RenewOutcome::Renewed; }));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > taken.handle.token());
}

/// It renews etcd's lease by itself, and others know nothing of that.
void TestEtcdCluster::aLeaderThatIsCutOffCannotRenew()
{
    const int leads = leader();
    EtcdConfig config = m_bench.config();
    config.server.sockets = m_bench.node().url(leads).sockets;
    config.answerTimeout = 500ms;
    config.connectTimeout = 500ms;
    LockEngine engine(engineOn(std::make_shared<EtcdStore>(config)));
    LockRequest request = leaseRequest("r", 0s, 1min);
    request.autoRenew = false;
    AcquireResult taken = engine.acquire(request);
    QCOMPARE(textOf(taken), QByteArray("granted"));
    const Duration before = taken.handle.remaining();
    for (int i = 0; i < 3; ++i) {
        if (i != leads)
            freezeProcess(m_bench.node().pid(i));
    }
    const RenewOutcome cutOff = taken.handle.renew(1min);
    const Duration after = taken.handle.remaining();
    const AcquireResult refused = engine.acquire(leaseRequest("s"));
    for (int i = 0; i < 3; ++i) {
        if (i != leads)
            thawProcess(m_bench.node().pid(i));
    }
    QCOMPARE(cutOff, RenewOutcome::Failed);
    QVERIFY(after < before);
    QVERIFY(refused.outcome == Outcome::Failed || refused.outcome == Outcome::Unknown);
    QVERIFY(eventually([&] { return taken.handle.renew(1min) == RenewOutcome::Renewed; }));
}

void TestEtcdCluster::withoutMostMembersNothingIsGranted()
{
    const auto engine = m_bench.newEngine();
    QVERIFY(!engine->connectToServer());
    m_bench.node().kill9(0);
    m_bench.node().kill9(1);
    LockError error;
    // A leader that is left notices after a moment that it leads nobody.
    QVERIFY(eventually([&] {
        const AcquireResult refused = engine->acquire(leaseRequest("r"));
        if (refused.error)
            error = *refused.error;
        return refused.outcome != Outcome::Granted && error.message.contains(u"has no leader"_s);
    }));
    QCOMPARE(error.kind, LockError::Kind::Unavailable);
    QVERIFY(!m_bench.node().start());
    QVERIFY(eventually([&] { return textOf(engine->acquire(leaseRequest("r", 1s))) == "granted"; }));
}

QTEST_GUILESS_MAIN(TestEtcdCluster)
#include "tst_etcdcluster.moc"
