// SPDX-License-Identifier: MIT
#include "storeleasetest.h"

#include "locknews.h"

#include <QtTest/QTest>

#include <algorithm>
#include <thread>

namespace lockscope::test {

using namespace Qt::StringLiterals;

void StoreLeaseTest::init()
{
    m_bench.begin();
    m_engine = m_bench.newEngine();
    m_other = m_bench.newEngine();
}

void StoreLeaseTest::cleanup()
{
    m_engine.reset();
    m_other.reset();
}

void StoreLeaseTest::aFreeLeaseIsTakenAndReleased()
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

void StoreLeaseTest::aTriedLeaseThatIsHeldIsBusy()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(m_bench.waiters("r"), 0);
    QCOMPARE(textOf(m_other->acquire(leaseRequest("s"))), QByteArray("granted"));
    QVERIFY(taken.handle.isHeld());
}

void StoreLeaseTest::onlyItsOwnerEntersAgain()
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

void StoreLeaseTest::tokensGrow()
{
    quint64 before = 0;
    for (int i = 0; i < 50; ++i) {
        AcquireResult taken = (i % 2 ? m_engine : m_other)->acquire(leaseRequest("r"));
        QVERIFY2(taken.handle.token() > before, textOf(taken));
        before = taken.handle.token();
    }
}

void StoreLeaseTest::theWatchdogRenews()
{
    m_engine = m_bench.newHastyEngine();
    const AcquireResult taken = m_engine->acquire(leaseRequest("r", 0s, m_bench.shortestTtl()));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    std::this_thread::sleep_for(2 * m_bench.shortestTtl());
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
}

void StoreLeaseTest::aLeaseThatNobodyRenewsEnds()
{
    m_engine = m_bench.newHastyEngine();
    LossNews news;
    LockRequest request = leaseRequest("r", 0s, m_bench.shortestTtl());
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

void StoreLeaseTest::anyNameIsItsOwnLock_data()
{
    QTest::addColumn<QByteArray>("name");

    QTest::newRow("slashes") << QByteArray("/a//b/");
    QTest::newRow("a slash") << QByteArray("/");
    QTest::newRow("dot") << QByteArray(".");
    QTest::newRow("dots") << QByteArray("..");
    QTest::newRow("path upwards") << QByteArray("../../zookeeper");
    QTest::newRow("ZooKeeper's own") << QByteArray("zookeeper");
    QTest::newRow("a node's name") << QByteArray("_c_1-lock-0000000000");
    QTest::newRow("below the plain one") << QByteArray("r/s");
    QTest::newRow("a key of the plain one") << QByteArray("r/694d81e5f0b7c3a2");
    QTest::newRow("braces") << QByteArray("}{a}:q");
    QTest::newRow("of a queue") << QByteArray("r}:q");
    QTest::newRow("percent") << QByteArray("%2F%s%n");
    QTest::newRow("glob") << QByteArray("*[a]?\\");
    QTest::newRow("UTF-8") << QByteArray("Schlüssel 鎖 \xf0\x9f\x94\x92");
    QTest::newRow("no UTF-8") << QByteArray("\xff\xc0\x80");
    QTest::newRow("controls") << QByteArray("\x01\n\r\x7f");
    QTest::newRow("longest") << QByteArray(MaxResourceBytes, '/');
}

void StoreLeaseTest::anyNameIsItsOwnLock()
{
    QFETCH(QByteArray, name);
    const AcquireResult plain = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(plain), QByteArray("granted"));
    AcquireResult taken = m_engine->acquire(leaseRequest(name));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest(name))), QByteArray("busy"));
    QCOMPARE(textOf(m_other->acquire(leaseRequest("r"))), QByteArray("busy"));
    const HeldLeases held = m_other->heldLeases({name});
    QVERIFY(!held.error);
    QCOMPARE(held.leases.size(), 1);
    QCOMPARE(held.leases.first().resource, name);
    QCOMPARE(held.leases.first().token, taken.handle.token());
    QCOMPARE(m_other->requestRelease(name, u"please"_s).outcome, RequestOutcome::Asked);
    std::thread waiter([&] { QCOMPARE(textOf(m_other->acquire(leaseRequest(name, 1min))), QByteArray("granted")); });
    QVERIFY(m_bench.haveJoined(1, name));
    QCOMPARE(m_bench.waiters("r"), 0);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QVERIFY(plain.handle.isHeld());
}

void StoreLeaseTest::aWrongNameIsRefused_data()
{
    QTest::addColumn<QByteArray>("name");

    QTest::newRow("empty") << QByteArray();
    QTest::newRow("too long") << QByteArray(MaxResourceBytes + 1, 'x');
    QTest::newRow("NUL") << QByteArray("a\0b", 3);
}

void StoreLeaseTest::aWrongNameIsRefused()
{
    QFETCH(QByteArray, name);
    const AcquireResult refused = m_engine->acquire(leaseRequest(name));
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::BadRequest);
}

void StoreLeaseTest::theHolderIsAskedForIt()
{
    std::mutex mutex;
    QStringList reasons;
    LockRequest request = leaseRequest("r");
    request.note = "month end";
    request.onReleaseRequested = [&](const QString &reason) {
        const std::lock_guard lock(mutex);
        reasons.append(reason);
    };
    QCOMPARE(m_other->requestRelease("r", u"please"_s).outcome, RequestOutcome::NotHeld);
    const AcquireResult taken = m_engine->acquire(request);
    const auto heard = [&] {
        const std::lock_guard lock(mutex);
        return reasons;
    };
    for (const QString &reason : {u"please"_s, u"a deploy: “now” 现在"_s}) {
        const RequestResult asked = m_other->requestRelease("r", reason);
        QCOMPARE(asked.outcome, RequestOutcome::Asked);
        QCOMPARE(asked.holder.session, m_engine->owner().session);
        QVERIFY(eventually([&] { return heard().contains(reason); }));
    }
    QCOMPARE(heard().size(), 2);
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(m_other->heldLeases({"r"}).leases.value(0).note, QByteArray("month end"));
}

void StoreLeaseTest::leasesAreListedWithAllThatTheirHoldersSaid()
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
    QVERIFY(first.acquiredAt && first.isSessionAlive && !first.isExpired);
    QCOMPARE(held.leases[1].resource, QByteArray("shop/2"));
    LeaseSelection byOwner;
    byOwner.session = m_other->owner().session;
    QCOMPARE(m_engine->heldLeases(byOwner).leases.size(), 1);
}

void StoreLeaseTest::manyLeasesAreReadInParts()
{
    constexpr int count = 600;
    std::vector<LockHandle> handles;
    for (int i = 0; i < count; ++i) {
        handles.push_back(m_engine->acquire(leaseRequest("many/" + QByteArray::number(i))).handle);
        QVERIFY(handles.back().isHeld());
    }
    const HeldLeases held = m_other->heldLeases({"many/"});
    QCOMPARE(held.leases.size(), count);
    QVERIFY(std::is_sorted(held.leases.begin(), held.leases.end(),
                           [](const HeldLease &a, const HeldLease &b) { return a.resource < b.resource; }));
    const ForcedReleases ended = m_other->forceRelease(held.leases, u"janitor"_s, u"test"_s);
    QCOMPARE(ended.released, count);
    QVERIFY(m_other->heldLeases({"many/"}).leases.isEmpty());
}

void StoreLeaseTest::aForcedReleaseTellsTheHolder()
{
    m_engine = m_bench.newHastyEngine();
    LossNews news;
    LockRequest request = leaseRequest("r");
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = m_engine->acquire(request);
    QByteArray next;
    std::thread waiter([&] { next = textOf(m_engine->acquire(leaseRequest("r", 1min))); });
    QVERIFY(m_bench.haveJoined(1));
    const ForcedReleases ended =
        m_other->forceRelease(m_other->heldLeases({"r"}).leases, u"janitor"_s, u"it is stuck"_s);
    QCOMPARE(ended.released, 1);
    QCOMPARE(news.wait(), std::string("taken over"));
    waiter.join();
    QCOMPARE(next, QByteArray("granted"));
    QVERIFY(!taken.handle.isHeld());
}

void StoreLeaseTest::aForcedReleaseOfAnotherLeaseDoesNothing()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const HeldLeases seen = m_other->heldLeases({"r"});
    taken.handle.release();
    const AcquireResult next = m_engine->acquire(leaseRequest("r"));
    const ForcedReleases ended = m_other->forceRelease(seen.leases, u"janitor"_s, u"late"_s);
    QCOMPARE(ended.changed, 1);
    QVERIFY(next.handle.isHeld());
}

} // namespace lockscope::test
