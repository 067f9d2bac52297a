// SPDX-License-Identifier: MIT
// Requests that would wait for each other for ever: one of them is told so, whatever the mode.
#include "enginetest.h"

#include <QtTest/QTest>

#include <future>
#include <latch>

using namespace lockscope;
using namespace lockscope::test;

namespace {

LockRequest requestOf(Mode mode, const QByteArray &resource, const QByteArray &ownerKey, Duration wait = Patience)
{
    LockRequest request = requestFor(resource, wait);
    request.mode = mode;
    request.ownerKey = ownerKey;
    return request;
}

/// One owner: an engine of its own, as a process of its own would have, and what it holds.
struct Party
{
    Party(const TestServer &server, int number, Mode holds)
        : engine(configFor(server))
        , name("resource-" + QByteArray::number(number))
        , mode(holds)
        , held(engine.acquire(requestOf(mode, name, "one")).handle)
    {
    }

    /// Wants what `other` holds, in a thread of its own; lets go of everything when it was told to give up.
    std::future<Outcome> want(const Party &other)
    {
        return std::async(std::launch::async, [this, request = requestOf(other.mode, other.name, "one")] {
            const auto result = engine.acquire(request);
            held.release();
            return result.outcome;
        });
    }

    LockEngine engine;
    const QByteArray name;
    const Mode mode;
    LockHandle held;
};

} // namespace

class TestDeadlock : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_wait_for").toInt(), 0);
        QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE queue <> ''").toInt(), 0);
    }

    void whoClosesACycleIsToldAtOnce_data();
    void whoClosesACycleIsToldAtOnce();
    void ofSeveralThatCloseACycleTogetherAtLeastOneGivesUp_data() { whoClosesACycleIsToldAtOnce_data(); }
    void ofSeveralThatCloseACycleTogetherAtLeastOneGivesUp();
    void aLongQueueBehindAHolderIsNoCycle();
    void whatADeadProcessWaitedForIsNoPartOfACycle();
    void anExpiredLeaseIsNoPartOfACycle();
    void aCycleThatAGrantClosesIsFound_data();
    void aCycleThatAGrantClosesIsFound();
    void waitingWithoutHoldingWritesNothing();
    void freeLocksTakenOneAfterTheOtherAreNotAnnounced();

private:
    void waitForAnnounced(int count)
    {
        QVERIFY(eventually([&] { return m_observer->value("SELECT COUNT(*) FROM lock_wait_for").toInt() == count; }));
    }

    /// In the queue of a lease, or for a row, each for another one: whoever only announced it may still be looking for
    /// a cycle, and finds the one that is closed meanwhile.
    void waitForWaiting(int count)
    {
        const QByteArray waiting = "SELECT (SELECT COUNT(*) FROM lock_lease WHERE queue <> '') + (SELECT COUNT(*) FROM "
                                   "information_schema.processlist WHERE info LIKE '%FROM lock_row WHERE%FOR UPDATE')";
        QVERIFY(eventually([&] { return m_observer->value(waiting).toInt() == count; }));
    }
};

void TestDeadlock::whoClosesACycleIsToldAtOnce_data()
{
    QTest::addColumn<QList<Mode>>("modes");
    const Mode lease = Mode::Unique;
    const Mode row = Mode::Pessimistic;
    QTest::newRow("two leases") << QList{lease, lease};
    QTest::newRow("two rows") << QList{row, row};
    QTest::newRow("a lease and a row") << QList{lease, row};
    QTest::newRow("five of both kinds") << QList{row, lease, lease, row, row};
    QTest::newRow("twelve leases") << QList<Mode>(12, lease);
}

void TestDeadlock::whoClosesACycleIsToldAtOnce()
{
    QFETCH(QList<Mode>, modes);
    std::vector<std::unique_ptr<Party>> parties;
    for (const Mode mode : modes)
        parties.push_back(std::make_unique<Party>(*m_server, int(parties.size()), mode));
    std::vector<std::future<Outcome>> waits;
    for (std::size_t i = 0; i + 1 < parties.size(); ++i) {
        waits.push_back(parties[i]->want(*parties[i + 1]));
        waitForWaiting(int(i) + 1);
    }
    QCOMPARE(parties.back()->want(*parties.front()).get(), Outcome::Deadlock);
    for (auto &wait : waits)
        QCOMPARE(wait.get(), Outcome::Granted);
}

void TestDeadlock::ofSeveralThatCloseACycleTogetherAtLeastOneGivesUp()
{
    QFETCH(QList<Mode>, modes);
    for (int round = 0; round < 5; ++round) {
        std::vector<std::unique_ptr<Party>> parties;
        for (const Mode mode : modes)
            parties.push_back(std::make_unique<Party>(*m_server, int(parties.size()), mode));
        std::vector<std::future<Outcome>> waits;
        for (std::size_t i = 0; i < parties.size(); ++i)
            waits.push_back(parties[i]->want(*parties[(i + 1) % parties.size()]));
        int gaveUp = 0;
        for (auto &wait : waits) {
            const Outcome outcome = wait.get();
            QVERIFY(outcome == Outcome::Granted || outcome == Outcome::Deadlock);
            gaveUp += outcome == Outcome::Deadlock ? 1 : 0;
        }
        QVERIFY(gaveUp >= 1);
    }
}

void TestDeadlock::aLongQueueBehindAHolderIsNoCycle()
{
    std::vector<std::unique_ptr<Party>> parties;
    for (int i = 0; i < 6; ++i)
        parties.push_back(std::make_unique<Party>(*m_server, i, i % 2 == 0 ? Mode::Unique : Mode::Pessimistic));
    std::vector<std::future<Outcome>> waits;
    for (std::size_t i = 1; i < parties.size(); ++i) { // each waits for one before it; the first for nobody
        waits.push_back(parties[i]->want(*parties[i / 2]));
        waitForAnnounced(int(i));
    }
    parties.front()->held.release();
    for (auto &wait : waits)
        QCOMPARE(wait.get(), Outcome::Granted);
}

void TestDeadlock::whatADeadProcessWaitedForIsNoPartOfACycle()
{
    Party mine(*m_server, 1, Mode::Unique);
    Worker dead(*m_server);
    QVERIFY(dead.ask("acquire other 30000 0").startsWith(u"granted"));
    dead.send("acquire " + mine.name + " 30000 30000");
    waitForAnnounced(1);
    dead.kill9();
    QVERIFY(eventually(
        [&] { return m_observer->value("SELECT IS_USED_LOCK(place) IS NULL FROM lock_wait_for").toBool(); }));
    const auto result = mine.engine.acquire(requestOf(Mode::Unique, "other", "one", 300ms));
    QCOMPARE(result.outcome, Outcome::TimedOut); // its lease has time left
    m_observer->run("DELETE FROM lock_wait_for");
}

void TestDeadlock::anExpiredLeaseIsNoPartOfACycle()
{
    Party mine(*m_server, 1, Mode::Unique);
    LockEngine engine(configFor(*m_server));
    LockRequest brief = requestOf(Mode::Unique, "brief", "one");
    brief.ttl = Patience;
    brief.autoRenew = false;
    auto held = engine.acquire(brief);
    auto other = std::async(std::launch::async,
                            [&] { return engine.acquire(requestOf(Mode::Unique, mine.name, "one")).outcome; });
    waitForAnnounced(1);
    QCOMPARE(held.handle.renew(2s), RenewOutcome::Renewed); // not earlier: who holds nothing announces nothing
    // The holder takes it for lost a little earlier than the server does.
    const QByteArray isOver = "SELECT expires_at <= UTC_TIMESTAMP(6) FROM lock_lease WHERE resource = 'brief'";
    QVERIFY(eventually([&] { return m_observer->value(isOver).toBool(); }));
    const auto result = mine.engine.acquire(requestOf(Mode::Unique, "brief", "one"));
    QCOMPARE(result.outcome, Outcome::Granted);
    mine.held.release();
    QCOMPARE(other.get(), Outcome::Granted);
}

void TestDeadlock::aCycleThatAGrantClosesIsFound_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::newRow("leases") << Mode::Unique;
    QTest::newRow("rows") << Mode::Pessimistic;
}

/// An owner that waits in one thread is granted something in another: no request begins when the cycle closes.
void TestDeadlock::aCycleThatAGrantClosesIsFound()
{
    QFETCH(Mode, mode);
    Party third(*m_server, 3, mode);
    Party other(*m_server, 2, mode);
    LockEngine engine(configFor(*m_server));
    auto waits =
        std::async(std::launch::async, [&] { return engine.acquire(requestOf(mode, other.name, "shared")).outcome; });
    auto gets = std::async(std::launch::async, [&] { return engine.acquire(requestOf(mode, third.name, "shared")); });
    const QByteArray blocked = mode == Mode::Unique
        ? "SELECT COUNT(*) = 1 FROM lock_lease WHERE resource = 'resource-3' AND queue <> ''"
        : "SELECT COUNT(*) = 2 FROM information_schema.processlist WHERE info LIKE '%FROM lock_row WHERE%FOR UPDATE'";
    QVERIFY(eventually([&] { return m_observer->value(blocked).toBool(); }));
    auto others = other.want(third);
    waitForAnnounced(1);
    third.held.release(); // to the first in the queue
    auto got = gets.get();
    QCOMPARE(got.outcome, Outcome::Granted);
    const bool oneGaveUp = waits.get() == Outcome::Deadlock;
    got.handle.release();
    QVERIFY(oneGaveUp != (others.get() == Outcome::Deadlock));
}

void TestDeadlock::waitingWithoutHoldingWritesNothing()
{
    Party holder(*m_server, 1, Mode::Unique);
    LockEngine engine(configFor(*m_server));
    QCOMPARE(engine.acquire(requestOf(Mode::Unique, "warm", "one")).outcome, Outcome::Granted);
    m_observer->startLog();
    QCOMPARE(engine.acquire(requestOf(Mode::Unique, holder.name, "one", 50ms)).outcome, Outcome::TimedOut);
    QCOMPARE(m_observer->logged().filter(QStringLiteral("lock_wait_for")), QStringList());
}

void TestDeadlock::freeLocksTakenOneAfterTheOtherAreNotAnnounced()
{
    LockEngine engine(configFor(*m_server));
    m_observer->startLog();
    std::vector<LockHandle> held;
    for (const Mode mode : {Mode::Unique, Mode::Pessimistic}) {
        for (const char *name : {"a", "b"}) {
            auto result = engine.acquire(requestOf(mode, name, "one"));
            QCOMPARE(result.outcome, Outcome::Granted);
            held.push_back(std::move(result.handle));
        }
    }
    QCOMPARE(m_observer->logged().filter(QStringLiteral("lock_wait_for")), QStringList());
}

QTEST_GUILESS_MAIN(TestDeadlock)
#include "tst_deadlock.moc"
