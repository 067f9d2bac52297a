// SPDX-License-Identifier: MIT
// What a server sets for all sessions must not change what the engine's statements mean.
#include "actor.h"
#include "enginetest.h"

#include "lockscope/optimistic.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

#include <future>

using namespace lockscope;
using namespace lockscope::test;

namespace {

struct Setting
{
    const char *name;
    const char *hostile;
    const char *ours; ///< null: has no variable of one name on both servers
};

constexpr Setting kBoth[] = {
    {"autocommit", "0", "1"},
    {"completion_type", "1", "NO_CHAIN"},
    {"completion_type", "2", "NO_CHAIN"}, // every COMMIT ends the session
    {"sql_mode", "'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,IGNORE_SPACE,NO_UNSIGNED_SUBTRACTION'",
     "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"},
    {"sql_safe_updates", "1", "0"},
    {"sql_select_limit", "0", "18446744073709551615"},
    {"max_join_size", "1", nullptr},
    {"sql_big_selects", "0", "1"},
    {"sql_auto_is_null", "1", "0"},
    {"unique_checks", "0", "1"},
    {"div_precision_increment", "0", "4"},
    {"time_zone", "'+05:30'", "+00:00"},
    {"innodb_lock_wait_timeout", "1000", "1"},
    {"lock_wait_timeout", "1000", "1"},
    {"character_set_client", "latin1", "utf8mb4"},
    {"character_set_results", "latin1", "utf8mb4"},
    {"collation_connection", "latin1_bin", "utf8mb4_general_ci"},
};
constexpr Setting kMariaDb[] = {
    {"tx_isolation", "'SERIALIZABLE'", "READ-COMMITTED"},
    {"tx_read_only", "1", "0"},
    {"max_statement_time", "0.5", "0"},
    {"idle_transaction_timeout", "1", "0"},
    {"idle_readonly_transaction_timeout", "1", "0"},
    {"idle_write_transaction_timeout", "1", "0"},
    {"max_recursive_iterations", "1", "100000"},
};
constexpr Setting kMySql[] = {
    {"transaction_isolation", "'SERIALIZABLE'", "READ-COMMITTED"},
    {"transaction_read_only", "1", "0"},
    {"max_execution_time", "500", "0"},
};

} // namespace

class TestSessionSettings : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        EngineTest::init();
        m_observer->run(
            "DROP TABLE IF EXISTS stock; CREATE TABLE stock (id INT PRIMARY KEY, left_over INT) ENGINE = "
            "InnoDB; INSERT INTO stock VALUES (1, 10); TRUNCATE TABLE lock_row; TRUNCATE TABLE lock_version");
    }
    void cleanup()
    {
        if (!m_restore.isEmpty())
            m_observer->run(std::exchange(m_restore, {}));
    }

    void whatTheServerSetsForAllIsNoneOfOurs_data();
    void whatTheServerSetsForAllIsNoneOfOurs();
    void aHeldRowOutlivesTheServersLimitsForIdleTransactions_data();
    void aHeldRowOutlivesTheServersLimitsForIdleTransactions();
    void aCycleIsFoundUnderALowLimitForRecursion();
    void aCallersStatementHasTheServersTimeLimit();

private:
    /// Until the test function ends.
    void setGlobal(const QByteArray &name, const QByteArray &value)
    {
        const QVariant before = m_observer->value("SELECT @@global." + name);
        bool isNumber = false;
        before.toDouble(&isNumber);
        m_restore = "SET GLOBAL " + name + " = "
            + (isNumber ? before.toByteArray() : "x'" + before.toByteArray().toHex() + '\'');
        m_observer->run("SET GLOBAL " + name + " = " + value);
    }
    void checkUnique();
    void checkPessimistic();
    void checkOptimistic();

    QByteArray m_restore;
};

void TestSessionSettings::whatTheServerSetsForAllIsNoneOfOurs_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("hostile");
    QTest::addColumn<QByteArray>("ours");
    const auto add = [](const auto &settings) {
        for (const Setting &setting : settings) {
            QTest::addRow("%s = %s", setting.name, setting.hostile)
                << QByteArray(setting.name) << QByteArray(setting.hostile) << QByteArray(setting.ours);
        }
    };
    add(kBoth);
    if (m_server->family() == Family::MariaDb)
        add(kMariaDb);
    else
        add(kMySql);
}

void TestSessionSettings::whatTheServerSetsForAllIsNoneOfOurs()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, hostile);
    QFETCH(QByteArray, ours);
    setGlobal(name, hostile);
    LockError error;
    const auto session = Session::open(targetFor(*m_server), &error);
    QVERIFY2(session, qPrintable(error.toString()));
    if (!ours.isNull())
        QCOMPARE(session->run("SELECT @@session." + name, "test").value().toByteArray(), ours);
    checkUnique();
    checkPessimistic();
    checkOptimistic();
}

/// One holds, one waits, and what was granted is there for all to see.
void TestSessionSettings::checkUnique()
{
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    auto first = one.acquire(requestFor("a"));
    QVERIFY2(first.outcome == Outcome::Granted, first.error ? qPrintable(first.error->toString()) : "");
    QCOMPARE(two.acquire(requestFor("a")).outcome, Outcome::Busy);
    auto waiting = std::async(std::launch::async, [&] { return two.acquire(requestFor("a", Patience)); });
    QVERIFY(eventually([&] { return m_observer->waiters("a") == 1 && m_observer->blocked() == 1; }));
    QCOMPARE(first.handle.release(), ReleaseOutcome::Released);
    auto second = waiting.get();
    QVERIFY2(second.outcome == Outcome::Granted, second.error ? qPrintable(second.error->toString()) : "");
    QVERIFY(second.handle.token() > first.handle.token());
    const QByteArray seen = "SELECT token FROM lock_lease WHERE resource = 'a' AND slot = 0 AND presence <> '-'";
    QCOMPARE(m_observer->value(seen).toULongLong(), second.handle.token());
    QCOMPARE(second.handle.renew(20s), RenewOutcome::Renewed);
    QCOMPARE(second.handle.release(), ReleaseOutcome::Released); // nobody waits: over the other way
    auto third = two.acquire(requestFor("a"));                   // after a transaction on the same connection
    QCOMPARE(third.outcome, Outcome::Granted);
    QCOMPARE(m_observer->value(seen).toULongLong(), third.handle.token());
    QCOMPARE(third.handle.release(), ReleaseOutcome::Released);
}

void TestSessionSettings::checkPessimistic()
{
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    LockRequest request = rowRequest("a");
    request.wantsToken = true;
    auto first = one.acquire(request);
    QVERIFY2(first.outcome == Outcome::Granted, first.error ? qPrintable(first.error->toString()) : "");
    QCOMPARE(two.acquire(request).outcome, Outcome::Busy);
    request.wait = Patience;
    auto waiting = std::async(std::launch::async, [&] { return two.acquire(request); });
    QVERIFY(eventually([&] { return !m_observer->rowWaiter().isEmpty(); }));
    const auto error = first.handle.inTransaction([](QSqlDatabase &database) {
        QSqlQuery(database).exec(QStringLiteral("UPDATE stock SET left_over = left_over - 1 WHERE id = 1"));
    });
    QVERIFY2(!error, error ? qPrintable(error->toString()) : "");
    QCOMPARE(first.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(m_observer->value("SELECT left_over FROM stock").toInt(), 9);
    auto second = waiting.get();
    QVERIFY2(second.outcome == Outcome::Granted, second.error ? qPrintable(second.error->toString()) : "");
    QVERIFY(second.handle.token() > first.handle.token());
    QCOMPARE(second.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(two.acquireAny({"a", "b"}, rowRequest({})).outcome, Outcome::Granted);
}

void TestSessionSettings::checkOptimistic()
{
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    OptimisticStore first(one);
    OptimisticStore second(two);
    const auto raise = [](const Snapshot &) { return ColumnValues{}; };
    QCOMPARE(first.run("a", raise).outcome, RunOutcome::Committed);
    QCOMPARE(second.run("a", raise).outcome, RunOutcome::Committed);
    const auto version = first.read("a").snapshot.version;
    QCOMPARE(m_observer->value("SELECT version FROM lock_version WHERE resource = 'a'").toULongLong(),
             quint64(version));
    QVERIFY(version >= 2);
}

void TestSessionSettings::aHeldRowOutlivesTheServersLimitsForIdleTransactions_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const char *name :
         {"idle_transaction_timeout", "idle_readonly_transaction_timeout", "idle_write_transaction_timeout"})
        QTest::newRow(name) << QByteArray(name);
}

/// A stranger's transaction that began later is ended by the limit first.
void TestSessionSettings::aHeldRowOutlivesTheServersLimitsForIdleTransactions()
{
    QFETCH(QByteArray, name);
    if (m_server->family() == Family::MySql)
        return; // has no such limits
    setGlobal(name, "2");
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(rowRequest("a"));
    const QByteArray holder = m_observer->rowHolder("a");
    LockError error;
    SessionTarget root = targetFor(*m_server);
    const auto stranger = Session::open(root, &error);
    QVERIFY(stranger->run("SET SESSION " + name + " = 2; BEGIN; "
                              + (name.contains("readonly") ? "SELECT" : "UPDATE stock SET left_over = 3; SELECT")
                              + " left_over FROM stock",
                          "test"));
    const QByteArray isThere = "SELECT COUNT(*) FROM information_schema.processlist WHERE id = ";
    QVERIFY(eventually(
        [&] { return !m_observer->value(isThere + QByteArray::number(stranger->connectionId())).toBool(); }));
    QVERIFY(m_observer->value(isThere + holder).toBool());
    QCOMPARE(m_observer->rowHolder("a"), holder);
    QVERIFY(held.handle.isHeld());
}

/// MariaDB ends a walk that is too long without a word; MySQL's limit is in the statement.
void TestSessionSettings::aCycleIsFoundUnderALowLimitForRecursion()
{
    const bool isMariaDb = m_server->family() == Family::MariaDb;
    setGlobal(isMariaDb ? "max_recursive_iterations" : "cte_max_recursion_depth", "1");
    std::array<LockEngine, 3> engines{LockEngine(configFor(*m_server)), LockEngine(configFor(*m_server)),
                                      LockEngine(configFor(*m_server))};
    const std::array<QByteArray, 3> names{"a", "b", "c"};
    std::array<LockHandle, 3> held;
    const auto requestOf = [&](std::size_t i, Duration wait) {
        LockRequest request = requestFor(names[i % 3], wait, 60s);
        request.ownerKey = "owner";
        return request;
    };
    for (std::size_t i = 0; i < 3; ++i)
        held[i] = engines[i].acquire(requestOf(i, 0s)).handle;
    std::array<std::future<AcquireResult>, 2> waiting;
    for (std::size_t i = 0; i < 2; ++i) {
        waiting[i] = std::async(std::launch::async, [&, i] { return engines[i].acquire(requestOf(i + 1, Patience)); });
        QVERIFY(eventually([&] { return m_observer->waiters(names[i + 1]) == 1; }));
    }
    QCOMPARE(engines[2].acquire(requestOf(3, Patience)).outcome, Outcome::Deadlock);
    held[2].release();
    auto second = waiting[1].get();
    QCOMPARE(second.outcome, Outcome::Granted);
    held[1].release();
    QCOMPARE(waiting[0].get().outcome, Outcome::Granted);
}

/// It is the application's, which knows its server; the engine's own statements have limits of their own.
void TestSessionSettings::aCallersStatementHasTheServersTimeLimit()
{
    const bool isMariaDb = m_server->family() == Family::MariaDb;
    const QByteArray name = isMariaDb ? "max_statement_time" : "max_execution_time";
    setGlobal(name, "7");
    LockEngine engine(configFor(*m_server));
    const auto limit = [&](LockHandle &handle) {
        double found = -1;
        handle.inTransaction([&](QSqlDatabase &database) {
            QSqlQuery query(database);
            if (query.exec(QStringLiteral("SELECT @@session.") + QString::fromUtf8(name)) && query.next())
                found = query.value(0).toDouble();
        });
        return found;
    };
    auto held = engine.acquire(rowRequest("a"));
    QCOMPARE(limit(held.handle), 7.0);
}

QTEST_GUILESS_MAIN(TestSessionSettings)
#include "tst_sessionsettings.moc"
