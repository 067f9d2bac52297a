// SPDX-License-Identifier: MIT
// Pessimistic mode when others are in the way: locked tables, killed statements and sessions.
#include "actor.h"
#include "enginetest.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

#include <atomic>
#include <future>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

class TestRowFaults : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_observer->run("SET GLOBAL general_log = 0"); }
    void init()
    {
        EngineTest::init();
        m_observer->run(
            "DROP TABLE IF EXISTS stock; CREATE TABLE stock (id INT PRIMARY KEY, left_over INT) ENGINE = InnoDB; "
            "INSERT INTO stock VALUES (1, 10); TRUNCATE TABLE lock_row");
    }

    void aWaitGoesOnBehindALockedTable();
    void aStrangersKillOfTheStatementEndsNoWait();
    void aRowThatIsRemovedAndMadeMeanwhileIsNoDeadlock_data();
    void aRowThatIsRemovedAndMadeMeanwhileIsNoDeadlock();
    void theSmallestBudgetTakesAFreeRow();
    void aFirstRequestWaitsBehindALockedSchema_data();
    void aFirstRequestWaitsBehindALockedSchema();
    void aTokenThatOthersLockIsWaitedFor();
    void aTryWhoseTokenOthersLockIsBusy();
    void whoLostItsSessionOnTheWayIsTokenedAnew();
    void anIdleConnectionIsNoLossOfALongCall();
    void aLockMayBeRenewedAndUsedAtWorkAndNotReleased();
    void aHandleThatGoesAtWorkEndsTheLock();
    void aReleaseOfWorkDoesNotTouchTheRowAgain();

private:
    /// How many statements with this text came since the log began.
    int sent(const QByteArray &text);
    int stock() { return m_observer->value("SELECT left_over FROM stock").toInt(); }
};

int TestRowFaults::sent(const QByteArray &text)
{
    return m_observer
        ->value("SELECT COUNT(*) FROM mysql.general_log WHERE command_type = 'Query' AND thread_id <> CONNECTION_ID() "
                "AND CONVERT(argument USING utf8mb4) LIKE '%"
                + text + "%'")
        .toInt();
}

void TestRowFaults::aWaitGoesOnBehindALockedTable()
{
    LockEngine engine(configFor(*m_server));
    QCOMPARE(engine.acquire(rowRequest("a")).handle.release(), ReleaseOutcome::Released);
    Observer backup(*m_server);
    backup.run("LOCK TABLES lock_row WRITE");
    m_observer->startLog();
    auto waiting = std::async(std::launch::async, [&] { return engine.acquire(rowRequest("a", Forever)); });
    QVERIFY(eventually([&] { return sent("FOR UPDATE") >= 2; })); // the limit for tables passed, and it asked again
    backup.run("UNLOCK TABLES");
    QCOMPARE(waiting.get().outcome, Outcome::Granted);
}

void TestRowFaults::aStrangersKillOfTheStatementEndsNoWait()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    auto held = other.acquire(rowRequest("a"));
    m_observer->startLog();
    auto waiting = std::async(std::launch::async, [&] { return engine.acquire(rowRequest("a", Forever)); });
    QVERIFY(eventually([&] { return !m_observer->rowWaiter().isEmpty(); }));
    m_observer->run("KILL QUERY " + m_observer->rowWaiter());
    QVERIFY(eventually([&] { return sent("FOR UPDATE") >= 2; }));
    held.handle.release();
    QCOMPARE(waiting.get().outcome, Outcome::Granted);
}

void TestRowFaults::aRowThatIsRemovedAndMadeMeanwhileIsNoDeadlock_data()
{
    QTest::addColumn<Duration>("wait");
    QTest::newRow("forever") << Forever;
    QTest::newRow("a budget") << Duration(60s);
}

/// Who makes a row shares the lock of the removed one first, and wants it alone then: behind a waiter that is no way.
void TestRowFaults::aRowThatIsRemovedAndMadeMeanwhileIsNoDeadlock()
{
    QFETCH(Duration, wait);
    LockEngine engine(configFor(*m_server));
    QCOMPARE(engine.acquire(rowRequest("a")).handle.release(), ReleaseOutcome::Released);
    const auto waiting = [this] {
        m_observer->run(
            "DO SLEEP(0.2)"); // the server keeps its list while it is asked for more often than ten times a second
        return m_observer->value("SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'");
    };
    Actor reader(*m_server); // keeps the removed row from being purged
    Actor remover(*m_server);
    Actor maker(*m_server);
    QVERIFY(reader.run("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ; "
                       "START TRANSACTION WITH CONSISTENT SNAPSHOT; SELECT COUNT(*) FROM lock_row"));
    QVERIFY(remover.run("BEGIN; DELETE FROM lock_row WHERE resource = 'a'"));
    maker.start("INSERT IGNORE INTO lock_row (resource, made_at) VALUES ('a', UTC_TIMESTAMP(6))");
    QVERIFY(eventually([&] { return waiting().toInt() == 1; }));
    auto got = std::async(std::launch::async, [&] { return engine.acquire(rowRequest("a", wait)); });
    QVERIFY(eventually([&] { return waiting().toInt() == 2; }));
    QVERIFY(remover.run("COMMIT"));
    QCOMPARE(got.get().outcome, Outcome::Granted);
}

void TestRowFaults::theSmallestBudgetTakesAFreeRow()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(rowRequest("a", 1us));
    QCOMPARE(held.outcome, Outcome::Granted);
    LockRequest other = rowRequest("a", 1us);
    other.ownerKey = "other";
    QCOMPARE(engine.acquire(other).outcome, Outcome::TimedOut);
}

void TestRowFaults::aFirstRequestWaitsBehindALockedSchema_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::newRow("a lease") << Mode::Unique;
    QTest::newRow("a row") << Mode::Pessimistic;
}

void TestRowFaults::aFirstRequestWaitsBehindALockedSchema()
{
    QFETCH(Mode, mode);
    LockEngine engine(configFor(*m_server));
    Observer backup(*m_server);
    backup.run("LOCK TABLES lock_meta WRITE");
    LockRequest request = requestFor("a");
    request.mode = mode;
    QCOMPARE(engine.acquire(request).outcome, Outcome::Busy);
    request.wait = 1ms;
    QCOMPARE(engine.acquire(request).outcome, Outcome::TimedOut);
    request.wait = Forever;
    std::stop_source stop;
    request.stop = stop.get_token();
    m_observer->startLog();
    const LockRequest stoppable = request;
    request.stop = {};
    auto cancelled = std::async(std::launch::async, [&] { return engine.acquire(stoppable); });
    auto waiting = std::async(std::launch::async, [&] { return engine.acquire(request); });
    const bool askedAgain = eventually([&] { return sent("lock_meta") >= 3; }); // the limit for tables passed
    stop.request_stop();
    const auto stopped = cancelled.get();
    backup.run("UNLOCK TABLES");
    QCOMPARE(waiting.get().outcome, Outcome::Granted);
    QVERIFY(askedAgain);
    QCOMPARE(stopped.outcome, Outcome::Cancelled);
}

void TestRowFaults::aTokenThatOthersLockIsWaitedFor()
{
    LockEngine engine(configFor(*m_server));
    Observer stranger(*m_server);
    stranger.run("BEGIN; SELECT floor FROM lock_meta WHERE name = 'floor_of_tokens' FOR UPDATE");
    LockRequest request = rowRequest("a", Forever);
    request.wantsToken = true;
    m_observer->startLog();
    auto waiting = std::async(std::launch::async, [&] { return engine.acquire(request); });
    QVERIFY(eventually([&] { return sent("floor_of_tokens") >= 2; }));
    stranger.run("ROLLBACK");
    const auto held = waiting.get();
    QVERIFY2(held.outcome == Outcome::Granted, held.error ? qPrintable(held.error->toString()) : "");
    QVERIFY(held.handle.token() > 0);
}

void TestRowFaults::aTryWhoseTokenOthersLockIsBusy()
{
    LockEngine engine(configFor(*m_server));
    Observer stranger(*m_server);
    stranger.run("BEGIN; SELECT floor FROM lock_meta WHERE name = 'floor_of_tokens' FOR UPDATE");
    LockRequest request = rowRequest("a");
    request.wantsToken = true;
    QCOMPARE(engine.acquire(request).outcome, Outcome::Busy);
    stranger.run("ROLLBACK");
    QCOMPARE(engine.acquire(request).outcome, Outcome::Granted);
}

void TestRowFaults::whoLostItsSessionOnTheWayIsTokenedAnew()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    QCOMPARE(engine.acquire(rowRequest("a")).handle.release(), ReleaseOutcome::Released);
    Observer stranger(*m_server);
    stranger.run("BEGIN; SELECT floor FROM lock_meta WHERE name = 'floor_of_tokens' FOR UPDATE");
    LockRequest request = rowRequest("a", Forever);
    request.wantsToken = true;
    auto first = std::async(std::launch::async, [&] { return engine.acquire(request); });
    QVERIFY(
        eventually([&] { return !m_observer->rowHolder("a").isEmpty(); })); // it has the row, and waits for its number
    const QByteArray id = m_observer->rowHolder("a");
    auto second = std::async(std::launch::async, [&] { return other.acquire(request); });
    QVERIFY(eventually([&] { return !m_observer->rowWaiter().isEmpty(); }));
    m_observer->run("KILL " + id);
    QVERIFY(eventually([&] { return m_observer->rowHolder("a") != id && !m_observer->rowHolder("a").isEmpty(); }));
    stranger.run("ROLLBACK"); // both raise the number now, in any order
    auto got = second.get();
    QCOMPARE(got.outcome, Outcome::Granted);
    const quint64 token = got.handle.token();
    QCOMPARE(first.wait_for(0s), std::future_status::timeout);
    QCOMPARE(got.handle.release(), ReleaseOutcome::Released);
    const auto late = first.get();
    QCOMPARE(late.outcome, Outcome::Granted);
    QVERIFY(late.handle.token() > token);
}

void TestRowFaults::anIdleConnectionIsNoLossOfALongCall()
{
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false;
    const QByteArray before = m_observer->value("SELECT @@global.wait_timeout").toByteArray();
    m_observer->run("SET GLOBAL wait_timeout = 2");
    {
        LockEngine engine(config);
        std::atomic<int> lost = 0;
        LockRequest request = rowRequest("stock", 0s, 7s); // asked about every 2.3 s, over a connection that was closed
        request.onLost = [&](LossReason) { ++lost; };
        auto held = engine.acquire(request);
        const auto error = held.handle.inTransaction([](QSqlDatabase &database) {
            QSqlQuery(database).exec(QStringLiteral("UPDATE stock SET left_over = 7 WHERE id = 1"));
            QSqlQuery(database).exec(QStringLiteral("SELECT SLEEP(10)")); // the engine's other connections are closed
        });
        QVERIFY2(!error, error ? qPrintable(error->toString()) : "");
        QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
        QCOMPARE(lost.load(), 0);
    }
    m_observer->run("SET GLOBAL wait_timeout = " + before);
    QCOMPARE(stock(), 7);
}

void TestRowFaults::aLockMayBeRenewedAndUsedAtWorkAndNotReleased()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(rowRequest("stock"));
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) {
        QSqlQuery(database).exec(QStringLiteral("UPDATE stock SET left_over = 7 WHERE id = 1"));
        QCOMPARE(held.handle.renew(100s), RenewOutcome::Renewed);
        QVERIFY(!held.handle.inTransaction([](QSqlDatabase &same) {
            QSqlQuery(same).exec(QStringLiteral("UPDATE stock SET left_over = left_over + 1 WHERE id = 1"));
        }));
        QCOMPARE(held.handle.release(), ReleaseOutcome::Failed);
        QCOMPARE(held.handle.lastError()->kind, Kind::BadRequest);
    });
    QVERIFY2(!error, error ? qPrintable(error->toString()) : "");
    QVERIFY(held.handle.remaining() > 90s);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(stock(), 8);
}

void TestRowFaults::aHandleThatGoesAtWorkEndsTheLock()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(rowRequest("stock"));
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) {
        QSqlQuery(database).exec(QStringLiteral("UPDATE stock SET left_over = 7 WHERE id = 1"));
        const LockHandle gone = std::move(held.handle);
    });
    QVERIFY(error);
    LockEngine other(configFor(*m_server));
    QCOMPARE(other.acquire(rowRequest("stock", Patience)).outcome, Outcome::Granted);
    QCOMPARE(stock(), 10);
}

void TestRowFaults::aReleaseOfWorkDoesNotTouchTheRowAgain()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(rowRequest("stock"));
    QVERIFY(!held.handle.inTransaction([](QSqlDatabase &database) {
        QSqlQuery(database).exec(QStringLiteral("UPDATE stock SET left_over = 7 WHERE id = 1"));
    }));
    m_observer->startLog();
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    // One that came after the COMMIT would wait for the next holder.
    const QStringList packets = m_observer->logged();
    const auto clears = packets.filter(QStringLiteral("connection = 0"));
    QVERIFY2(clears.size() == 1, qPrintable(packets.join(QStringLiteral(" | "))));
}

QTEST_GUILESS_MAIN(TestRowFaults)
#include "tst_rowfaults.moc"
