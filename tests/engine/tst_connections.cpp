// SPDX-License-Identifier: MIT
// What an engine does with its connections: few are enough, none is left behind, and nothing of one user reaches the
// next.
#include "enginetest.h"

#include "lockscope/optimistic.h"
#include "session/sessionpool.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

#include <atomic>
#include <future>
#include <random>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

namespace {

LockRequest requestIn(Mode mode, const QByteArray &resource, Duration wait = Duration::zero())
{
    LockRequest request = requestFor(resource, wait);
    request.mode = mode;
    return request;
}

/// What a thread may be told when the engine's few connections are in use.
bool isFair(const AcquireResult &result)
{
    return result.outcome == Outcome::Granted || result.outcome == Outcome::Busy || result.outcome == Outcome::TimedOut
        || (result.outcome == Outcome::Failed && result.error->kind == Kind::LimitReached);
}

void addModes()
{
    QTest::addColumn<Mode>("mode");
    QTest::newRow("unique") << Mode::Unique;
    QTest::newRow("pessimistic") << Mode::Pessimistic;
}

} // namespace

class TestConnections : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void aPoolThatWasClosedKeepsNobodyWaiting();
    void init()
    {
        EngineTest::init();
        m_observer->run("DELETE FROM lock_row");
        QVERIFY(eventually([&] { return connections() == 0; })); // those of the test before have ended
    }

    void aThousandRandomLocksOnTheFewestConnectionsNeverHang_data() { addModes(); }
    void aThousandRandomLocksOnTheFewestConnectionsNeverHang();
    void aThousandFailedRequestsLeaveNoConnection_data();
    void aThousandFailedRequestsLeaveNoConnection();
    void aKilledConnectionCostsAReconnectOrTheRowItCarried();
    void aThreadThatEndsLeavesNothing_data() { addModes(); }
    void aThreadThatEndsLeavesNothing();
    void theEnginesEndLeavesNoConnection_data() { addModes(); }
    void theEnginesEndLeavesNoConnection();
    void aStoreThatOutlivesItsEngineKeepsNoConnection();
    void whatACallerSetsStaysWithItsLock_data();
    void whatACallerSetsStaysWithItsLock();
    void aRowLockLeavesItsConnectionTheUsualLimits();

private:
    int connections();
};

/// Of engines; the observer's own is not counted.
int TestConnections::connections()
{
    return m_observer
        ->value("SELECT COUNT(*) FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND user = 'root' AND "
                "db IS NOT NULL")
        .toInt();
}

void TestConnections::aThousandRandomLocksOnTheFewestConnectionsNeverHang()
{
    QFETCH(Mode, mode);
    constexpr int Threads = 5;
    constexpr int Names = 20;
    constexpr int Fewest = 20;
    LockEngine engine(smallConfigFor(*m_server));
    std::array<std::atomic<int>, Names> inside{};
    std::atomic<int> violations = 0;
    std::atomic<int> grants = 0;
    std::atomic<int> unfair = 0;
    std::atomic<int> begun = 0; // threads that had an answer
    std::atomic<bool> isBounded = false;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < Threads; ++t) {
            threads.emplace_back([&, t](const std::stop_token &stop) {
                std::mt19937 random{std::uint32_t(t)}; // NOLINT: the same every time
                // On a busy machine most give up; then it takes more of them. All are at work until they were counted.
                for (int i = 0; i < 1000 / Threads || (!isBounded && !stop.stop_requested()); ++i) {
                    const auto name = std::size_t(random() % Names);
                    const Duration waits[] = {Duration::zero(), 2ms, 50ms};
                    auto result =
                        engine.acquire(requestIn(mode, QByteArray::number(qulonglong(name)), waits[random() % 3]));
                    unfair += isFair(result) ? 0 : 1;
                    begun += i == 0 ? 1 : 0;
                    if (result.outcome != Outcome::Granted)
                        continue;
                    violations += inside[name]++ != 0 ? 1 : 0;
                    ++grants;
                    --inside[name];
                    result.handle.release();
                }
            });
        }
        // One that was killed at its budget's end may be listed beside its successor, but not in every look.
        QVERIFY(eventually([&] {
            isBounded = begun == Threads && grants > Fewest && connections() <= 4;
            return isBounded.load();
        }));
    }
    QCOMPARE(unfair.load(), 0);
    QCOMPARE(violations.load(), 0);
    LockEngine other(configFor(*m_server));
    for (int name = 0; name < Names; ++name) // well before the end of a lease that was left behind
        QCOMPARE(other.acquire(requestIn(mode, QByteArray::number(name), 5s)).outcome, Outcome::Granted);
}

void TestConnections::aThousandFailedRequestsLeaveNoConnection_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<qint64>("waitUs");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("unique, busy") << Mode::Unique << qint64(0) << Outcome::Busy;
    QTest::newRow("unique, too late") << Mode::Unique << qint64(1) << Outcome::TimedOut;
    QTest::newRow("unique, refused") << Mode::Unique << qint64(-1) << Outcome::Failed;
    QTest::newRow("pessimistic, busy") << Mode::Pessimistic << qint64(0) << Outcome::Busy;
    QTest::newRow("pessimistic, too late") << Mode::Pessimistic << qint64(1) << Outcome::TimedOut;
    QTest::newRow("pessimistic, refused") << Mode::Pessimistic << qint64(-1) << Outcome::Failed;
}

void TestConnections::aThousandFailedRequestsLeaveNoConnection()
{
    QFETCH(Mode, mode);
    QFETCH(qint64, waitUs);
    QFETCH(Outcome, outcome);
    LockEngine holder(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    const auto held = holder.acquire(requestIn(mode, "a"));
    QCOMPARE(other.acquire(requestIn(mode, "b")).outcome, Outcome::Granted);
    // A lease opens the connection that sends a KILL: on a busy machine one may be needed.
    QCOMPARE(other.acquire(requestFor("c")).outcome, Outcome::Granted);
    const int before = connections();
    for (int i = 0; i < 1000; ++i)
        QCOMPARE(other.acquire(requestIn(mode, "a", Duration(waitUs))).outcome, outcome);
    // Killed ones may be on their way, and a machine so busy that a KILL was needed has one more that sends them.
    QVERIFY(eventually([&] { return connections() <= before + 1; }));
    QCOMPARE(m_observer->waiters("a"), 0);
    QVERIFY(held.handle.isHeld());
}

void TestConnections::aKilledConnectionCostsAReconnectOrTheRowItCarried()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> lostLeases = 0;
    std::atomic<int> lostRows = 0;
    std::vector<AcquireResult> leases;
    std::vector<AcquireResult> rows;
    for (const QByteArray name : {"a", "b", "c"}) {
        LockRequest lease = requestIn(Mode::Unique, name);
        lease.onLost = [&](LossReason) { ++lostLeases; };
        leases.push_back(engine.acquire(lease));
        LockRequest row = requestIn(Mode::Pessimistic, name);
        row.ttl = 9s; // is looked after every three seconds
        row.onLost = [&](LossReason reason) { lostRows += reason == LossReason::SessionEnded ? 1 : 100; };
        rows.push_back(engine.acquire(row));
        QCOMPARE(rows.back().outcome, Outcome::Granted);
    }
    m_observer->run("KILL " + m_observer->rowHolder("b"));
    QVERIFY(eventually([&] { return lostRows == 1; }));
    QVERIFY(rows[0].handle.isHeld() && !rows[1].handle.isHeld() && rows[2].handle.isHeld());

    // All that carry no row: the keeper, the service, and this thread's own.
    const QByteArray carriers = m_observer->rowHolder("a") + ", " + m_observer->rowHolder("c");
    const auto others =
        m_observer->rows("SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND "
                         "user = 'root' AND db IS NOT NULL AND id NOT IN ("
                         + carriers + ')');
    QVERIFY(others.size() >= 3);
    ReconnectingSession killer(targetFor(*m_server));
    for (const QVariantList &id : others) // that of "b" may be on its way out: then there is nothing to kill
        killer.run("KILL " + id.value(0).toByteArray(), "test");
    QCOMPARE(engine.acquire(requestIn(Mode::Unique, "d")).outcome, Outcome::Granted);
    QCOMPARE(engine.acquire(requestIn(Mode::Pessimistic, "d")).outcome, Outcome::Granted);
    for (AcquireResult &lease : leases)
        QCOMPARE(lease.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(rows[0].handle.release(), ReleaseOutcome::Released);
    QCOMPARE(rows[1].handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(rows[2].handle.release(), ReleaseOutcome::Released);
    QCOMPARE(lostLeases.load(), 0);
    QCOMPARE(lostRows.load(), 1);
}

void TestConnections::aThreadThatEndsLeavesNothing()
{
    QFETCH(Mode, mode);
    LockEngine engine(configFor(*m_server));
    const auto use = [&] {
        std::vector<AcquireResult> held; // released by the thread's end
        for (int i = 0; i < 3; ++i)
            held.push_back(engine.acquire(requestIn(mode, "r" + QByteArray::number(i), Patience)));
    };
    std::jthread(use).join();
    QVERIFY(eventually([&] { return connections() <= 5; })); // keeper, service, and what rows had, to be lent again
    const int before = connections();
    for (int i = 0; i < 20; ++i)
        std::jthread(use).join();
    QVERIFY(eventually([&] { return connections() <= before; }));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 0);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE queue <> ''").toInt(), 0);
    LockEngine other(configFor(*m_server));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(other.acquire(requestIn(mode, "r" + QByteArray::number(i))).outcome, Outcome::Granted);
}

void TestConnections::theEnginesEndLeavesNoConnection()
{
    QFETCH(Mode, mode);
    {
        LockEngine engine(configFor(*m_server));
        AcquireResult one = engine.acquire(requestIn(mode, "a"));
        AcquireResult two;
        std::jthread([&] { two = engine.acquire(requestIn(mode, "b")); }).join();
        QVERIFY(connections() >= 3);
    }
    QVERIFY(eventually([&] { return connections() == 0; }));
}

void TestConnections::aStoreThatOutlivesItsEngineKeepsNoConnection()
{
    auto engine = std::make_unique<LockEngine>(configFor(*m_server));
    OptimisticStore store(*engine);
    QCOMPARE(store.read("a").outcome, ReadOutcome::Read);
    QVERIFY(connections() >= 1);
    engine.reset();
    QVERIFY(eventually([&] { return connections() == 0; }));
    QCOMPARE(store.read("a").outcome, ReadOutcome::Failed);
}

void TestConnections::whatACallerSetsStaysWithItsLock_data()
{
    QTest::addColumn<QString>("sets");
    QTest::addColumn<QString>("asks");
    QTest::addColumn<bool>("ends"); ///< the transaction, and with it the lock
    const auto variable = [](const char *name, const char *value) {
        QTest::newRow(name) << QStringLiteral("SET SESSION %1 = %2").arg(QLatin1String(name), QLatin1String(value))
                            << QStringLiteral("SELECT @@%1").arg(QLatin1String(name)) << false;
    };
    variable("sql_mode", "''");
    variable("time_zone", "'+05:00'");
    variable("wait_timeout", "77");
    variable("innodb_lock_wait_timeout", "77");
    variable("lock_wait_timeout", "77");
    variable("foreign_key_checks", "0");
    variable("sql_safe_updates", "1");
    variable("group_concat_max_len", "77");
    QTest::newRow("autocommit") << "SET SESSION autocommit = 1"
                                << "SELECT @@autocommit" << true;
    const QString isolation = m_server->family() == Family::MariaDb ? QStringLiteral("SELECT @@tx_isolation")
                                                                    : QStringLiteral("SELECT @@transaction_isolation");
    QTest::newRow("isolation") << "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE" << isolation << false;
    QTest::newRow("read only") << "SET SESSION TRANSACTION READ ONLY"
                               << (m_server->family() == Family::MariaDb ? "SELECT @@tx_read_only"
                                                                         : "SELECT @@transaction_read_only")
                               << false;
    QTest::newRow("character set") << "SET NAMES latin1"
                                   << "SELECT @@character_set_client" << false;
    QTest::newRow("user variable") << "SET @mine = 7"
                                   << "SELECT IFNULL(@mine, 'none')" << false;
    QTest::newRow("schema") << "USE mysql"
                            << "SELECT DATABASE()" << false;
    QTest::newRow("user-level lock") << "DO GET_LOCK('mine', 0)"
                                     << "SELECT IFNULL(IS_USED_LOCK('mine'), 'free')" << false;
    QTest::newRow("prepared statement") << "PREPARE mine FROM 'SELECT 1'"
                                        << "EXECUTE mine" << false;
    QTest::newRow("temporary table") << "CREATE TEMPORARY TABLE mine (id INT)"
                                     << "SELECT COUNT(*) FROM mine" << false;
    QTest::newRow("a setting behind a COMMIT") << "COMMIT; SET SESSION sql_mode = ''"
                                               << "SELECT @@sql_mode" << true;
}

/// The first value, or that there is none.
static QString answerOf(QSqlDatabase &database, const QString &sql)
{
    QSqlQuery query(database);
    return query.exec(sql) && query.next() ? query.value(0).toString() : QStringLiteral("no answer");
}

void TestConnections::whatACallerSetsStaysWithItsLock()
{
    QFETCH(QString, sets);
    QFETCH(QString, asks);
    QFETCH(bool, ends);
    LockEngine engine(smallConfigFor(*m_server)); // one connection for rows, so it is the same one, or in its place
    const auto released = ends ? ReleaseOutcome::NotHeld : ReleaseOutcome::Released;
    QString before;
    QString during;
    const auto ask = [&](QString *answer) {
        auto held = engine.acquire(requestIn(Mode::Pessimistic, "a"));
        QVERIFY2(held.outcome == Outcome::Granted, held.error ? qPrintable(held.error->toString()) : "not granted");
        QVERIFY(!held.handle.inTransaction([&](QSqlDatabase &database) { *answer = answerOf(database, asks); }));
        QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    };
    ask(&before);
    for (const bool keepsWork : {true, false}) {
        {
            auto held = engine.acquire(requestIn(Mode::Pessimistic, "a"));
            const auto lost = held.handle.inTransaction([&](QSqlDatabase &database) {
                for (const QString &statement : sets.split(QStringLiteral("; "))) {
                    QSqlQuery query(database);
                    QVERIFY2(query.exec(statement), qPrintable(query.lastError().text()));
                }
                during = answerOf(database, asks);
            });
            QCOMPARE(lost.has_value(), ends);
            if (keepsWork)
                QCOMPARE(held.handle.release(), released);
        }
        QVERIFY(during != before); // or nothing is proved
        // A connection that was dropped lets go of its user-level locks in its own time.
        QVERIFY(eventually([&] { return m_observer->value("SELECT IS_USED_LOCK('mine')").isNull(); }));
        QString after;
        ask(&after);
        QCOMPARE(after, before);
    }
}

/// A row's connection waits for as long as its lock may take; what comes after it must not.
void TestConnections::aRowLockLeavesItsConnectionTheUsualLimits()
{
    LockEngine engine(smallConfigFor(*m_server)); // one connection for this thread, one for all others and for rows
    QCOMPARE(engine.acquire(requestFor("stuck")).outcome, Outcome::Granted);
    Observer outsider(*m_server);
    outsider.run("BEGIN; SELECT * FROM lock_lease WHERE resource = 'stuck' FOR UPDATE");
    auto outcome = std::async(std::launch::async, [&] {
        const bool wasHeld = engine.acquire(requestIn(Mode::Pessimistic, "a")).outcome == Outcome::Granted;
        return wasHeld ? engine.acquire(requestFor("stuck")).outcome : Outcome::Failed;
    });
    const bool isAnswered = outcome.wait_for(Patience) == std::future_status::ready;
    outsider.run("ROLLBACK");
    QVERIFY(isAnswered);
    QCOMPARE(outcome.get(), Outcome::Busy);
}

/// A thread that has no connection of its own, and asks as the engine ends.
void TestConnections::aPoolThatWasClosedKeepsNobodyWaiting()
{
    ConnectionThread service(targetFor(*m_server));
    SessionPool pool(targetFor(*m_server), 2, service);
    std::promise<void> ends;
    std::promise<void> begins;
    std::thread owner([&] { // of the only connection that a thread may have
        pool.runQuick([](ReconnectingSession &) {});
        begins.set_value();
        ends.get_future().wait();
    });
    begins.get_future().wait();
    pool.close();
    std::async(std::launch::async, [&] { pool.runQuick([](ReconnectingSession &) {}); }).get();
    QVERIFY(!std::async(std::launch::async, [&] { return pool.tryWait([](ReconnectingSession &) {}); }).get());
    ends.set_value();
    owner.join();
}

QTEST_GUILESS_MAIN(TestConnections)
#include "tst_connections.moc"
