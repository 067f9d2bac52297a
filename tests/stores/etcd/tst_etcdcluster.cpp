// SPDX-License-Identifier: MIT
// A cluster of three, which changes its leader, loses members, and is cut apart; members fall silent.
#include "etcdbench.h"
#include "freeze.h"

#include <QtTest/QTest>

#include <algorithm>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// A member keeps its connections, and says nothing.
class Silence
{
public:
    explicit Silence(qint64 pid)
        : m_pid(pid)
    {
        freezeProcess(m_pid);
    }
    ~Silence() { thawProcess(m_pid); }
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;

private:
    const qint64 m_pid;
};

} // namespace

class TestEtcdCluster : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_bench.begin(); }

    void aLeaseOutlivesItsLeader();
    void aLeaderThatIsCutOffCannotRenew();
    void withoutMostMembersNothingIsGranted();
    void aSilentMemberCostsNoLease_data();
    void aSilentMemberCostsNoLease();
    void aWaiterIsGrantedAlthoughItsMemberIsSilent_data();
    void aWaiterIsGrantedAlthoughItsMemberIsSilent();

private:
    int leader()
    {
        int leads = -1;
        if (!eventually([&] { return (leads = m_bench.node().leader()) >= 0; }))
            qFatal("Nobody leads.");
        return leads;
    }
    /// That asks this member first.
    EtcdConfig configAt(int member) const
    {
        EtcdConfig config = m_bench.config();
        QStringList &sockets = config.server.sockets;
        std::rotate(sockets.begin(), sockets.begin() + member, sockets.end());
        return config;
    }
    /// That it serves.
    int watchesAt(int member) const
    {
        for (const QByteArray &line : m_bench.http(u"/metrics"_s, {}, member).split('\n')) {
            if (line.startsWith("etcd_debugging_mvcc_watcher_total "))
                return line.split(' ').last().toInt();
        }
        return 0;
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

void TestEtcdCluster::aSilentMemberCostsNoLease_data()
{
    QTest::addColumn<bool>("leads");

    QTest::newRow("the leader") << true;
    QTest::newRow("another one") << false;
}

void TestEtcdCluster::aSilentMemberCostsNoLease()
{
    QFETCH(bool, leads);
    const int member = (leader() + (leads ? 0 : 1)) % 3;
    LockEngine engine(engineOn(std::make_shared<EtcdStore>(configAt(member))));
    AcquireResult taken = engine.acquire(leaseRequest("r", 0s, 10s));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    const auto end = LeaseClock::now() + taken.handle.remaining();
    const Silence silence(m_bench.node().pid(member));
    const auto isRenewed = [&] { return LeaseClock::now() + taken.handle.remaining() > end + 1s; };
    QVERIFY(eventually([&] { return isRenewed() || !taken.handle.isHeld(); }));
    QVERIFY(taken.handle.isHeld());
}

void TestEtcdCluster::aWaiterIsGrantedAlthoughItsMemberIsSilent_data()
{
    aSilentMemberCostsNoLease_data();
}

void TestEtcdCluster::aWaiterIsGrantedAlthoughItsMemberIsSilent()
{
    QFETCH(bool, leads);
    const int member = (leader() + (leads ? 0 : 1)) % 3;
    LockEngine elsewhere(engineOn(std::make_shared<EtcdStore>(configAt((member + 1) % 3))));
    LockEngine engine(engineOn(std::make_shared<EtcdStore>(configAt(member))));
    AcquireResult taken = elsewhere.acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    AcquireResult next;
    std::thread waiter([&] { next = engine.acquire(leaseRequest("r", 1min, 10s)); });
    // What its process is told, and the key before its own.
    const bool isListening = m_bench.haveJoined(1) && eventually([&] { return watchesAt(member) == 2; });
    const auto place = m_bench.queue("r").last();
    {
        const Silence silence(m_bench.node().pid(member));
        taken.handle.release();
        waiter.join();
    }
    QVERIFY(isListening);
    QCOMPARE(textOf(next), QByteArray("granted"));
    QCOMPARE(next.handle.token(), quint64(place.created)); // in the place that it had
}

QTEST_GUILESS_MAIN(TestEtcdCluster)
#include "tst_etcdcluster.moc"
