// SPDX-License-Identifier: MIT
// One lease on Redis, from its grant to its end: as on any store, and what is Redis' own.
#include "locknews.h"
#include "redisfixture.h"
#include "stores/common/storeleasetest.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray keyOf(const QByteArray &resource)
{
    return "lockscope:{" + resource + '}';
}

} // namespace

class TestRedisLease : public StoreLeaseTest
{
    Q_OBJECT

public:
    TestRedisLease()
        : StoreLeaseTest(m_redis)
    {
    }

private Q_SLOTS:
    void tokensGrowAlsoWhenTheServerForgetsOrItsClockIsBehind();
    void anExpiredLeaseIsTakenOver();
    void aRenewalByHandMovesTheEnd();
    void aLeaseWithoutEndHasNoExpiry();
    void aLeaseIsKeptForItsMinimum();
    void aReleasedLeaseLeavesNothingBehind();
    void whatRedisCannotDoIsRefused();
    void leasesAreListedWithTheirEnds();
    void aForcedReleaseTellsTheHolderAndIsOnRecord();
    void aDeadHoldersLeaseIsListedAsAnOrphan();

private:
    qint64 ttlLeft(const QByteArray &resource) { return m_redis.m_node->ask({"PTTL", keyOf(resource)}).toLongLong(); }

    RedisBench m_redis;
};

void TestRedisLease::tokensGrowAlsoWhenTheServerForgetsOrItsClockIsBehind()
{
    const quint64 first = m_engine->acquire(leaseRequest("r")).handle.token();
    m_redis.m_node->ask({"FLUSHALL"});
    const quint64 second = m_engine->acquire(leaseRequest("r")).handle.token();
    QVERIFY(second > first);
    // As a clock does that was set back by a minute.
    m_redis.m_node->ask({"SET", keyOf("r") + ":t", QByteArray::number(second + 60'000'000)});
    QCOMPARE(m_engine->acquire(leaseRequest("r")).handle.token(), second + 60'000'001);
}

void TestRedisLease::anExpiredLeaseIsTakenOver()
{
    LossNews news;
    LockRequest request = leaseRequest("r", 0s, 100ms);
    request.autoRenew = false;
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    const AcquireResult next = m_other->acquire(leaseRequest("r", 10s));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > taken.handle.token());
    QCOMPARE(news.wait(), std::string("expired"));
    QVERIFY(!taken.handle.isHeld());
    const QByteArrayList events = m_redis.m_node->rows({"XRANGE", "lockscope:events", "-", "+"});
    QVERIFY2(events.contains("takeover") && events.contains("r"), events.join(' '));
}

void TestRedisLease::aRenewalByHandMovesTheEnd()
{
    LockRequest request = leaseRequest("r", 0s, 10s);
    AcquireResult taken = m_engine->acquire(request);
    QCOMPARE(taken.handle.renew(1h), RenewOutcome::Renewed);
    QVERIFY(taken.handle.remaining() > 50min);
    QVERIFY(ttlLeft("r") > 50LL * 60'000);
    QCOMPARE(taken.handle.renew(Forever), RenewOutcome::Renewed);
    QCOMPARE(ttlLeft("r"), -1);
    QCOMPARE(taken.handle.renew(10s), RenewOutcome::Renewed);
    QVERIFY(ttlLeft("r") > 0);
    m_redis.m_node->ask({"DEL", keyOf("r")});
    QCOMPARE(taken.handle.renew(10s), RenewOutcome::NotHeld);
    QVERIFY(!taken.handle.isHeld());
}

void TestRedisLease::aLeaseWithoutEndHasNoExpiry()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r", 0s, Forever));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(ttlLeft("r"), -1);
    QCOMPARE(taken.handle.remaining(), Forever);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(ttlLeft("r"), -2);
}

void TestRedisLease::aLeaseIsKeptForItsMinimum()
{
    LockRequest request = leaseRequest("r", 0s, 1min);
    request.holdAtLeast = 300ms;
    AcquireResult taken = m_engine->acquire(request);
    const auto grantedAt = std::chrono::steady_clock::now();
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
    QVERIFY(m_engine->heldLeases({"r"}).leases.isEmpty()); // nobody holds it
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r", 1min))), QByteArray("granted"));
    QVERIFY(std::chrono::steady_clock::now() - grantedAt > 250ms); // the grant was a little earlier than here
}

void TestRedisLease::aReleasedLeaseLeavesNothingBehind()
{
    m_engine->acquire(leaseRequest("r")).handle.release();
    QCOMPARE(m_redis.m_node->rows({"KEYS", "*"}), QByteArrayList{keyOf("r") + ":t"});
    QVERIFY(m_redis.m_node->ask({"PTTL", keyOf("r") + ":t"}).toLongLong() > 0);
}

void TestRedisLease::whatRedisCannotDoIsRefused()
{
    LockRequest request = leaseRequest("r");
    request.mode = Mode::Pessimistic;
    const AcquireResult row = m_engine->acquire(request);
    QVERIFY2(row.error && row.error->kind == LockError::Kind::BadRequest, textOf(row));
    const AcquireResult odd = m_engine->acquire(leaseRequest("r", 0s, 10500us));
    QVERIFY2(odd.error && odd.error->message.contains(u"multiple of 1 ms"_s), textOf(odd));
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r", 0s, 10ms))), QByteArray("granted"));
}

void TestRedisLease::leasesAreListedWithTheirEnds()
{
    LockRequest request = leaseRequest("shop/1", 0s, 1min);
    request.note = "month end";
    const AcquireResult one = m_engine->acquire(request);
    const AcquireResult two = m_other->acquire(leaseRequest("shop/2", 0s, Forever));
    const AcquireResult three = m_other->acquire(leaseRequest("other"));
    const HeldLeases held = m_engine->heldLeases({"shop/"});
    QVERIFY(!held.error);
    QCOMPARE(held.leases.size(), 2);
    const HeldLease &first = held.leases[0];
    QCOMPARE(first.resource, QByteArray("shop/1"));
    QCOMPARE(first.token, one.handle.token());
    QCOMPARE(first.owner.session, m_engine->owner().session);
    QCOMPARE(first.note, QByteArray("month end"));
    QVERIFY(first.isSessionAlive && !first.isExpired);
    QVERIFY(first.acquiredAt && first.expiresAt);
    const auto length = *first.expiresAt - *first.acquiredAt;
    QVERIFY(length > 59s && length < 61s);
    QCOMPARE(held.leases[1].resource, QByteArray("shop/2"));
    QVERIFY(!held.leases[1].expiresAt);
    LeaseSelection byOwner;
    byOwner.session = m_other->owner().session;
    QCOMPARE(m_engine->heldLeases(byOwner).leases.size(), 2);
}

void TestRedisLease::aForcedReleaseTellsTheHolderAndIsOnRecord()
{
    LossNews news;
    LockRequest request = leaseRequest("r");
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    std::thread waiter([&] { QCOMPARE(textOf(m_engine->acquire(leaseRequest("r", 1min))), QByteArray("granted")); });
    QVERIFY(eventually([&] { return m_redis.m_node->waiters("r") == 1; }));
    const ForcedReleases ended =
        m_other->forceRelease(m_other->heldLeases({"r"}).leases, u"janitor"_s, u"it is stuck"_s);
    QCOMPARE(ended.released, 1);
    QCOMPARE(news.wait(), std::string("taken over"));
    waiter.join();
    QVERIFY(!taken.handle.isHeld());
    const QByteArrayList events = m_redis.m_node->rows({"XRANGE", "lockscope:events", "-", "+"});
    for (const QByteArray &word : {QByteArray("force"), QByteArray("r"), QByteArray::number(taken.handle.token()),
                                   QByteArray("janitor"), QByteArray("it is stuck")})
        QVERIFY2(events.contains(word), word);
}

void TestRedisLease::aDeadHoldersLeaseIsListedAsAnOrphan()
{
    RedisWorker worker(*m_redis.m_node);
    QVERIFY(worker.ask("acquire r 60000 0").startsWith(u"granted"_s));
    QVERIFY(m_engine->heldLeases({"r"}).leases.value(0).isSessionAlive);
    worker.kill9();
    QVERIFY(eventually([&] { return !m_engine->heldLeases({"r"}).leases.value(0).isSessionAlive; }));
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("busy")); // its time still counts
    QCOMPARE(m_engine->forceRelease(m_engine->heldLeases({"r"}).leases, u"janitor"_s, u"dead"_s).released, 1);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

QTEST_GUILESS_MAIN(TestRedisLease)
#include "tst_redislease.moc"
