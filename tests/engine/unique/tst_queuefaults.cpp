// SPDX-License-Identifier: MIT
// The queue of unique mode when sessions are killed, processes freeze and leases are cut short: nobody who lives sleeps
// on, nobody is overtaken, and nobody ends what is not his.
#include "enginetest.h"

#include "engine/mysql/waitcontrol_p.h"
#include "engine/unique/leaserelease_p.h"
#include "engine/unique/leaseview_p.h"
#include "lockscope/optimistic.h"
#include "packetproxy.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <atomic>
#include <future>
#include <thread>

using namespace lockscope;
using namespace Qt::StringLiterals;
using namespace lockscope::test;

namespace {

const QByteArray kQueue = "SELECT queue FROM lock_lease WHERE resource = 'a'";

/// A request that waits in a thread of its own.
class Waiter
{
public:
    /// Returns when the request is in the queue, or has been answered.
    Waiter(Observer &observer, LockEngine &engine, LockRequest request)
    {
        static std::atomic<int> next{1};
        request.ownerKey = "waiter " + QByteArray::number(next++);
        request.note = request.ownerKey;
        m_note = request.note;
        m_answer = std::async(std::launch::async, [&engine, request] { return engine.acquire(request); });
        isIn = eventually([&] { return isQueued(observer) || isAnswered(); });
    }

    bool isQueued(Observer &observer) const { return place(observer) >= 0; }
    qsizetype place(Observer &observer) const
    {
        const auto queue = detail::parseQueue(observer.value(kQueue).toByteArray());
        for (std::size_t i = 0; i < queue.size(); ++i) {
            if (queue[i].note == m_note)
                return qsizetype(i);
        }
        return -1;
    }
    bool isAnswered() const { return m_answer.wait_for(0s) == std::future_status::ready; }
    AcquireResult get() { return m_answer.get(); }

    bool isIn = false;

private:
    QByteArray m_note;
    std::future<AcquireResult> m_answer;
};

} // namespace

class TestQueueFaults : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void whoWaitsForANameSeesTheChangeThatFreedIt();
    void contendersOfSeveralEnginesNeverSleepOn();
    void aServerThatPreparesNoMoreHandsOverAsWell();
    void aKilledKeeperCostsNobodyItsGrant_data();
    void aKilledKeeperCostsNobodyItsGrant();
    void aKeepersSessionIsNotDroppedForWhatTheOneBeforeItMissed();
    void aNameThatIsTakenBackLaterCostsNoOtherItsOwn();
    void whoWasTakenForDeadComesBeforeThoseWhoCameLater();
    void aLeaseThatIsCutShortIsNotOvertakenByNewcomers();
    void aRenewalThatCutsShortHasWokenTheFirstWhenItReturns();
    void frozenWaitersCostTheirGraceAndNoMore();
    void aTokenThatCameTwiceFreesNobodysLease();
    void releasesInOtherThreadsDisturbNoCommit();
    void aForcedReleaseWakesAWaiterThatConnectedAgain();
    void anOwnersOtherKeyWaitsWithoutAsking();
    void aMissingTokenFloorIsNamed();
    void aReleaseNeedsNoConnectionOfItsThread();
    void whoWasCalledDoesNotFallAsleep();
    void aWaiterBesideAnExpiredLeaseHearsOfItsRelease();
    void aLeaseThatWasNeverSeenAliveIsLeftItsGrace();
    void whoCameAfterTheEndIsNotOvertakenAsTheHolderGoes();
    void whoSawMoreBeforeItIsNotOvertaken();
    void whoWasAdmittedNeverFailsForLackOfAConnection();
    void whoCannotJoinAtOnceNeverFailsForLackOfAConnection();
    void whoWaitsForAServerThatIsAwayAsksAFewTimesASecond();

private:
    QByteArray keeperOf(const QByteArray &name)
    {
        return m_observer->value("SELECT IS_USED_LOCK('" + name + "')").toByteArray();
    }
    QByteArray nameOf(Waiter &waiter)
    {
        const auto queue = detail::parseQueue(m_observer->value(kQueue).toByteArray());
        const auto place = waiter.place(*m_observer);
        return place < 0 ? QByteArray() : queue[std::size_t(place)].name;
    }
    bool isFree(const QByteArray &name)
    {
        return m_observer->value("SELECT IS_USED_LOCK('" + name + "') IS NULL").toBool();
    }
};

/// Whatever the server's read views and locks: the packet that ends a lease changes the row first and frees the name
/// then, so a look behind the wait is newer than the change.
void TestQueueFaults::whoWaitsForANameSeesTheChangeThatFreedIt()
{
    constexpr int kRounds = 1500;
    LockError error;
    const auto holder = Session::open(targetFor(*m_server), &error);
    const auto family = m_server->family();
    const auto params = [](const QByteArray &name, quint64 token) {
        return Params()
            .bytes("resource", "a")
            .number("slot", qint64(0))
            .number("token", token)
            .number("kept", qint64(0))
            .lockName("presence", name)
            .lockName("name", name)
            .lockName("waiter", {})
            .number("milliseconds", qint64(30'000))
            .microseconds("ttl", 1h)
            .bytes("owner", "{}")
            .bytes("note", {});
    };
    const auto render = [&](const QByteArray &statement, const Params &values) {
        return renderSql(sqlText(statement, family), values);
    };
    const auto nameOf = [](int i) { return "ls:" + QByteArray(32, 'a') + ':' + QByteArray::number(i); };
    m_observer->run("INSERT INTO lock_lease (resource, token, presence) VALUES ('a', 1, '" + nameOf(0) + "')");
    holder->run("SELECT GET_LOCK('" + nameOf(0) + "', 0)", "test");
    std::atomic<int> waiting = 0;
    std::thread waiter([&] {
        LockError cannotOpen;
        const auto session = Session::open(targetFor(*m_server), &cannotOpen);
        for (int i = 1; i <= kRounds; ++i) {
            const auto mine = params(nameOf(i), 0);
            session->run(render("engine/join", mine), "test");
            waiting = i;
            const Reply reply = session->run(render("engine/wait", params(nameOf(i - 1), 0)) + "; "
                                                 + session->execution("engine/granted", mine),
                                             "test");
            if (!detail::LeaseView::ofHolder(nameOf(i), reply).exists)
                break;
            waiting = -i;
        }
    });
    int seen = 0;
    for (int i = 1; i <= kRounds; ++i) {
        while (waiting != i && waiting != -i)
            std::this_thread::yield();
        holder->run("SELECT GET_LOCK('" + nameOf(i) + "', 0)", "test"); // the keeper of both
        holder->run(holder->execution("engine/hand_over", params(nameOf(i - 1), quint64(i))) + "; "
                        + render("engine/freed", params(nameOf(i - 1), 0)),
                    "test");
        if (!eventually([&] { return waiting == -i || waiting == i + 1; }))
            break;
        seen = i;
    }
    waiter.join();
    QCOMPARE(seen, kRounds);
}

void TestQueueFaults::aServerThatPreparesNoMoreHandsOverAsWell()
{
    m_observer->run("SET GLOBAL max_prepared_stmt_count = 0");
    const auto restore = qScopeGuard([this] { m_observer->run("SET GLOBAL max_prepared_stmt_count = DEFAULT"); });
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    auto held = engine.acquire(requestFor("a"));
    Waiter first(*m_observer, other, requestFor("a", Patience));
    Waiter second(*m_observer, engine, requestFor("a", Patience));
    held.handle.release();
    auto granted = first.get();
    QCOMPARE(granted.outcome, Outcome::Granted);
    granted.handle.release();
    QCOMPARE(second.get().outcome, Outcome::Granted);
}

void TestQueueFaults::contendersOfSeveralEnginesNeverSleepOn()
{
    LockEngine first(configFor(*m_server));
    LockEngine second(configFor(*m_server));
    std::atomic<int> others = 0;
    std::atomic<quint64> last = 0;
    std::atomic<int> unordered = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 12; ++i) {
        threads.emplace_back([&, i] {
            for (int k = 0; k < 60; ++k) {
                // A sleeper that nobody wakes would be late: the others need a fraction of this for all their turns.
                auto got = (i % 2 == 0 ? first : second).acquire(requestFor("a", Patience, 1h));
                others += got.outcome != Outcome::Granted;
                unordered += got.handle.token() <= last.exchange(got.handle.token());
                got.handle.release();
            }
        });
    }
    threads.clear();
    QCOMPARE(others.load(), 0);
    QCOMPARE(unordered.load(), 0);
    QCOMPARE(m_observer->value("SELECT token FROM lock_lease WHERE resource = 'a'").toInt(), 12 * 60);
}

void TestQueueFaults::aKilledKeeperCostsNobodyItsGrant_data()
{
    QTest::addColumn<Duration>("ttl");
    QTest::newRow("leases with an end") << Duration(1h);
    QTest::newRow("leases without end") << Forever;
}

/// Several requests of one process, and the session that holds their names is killed just as a newcomer joins.
void TestQueueFaults::aKilledKeeperCostsNobodyItsGrant()
{
    QFETCH(Duration, ttl);
    LockEngine holder(configFor(*m_server));
    LockEngine engine(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    Waiter first(*m_observer, engine, requestFor("a", Patience, ttl));
    Waiter second(*m_observer, engine, requestFor("a", Patience, ttl));
    const QByteArray name = nameOf(first);
    m_observer->kill(keeperOf(name));
    Waiter third(*m_observer, engine, requestFor("a", Patience, ttl));
    held.handle.release();
    for (Waiter *waiter : {&first, &second, &third}) {
        auto got = waiter->get();
        QCOMPARE(got.outcome, Outcome::Granted);
        const auto released = got.handle.release();
        const auto error = got.handle.lastError();
        QVERIFY2(released == ReleaseOutcome::Released, qPrintable(error ? error->toString() : QString()));
    }
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 0); // no takeover
}

/// A name that a new session cannot have yet is tried again a second later.
void TestQueueFaults::aKeepersSessionIsNotDroppedForWhatTheOneBeforeItMissed()
{
    LockEngine holder(configFor(*m_server));
    LockEngine engine(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    Waiter first(*m_observer, engine, requestFor("a", Patience, 1h));
    const QByteArray name = nameOf(first);
    m_observer->kill(keeperOf(name));
    QCOMPARE(m_observer->value("SELECT GET_LOCK('" + name + "', 10)").toInt(), 1);
    Waiter second(*m_observer, engine, requestFor("a", Patience, 1h)); // looks, so the keeper connects again
    const QByteArray other = nameOf(second);
    QVERIFY(eventually([&] { return !isFree(other); }));
    m_observer->kill(keeperOf(other));
    m_observer->run("DO RELEASE_LOCK('" + name + "')");
    Waiter third(*m_observer, engine, requestFor("a", Patience, 1h));
    QVERIFY(eventually([&] { return !isFree(name); }));
    const QByteArray keeper = keeperOf(name);
    for (const QDeadlineTimer watched(1500ms); !watched.hasExpired();)
        QCOMPARE(keeperOf(name), keeper);
    held.handle.release();
    for (Waiter *waiter : {&first, &second, &third})
        QCOMPARE(waiter->get().outcome, Outcome::Granted);
}

/// Who waits beside it would be taken for dead while they are free.
void TestQueueFaults::aNameThatIsTakenBackLaterCostsNoOtherItsOwn()
{
    LockEngine holder(configFor(*m_server));
    LockEngine engine(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    Waiter first(*m_observer, engine, requestFor("a", Patience, 1h));
    Waiter second(*m_observer, engine, requestFor("a", Patience, 1h));
    const QByteArray refused = nameOf(first);
    const QByteArray other = nameOf(second);
    m_observer->kill(keeperOf(refused));
    QCOMPARE(m_observer->value("SELECT GET_LOCK('" + refused + "', 10)").toInt(), 1);
    Waiter third(*m_observer, engine, requestFor("a", Patience, 1h)); // looks, so the keeper connects again
    QVERIFY(eventually([&] { return !isFree(other); }));
    const QByteArray keeper = keeperOf(other);
    const QByteArray idle =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE command = 'Sleep' AND id = " + keeper;
    QVERIFY(eventually([&] { return m_observer->value(idle).toInt() == 1; })); // it waits no longer for the other name
    m_observer->run("DO RELEASE_LOCK('" + refused + "')");
    QVERIFY(eventually([&] { return !isFree(refused); }));
    QCOMPARE(keeperOf(other), keeper);
    QCOMPARE(keeperOf(refused), keeper);
    held.handle.release();
    for (Waiter *waiter : {&first, &second, &third})
        QCOMPARE(waiter->get().outcome, Outcome::Granted);
}

void TestQueueFaults::whoWasTakenForDeadComesBeforeThoseWhoCameLater()
{
    LockEngine holder(configFor(*m_server));
    LockEngine away(configFor(*m_server));
    LockEngine others(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    Waiter first(*m_observer, away, requestFor("a", Patience, 1h));
    Waiter sleeper(*m_observer, away, requestFor("a", Patience, 1h));
    Waiter second(*m_observer, others, requestFor("a", Patience, 1h));
    Waiter third(*m_observer, others, requestFor("a", Patience, 1h));
    // As a releaser leaves it that finds them dead, whenever their session comes back.
    const QByteArray names[] = {nameOf(first), nameOf(sleeper)};
    const auto token = QByteArray::number(held.handle.token());
    m_observer->run("UPDATE lock_lease SET queue = SUBSTRING(queue, LOCATE('" + nameOf(second) + "', queue))");
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    auto got = second.get();
    QCOMPARE(got.handle.token(), token.toULongLong() + 1);
    QVERIFY(eventually([&] { return first.place(*m_observer) == 0 && sleeper.place(*m_observer) == 1; }));
    QVERIFY(!names[0].isEmpty()
            && nameOf(first) != names[0]); // whoever waits for the old one learns that it is no more
    QVERIFY(eventually([&] { return isFree(names[0]); }));
    got.handle.release();
    for (Waiter *waiter : {&first, &sleeper, &third}) {
        auto next = waiter->get();
        QCOMPARE(next.handle.token(), got.handle.token() + 1);
        got = std::move(next);
        got.handle.release();
    }
}

void TestQueueFaults::aLeaseThatIsCutShortIsNotOvertakenByNewcomers()
{
    LockEngine holder(configFor(*m_server));
    LockEngine engine(configFor(*m_server));
    LockEngine newcomer(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, 1h);
    request.autoRenew = false;
    auto held = holder.acquire(request);
    Waiter first(*m_observer, engine, requestFor("a", Patience, 1h));
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    QCOMPARE(held.handle.renew(500ms), RenewOutcome::Renewed);
    int overtaken = 0;
    QVERIFY(eventually([&] {
        overtaken += newcomer.acquire(requestFor("a")).outcome == Outcome::Granted;
        return overtaken > 0 || first.isAnswered();
    }));
    QCOMPARE(overtaken, 0);
    QCOMPARE(first.get().handle.token(), held.handle.token() + 1);
}

/// A holder whose network stalls right after has nothing left to send.
void TestQueueFaults::aRenewalThatCutsShortHasWokenTheFirstWhenItReturns()
{
    const QTemporaryDir folder;
    EngineConfig config = configFor(*m_server);
    config.server.socket = folder.filePath(u"s"_s);
    PacketProxy network(config.server.socket, m_server->url().socket);
    LockEngine holder(config);
    LockRequest request = requestFor("a", 0s, 1h);
    request.autoRenew = false;
    auto held = holder.acquire(request);
    const QByteArray before = m_observer->value("SELECT presence FROM lock_lease WHERE resource = 'a'").toByteArray();
    network.keepBack("RELEASE_LOCK"); // which is sent again, over another connection
    QCOMPARE(held.handle.renew(30min), RenewOutcome::Renewed);
    QVERIFY(network.hasKeptBack());
    QVERIFY(isFree(before));
}

/// The holder, the first and the second in the queue are frozen, with time limits of their own that are far away.
void TestQueueFaults::frozenWaitersCostTheirGraceAndNoMore()
{
    Worker holder(*m_server);
    Worker frozenFirst(*m_server);
    Worker frozenSecond(*m_server);
    LockEngine engine(configFor(*m_server));
    QVERIFY(holder.ask("acquire a 3000 0").startsWith(u"granted"));
    frozenFirst.send("acquire a 600000 600000");
    QVERIFY(eventually([&] { return m_observer->waiters("a") == 1; }));
    frozenSecond.send("acquire a 600000 600000");
    QVERIFY(eventually([&] { return m_observer->waiters("a") == 2; }));
    Waiter living(*m_observer, engine, requestFor("a", Patience, 1h));
    Waiter behind(*m_observer, engine, requestFor("a", Patience, 1h));
    for (Worker *worker : {&frozenFirst, &frozenSecond, &holder})
        worker->freeze();
    auto got = living.get();
    QCOMPARE(got.outcome, Outcome::Granted); // a second or two after the end; the time limits of the frozen are minutes
    QVERIFY(!behind.isAnswered());
    for (Worker *worker : {&frozenFirst, &frozenSecond, &holder})
        worker->kill9();
    got.handle.release();
    QCOMPARE(behind.get().outcome, Outcome::Granted);
}

/// As after a crash of a server that does not write each commit to disk.
void TestQueueFaults::aTokenThatCameTwiceFreesNobodysLease()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    auto forgotten = engine.acquire(requestFor("a", 0s, 1h));
    m_observer->run("UPDATE lock_lease SET presence = '-', token = token - 1");
    auto held = other.acquire(requestFor("a", 0s, 1h));
    QCOMPARE(held.handle.token(), forgotten.handle.token());
    QCOMPARE(forgotten.handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(held.handle.renew(1h), RenewOutcome::Renewed);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
}

void TestQueueFaults::releasesInOtherThreadsDisturbNoCommit()
{
    constexpr int kLeases = 150;
    LockEngine engine(configFor(*m_server));
    LockEngine contender(configFor(*m_server));
    OptimisticStore store(engine);
    std::atomic<bool> isOver = false;
    std::atomic<int> unknown = 0;
    std::promise<LockHandle> next;
    std::thread commits([&] {
        for (int i = 0; i < kLeases; ++i) {
            auto got = engine.acquire(requestFor("a", Patience, 1h));
            next.set_value(std::move(got.handle));
            while (!isOver) { // until the other thread has let it go
                const auto commit = store.commit(store.read("v").snapshot);
                unknown += commit.outcome == CommitOutcome::Unknown || commit.outcome == CommitOutcome::Failed;
            }
            isOver = false;
        }
    });
    std::jthread competes([&](const std::stop_token &stop) {
        while (!stop.stop_requested())
            contender.acquire(requestFor("a", Patience, 1h));
    });
    for (int i = 0; i < kLeases; ++i) {
        LockHandle handle = next.get_future().get();
        next = {};
        handle.release();
        isOver = true;
        eventually([&] { return !isOver; });
    }
    commits.join();
    competes.request_stop();
    QCOMPARE(unknown.load(), 0);
}

void TestQueueFaults::aForcedReleaseWakesAWaiterThatConnectedAgain()
{
    LockEngine holder(configFor(*m_server));
    LockEngine engine(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, Forever));    // it looks after half a minute
    Waiter first(*m_observer, engine, requestFor("a", 10s, 1h)); // and this one after a quarter
    const QByteArray blocked = "SELECT id FROM information_schema.processlist WHERE state = 'User lock'";
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    const auto before = m_observer->value(blocked).toByteArray();
    m_observer->kill(before);
    QVERIFY(eventually([&] {
        const auto now = m_observer->value(blocked).toByteArray();
        return !now.isEmpty() && now != before;
    }));
    LockEngine janitor(configFor(*m_server));
    const auto done = janitor.forceRelease(janitor.heldLeases({.prefix = "a"}).leases, u"janitor"_s, u"stuck"_s);
    QCOMPARE(done.released, 1);
    QCOMPARE(done.notNotified, 0);
    QCOMPARE(first.get().handle.token(), held.handle.token() + 1);
}

void TestQueueFaults::anOwnersOtherKeyWaitsWithoutAsking()
{
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false; // its writes would count
    LockEngine engine(config);
    const auto held = engine.acquire(requestFor("a", 0s, 1h));
    LockRequest request = requestFor("a", 2s, 1h);
    request.ownerKey = "another";
    m_observer->startLog();
    QCOMPARE(engine.acquire(request).outcome, Outcome::TimedOut);
    QVERIFY(m_observer->logged().size() < 40);
}

void TestQueueFaults::aMissingTokenFloorIsNamed()
{
    LockEngine engine(configFor(*m_server));
    QVERIFY(!engine.connectToServer());
    m_observer->run("DELETE FROM lock_meta WHERE name = 'floor_of_tokens'");
    const auto tried = engine.acquire(requestFor("a"));
    const auto waited = engine.acquire(requestFor("b", Patience));
    m_observer->run("INSERT INTO lock_meta (name, value) VALUES ('floor_of_tokens', 0)");
    for (const auto &result : {&tried, &waited}) {
        QCOMPARE(result->outcome, Outcome::Failed);
        QVERIFY2(result->error->message.contains(u"floor_of_tokens"), qPrintable(result->error->message));
    }
    QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
}

/// When the server has no connection left, the engine's own are still there.
void TestQueueFaults::aReleaseNeedsNoConnectionOfItsThread()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(requestFor("a", 0s, 1h));
    const int most = m_observer->value("SELECT @@global.max_connections").toInt();
    const int used = m_observer->value("SELECT COUNT(*) FROM information_schema.processlist").toInt();
    m_observer->run("SET GLOBAL max_connections = " + QByteArray::number(std::max(10, used)));
    std::vector<std::unique_ptr<Session>> others;
    LockError error;
    while (auto session = Session::open(targetFor(*m_server), &error))
        others.push_back(std::move(session));
    auto released = std::async(std::launch::async, [&] { return held.handle.release(); });
    const auto outcome = released.get();
    others.clear();
    m_observer->run("SET GLOBAL max_connections = " + QByteArray::number(most));
    QCOMPARE(outcome, ReleaseOutcome::Released);
}

/// A call between the look that decided to wait and the wait itself; nothing else would wake it.
void TestQueueFaults::whoWasCalledDoesNotFallAsleep()
{
    const SessionTarget target = targetFor(*m_server);
    ConnectionThread killer(target);
    ReconnectingSession link(target);
    const auto control = std::make_shared<detail::WaitControl>(killer, detail::WaitControl::Clock::time_point::max());
    control->call(true);
    const Reply asleep = control->sendUnlessCalled(link, "SELECT SLEEP(1000)", "a wait");
    QVERIFY(asleep.error && asleep.error->kind == LockError::Kind::Interrupted);
    control->answerCall();
    QVERIFY(control->sendUnlessCalled(link, "SELECT 1", "a look"));
}

/// As after a step of the server's clock, or with a holder that froze while its keeper did not.
void TestQueueFaults::aWaiterBesideAnExpiredLeaseHearsOfItsRelease()
{
    LockEngine holder(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    m_observer->run("UPDATE lock_lease SET expires_at = expires_at - INTERVAL 2 HOUR");
    Waiter waiter(*m_observer, other, requestFor("a", Forever, 1h));
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; })); // and does not sleep for half an hour
    QVERIFY(!waiter.isAnswered());
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(waiter.get().outcome, Outcome::Granted);
}

/// Who was not the first has not seen the lease of the one before it; its end comes as a surprise all the same.
void TestQueueFaults::aLeaseThatWasNeverSeenAliveIsLeftItsGrace()
{
    LockEngine holder(configFor(*m_server));
    LockEngine next(configFor(*m_server));
    LockEngine last(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    Waiter second(*m_observer, next, requestFor("a", Forever, 1h));
    Waiter third(*m_observer, last, requestFor("a", Forever, 1h));
    QVERIFY(eventually([&] { return m_observer->blocked() == 2; }));
    held.handle.release();
    auto granted = second.get();
    QCOMPARE(granted.outcome, Outcome::Granted);
    m_observer->run("UPDATE lock_lease SET expires_at = expires_at - INTERVAL 2 HOUR");
    const QByteArray waiting =
        m_observer->value("SELECT id FROM information_schema.processlist WHERE state = 'User lock'").toByteArray();
    m_observer->kill(waiting); // so that it looks
    QVERIFY(eventually([&] {
        return third.isAnswered()
            || m_observer
                   ->value("SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User lock' AND id <> "
                           + waiting)
                   .toBool();
    }));
    QVERIFY(!third.isAnswered());
    QVERIFY(granted.handle.isHeld());
    granted.handle.release();
    QCOMPARE(third.get().outcome, Outcome::Granted);
}

/// The holder's name is held beyond the end, so the first leaves it half a TTL. When the name is free at last, nobody
/// behind can have thought that the first has overslept.
void TestQueueFaults::whoCameAfterTheEndIsNotOvertakenAsTheHolderGoes()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    ReconnectingSession holder(targetFor(*m_server));
    for (int round = 0; round < 10; ++round) {
        const QByteArray name = "ls:" + QByteArray(32, 'a') + ':' + QByteArray::number(round);
        QVERIFY(holder.run("SELECT GET_LOCK('" + name + "', 0)", "test"));
        m_observer->run(
            "DELETE FROM lock_lease; INSERT INTO lock_lease (resource, token, presence, ttl_us, expires_at) "
            "VALUES ('a', 1, '"
            + name + "', 3600000000, UTC_TIMESTAMP(6) - INTERVAL 9 SECOND)");
        Waiter first(*m_observer, engine, requestFor("a", Patience, 1h));
        QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
        Waiter later(*m_observer, other, requestFor("a", Patience, 1h));
        QVERIFY(eventually([&] { return m_observer->blocked() == 2; }));
        QVERIFY(holder.run("DO RELEASE_LOCK('" + name + "')", "test"));
        auto granted = first.get();
        QCOMPARE(granted.outcome, Outcome::Granted);
        QCOMPARE(granted.handle.token(), quint64(2));
        granted.handle.release();
        later.get();
    }
}

/// The seconds that frozen waiters cost grow with how many there are; who counted those that have left since must not
/// wait for them while one behind it, which came later, does not.
void TestQueueFaults::whoSawMoreBeforeItIsNotOvertaken()
{
    ReconnectingSession frozen(targetFor(*m_server));
    const auto lines = [&](char kind, int count) {
        QByteArray all;
        for (int i = 0; i < count; ++i) {
            const QByteArray name = "ls:" + QByteArray(32, kind) + ':' + QByteArray::number(i);
            frozen.run("SELECT GET_LOCK('" + name + "', 0)", "test");
            all += name + "\t" + QByteArray::number(kind == 'b' ? i : 30 + i) + "\t600000000\t1\t\t{}\n";
        }
        return "x'" + all.toHex() + '\'';
    };
    const QByteArray few = lines('b', 2);
    m_observer->run(
        "INSERT INTO lock_lease (resource, token, presence, ttl_us, expires_at, arrivals, queue) VALUES ('a', 1, "
        "'ls:"
        + QByteArray(32, 'a') + ":1', 3600000000, UTC_TIMESTAMP(6) + INTERVAL 3 SECOND, 20, " + lines('b', 12) + ')');
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    Waiter first(*m_observer, engine, requestFor("a", Patience, 1h));
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    m_observer->run("UPDATE lock_lease SET arrivals = 40, queue = CONCAT(" + few
                    + ", SUBSTRING_INDEX(SUBSTRING_INDEX(queue, '\\n', -2), '\\n', 1), '\\n', " + lines('c', 5) + ')');
    Waiter second(*m_observer, other, requestFor("a", Patience, 1h));
    QCOMPARE(first.place(*m_observer), 2);
    QCOMPARE(second.place(*m_observer), 8);
    auto granted = first.get();
    QCOMPARE(granted.outcome, Outcome::Granted);
    QCOMPARE(granted.handle.token(), quint64(2));
    m_observer->run("UPDATE lock_lease SET queue = SUBSTRING_INDEX(queue, '\\n', -2)"); // none that is frozen
    granted.handle.release();
    QCOMPARE(second.get().outcome, Outcome::Granted);
}

/// Its turn in the process comes while the others of the process wait on all connections.
void TestQueueFaults::whoWasAdmittedNeverFailsForLackOfAConnection()
{
    LockEngine holder(configFor(*m_server));
    LockEngine engine(smallConfigFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    auto elsewhere = holder.acquire(requestFor("b", 0s, 1h));
    Waiter first(*m_observer, engine, requestFor("a", Forever, 1h)); // on a connection of its thread's own
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    auto onLane = std::async(std::launch::async, [&] { return engine.acquire(requestFor("b", Forever, 1h)); });
    QVERIFY(eventually([&] { return m_observer->blocked() == 2; }));
    Waiter asleep(*m_observer, engine, requestFor("a", Forever, 1h));
    QVERIFY(asleep.isIn);
    held.handle.release();
    auto granted = first.get();
    QCOMPARE(granted.outcome, Outcome::Granted);
    granted.handle.release();
    const AcquireResult admitted = asleep.get();
    elsewhere.handle.release();
    onLane.wait();
    QCOMPARE(admitted.outcome, Outcome::Granted);
}

void TestQueueFaults::whoCannotJoinAtOnceNeverFailsForLackOfAConnection()
{
    LockEngine holder(configFor(*m_server));
    LockEngine engine(smallConfigFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    QCOMPARE(engine.acquire(requestFor("b")).outcome, Outcome::Granted); // this thread has a connection of its own …
    Waiter first(*m_observer, engine, requestFor("a", Patience, 1h));    // … and this one takes the last
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    ReconnectingSession stranger(targetFor(*m_server));
    QVERIFY(stranger.run("BEGIN; SELECT * FROM lock_lease WHERE resource = 'a' FOR UPDATE", QByteArray("test")));
    m_observer->startLog();
    auto second = std::async(std::launch::async, [&] { return engine.acquire(requestFor("a", Patience, 1h)); });
    const QByteArray joins = "SELECT COUNT(*) FROM mysql.general_log WHERE thread_id <> CONNECTION_ID() "
                             "AND argument LIKE '%arrivals + 1%'";
    QVERIFY(eventually(
        [&] { return m_observer->value(joins).toInt() > 1 || second.wait_for(0s) == std::future_status::ready; }));
    m_observer->run("SET GLOBAL general_log = 0");
    QVERIFY(stranger.run("ROLLBACK", QByteArray("test")));
    held.handle.release();
    QCOMPARE(first.get().outcome, Outcome::Granted);
    QCOMPARE(second.get().outcome, Outcome::Granted);
}

/// Behind a proxy whose server is away, connections are accepted and closed.
void TestQueueFaults::whoWaitsForAServerThatIsAwayAsksAFewTimesASecond()
{
    const QTemporaryDir folder;
    EngineConfig config = configFor(*m_server);
    auto network = std::make_unique<FaultyProxy>(folder.filePath(u"s"_s), config.server.socket);
    config.server.socket = folder.filePath(u"s"_s);
    LockEngine holder(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, 1h));
    LockEngine engine(config);
    Waiter first(*m_observer, engine, requestFor("a", Patience, 1h));
    Waiter second(*m_observer, engine, requestFor("a", Patience, 1h));
    network.reset();
    network = std::make_unique<FaultyProxy>(config.server.socket, folder.filePath(u"nobody"_s));
    for (const QDeadlineTimer away(2s); !away.hasExpired(); QThread::msleep(10))
        QVERIFY2(network->accepted() < 100, qPrintable(QString::number(2000 - away.remainingTime()) + u" ms"_s));
    network.reset();
    network = std::make_unique<FaultyProxy>(config.server.socket, configFor(*m_server).server.socket);
    held.handle.release();
    // While they had no session they could be taken for dead, and then whoever is back first is served first.
    QVERIFY(eventually([&] { return first.isAnswered() || second.isAnswered(); }));
    const bool isInOrder = first.isAnswered();
    QCOMPARE((isInOrder ? first : second).get().outcome, Outcome::Granted);
    QCOMPARE((isInOrder ? second : first).get().outcome, Outcome::Granted);
}

QTEST_GUILESS_MAIN(TestQueueFaults)
#include "tst_queuefaults.moc"
