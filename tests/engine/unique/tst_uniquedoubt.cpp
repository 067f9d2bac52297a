// SPDX-License-Identifier: MIT
// Unique mode when answers are lost, rows are locked by strangers, and what is left behind is found.
#include "engine/unique/leaserelease_p.h"
#include "enginetest.h"

#include "lab/faultyproxy.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <atomic>
#include <future>
#include <thread>

using namespace lockscope;
using namespace Qt::StringLiterals;
using namespace lockscope::test;

namespace {

/// A transaction of another program that keeps a lease's row locked.
void lockRow(Observer &stranger, const QByteArray &resource)
{
    stranger.run("BEGIN; SELECT * FROM lock_lease WHERE resource = '" + resource + "' FOR UPDATE");
}

template<typename Function>
auto inThread(Function function)
{
    return std::async(std::launch::async, std::move(function));
}

} // namespace

class TestUniqueDoubt : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        EngineTest::init();
        QVERIFY(eventually([&] { return engineConnections().isEmpty(); })); // those of the test before have ended
    }

    void aRefusedStepLeavesNoTransactionOpen();
    void whoCouldNotJoinTheQueueIsNotForgotten();
    void aMinimumHoldOutlivesALostAnswer();
    void oneRenewalIsUnderWayAtATime();
    void aTryWhoseAnswerIsLostIsToldItsGrant();
    void requestsEndThoughTheNetworkIsCutWithoutAWord();
    void theEnginesEndReleasesOverNewConnections_data();
    void theEnginesEndReleasesOverNewConnections();
    void aGrantThatNobodyGotIsNotKept();
    void cleaningRemovesWhatEndedByItsExpiry();
    void aCancelBehindAStrangersRowIsACancel();
    void aCycleIsLookedForAsLongAsTheBudgetLasts();
    void aLossThatARenewalFindsIsToldByTheEngine();

private:
    QByteArrayList engineConnections();
    int counted(const QByteArray &variable);
    void loseAnswer(Observer &stranger, const QByteArray &pattern);
};

QByteArrayList TestUniqueDoubt::engineConnections()
{
    QByteArrayList ids;
    for (const QVariantList &row : m_observer->rows("SELECT id FROM information_schema.processlist "
                                                    "WHERE id <> CONNECTION_ID() AND user = 'root' AND db IS NOT NULL"))
        ids += row.value(0).toByteArray();
    return ids;
}

int TestUniqueDoubt::counted(const QByteArray &variable)
{
    return m_observer->rows("SHOW GLOBAL STATUS LIKE '" + variable + '\'').value(0).value(1).toInt();
}

/// A statement waits for the row that `stranger` has locked. Its connection is killed, and the stranger carries it out:
/// for its sender the same as an answer that was lost.
void TestUniqueDoubt::loseAnswer(Observer &stranger, const QByteArray &pattern)
{
    QVariantList found;
    QVERIFY(eventually([&] {
        found =
            m_observer->rows("SELECT id, info FROM information_schema.processlist WHERE info LIKE '" + pattern + '\'')
                .value(0);
        return !found.isEmpty();
    }));
    m_observer->run("KILL " + found[0].toByteArray());
    stranger.run(found[1].toByteArray() + "; COMMIT");
}

void TestUniqueDoubt::aRefusedStepLeavesNoTransactionOpen()
{
    m_observer->run("CREATE USER IF NOT EXISTS app@localhost IDENTIFIED BY 'secret'; "
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON lockscope.* TO app@localhost");
    EngineConfig config = configFor(*m_server);
    config.server.user = QStringLiteral("app");
    config.password = QStringLiteral("secret");
    LockEngine engine(config);
    LockEngine holder(configFor(*m_server));
    const auto held = holder.acquire(requestFor("a", 0s, Forever));
    Worker before(*m_server);
    before.send("acquire a 30000 60000");
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));

    std::promise<void> isWritable;
    std::promise<AcquireResult> first;
    auto refused = first.get_future();
    auto next = inThread([&] {
        first.set_value(engine.acquire(requestFor("a", Patience)));
        isWritable.get_future().wait();
        return engine.acquire(requestFor("b")); // by the same connection
    });
    const bool bothWait = eventually([&] { return m_observer->blocked() == 2; });
    m_observer->run("SET GLOBAL read_only = 1");
    before.kill9(); // its successor takes a step
    const AcquireResult answer = refused.get();
    m_observer->run("SET GLOBAL read_only = 0");
    isWritable.set_value();
    const AcquireResult granted = next.get();
    QVERIFY(bothWait);
    QCOMPARE(answer.outcome, Outcome::Failed);
    QCOMPARE(answer.error->kind, LockError::Kind::ReadOnlyServer);
    QCOMPARE(granted.outcome, Outcome::Granted);
    QCOMPARE(m_observer->value("SELECT token FROM lock_lease WHERE resource = 'b' AND presence <> '-'").toULongLong(),
             granted.handle.token());
}

void TestUniqueDoubt::whoCouldNotJoinTheQueueIsNotForgotten()
{
    LockEngine holder(configFor(*m_server));
    LockEngine engine(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, Forever));
    const auto acquire = [&] { return engine.acquire(requestFor("a", Patience)).outcome; }; // and released at once
    auto first = inThread(acquire);
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    Observer stranger(*m_server);
    lockRow(stranger, "a");
    const int before = counted("Com_rollback"); // what follows upon a join that failed
    auto second = inThread(acquire);
    const bool hasFailed = eventually([&] { return counted("Com_rollback") > before; });
    stranger.run("ROLLBACK");
    held.handle.release();
    QCOMPARE(first.get(), Outcome::Granted);
    QCOMPARE(second.get(), Outcome::Granted);
    QVERIFY(hasFailed);
}

void TestUniqueDoubt::aMinimumHoldOutlivesALostAnswer()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, 1h);
    request.holdAtLeast = 10min;
    auto held = engine.acquire(request);
    Observer stranger(*m_server);
    lockRow(stranger, "a");
    auto released = inThread([&] { return held.handle.release(); });
    loseAnswer(stranger, "UPDATE lock_lease%SET kept = 1%");
    QCOMPARE(released.get(), ReleaseOutcome::Released);
    QCOMPARE(m_observer->value("SELECT kept FROM lock_lease").toInt(), 1);
    QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Busy);
    // However such a row becomes free: who takes it then can renew it.
    m_observer->run("UPDATE lock_lease SET presence = '-'");
    auto next = other.acquire(requestFor("a"));
    QCOMPARE(next.outcome, Outcome::Granted);
    QCOMPARE(next.handle.renew(1h), RenewOutcome::Renewed);
}

void TestUniqueDoubt::oneRenewalIsUnderWayAtATime()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(requestFor("a", 0s, 3s)); // the watchdog is due while a renewal by hand waits
    QCOMPARE(held.outcome, Outcome::Granted);
    Observer stranger(*m_server);
    lockRow(stranger, "a");
    std::atomic<bool> isOver = false;
    auto byHand = inThread([&] {
        while (held.handle.isHeld())
            held.handle.renew(3s);
        isOver = true;
    });
    // Each waits for the row. The list of processes is no snapshot, and a statement may stay in it after its answer.
    const QByteArray renewals = "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    int most = 0;
    const bool hasEnded = eventually([&] {
        m_observer->run("DO SLEEP(0.2)"); // asked for more often than ten times a second, the list stays as it was
        most = std::max(most, m_observer->value(renewals).toInt());
        return isOver.load();
    });
    stranger.run("ROLLBACK");
    byHand.get();
    QVERIFY(hasEnded);
    QVERIFY2(most <= 1, qPrintable(QString::number(most)));
}

void TestUniqueDoubt::aTryWhoseAnswerIsLostIsToldItsGrant()
{
    const QTemporaryDir folder;
    EngineConfig config = configFor(*m_server);
    FaultyProxy network(folder.filePath(QStringLiteral("s")), config.server.socket);
    QVERIFY(network.isListening());
    config.server.socket = folder.filePath(QStringLiteral("s"));
    LockEngine engine(config);
    QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
    m_observer->run("UPDATE lock_lease SET presence = 'ls:gone', ttl_us = 1000000, "
                    "expires_at = UTC_TIMESTAMP(6) - INTERVAL 1 HOUR");
    const auto token = [&] { return m_observer->value("SELECT token FROM lock_lease").toULongLong(); };
    const quint64 before = token();
    network.setState(FaultyProxy::State::Slow); // the grant is in the row long before its answer is here
    auto tried = inThread([&] { return engine.acquire(requestFor("a")); });
    const bool isTaken = eventually([&] { return token() > before; });
    network.setState(FaultyProxy::State::Reset);
    auto result = tried.get();
    QVERIFY(isTaken);
    QCOMPARE(result.outcome, Outcome::Granted);
    QCOMPARE(result.handle.token(), token());
    QCOMPARE(result.handle.release(), ReleaseOutcome::Released);
}

void TestUniqueDoubt::requestsEndThoughTheNetworkIsCutWithoutAWord()
{
    const QTemporaryDir folder;
    EngineConfig config = configFor(*m_server);
    FaultyProxy network(folder.filePath(QStringLiteral("s")), config.server.socket);
    QVERIFY(network.isListening());
    LockEngine other(config);
    const auto others = other.acquire(requestFor("b"));
    config.server.socket = folder.filePath(QStringLiteral("s"));
    LockEngine engine(config);
    auto held = engine.acquire(requestFor("a", 0s, std::chrono::hours(1)));
    QCOMPARE(held.outcome, Outcome::Granted);
    auto waits = inThread([&] { return engine.acquire(requestFor("b", 20s)); });
    const bool isWaiting = eventually([&] { return m_observer->waiters("b") == 1 && m_observer->blocked() >= 1; });
    network.setState(FaultyProxy::State::Stalled); // for ever
    const auto released = held.handle.release();
    const auto waited = waits.get().outcome;
    QVERIFY(isWaiting);
    QCOMPARE(released, ReleaseOutcome::Unknown);
    QVERIFY(held.handle.lastError());
    QVERIFY2(waited == Outcome::TimedOut || waited == Outcome::Unknown, qPrintable(QString::number(int(waited))));
}

void TestUniqueDoubt::theEnginesEndReleasesOverNewConnections_data()
{
    QTest::addColumn<bool>("somebodyWaits");
    QTest::newRow("nobody waits") << false;
    QTest::newRow("somebody waits") << true;
}

void TestUniqueDoubt::theEnginesEndReleasesOverNewConnections()
{
    QFETCH(bool, somebodyWaits);
    auto engine = std::make_unique<LockEngine>(configFor(*m_server));
    const auto held = engine->acquire(requestFor("a", 0s, Forever));
    const QByteArrayList ids = engineConnections();
    LockEngine other(configFor(*m_server));
    auto next = std::async(somebodyWaits ? std::launch::async : std::launch::deferred, [&] {
        return other.acquire(requestFor("a", somebodyWaits ? Duration(Patience) : Duration::zero())).outcome;
    });
    QVERIFY(!somebodyWaits || eventually([&] { return m_observer->blocked() == 1; }));
    for (const QByteArray &id : ids) // as a server does with those that are idle for too long
        m_observer->run("KILL " + id);
    const QByteArray left = "SELECT COUNT(*) FROM information_schema.processlist WHERE id IN (" + ids.join(',') + ')';
    QVERIFY(eventually([&] { return m_observer->value(left).toInt() == 0; }));
    engine.reset();
    QCOMPARE(next.get(), Outcome::Granted);
}

void TestUniqueDoubt::aGrantThatNobodyGotIsNotKept()
{
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    const auto held = holder.acquire(requestFor("a", 0s, Forever));
    std::stop_source stop;
    LockRequest request = requestFor("a", Forever, 1h);
    request.holdAtLeast = 10min;
    request.stop = stop.get_token();
    auto waiting = inThread([&] { return waiter.acquire(request).outcome; });
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    // Granted, but nobody wakes it.
    m_observer->run(detail::endStatement({"a", 0, held.handle.token()}, {u"test"_s, u"stuck"_s}, m_server->family()));
    stop.request_stop();
    QCOMPARE(waiting.get(), Outcome::Cancelled);
    QCOMPARE(other.acquire(requestFor("a")).outcome, Outcome::Granted);
}

void TestUniqueDoubt::cleaningRemovesWhatEndedByItsExpiry()
{
    EngineConfig config = configFor(*m_server);
    config.idleRowsKept = Duration(1);
    LockEngine engine(config);
    LockRequest request = requestFor("kept");
    request.holdAtLeast = 100ms;
    auto kept = engine.acquire(request);
    QCOMPARE(kept.handle.release(), ReleaseOutcome::Released);
    const auto alive = engine.acquire(requestFor("alive", 0s, 1h));
    m_observer->run("UPDATE lock_lease SET expires_at = UTC_TIMESTAMP(6) - INTERVAL 1 HOUR WHERE resource = 'alive'; "
                    "SELECT GET_LOCK('ls:q', 0); "
                    "INSERT INTO lock_lease (resource, token, presence, queue, acquired_at, expires_at, ttl_us) VALUES "
                    "('dead', 70, 'ls:gone', 'ls:p\\t1\\t\\t5\\t\\t{}\\nls:p2\\t2\\t\\t5\\t\\t{}\\n', '2000-01-01', "
                    "'2000-01-02', 1000), "
                    "('left', 71, '-', '', '2000-01-01', NULL, NULL), "
                    "('queued', 72, 'ls:gone', 'ls:q\\t1\\t\\t5\\t\\t{}\\n', '2000-01-01', '2000-01-02', 1000)");
    const QByteArray isOver = "SELECT expires_at < UTC_TIMESTAMP(6) FROM lock_lease WHERE resource = 'kept'";
    QVERIFY(eventually([&] { return m_observer->value(isOver).toBool(); }));
    QVERIFY(!engine.clean());
    QCOMPARE(m_observer->value("SELECT GROUP_CONCAT(resource ORDER BY resource) FROM lock_lease").toByteArray(),
             QByteArray("alive,queued"));
    QVERIFY(alive.handle.isHeld());
    QVERIFY(engine.acquire(requestFor("kept")).handle.token() > 71);
}

void TestUniqueDoubt::aCancelBehindAStrangersRowIsACancel()
{
    LockEngine holder(configFor(*m_server));
    LockEngine waiter(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, Forever));
    std::stop_source stop;
    LockRequest request = requestFor("a", Forever);
    request.stop = stop.get_token();
    auto waiting = inThread([&] { return waiter.acquire(request).outcome; });
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    Observer stranger(*m_server);
    lockRow(stranger, "a");
    stop.request_stop();
    QCOMPARE(waiting.get(), Outcome::Cancelled);
    stranger.run("ROLLBACK");
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(waiter.acquire(requestFor("a")).outcome, Outcome::Granted); // not granted to who has left
}

void TestUniqueDoubt::aCycleIsLookedForAsLongAsTheBudgetLasts()
{
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false; // its writes would count
    LockEngine holder(config);
    LockEngine engine(config);
    auto wanted = holder.acquire(requestFor("b", 0s, Forever));
    LockRequest request = requestFor("a", 0s, Forever);
    request.ownerKey = "job";
    const auto own = engine.acquire(request);
    Observer stranger(*m_server);
    stranger.run("LOCK TABLES lock_wait_for WRITE");
    const int before = counted("Com_insert");
    request.resource = "b";
    request.wait = Patience;
    auto waiting = inThread([&] { return engine.acquire(request).outcome; });
    const bool goesOn = eventually([&] { // the fourth is under way: three have failed
        return counted("Com_insert") >= before + 4 || waiting.wait_for(0s) == std::future_status::ready;
    });
    stranger.run("UNLOCK TABLES");
    wanted.handle.release();
    QVERIFY(goesOn);
    QCOMPARE(waiting.get(), Outcome::Granted);
}

void TestUniqueDoubt::aLossThatARenewalFindsIsToldByTheEngine()
{
    LockEngine engine(configFor(*m_server));
    std::promise<std::thread::id> told;
    LockRequest request = requestFor("a", 0s, 1h);
    request.onLost = [&](LossReason) { told.set_value(std::this_thread::get_id()); };
    auto held = engine.acquire(request);
    m_observer->run("UPDATE lock_lease SET token = token + 1");
    QCOMPARE(held.handle.renew(1h), RenewOutcome::NotHeld);
    QVERIFY(!held.handle.isHeld());
    QVERIFY(told.get_future().get() != std::this_thread::get_id());
}

QTEST_GUILESS_MAIN(TestUniqueDoubt)
#include "tst_uniquedoubt.moc"
