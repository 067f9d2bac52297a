// SPDX-License-Identifier: MIT
// One lease on etcd, from its grant to its end: as on any store, and what is etcd's own.
#include "etcdbench.h"
#include "locknews.h"
#include "stores/common/storeleasetest.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestEtcdLease : public StoreLeaseTest
{
    Q_OBJECT

public:
    TestEtcdLease()
        : StoreLeaseTest(m_etcd)
    {
    }

private Q_SLOTS:
    void theTokenIsTheKeysCreateRevision();
    void aTriedLeaseThatIsHeldLeavesNoTrace();
    void aReleasedLeaseLeavesNoKeyAndServesTheNextRequest();
    void anEngineThatEndedLeavesNoLease();
    void aRenewalByHandMovesTheEnd();
    void aLeaseWithAnotherTtlExcludesItsOwnProcessToo();
    void aRenewalChangesNothing();
    void whatEtcdCannotDoIsRefused();
    void leasesAreListedWithTheirEnds();
    void aRemovedKeyIsNoticed();
    void whatNobodyBelievesInIsGivenBack();

private:
    EtcdBench m_etcd;
};

void TestEtcdLease::theTokenIsTheKeysCreateRevision()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const auto keys = m_etcd.eye().keys(m_etcd.url().path.toUtf8() + "/r/");
    QCOMPARE(keys.size(), 1);
    QCOMPARE(taken.handle.token(), quint64(keys.first().created));
    QCOMPARE(keys.first().key, m_etcd.url().path.toUtf8() + "/r/" + QByteArray::number(keys.first().lease, 16));
}

void TestEtcdLease::aTriedLeaseThatIsHeldLeavesNoTrace()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const qint64 before = m_etcd.eye().revision();
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(m_etcd.eye().revision(), before);
}

void TestEtcdLease::aReleasedLeaseLeavesNoKeyAndServesTheNextRequest()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const QByteArray key = m_etcd.queue("r").value(0).key;
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QVERIFY(m_etcd.eye().keys(m_etcd.url().path.toUtf8() + '/').isEmpty());
    const AcquireResult next = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(m_etcd.queue("r").value(0).key, key);
}

void TestEtcdLease::anEngineThatEndedLeavesNoLease()
{
    m_other.reset();
    auto held = std::make_unique<AcquireResult>(m_engine->acquire(leaseRequest("held")));
    m_engine->acquire(leaseRequest("released"));
    m_engine.reset();
    QVERIFY(m_etcd.queue("held").isEmpty());
    QVERIFY(m_etcd.eye().call("lease/leases", {})["leases"_L1].toArray().isEmpty());
}

void TestEtcdLease::aRenewalByHandMovesTheEnd()
{
    LockRequest request = leaseRequest("r", 0s, 10s);
    request.autoRenew = false;
    AcquireResult taken = m_engine->acquire(request);
    const quint64 token = taken.handle.token();
    QCOMPARE(taken.handle.renew(1h), RenewOutcome::Renewed);
    QVERIFY(taken.handle.remaining() > 50min);
    QCOMPARE(taken.handle.renew(1h), RenewOutcome::Renewed);
    QCOMPARE(quint64(m_etcd.queue("r").value(0).created), token);
    QVERIFY(*m_other->heldLeases({"r"}).leases.value(0).expiresAt
            > std::chrono::system_clock::now() + std::chrono::minutes(50));
    QCOMPARE(taken.handle.renew(10s), RenewOutcome::Renewed);
    QVERIFY(taken.handle.remaining() <= 10s);
    QCOMPARE(taken.handle.renew(Forever), RenewOutcome::Failed);
    QCOMPARE(taken.handle.lastError()->kind, LockError::Kind::BadRequest);
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
    m_etcd.eye().remove(m_etcd.queue("r").value(0).key);
    QCOMPARE(taken.handle.renew(10s), RenewOutcome::NotHeld);
    QVERIFY(!taken.handle.isHeld());
}

/// Its key keeps the name of the etcd lease that it had, which must serve nobody else.
void TestEtcdLease::aLeaseWithAnotherTtlExcludesItsOwnProcessToo()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r", 0s, 10s));
    QCOMPARE(taken.handle.renew(1h), RenewOutcome::Renewed);
    for (const Duration wait : {Duration(0s), Duration(200ms)}) {
        QByteArray stranger;
        std::thread([&] { stranger = textOf(m_engine->acquire(leaseRequest("r", wait, 10s))); }).join();
        QCOMPARE(stranger, wait == 0s ? QByteArray("busy") : QByteArray("timed"));
    }
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
}

void TestEtcdLease::aRenewalChangesNothing()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    for (int i = 0; i < 10; ++i)
        QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed);
    QCOMPARE(quint64(m_etcd.queue("r").value(0).modified), taken.handle.token());
}

void TestEtcdLease::whatEtcdCannotDoIsRefused()
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
    QVERIFY(refusal(kept).contains(u"A minimum hold time is not possible in etcd"_s));
    QVERIFY(refusal(leaseRequest("r", 0s, Forever)).contains(u"A lease without end is not possible in etcd"_s));
    QVERIFY(refusal(leaseRequest("r", 0s, 1s)).contains(u"The TTL must be at least 2 s in etcd"_s));
    QVERIFY(refusal(leaseRequest("r", 0s, 2500ms)).contains(u"The TTL must be a multiple of 1 s in etcd"_s));
    QVERIFY(m_etcd.eye().keys(m_etcd.url().path.toUtf8()).isEmpty());
}

void TestEtcdLease::leasesAreListedWithTheirEnds()
{
    const auto now = std::chrono::system_clock::now();
    const AcquireResult taken = m_engine->acquire(leaseRequest("r", 0s, 1h));
    const HeldLease held = m_other->heldLeases({"r"}).leases.value(0);
    QVERIFY(held.acquiredAt && *held.acquiredAt > now - 1s && *held.acquiredAt < now + 1min);
    QVERIFY(held.expiresAt && *held.expiresAt > now + 59min && *held.expiresAt < now + 61min);
}

/// Nobody says so: the next renewal sees it.
void TestEtcdLease::aRemovedKeyIsNoticed()
{
    LossNews news;
    LockRequest request = leaseRequest("r", 0s, ShortTtl);
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    m_etcd.eye().remove(m_etcd.queue("r").value(0).key);
    QCOMPARE(news.wait(), std::string("taken over"));
    QVERIFY(!taken.handle.isHeld());
}

/// etcd may believe in it for longer than its holder: after a renewal whose answer was lost, or under a new leader.
void TestEtcdLease::whatNobodyBelievesInIsGivenBack()
{
    LossNews news;
    LockRequest request = leaseRequest("r", 0s, ShortTtl);
    request.autoRenew = false;
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    const QString lease = QString::number(m_etcd.queue("r").value(0).lease);
    const bool isGivenBack = eventually([&] {
        m_etcd.eye().call("lease/keepalive", {{u"ID"_s, lease}});
        return m_etcd.queue("r").isEmpty();
    });
    QVERIFY(isGivenBack);
    QVERIFY(!taken.handle.isHeld()); // nor is it before
    QCOMPARE(news.wait(), std::string("expired"));
}

QTEST_GUILESS_MAIN(TestEtcdLease)
#include "tst_etcdlease.moc"
