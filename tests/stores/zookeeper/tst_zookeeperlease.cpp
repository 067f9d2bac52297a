// SPDX-License-Identifier: MIT
// One lease on ZooKeeper, from its grant to its end.
#include "locknews.h"
#include "stores/zookeeper/zookeepernames.h"
#include "zookeeperfixture.h"

#include <QtTest/QTest>

#include <algorithm>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestZooKeeperLease : public ZooKeeperTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aFreeLeaseIsTakenAndReleased();
    void aTriedLeaseThatIsHeldIsBusyAndLeavesNoTrace();
    void onlyItsOwnerEntersAgain();
    void tokensGrow();
    void tokensGrowAlsoWhenTheFolderIsNew();
    void theWatchdogRenews();
    void aRenewalWakesNobodyAndChangesNothing();
    void aLeaseThatNobodyRenewsEnds();
    void aRenewalByHandMovesTheEnd();
    void aReleasedLeaseLeavesAnEmptyFolder();
    void anyNameIsItsOwnLock_data();
    void anyNameIsItsOwnLock();
    void aWrongNameIsRefused_data();
    void aWrongNameIsRefused();
    void whatZooKeeperCannotDoIsRefused();
    void theHolderIsAskedForIt();
    void whoIsAskedBeforeItWatchesHearsOfItToo();
    void leasesAreListedWithAllThatTheirHoldersSaid();
    void manyLeasesAreReadInParts();
    void aForcedReleaseTellsTheHolder();
    void aForcedReleaseOfAnotherLeaseDoesNothing();

private:
    std::unique_ptr<LockEngine> m_engine;
    std::unique_ptr<LockEngine> m_other;
};

void TestZooKeeperLease::init()
{
    ZooKeeperTest::init();
    m_engine = newEngine();
    m_other = newEngine();
}

void TestZooKeeperLease::aFreeLeaseIsTakenAndReleased()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QVERIFY(taken.handle.isHeld());
    QVERIFY(taken.handle.remaining() > 0s && taken.handle.remaining() <= 5s); // half of the session's time
    const QByteArrayList nodes = queue("r");
    QCOMPARE(nodes.size(), 1);
    QCOMPARE(taken.handle.token(), quint64(m_eye->node(folder("r") + '/' + nodes.first()).token));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestZooKeeperLease::aTriedLeaseThatIsHeldIsBusyAndLeavesNoTrace()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r", 50ms))), QByteArray("timed"));
    QCOMPARE(queue("r").size(), 1);
    QCOMPARE(textOf(m_other->acquire(leaseRequest("s"))), QByteArray("granted"));
}

void TestZooKeeperLease::onlyItsOwnerEntersAgain()
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

void TestZooKeeperLease::tokensGrow()
{
    quint64 before = 0;
    for (int i = 0; i < 50; ++i) {
        AcquireResult taken = (i % 2 ? m_engine : m_other)->acquire(leaseRequest("r"));
        QVERIFY2(taken.handle.token() > before, textOf(taken));
        before = taken.handle.token();
    }
}

/// ZooKeeper begins to number the nodes at 0 again.
void TestZooKeeperLease::tokensGrowAlsoWhenTheFolderIsNew()
{
    const quint64 first = m_engine->acquire(leaseRequest("r")).handle.token();
    m_engine->acquire(leaseRequest("r"));
    QCOMPARE(m_eye->remove(folder("r")), 0);
    const AcquireResult taken = m_other->acquire(leaseRequest("r"));
    QVERIFY2(taken.handle.token() > first, textOf(taken));
    QVERIFY(queue("r").first().endsWith("-lock-0000000000"));
}

void TestZooKeeperLease::theWatchdogRenews()
{
    m_engine = newEngine(ShortSession);
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    std::this_thread::sleep_for(2 * ShortSession); // four times what it is believed in for
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
}

void TestZooKeeperLease::aRenewalWakesNobodyAndChangesNothing()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const QByteArray node = folder("r") + '/' + queue("r").first();
    for (int i = 0; i < 10; ++i)
        QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed);
    QCOMPARE(m_eye->node(node).version, 0);
}

void TestZooKeeperLease::aLeaseThatNobodyRenewsEnds()
{
    m_engine = newEngine(ShortSession);
    LossNews news;
    LockRequest request = leaseRequest("r");
    request.autoRenew = false;
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    QCOMPARE(textOf(taken), QByteArray("granted"));
    const AcquireResult next = m_other->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > taken.handle.token());
    QCOMPARE(news.wait(), std::string("expired"));
    QVERIFY(!taken.handle.isHeld());
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
    QCOMPARE(m_eye->remove(folder("r") + '/' + queue("r").first()), 0);
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::NotHeld);
    QVERIFY(!taken.handle.isHeld());
}

void TestZooKeeperLease::aReleasedLeaseLeavesAnEmptyFolder()
{
    m_engine->acquire(leaseRequest("r")).handle.release();
    QCOMPARE(m_eye->children(m_url.chroot.toUtf8()), QByteArrayList{"r"});
    QVERIFY(m_eye->children(folder("r")).isEmpty());
}

void TestZooKeeperLease::anyNameIsItsOwnLock_data()
{
    QTest::addColumn<QByteArray>("name");

    QTest::newRow("slashes") << QByteArray("/a//b/");
    QTest::newRow("a slash") << QByteArray("/");
    QTest::newRow("dot") << QByteArray(".");
    QTest::newRow("dots") << QByteArray("..");
    QTest::newRow("path upwards") << QByteArray("../../zookeeper");
    QTest::newRow("ZooKeeper's own") << QByteArray("zookeeper");
    QTest::newRow("a node's name") << QByteArray("_c_1-lock-0000000000");
    QTest::newRow("percent") << QByteArray("%2F");
    QTest::newRow("UTF-8") << QByteArray("Schlüssel 鎖 \xf0\x9f\x94\x92");
    QTest::newRow("no UTF-8") << QByteArray("\xff\xc0\x80");
    QTest::newRow("controls") << QByteArray("\x01\n\x7f");
    QTest::newRow("longest") << QByteArray(MaxResourceBytes, '/');
}

void TestZooKeeperLease::anyNameIsItsOwnLock()
{
    QFETCH(QByteArray, name);
    const AcquireResult plain = m_engine->acquire(leaseRequest("r"));
    const AcquireResult taken = m_engine->acquire(leaseRequest(name));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest(name))), QByteArray("busy"));
    const HeldLeases held = m_other->heldLeases({name});
    QVERIFY(!held.error);
    QCOMPARE(held.leases.size(), 1);
    QCOMPARE(held.leases.first().resource, name);
    QCOMPARE(held.leases.first().token, taken.handle.token());
}

void TestZooKeeperLease::aWrongNameIsRefused_data()
{
    QTest::addColumn<QByteArray>("name");

    QTest::newRow("empty") << QByteArray();
    QTest::newRow("too long") << QByteArray(MaxResourceBytes + 1, 'x');
    QTest::newRow("NUL") << QByteArray("a\0b", 3);
}

void TestZooKeeperLease::aWrongNameIsRefused()
{
    QFETCH(QByteArray, name);
    const AcquireResult refused = m_engine->acquire(leaseRequest(name));
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::BadRequest);
}

void TestZooKeeperLease::whatZooKeeperCannotDoIsRefused()
{
    const auto refusal = [this](LockRequest request) {
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
    QCOMPARE(m_eye->children(m_url.chroot.toUtf8()), QByteArrayList());
}

void TestZooKeeperLease::theHolderIsAskedForIt()
{
    m_engine = newEngine(ShortSession);
    std::mutex mutex;
    QStringList reasons;
    LockRequest request = leaseRequest("r");
    request.note = "month end";
    request.onReleaseRequested = [&](const QString &reason) {
        const std::lock_guard lock(mutex);
        reasons.append(reason);
    };
    const AcquireResult taken = m_engine->acquire(request);
    const auto heard = [&] {
        const std::lock_guard lock(mutex);
        return reasons;
    };
    for (const QString &reason : {u"please"_s, u"for the third \"time\" 鎖"_s}) {
        const RequestResult asked = m_other->requestRelease("r", reason);
        QCOMPARE(asked.outcome, RequestOutcome::Asked);
        QCOMPARE(asked.holder.session, m_engine->owner().session);
        QVERIFY(eventually([&] { return heard().contains(reason); }));
    }
    QCOMPARE(heard().size(), 2);
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(m_other->heldLeases({"r"}).leases.value(0).note, QByteArray("month end"));
    QCOMPARE(m_other->requestRelease("s", u"please"_s).outcome, RequestOutcome::NotHeld);
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

void TestZooKeeperLease::leasesAreListedWithAllThatTheirHoldersSaid()
{
    LockRequest request = leaseRequest("shop/1");
    request.note = "month end";
    const AcquireResult one = m_engine->acquire(request);
    const AcquireResult two = m_engine->acquire(leaseRequest("shop/2"));
    const AcquireResult other = m_other->acquire(leaseRequest("stock"));
    m_other->acquire(leaseRequest("shop/3")).handle.release();
    const HeldLeases held = m_other->heldLeases({"shop/"});
    QVERIFY(!held.error);
    QCOMPARE(held.leases.size(), 2);
    const HeldLease &first = held.leases[0];
    QCOMPARE(first.resource, QByteArray("shop/1"));
    QCOMPARE(first.token, one.handle.token());
    QCOMPARE(first.owner.session, m_engine->owner().session);
    QCOMPARE(first.note, QByteArray("month end"));
    QVERIFY(first.isSessionAlive && !first.isExpired);
    QVERIFY(first.acquiredAt && !first.expiresAt);
    QCOMPARE(held.leases[1].resource, QByteArray("shop/2"));
    LeaseSelection byOwner;
    byOwner.session = m_other->owner().session;
    QCOMPARE(m_engine->heldLeases(byOwner).leases.size(), 1);
}

void TestZooKeeperLease::manyLeasesAreReadInParts()
{
    std::vector<LockHandle> handles;
    for (int i = 0; i < 234; ++i) {
        handles.push_back(m_engine->acquire(leaseRequest("many/" + QByteArray::number(i))).handle);
        QVERIFY(handles.back().isHeld());
    }
    const HeldLeases held = m_other->heldLeases({"many/"});
    QCOMPARE(held.leases.size(), 234);
    QVERIFY(std::is_sorted(held.leases.begin(), held.leases.end(),
                           [](const HeldLease &a, const HeldLease &b) { return a.resource < b.resource; }));
    const ForcedReleases ended = m_other->forceRelease(held.leases, u"janitor"_s, u"test"_s);
    QCOMPARE(ended.released, 234);
    QVERIFY(m_other->heldLeases({"many/"}).leases.isEmpty());
}

void TestZooKeeperLease::aForcedReleaseTellsTheHolder()
{
    m_engine = newEngine(ShortSession);
    LossNews news;
    LockRequest request = leaseRequest("r");
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    QByteArray next;
    std::thread waiter([&] { next = textOf(m_engine->acquire(leaseRequest("r", 1min))); });
    QVERIFY(haveJoined(2));
    const ForcedReleases ended =
        m_other->forceRelease(m_other->heldLeases({"r"}).leases, u"janitor"_s, u"it is stuck"_s);
    QCOMPARE(ended.released, 1);
    QCOMPARE(news.wait(), std::string("taken over"));
    waiter.join();
    QCOMPARE(next, QByteArray("granted"));
    QVERIFY(!taken.handle.isHeld());
}

void TestZooKeeperLease::aForcedReleaseOfAnotherLeaseDoesNothing()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const HeldLeases seen = m_other->heldLeases({"r"});
    taken.handle.release();
    const AcquireResult next = m_engine->acquire(leaseRequest("r"));
    const ForcedReleases ended = m_other->forceRelease(seen.leases, u"janitor"_s, u"late"_s);
    QCOMPARE(ended.changed, 1);
    QVERIFY(next.handle.isHeld());
    QCOMPARE(queue("r").size(), 1);
}

QTEST_GUILESS_MAIN(TestZooKeeperLease)
#include "tst_zookeeperlease.moc"
