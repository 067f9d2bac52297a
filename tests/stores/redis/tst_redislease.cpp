// SPDX-License-Identifier: MIT
// One lease on Redis, from its grant to its end.
#include "locknews.h"
#include "redisfixture.h"

#include <QtTest/QTest>

#include <algorithm>
#include <future>
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

class TestRedisLease : public RedisTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aFreeLeaseIsTakenAndReleased();
    void aTriedLeaseThatIsHeldIsBusy();
    void onlyItsOwnerEntersAgain();
    void tokensGrow();
    void tokensGrowAlsoWhenTheServerForgetsOrItsClockIsBehind();
    void anExpiredLeaseIsTakenOver();
    void theWatchdogRenews();
    void aRenewalByHandMovesTheEnd();
    void aLeaseWithoutEndHasNoExpiry();
    void aLeaseIsKeptForItsMinimum();
    void aReleasedLeaseLeavesNothingBehind();
    void anyNameIsItsOwnLock_data();
    void anyNameIsItsOwnLock();
    void aWrongNameIsRefused_data();
    void aWrongNameIsRefused();
    void whatRedisCannotDoIsRefused();
    void theHolderIsAskedForIt();
    void leasesAreListedWithAllThatTheirHoldersSaid();
    void manyLeasesAreReadInPages();
    void aForcedReleaseTellsTheHolderAndIsOnRecord();
    void aForcedReleaseOfAnotherLeaseDoesNothing();
    void aDeadHoldersLeaseIsListedAsAnOrphan();

private:
    qint64 ttlLeft(const QByteArray &resource) { return m_node->ask({"PTTL", keyOf(resource)}).toLongLong(); }

    std::unique_ptr<LockEngine> m_engine;
    std::unique_ptr<LockEngine> m_other;
};

void TestRedisLease::init()
{
    RedisTest::init();
    m_engine = std::make_unique<LockEngine>(engineOn(*m_node));
    m_other = std::make_unique<LockEngine>(engineOn(*m_node));
}

void TestRedisLease::aFreeLeaseIsTakenAndReleased()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QVERIFY(taken.handle.isHeld());
    QVERIFY(taken.handle.token() > 0);
    QVERIFY(taken.handle.remaining() > 0s && taken.handle.remaining() <= 30s);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestRedisLease::aTriedLeaseThatIsHeldIsBusy()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r", 50ms))), QByteArray("timed"));
    QCOMPARE(m_node->waiters("r"), 0); // it has left
    QCOMPARE(textOf(m_other->acquire(leaseRequest("s"))), QByteArray("granted"));
}

void TestRedisLease::onlyItsOwnerEntersAgain()
{
    AcquireResult first = m_engine->acquire(leaseRequest("r"));
    AcquireResult second = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(second.handle.token(), first.handle.token());
    QByteArray stranger;
    std::thread([&] { stranger = textOf(m_engine->acquire(leaseRequest("r"))); }).join();
    QCOMPARE(stranger, QByteArray("busy"));
    QCOMPARE(first.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(second.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestRedisLease::tokensGrow()
{
    quint64 before = 0;
    for (int i = 0; i < 50; ++i) {
        AcquireResult taken = (i % 2 ? m_engine : m_other)->acquire(leaseRequest("r"));
        QVERIFY2(taken.handle.token() > before, textOf(taken));
        before = taken.handle.token();
    }
}

void TestRedisLease::tokensGrowAlsoWhenTheServerForgetsOrItsClockIsBehind()
{
    const quint64 first = m_engine->acquire(leaseRequest("r")).handle.token();
    m_node->ask({"FLUSHALL"});
    const quint64 second = m_engine->acquire(leaseRequest("r")).handle.token();
    QVERIFY(second > first);
    // As a clock does that was set back by a minute.
    m_node->ask({"SET", keyOf("r") + ":t", QByteArray::number(second + 60'000'000)});
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
    const QByteArrayList events = m_node->rows({"XRANGE", "lockscope:events", "-", "+"});
    QVERIFY2(events.contains("takeover") && events.contains("r"), events.join(' '));
}

void TestRedisLease::theWatchdogRenews()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r", 0s, 150ms));
    QVERIFY(eventually([&] { return m_node->calls("pexpire") >= 5; }));
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
}

void TestRedisLease::aRenewalByHandMovesTheEnd()
{
    LockRequest request = leaseRequest("r", 0s, 10s);
    AcquireResult taken = m_engine->acquire(request);
    QCOMPARE(taken.handle.renew(1h), RenewOutcome::Renewed);
    QVERIFY(taken.handle.remaining() > 50min);
    QVERIFY(ttlLeft("r") > 50 * 60'000);
    QCOMPARE(taken.handle.renew(Forever), RenewOutcome::Renewed);
    QCOMPARE(ttlLeft("r"), -1);
    QCOMPARE(taken.handle.renew(10s), RenewOutcome::Renewed);
    QVERIFY(ttlLeft("r") > 0);
    m_node->ask({"DEL", keyOf("r")});
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
    QCOMPARE(m_node->rows({"KEYS", "*"}), QByteArrayList{keyOf("r") + ":t"});
    QVERIFY(m_node->ask({"PTTL", keyOf("r") + ":t"}).toLongLong() > 0);
}

void TestRedisLease::anyNameIsItsOwnLock_data()
{
    QTest::addColumn<QByteArray>("name");

    QTest::newRow("braces") << QByteArray("}{a}:q");
    QTest::newRow("of a queue") << QByteArray("r}:q");
    QTest::newRow("closing brace") << QByteArray("r}");
    QTest::newRow("newline") << QByteArray("a\nb\r\n");
    QTest::newRow("space") << QByteArray(" a b ");
    QTest::newRow("UTF-8") << QByteArray("заказ/№42/锁");
    QTest::newRow("no UTF-8") << QByteArray("\xff\xfe\x80");
    QTest::newRow("255 bytes") << QByteArray(255, 'x');
    QTest::newRow("percent") << QByteArray("%s%n%d");
    QTest::newRow("glob") << QByteArray("*[a]?\\");
}

void TestRedisLease::anyNameIsItsOwnLock()
{
    QFETCH(QByteArray, name);
    const AcquireResult plain = m_engine->acquire(leaseRequest("r"));
    LossNews news;
    LockRequest request = leaseRequest(name);
    request.onReleaseRequested = [&](const QString &) { news.tell(LossReason::Expired); };
    AcquireResult taken = m_engine->acquire(request);
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(taken.handle.resource(), name);
    std::thread waiter([&] { QCOMPARE(textOf(m_other->acquire(leaseRequest(name, 1min))), QByteArray("granted")); });
    QVERIFY(eventually([&] { return m_node->waiters(name) == 1; }));
    const HeldLeases held = m_other->heldLeases({name});
    QCOMPARE(held.leases.size(), 1);
    QCOMPARE(held.leases[0].resource, name);
    QCOMPARE(m_other->requestRelease(name, u"please"_s).outcome, RequestOutcome::Asked);
    news.wait();
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QVERIFY(plain.handle.isHeld());
    QCOMPARE(m_node->waiters("r"), 0);
}

void TestRedisLease::aWrongNameIsRefused_data()
{
    QTest::addColumn<QByteArray>("name");

    QTest::newRow("empty") << QByteArray();
    QTest::newRow("NUL") << QByteArray("a\0b", 3);
    QTest::newRow("256 bytes") << QByteArray(256, 'x');
}

void TestRedisLease::aWrongNameIsRefused()
{
    QFETCH(QByteArray, name);
    const AcquireResult refused = m_engine->acquire(leaseRequest(name));
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::BadRequest);
    QCOMPARE(m_node->calls("evalsha") + m_node->calls("eval"), 0);
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

void TestRedisLease::theHolderIsAskedForIt()
{
    QCOMPARE(m_other->requestRelease("r", u"please"_s).outcome, RequestOutcome::NotHeld);
    std::promise<QString> asked;
    LockRequest request = leaseRequest("r");
    request.onReleaseRequested = [&](const QString &reason) { asked.set_value(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    const RequestResult result = m_other->requestRelease("r", u"a deploy: “now” 现在"_s);
    QCOMPARE(result.outcome, RequestOutcome::Asked);
    QCOMPARE(result.holder.session, m_engine->owner().session);
    QCOMPARE(asked.get_future().get(), u"a deploy: “now” 现在"_s);
}

void TestRedisLease::leasesAreListedWithAllThatTheirHoldersSaid()
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

void TestRedisLease::manyLeasesAreReadInPages()
{
    std::vector<LockHandle> handles;
    for (int i = 0; i < 1234; ++i) {
        handles.push_back(m_engine->acquire(leaseRequest("many/" + QByteArray::number(i))).handle);
        QVERIFY(handles.back().isHeld());
    }
    const HeldLeases held = m_other->heldLeases({"many/"});
    QCOMPARE(held.leases.size(), 1234);
    QVERIFY(std::is_sorted(held.leases.begin(), held.leases.end(),
                           [](const HeldLease &a, const HeldLease &b) { return a.resource < b.resource; }));
    const ForcedReleases ended = m_other->forceRelease(held.leases, u"janitor"_s, u"test"_s);
    QCOMPARE(ended.released, 1234);
    QVERIFY(m_other->heldLeases({"many/"}).leases.isEmpty());
}

void TestRedisLease::aForcedReleaseTellsTheHolderAndIsOnRecord()
{
    LossNews news;
    LockRequest request = leaseRequest("r");
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    std::thread waiter([&] { QCOMPARE(textOf(m_engine->acquire(leaseRequest("r", 1min))), QByteArray("granted")); });
    QVERIFY(eventually([&] { return m_node->waiters("r") == 1; }));
    const ForcedReleases ended =
        m_other->forceRelease(m_other->heldLeases({"r"}).leases, u"janitor"_s, u"it is stuck"_s);
    QCOMPARE(ended.released, 1);
    QCOMPARE(news.wait(), std::string("taken over"));
    waiter.join();
    QVERIFY(!taken.handle.isHeld());
    const QByteArrayList events = m_node->rows({"XRANGE", "lockscope:events", "-", "+"});
    for (const QByteArray &word : {QByteArray("force"), QByteArray("r"), QByteArray::number(taken.handle.token()),
                                   QByteArray("janitor"), QByteArray("it is stuck")})
        QVERIFY2(events.contains(word), word);
}

void TestRedisLease::aForcedReleaseOfAnotherLeaseDoesNothing()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const HeldLeases seen = m_other->heldLeases({"r"});
    taken.handle.release();
    const AcquireResult next = m_engine->acquire(leaseRequest("r"));
    const ForcedReleases ended = m_other->forceRelease(seen.leases, u"janitor"_s, u"late"_s);
    QCOMPARE(ended.changed, 1);
    QVERIFY(next.handle.isHeld());
    QCOMPARE(m_node->ask({"XLEN", "lockscope:events"}), QByteArray("0"));
}

void TestRedisLease::aDeadHoldersLeaseIsListedAsAnOrphan()
{
    RedisWorker worker(*m_node);
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
