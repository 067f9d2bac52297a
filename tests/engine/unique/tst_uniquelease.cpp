// SPDX-License-Identifier: MIT
// What one lease of unique mode is: taken, held, renewed, freed, lost.
#include "enginetest.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#include <atomic>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;

namespace {

/// Of the packets those that may change a lease, also by a prepared statement.
QStringList takingsOf(const QStringList &sent)
{
    return sent.filter(QRegularExpression(QStringLiteral("UPDATE lock_lease|EXECUTE `engine/acquire`")));
}

} // namespace

class TestUniqueLease : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void aFreeResourceIsGrantedAndFreed();
    void aHeldResourceIsBusyForAnotherOwner();
    void tokensGrowWithEveryGrantOfAResource();
    void anUncontendedPairIsTwoPackets();
    void aReentrantAcquireAsksNobodyAndTheLastReleaseFrees();
    void anOwnerKeyMakesTwoThreadsOneOwner();
    void namesAreComparedByteForByte_data();
    void namesAreComparedByteForByte();
    void aNoteIsStoredAsGiven();
    void aLeaseWithoutEndHasNoExpiry();
    void theWatchdogRenewsUntilTheRelease();
    void withoutWatchdogTheLeaseEndsAtItsDeadlineAndTellsOnce();
    void maxHoldEndsRenewal();
    void maxHoldIsToldAtItsMoment_data();
    void maxHoldIsToldAtItsMoment();
    void theShortestHoldsAreAllTold();
    void aTryIsNotKeptByAStrangersTransaction_data();
    void aTryIsNotKeptByAStrangersTransaction();
    void aRenewalIsNotKeptByAStrangersTransaction();
    void aReleaseBehindAStrangersTransactionEndsWithTheLease();
    void renewByHandMovesTheDeadline();
    void theMinimumHoldTimeOutlivesAnEarlyRelease();
    void aReleaseNeverFreesSomebodyElsesLease();
    void anotherThreadMayRelease();
    void zonesOfOtherSessionsChangeNothing_data();
    void zonesOfOtherSessionsChangeNothing();
    void cleaningRemovesIdleRowsAndTokensGoOn();
    void destroyingTheEngineReleasesWhatIsHeld();
    void aThousandLeasesAtOnceAreAllAlive();
};

void TestUniqueLease::aFreeResourceIsGrantedAndFreed()
{
    LockEngine engine(configFor(*m_server));
    auto result = engine.acquire(requestFor("orders/42"));
    QCOMPARE(result.outcome, Outcome::Granted);
    QVERIFY(result.handle.isHeld());
    QVERIFY(result.handle.token() > 0);
    QVERIFY(result.handle.remaining() > 20s && result.handle.remaining() <= 30s);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 1);
    QCOMPARE(result.handle.release(), ReleaseOutcome::Released);
    QVERIFY(!result.handle.isHeld());
    QCOMPARE(result.handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 0);
}

void TestUniqueLease::aHeldResourceIsBusyForAnotherOwner()
{
    LockEngine holder(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    const auto held = holder.acquire(requestFor("a"));
    QCOMPARE(held.outcome, Outcome::Granted);
    QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Busy);
    QCOMPARE(other.acquire(requestFor("b")).outcome, Outcome::Granted);
}

void TestUniqueLease::tokensGrowWithEveryGrantOfAResource()
{
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    quint64 last = 0;
    for (int i = 0; i < 20; ++i) {
        auto result = (i % 2 ? one : two).acquire(requestFor("a"));
        QVERIFY2(result.handle.token() > last, qPrintable(QString::number(i)));
        last = result.handle.token();
    }
}

void TestUniqueLease::anUncontendedPairIsTwoPackets()
{
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false; // its writes would count
    LockEngine engine(config);
    engine.acquire(requestFor("a")); // connects, and the name is known from now on
    engine.acquire(requestFor("a")); // MariaDB has prepared both statements then
    m_observer->startLog();
    for (int i = 0; i < 5; ++i)
        QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
    const QStringList packets = m_observer->logged();
    QVERIFY2(packets.size() == 10, qPrintable(packets.join(u'\n')));
}

void TestUniqueLease::aReentrantAcquireAsksNobodyAndTheLastReleaseFrees()
{
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false;
    LockEngine engine(config);
    LockEngine other(config);
    auto outer = engine.acquire(requestFor("a"));
    m_observer->startLog();
    auto inner = engine.acquire(requestFor("a"));
    QCOMPARE(inner.outcome, Outcome::Granted);
    QCOMPARE(inner.handle.token(), outer.handle.token());
    QCOMPARE(inner.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(m_observer->logged(), QStringList());
    QVERIFY(outer.handle.isHeld());
    QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Busy);
    QCOMPARE(outer.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Granted);
}

void TestUniqueLease::anOwnerKeyMakesTwoThreadsOneOwner()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a");
    request.ownerKey = "job 7";
    const auto outer = engine.acquire(request);
    QCOMPARE(outer.outcome, Outcome::Granted);
    Outcome byKey = Outcome::Failed;
    Outcome byThread = Outcome::Failed;
    std::thread([&] {
        byKey = engine.acquire(request).outcome;
        byThread = engine.acquire(requestFor("a")).outcome;
    }).join();
    QCOMPARE(byKey, Outcome::Granted);
    QCOMPARE(byThread, Outcome::Busy);
}

void TestUniqueLease::namesAreComparedByteForByte_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("a") << QByteArray("a");
    QTest::newRow("A") << QByteArray("A");
    QTest::newRow("a with a space") << QByteArray("a ");
    QTest::newRow("ä composed") << QByteArray("\xc3\xa4");
    QTest::newRow("ä decomposed") << QByteArray("a\xcc\x88");
    QTest::newRow("emoji") << QByteArray("\xf0\x9f\x94\x92");
    QTest::newRow("backslash") << QByteArray("\\");
    QTest::newRow("quotes") << QByteArray("'\"`; DROP TABLE lock_lease; --");
    QTest::newRow("percent") << QByteArray("%_");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe");
    QTest::newRow("255 bytes") << QByteArray(255, 'x');
}

void TestUniqueLease::namesAreComparedByteForByte()
{
    // All spellings are held at the same time by one engine, and each is busy for another.
    QFETCH(QByteArray, name);
    LockEngine holder(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    std::vector<AcquireResult> neighbours;
    for (const QByteArray &neighbour :
         {QByteArray("a"), QByteArray("A"), QByteArray("a "), QByteArray("\xc3\xa4"), QByteArray("a\xcc\x88")}) {
        if (neighbour != name)
            neighbours.push_back(other.acquire(requestFor(neighbour)));
    }
    auto held = holder.acquire(requestFor(name));
    QCOMPARE(held.outcome, Outcome::Granted);
    QCOMPARE(held.handle.resource(), name);
    QCOMPARE(other.acquire(requestFor(name)).outcome, Outcome::Busy);
    QCOMPARE(
        m_observer->value("SELECT resource FROM lock_lease WHERE resource = x'" + name.toHex() + '\'').toByteArray(),
        name);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
}

void TestUniqueLease::aNoteIsStoredAsGiven()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a");
    request.note = "'\\ \xf0\x9f\x94\x92" + QByteArray(1000, 'n');
    const auto held = engine.acquire(request);
    QCOMPARE(m_observer->value("SELECT note FROM lock_lease").toByteArray(), request.note);
    const Owner owner = Owner::fromJson(m_observer->value("SELECT owner FROM lock_lease").toByteArray());
    QCOMPARE(owner.service, QStringLiteral("test"));
    QCOMPARE(owner.pid, QCoreApplication::applicationPid());
    QCOMPARE(owner.session, engine.owner().session);
}

void TestUniqueLease::aLeaseWithoutEndHasNoExpiry()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(requestFor("a", 0s, Forever));
    QCOMPARE(held.handle.remaining(), Forever);
    QVERIFY(m_observer->value("SELECT expires_at IS NULL FROM lock_lease").toBool());
    QCOMPARE(held.handle.renew(10s), RenewOutcome::Renewed);
    QVERIFY(held.handle.remaining() <= 10s);
    QCOMPARE(held.handle.renew(Forever), RenewOutcome::Renewed);
    QCOMPARE(held.handle.renew(Forever), RenewOutcome::Renewed);
    QCOMPARE(held.handle.remaining(), Forever);
}

void TestUniqueLease::theWatchdogRenewsUntilTheRelease()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(requestFor("a", 0s, 6s));
    const QByteArray expiry = "SELECT expires_at FROM lock_lease";
    const auto first = m_observer->value(expiry).toString();
    QVERIFY(eventually([&] { return m_observer->value(expiry).toString() != first; }));
    const auto second = m_observer->value(expiry).toString();
    QVERIFY(eventually([&] { return m_observer->value(expiry).toString() != second; }));
    QVERIFY(held.handle.isHeld());
    held.handle.release();
    const auto last = m_observer->value(expiry).toString();
    std::atomic<bool> lost = false;
    LockRequest next = requestFor("b", 0s, 3s); // when its watchdog has worked, the other's would have too
    next.autoRenew = false;
    next.onLost = [&](LossReason) { lost = true; };
    const auto marker = engine.acquire(next);
    QVERIFY(eventually([&] { return lost.load(); }));
    QCOMPARE(m_observer->value(expiry).toString(), last);
}

void TestUniqueLease::withoutWatchdogTheLeaseEndsAtItsDeadlineAndTellsOnce()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    std::atomic<LossReason> reason = LossReason::TakenOver;
    LockRequest request = requestFor("a", 0s, 200ms);
    request.autoRenew = false;
    request.onLost = [&](LossReason why) {
        reason = why;
        ++told;
    };
    auto held = engine.acquire(request);
    QVERIFY(eventually([&] { return told > 0; }));
    QCOMPARE(reason.load(), LossReason::Expired);
    QVERIFY(!held.handle.isHeld());
    QCOMPARE(held.handle.remaining(), Duration::zero());
    QCOMPARE(held.handle.renew(1s), RenewOutcome::NotHeld);
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    QVERIFY(eventually([&] { return m_observer->value("SELECT COUNT(*) FROM lock_event WHERE kind='lost'") == 1; }));
    QCOMPARE(told.load(), 1);
}

void TestUniqueLease::maxHoldEndsRenewal()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    std::atomic<LossReason> reason = LossReason::TakenOver;
    LockRequest request = requestFor("a", 0s, 4500ms);
    request.maxHold = 6s;
    request.onLost = [&](LossReason why) {
        reason = why;
        ++told;
    };
    const auto before = std::chrono::steady_clock::now();
    const auto held = engine.acquire(request);
    QVERIFY(eventually([&] { return told > 0; }));
    QVERIFY(std::chrono::steady_clock::now() - before >= 6s); // it was renewed at least once
    QCOMPARE(reason.load(), LossReason::MaxHoldReached);
}

void TestUniqueLease::maxHoldIsToldAtItsMoment_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<bool>("autoRenew");
    QTest::newRow("a lease") << int(Mode::Unique) << true;
    QTest::newRow("a lease that its holder renews") << int(Mode::Unique) << false;
    QTest::newRow("a row") << int(Mode::Pessimistic) << true;
    QTest::newRow("a row that its holder renews") << int(Mode::Pessimistic) << false;
}

void TestUniqueLease::maxHoldIsToldAtItsMoment()
{
    QFETCH(int, mode);
    QFETCH(bool, autoRenew);
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    std::atomic<int> lost = 0;
    LockRequest request = requestFor("a", 0s, std::chrono::hours(10)); // its next renewal is hours away
    request.mode = Mode(mode);
    request.autoRenew = autoRenew;
    request.maxHold = 200ms;
    request.onMaxHold = [&] { ++told; };
    request.onLost = [&](LossReason) { ++lost; };
    auto held = engine.acquire(request);
    QCOMPARE(held.outcome, Outcome::Granted);
    QVERIFY(eventually([&] { return told > 0; }));
    QVERIFY(held.handle.isHeld());
    QCOMPARE(held.handle.renew(std::chrono::hours(1)), RenewOutcome::Renewed); // plans the next look anew
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(told.load(), 1);
    QCOMPARE(lost.load(), 0);
}

void TestUniqueLease::theShortestHoldsAreAllTold()
{
    constexpr int kLeases = 300;
    LockEngine engine(configFor(*m_server));
    std::atomic<int> toldMaxHold = 0;
    std::atomic<int> lost = 0;
    std::vector<AcquireResult> held;
    for (int i = 0; i < kLeases; ++i) {
        LockRequest request = requestFor("short " + QByteArray::number(i), Patience, 20ms);
        request.autoRenew = false;
        request.maxHold = 1us; // over before its end is planned
        request.onMaxHold = [&] { ++toldMaxHold; };
        request.onLost = [&](LossReason) { ++lost; };
        held.push_back(engine.acquire(request));
    }
    QVERIFY(eventually([&] { return lost.load() == kLeases; }));
    QVERIFY(toldMaxHold.load() <= kLeases);
}

void TestUniqueLease::aTryIsNotKeptByAStrangersTransaction_data()
{
    QTest::addColumn<QByteArray>("held");
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<QByteArray>("stranger");
    const QByteArray row = "BEGIN; SELECT * FROM lock_lease WHERE resource = 'a' FOR UPDATE";
    QTest::newRow("a free row") << QByteArray() << QByteArray("a") << row;
    QTest::newRow("a held row") << QByteArray("a") << QByteArray("a") << row;
    QTest::newRow("an expired row") << QByteArray("gone") << QByteArray("a") << row;
    QTest::newRow("a new name") << QByteArray() << QByteArray("new")
                                << QByteArray("BEGIN; SELECT * FROM lock_meta FOR UPDATE");
    QTest::newRow("the whole table") << QByteArray() << QByteArray("a") << QByteArray("LOCK TABLES lock_lease WRITE");
}

void TestUniqueLease::aTryIsNotKeptByAStrangersTransaction()
{
    QFETCH(QByteArray, held);
    QFETCH(QByteArray, asked);
    QFETCH(QByteArray, stranger);
    LockEngine holder(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Granted); // knows the name
    const auto lease = held == "a" ? holder.acquire(requestFor("a")) : AcquireResult();
    if (held == "gone")
        m_observer->run("UPDATE lock_lease SET presence = 'ls:gone', ttl_us = 1000000, "
                        "expires_at = UTC_TIMESTAMP(6) - INTERVAL 1 HOUR WHERE resource = 'a'");
    ReconnectingSession blocker(targetFor(*m_server));
    QVERIFY(blocker.run(stranger, QByteArray("test")));
    m_observer->startLog();
    const auto result = other.acquire(requestFor(asked));
    const QStringList sent = m_observer->logged();
    QCOMPARE(result.outcome, Outcome::Busy);
    // Each statement waits a second at most: the first that did must be the last that could.
    QCOMPARE(takingsOf(sent).size(), 1);
    QVERIFY(blocker.run(QByteArray("ROLLBACK; UNLOCK TABLES"), QByteArray("test")));
    QCOMPARE(other.acquire(requestFor(asked)).outcome, held == "a" ? Outcome::Busy : Outcome::Granted);
}

void TestUniqueLease::aRenewalIsNotKeptByAStrangersTransaction()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, std::chrono::hours(1));
    auto held = engine.acquire(request);
    ReconnectingSession blocker(targetFor(*m_server));
    QVERIFY(
        blocker.run(QByteArray("BEGIN; SELECT * FROM lock_lease WHERE resource = 'a' FOR UPDATE"), QByteArray("test")));
    m_observer->startLog();
    const auto renewed = held.handle.renew(std::chrono::hours(2));
    const QStringList sent = m_observer->logged();
    QCOMPARE(renewed, RenewOutcome::Failed);
    QCOMPARE(takingsOf(sent).size(), 1);
    QCOMPARE(held.handle.lastError()->code, 1205);
    QVERIFY(held.handle.isHeld());
    QVERIFY(blocker.run(QByteArray("ROLLBACK"), QByteArray("test")));
    QCOMPARE(held.handle.renew(std::chrono::hours(2)), RenewOutcome::Renewed);
}

void TestUniqueLease::aReleaseBehindAStrangersTransactionEndsWithTheLease()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, 6s);
    request.autoRenew = false;
    auto held = engine.acquire(request);
    ReconnectingSession blocker(targetFor(*m_server));
    QVERIFY(
        blocker.run(QByteArray("BEGIN; SELECT * FROM lock_lease WHERE resource = 'a' FOR UPDATE"), QByteArray("test")));
    QCOMPARE(held.handle.release(), ReleaseOutcome::Failed);
    QCOMPARE(held.handle.lastError()->code, 1205);
    QVERIFY(blocker.run(QByteArray("ROLLBACK"), QByteArray("test")));
    LockEngine other(configFor(*m_server));
    QCOMPARE(other.acquire(requestFor("a", Patience)).outcome, Outcome::Granted);
}

void TestUniqueLease::renewByHandMovesTheDeadline()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, 10s);
    request.autoRenew = false;
    auto held = engine.acquire(request);
    QCOMPARE(held.handle.renew(60s), RenewOutcome::Renewed);
    QVERIFY(held.handle.remaining() > 20s);
    QCOMPARE(m_observer->value("SELECT expires_at > UTC_TIMESTAMP(6) + INTERVAL 20 SECOND FROM lock_lease").toInt(), 1);
    QCOMPARE(held.handle.renew(0s), RenewOutcome::Failed);
    QCOMPARE(held.handle.lastError()->kind, LockError::Kind::BadRequest);
    QVERIFY(held.handle.isHeld());
}

void TestUniqueLease::theMinimumHoldTimeOutlivesAnEarlyRelease()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    QVERIFY(!other.connectToServer());
    LockRequest request = requestFor("nightly");
    request.holdAtLeast = 5s;
    auto held = engine.acquire(request);
    const quint64 token = held.handle.token();
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(other.acquire(requestFor("nightly")).outcome, Outcome::Busy);
    const QVariant taken = m_observer->value("SELECT acquired_at FROM lock_lease");
    const auto next = other.acquire(requestFor("nightly", Patience));
    QCOMPARE(next.outcome, Outcome::Granted);
    QVERIFY(next.handle.token() > token);
    const QByteArray since = "SELECT TIMESTAMPDIFF(MICROSECOND, '"
        + taken.toDateTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")).toLatin1()
        + "', acquired_at) >= 4999000 FROM lock_lease";
    QCOMPARE(m_observer->value(since).toInt(), 1);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 0); // not a takeover
}

void TestUniqueLease::aReleaseNeverFreesSomebodyElsesLease()
{
    LockEngine first(configFor(*m_server));
    LockEngine second(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, 100ms);
    request.autoRenew = false;
    auto stale = first.acquire(request);
    auto current = second.acquire(requestFor("a", Patience));
    QCOMPARE(current.outcome, Outcome::Granted);
    QCOMPARE(stale.handle.release(), ReleaseOutcome::NotHeld);
    QVERIFY(current.handle.isHeld());
    QCOMPARE(m_observer->value("SELECT token FROM lock_lease WHERE presence <> '-'").toULongLong(),
             current.handle.token());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event WHERE kind = 'takeover'").toInt(), 1);
}

void TestUniqueLease::anotherThreadMayRelease()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    auto held = engine.acquire(requestFor("a"));
    ReleaseOutcome outcome = ReleaseOutcome::Failed;
    std::thread([&, handle = std::move(held.handle)]() mutable { outcome = handle.release(); }).join();
    QCOMPARE(outcome, ReleaseOutcome::Released);
    QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Granted);
}

void TestUniqueLease::zonesOfOtherSessionsChangeNothing_data()
{
    QTest::addColumn<QByteArray>("zone");
    QTest::newRow("east") << QByteArray("+02:00");
    QTest::newRow("UTC") << QByteArray("+00:00");
    QTest::newRow("west") << QByteArray("-05:00");
}

void TestUniqueLease::zonesOfOtherSessionsChangeNothing()
{
    QFETCH(QByteArray, zone);
    m_observer->run("SET GLOBAL time_zone = '" + zone + '\'');
    {
        LockEngine engine(configFor(*m_server));
        LockEngine other(configFor(*m_server));
        auto held = engine.acquire(requestFor("a"));
        QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Busy);
        QVERIFY(held.handle.remaining() > 20s);
        QCOMPARE(held.handle.renew(30s), RenewOutcome::Renewed);
    }
    m_observer->run("SET GLOBAL time_zone = 'SYSTEM'");
}

void TestUniqueLease::cleaningRemovesIdleRowsAndTokensGoOn()
{
    EngineConfig config = configFor(*m_server);
    config.idleRowsKept = Duration(1);
    LockEngine engine(config);
    quint64 last = 0;
    for (int i = 0; i < 5; ++i)
        last = engine.acquire(requestFor("often")).handle.token();
    engine.acquire(requestFor("once"));
    const auto held = engine.acquire(requestFor("held"));
    QVERIFY(!engine.clean());
    QCOMPARE(m_observer->value("SELECT GROUP_CONCAT(resource) FROM lock_lease").toByteArray(), QByteArray("held"));
    QVERIFY(engine.acquire(requestFor("often")).handle.token() > last);
    LockEngine fresh(configFor(*m_server));
    QVERIFY(fresh.acquire(requestFor("new name")).handle.token() > last);
}

void TestUniqueLease::destroyingTheEngineReleasesWhatIsHeld()
{
    auto engine = std::make_unique<LockEngine>(configFor(*m_server));
    auto held = engine->acquire(requestFor("a"));
    engine.reset();
    QVERIFY(!held.handle.isHeld());
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    LockEngine other(configFor(*m_server));
    QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Granted);
}

void TestUniqueLease::aThousandLeasesAtOnceAreAllAlive()
{
    LockEngine engine(configFor(*m_server));
    std::vector<LockHandle> handles;
    for (int i = 0; i < 1000; ++i) {
        auto result = engine.acquire(requestFor("many" + QByteArray::number(i)));
        QCOMPARE(result.outcome, Outcome::Granted);
        handles.push_back(std::move(result.handle));
    }
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE IS_USED_LOCK(presence)").toInt(), 1000);
}

QTEST_GUILESS_MAIN(TestUniqueLease)
#include "tst_uniquelease.moc"
