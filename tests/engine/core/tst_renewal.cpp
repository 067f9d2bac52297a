// SPDX-License-Identifier: MIT
// Renewals beside each other: a lease whose row a stranger keeps locked is nobody else's trouble.
#include "actor.h"
#include "enginetest.h"

#include "lockscope/once.h"
#include "packetproxy.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <array>
#include <atomic>
#include <future>

using namespace lockscope;
using namespace lockscope::test;

class TestRenewal : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void aLockedRowDelaysItsOwnRenewalOnly();
    void aRowThatWasLockedIsRenewedSoon();
    void aRowThatOthersLockAllTheTimeIsRenewed();
    void aRenewalThatComesLateMovesNothing();
    void whoCutsItShortIsToldOfItsEndBeforeTheAnswer();
    void aRenewalThatFailedKeepsTheMinimumHold();
    void aRenewalThatFailedLosesNoRecord();

private:
    /// Behind a row that a stranger locks meanwhile.
    RenewOutcome shortenInVain(LockHandle &handle, Duration ttl)
    {
        Actor stranger(*m_server);
        stranger.run("BEGIN; SELECT * FROM lock_lease FOR UPDATE");
        const RenewOutcome outcome = handle.renew(ttl);
        stranger.run("ROLLBACK");
        return outcome;
    }
    /// Once more, from now on.
    bool isRenewed(const QByteArray &resource)
    {
        const QByteArray end = "SELECT expires_at FROM lock_lease WHERE slot = 0 AND resource = '" + resource + '\'';
        const QString before = m_observer->value(end).toString();
        return eventually([&] { return m_observer->value(end).toString() != before; });
    }
};

/// Twelve renewals that wait a second each would take longer than the TTL.
void TestRenewal::aLockedRowDelaysItsOwnRenewalOnly()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> lost = 0;
    std::atomic<int> lostOfFree = 0;
    std::vector<LockHandle> locked;
    for (int i = 0; i < 12; ++i) {
        LockRequest request = requestFor("locked " + QByteArray::number(i), 0s, 9s);
        request.onLost = [&](LossReason) { ++lost; };
        locked.push_back(engine.acquire(request).handle);
        QVERIFY(locked.back());
    }
    LockRequest request = requestFor("free", 0s, 9s);
    request.onLost = [&](LossReason) { ++lostOfFree; };
    const auto free = engine.acquire(request);
    Actor stranger(*m_server);
    QVERIFY(stranger.run("BEGIN; SELECT * FROM lock_lease WHERE resource LIKE 'locked%' FOR UPDATE"));
    QVERIFY(eventually([&] { return lost == 12; })); // as it must be: their ends cannot be moved
    QVERIFY(isRenewed("free"));
    QCOMPARE(lostOfFree.load(), 0);
    QVERIFY(free.handle.isHeld());
}

void TestRenewal::aRowThatWasLockedIsRenewedSoon()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a", 0s, 9s));
    Actor stranger(*m_server);
    m_observer->startLog();
    QVERIFY(stranger.run("BEGIN; SELECT * FROM lock_lease FOR UPDATE"));
    QVERIFY(eventually([&] {
        return m_observer
            ->value("SELECT COUNT(*) FROM mysql.general_log WHERE CONVERT(argument USING utf8mb4) LIKE '%lock_lease%' "
                    "AND thread_id NOT IN (CONNECTION_ID(), "
                    + QByteArray::number(stranger.id()) + ")")
            .toBool();
    })); // it has tried
    QVERIFY(stranger.run("ROLLBACK"));
    QVERIFY(isRenewed("a"));
    QVERIFY(held.handle.isHeld());
}

/// Two at a time, so that it is never free.
void TestRenewal::aRowThatOthersLockAllTheTimeIsRenewed()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a", 0s, 9s));
    std::array<Actor, 2> strangers{Actor(*m_server), Actor(*m_server)};
    for (int i = 0; i < 2000; ++i)
        strangers[std::size_t(i % 2)].start(
            "BEGIN; SELECT token, SLEEP(0.02) FROM lock_lease WHERE resource = 'a' FOR UPDATE; COMMIT");
    QVERIFY(isRenewed("a"));
    QVERIFY(isRenewed("a"));
    QVERIFY(strangers[0].isBusy() && strangers[1].isBusy());
    QVERIFY(held.handle.isHeld());
}

/// Its connection broke, and another one has set a later end since.
void TestRenewal::aRenewalThatComesLateMovesNothing()
{
    const QTemporaryDir folder;
    EngineConfig config = configFor(*m_server);
    PacketProxy network(folder.filePath(QStringLiteral("s")), config.server.socket);
    config.server.socket = folder.filePath(QStringLiteral("s"));
    LockEngine engine(config);
    auto held = engine.acquire(requestFor("a", 0s, 9s));
    network.keepBack("SELECT EXISTS (SELECT 1 FROM lock_lease");
    QVERIFY(eventually([&] { return network.hasKeptBack(); }));
    QCOMPARE(held.handle.renew(1h), RenewOutcome::Renewed);
    network.deliverLate();
    QVERIFY(m_observer->value("SELECT expires_at > UTC_TIMESTAMP() + INTERVAL 30 MINUTE FROM lock_lease").toBool());
}

/// Its network has stalled, and the server may have done it.
void TestRenewal::whoCutsItShortIsToldOfItsEndBeforeTheAnswer()
{
    const QTemporaryDir folder;
    EngineConfig config = configFor(*m_server);
    std::promise<void> goesOn;
    const auto stall = [stalled = goesOn.get_future().share()](const QByteArray &piece, int /*from*/, int /*to*/) {
        if (piece.contains("1234567")) // a TTL that nothing else has
            stalled.wait();
        return true;
    };
    const FaultyProxy network(folder.filePath(QStringLiteral("s")), config.server.socket, stall);
    config.server.socket = folder.filePath(QStringLiteral("s"));
    LockEngine engine(config);
    std::atomic<int> told = 0;
    LockRequest request = requestFor("a", 0s, 1h);
    request.onLost = [&](LossReason) { ++told; };
    auto held = engine.acquire(request);
    std::atomic<bool> isAnswered = false;
    auto renewal = std::async(std::launch::async, [&] {
        const RenewOutcome outcome = held.handle.renew(1'234'567us);
        isAnswered = true;
        return outcome;
    });
    const bool isTold = eventually([&] { return told == 1; }) && !isAnswered;
    goesOn.set_value();
    QCOMPARE(renewal.get(), RenewOutcome::NotHeld);
    QVERIFY(isTold);
    QCOMPARE(told.load(), 1);
}

/// It may have named the lease anew, and then did not.
void TestRenewal::aRenewalThatFailedKeepsTheMinimumHold()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, 2h);
    request.holdAtLeast = 1h;
    request.autoRenew = false;
    auto held = engine.acquire(request);
    QCOMPARE(shortenInVain(held.handle, 90min), RenewOutcome::Failed);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(m_observer->value("SELECT kept FROM lock_lease").toInt(), 1);
}

void TestRenewal::aRenewalThatFailedLosesNoRecord()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request;
    request.ttl = 2h;
    request.autoRenew = false;
    const auto work = [&](LockHandle &handle) { return shortenInVain(handle, 1h) == RenewOutcome::Failed; };
    QCOMPARE(once(engine, {"mail", "42"}, work, request).outcome, OnceOutcome::Done);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_done").toInt(), 1);
}

QTEST_GUILESS_MAIN(TestRenewal)
#include "tst_renewal.moc"
