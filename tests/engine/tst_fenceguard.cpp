// SPDX-License-Identifier: MIT
// A table of the application refuses holders whose lock has gone to somebody else.
#include "enginetest.h"

#include "lockscope/fenceguard.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using Kind = LockError::Kind;

Q_DECLARE_METATYPE(lockscope::FencedTable)

namespace {

constexpr auto kFoundRows = ";CLIENT_FOUND_ROWS=1";

FencedTable stock()
{
    return {u"stock"_s, u"name"_s, u"fence_seen"_s, {}};
}

/// The application's own connection. Belongs to the thread that made it.
class Application
{
public:
    explicit Application(const TestServer &server, const QString &options = {}, const QString &user = u"root"_s)
    {
        static std::atomic<int> next = 0;
        m_name = u"application-%1"_s.arg(++next);
        database = QSqlDatabase::addDatabase(u"QMYSQL"_s, m_name);
        database.setUserName(user);
        database.setDatabaseName(server.url().schema);
        database.setConnectOptions(u"UNIX_SOCKET=%1"_s.arg(server.url().socket) + options);
        if (!database.open())
            qFatal("%ls", qUtf16Printable(database.lastError().text()));
    }
    ~Application()
    {
        database = {};
        QSqlDatabase::removeDatabase(m_name);
    }
    Application(const Application &) = delete;
    Application &operator=(const Application &) = delete;

    void run(const QString &sql)
    {
        QSqlQuery query(database);
        if (!query.exec(sql))
            qFatal("%ls: %ls", qUtf16Printable(sql), qUtf16Printable(query.lastError().text()));
    }

    QSqlDatabase database;

private:
    QString m_name;
};

QString said(const std::optional<LockError> &error)
{
    return error ? error->toString() : QString();
}

} // namespace

class TestFenceGuard : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aHolderThatFrozePastItsTtlIsRefused();
    void whoPassedKeepsTheRowUntilItsEnd();
    void tokensPassInTheirOrder_data();
    void tokensPassInTheirOrder();
    void equalTokensPassAgain_data();
    void equalTokensPassAgain();
    void manyWritersLeaveTokensThatOnlyGrow();
    void withoutATransactionItIsRefused();
    void aPessimisticLocksTransactionWillDo();
    void aRollbackTakesTheFenceBack();
    void aRowThatIsLockedIsAnErrorThatPasses();
    void oneStatementCarriesTheGuard_data();
    void oneStatementCarriesTheGuard();
    void theOneStatementRefusesWhatHasNoToken();
    void keysOfEveryKindFindTheirRow_data();
    void keysOfEveryKindFindTheirRow();
    void hostileNamesAreOnlyNames();
    void badInputIsRefusedBeforeAnyIo_data();
    void badInputIsRefusedBeforeAnyIo();
    void connectionsThatCannotServeAreRefused();
    void unfitTablesAreRefusedWithTheReason_data();
    void unfitTablesAreRefusedWithTheReason();
    void aMissingPrivilegeIsNamed();

private:
    quint64 fence() { return m_observer->value("SELECT fence_seen FROM stock WHERE name = 'a'").toULongLong(); }
    int amount() { return m_observer->value("SELECT amount FROM stock WHERE name = 'a'").toInt(); }
};

void TestFenceGuard::init()
{
    EngineTest::init();
    m_observer->run("DROP TABLE IF EXISTS stock");
    m_observer->run("CREATE TABLE stock (name VARBINARY(64) PRIMARY KEY, amount INT NOT NULL DEFAULT 0, "
                    "fence_seen BIGINT UNSIGNED NOT NULL DEFAULT 0) ENGINE = InnoDB");
    m_observer->run("INSERT INTO stock (name) VALUES ('a')");
}

void TestFenceGuard::aHolderThatFrozePastItsTtlIsRefused()
{
    Worker frozen(*m_server);
    Worker successor(*m_server);
    QVERIFY(frozen.ask("acquire a 500 0").startsWith(u"granted"_s));
    QVERIFY(frozen.ask("sql BEGIN").startsWith(u"done"_s));
    QCOMPARE(frozen.ask("pass a"), u"passed 0"_s);
    QCOMPARE(frozen.ask("sql UPDATE stock SET amount = 1"), u"done 1"_s);
    QVERIFY(frozen.ask("sql COMMIT").startsWith(u"done"_s));
    frozen.freeze();
    const QString granted = successor.ask("acquire a 30000 30000"); // the lease ends while its holder stands still
    QVERIFY2(granted.startsWith(u"granted"_s), qPrintable(granted));
    QVERIFY(successor.ask("sql BEGIN").startsWith(u"done"_s));
    QVERIFY(successor.ask("pass a").startsWith(u"passed"_s));
    QCOMPARE(successor.ask("sql UPDATE stock SET amount = 2"), u"done 1"_s);
    QVERIFY(successor.ask("sql COMMIT").startsWith(u"done"_s));

    frozen.thaw();
    QVERIFY(frozen.ask("sql BEGIN").startsWith(u"done"_s));
    QCOMPARE(frozen.ask("pass a"), u"stale "_s + granted.section(u' ', 1));
    QVERIFY(frozen.ask("sql ROLLBACK").startsWith(u"done"_s));
    QCOMPARE(amount(), 2);
    QCOMPARE(fence(), granted.section(u' ', 1).toULongLong());
}

/// Guard and writes are one: who freezes in between leaves the row to nobody, so nothing of its own comes late.
void TestFenceGuard::whoPassedKeepsTheRowUntilItsEnd()
{
    Worker frozen(*m_server);
    Worker successor(*m_server);
    QVERIFY(frozen.ask("acquire a 500 0").startsWith(u"granted"_s));
    QVERIFY(frozen.ask("sql BEGIN").startsWith(u"done"_s));
    QCOMPARE(frozen.ask("pass a"), u"passed 0"_s);
    frozen.freeze();
    QVERIFY(successor.ask("acquire a 30000 30000").startsWith(u"granted"_s));
    QVERIFY(successor.ask("sql BEGIN").startsWith(u"done"_s));
    successor.send("pass a");
    const QByteArray waits = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";
    QVERIFY(eventually([&] { return m_observer->rows(waits).value(0).value(1).toInt() == 1; }));
    frozen.thaw();
    QCOMPARE(frozen.ask("sql UPDATE stock SET amount = amount + 1"), u"done 1"_s);
    QVERIFY(frozen.ask("sql COMMIT").startsWith(u"done"_s));
    QVERIFY(successor.answer().startsWith(u"passed"_s));
    QCOMPARE(successor.ask("sql UPDATE stock SET amount = amount * 10"), u"done 1"_s);
    QVERIFY(successor.ask("sql COMMIT").startsWith(u"done"_s));
    QCOMPARE(amount(), 10);
}

void TestFenceGuard::tokensPassInTheirOrder_data()
{
    QTest::addColumn<quint64>("seen");
    QTest::addColumn<quint64>("token");
    QTest::addColumn<FenceOutcome>("outcome");
    constexpr quint64 largest = std::numeric_limits<quint64>::max();
    QTest::newRow("the first") << quint64(0) << quint64(1) << FenceOutcome::Passed;
    QTest::newRow("the same") << quint64(7) << quint64(7) << FenceOutcome::Passed;
    QTest::newRow("the next") << quint64(7) << quint64(8) << FenceOutcome::Passed;
    QTest::newRow("the one before") << quint64(7) << quint64(6) << FenceOutcome::Stale;
    QTest::newRow("beyond what a double tells apart")
        << (quint64(1) << 53) + 1 << (quint64(1) << 53) << FenceOutcome::Stale;
    QTest::newRow("the largest") << largest - 1 << largest << FenceOutcome::Passed;
    QTest::newRow("one below the largest") << largest << largest - 1 << FenceOutcome::Stale;
}

void TestFenceGuard::tokensPassInTheirOrder()
{
    QFETCH(quint64, seen);
    QFETCH(quint64, token);
    QFETCH(FenceOutcome, outcome);
    m_observer->run("UPDATE stock SET fence_seen = " + QByteArray::number(seen));
    Application application(*m_server);
    QVERIFY(application.database.transaction());
    const auto result = FenceGuard(stock()).pass(application.database, QByteArray("a"), token);
    QVERIFY2(result.outcome == outcome, qPrintable(said(result.error)));
    QCOMPARE(result.seen, seen);
    QVERIFY(application.database.commit());
    QCOMPARE(fence(), std::max(seen, token));
    QVERIFY(application.database.transaction());
    const auto missing = FenceGuard(stock()).pass(application.database, QByteArray("b"), token);
    QCOMPARE(missing.outcome, FenceOutcome::NotFound);
}

void TestFenceGuard::equalTokensPassAgain_data()
{
    QTest::addColumn<QString>("options");
    QTest::newRow("changed rows are counted") << QString();
    QTest::newRow("found rows are counted") << QString::fromLatin1(kFoundRows);
}

void TestFenceGuard::equalTokensPassAgain()
{
    QFETCH(QString, options);
    Application application(*m_server, options);
    for (int i = 0; i < 3; ++i) {
        QVERIFY(application.database.transaction());
        for (int j = 0; j < 2; ++j) {
            const auto result = FenceGuard(stock()).pass(application.database, QByteArray("a"), 5);
            QVERIFY2(result.outcome == FenceOutcome::Passed, qPrintable(said(result.error)));
        }
        QVERIFY(application.database.commit());
    }
    QCOMPARE(fence(), quint64(5));
}

void TestFenceGuard::manyWritersLeaveTokensThatOnlyGrow()
{
    m_observer->run("DROP TABLE IF EXISTS history");
    m_observer->run("CREATE TABLE history (id INT AUTO_INCREMENT PRIMARY KEY, token BIGINT UNSIGNED NOT NULL)");
    std::atomic<quint64> next = 0;
    std::atomic<int> passed = 0;
    std::atomic<int> stale = 0;
    std::atomic<int> failures = 0;
    const auto write = [&] {
        Application application(*m_server);
        for (int i = 0; i < 60; ++i) {
            const quint64 token = ++next;
            application.database.transaction();
            const auto result = FenceGuard(stock()).pass(application.database, QByteArray("a"), token);
            passed += result.outcome == FenceOutcome::Passed;
            stale += result.outcome == FenceOutcome::Stale;
            failures += result.outcome == FenceOutcome::Failed;
            if (result.outcome == FenceOutcome::Passed)
                application.run(u"INSERT INTO history (token) VALUES (%1)"_s.arg(token));
            application.database.commit();
        }
    };
    std::vector<std::thread> writers;
    for (int i = 0; i < 8; ++i)
        writers.emplace_back(write);
    for (std::thread &writer : writers)
        writer.join();
    QCOMPARE(failures.load(), 0);
    QCOMPARE(passed + stale, 480);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM history").toInt(), passed.load());
    QCOMPARE(
        m_observer->value("SELECT COUNT(*) FROM history a JOIN history b ON a.id < b.id AND a.token > b.token").toInt(),
        0);
    QCOMPARE(fence(), m_observer->value("SELECT MAX(token) FROM history").toULongLong());
    qInfo("%d passed, %d were stale", passed.load(), stale.load());
}

void TestFenceGuard::withoutATransactionItIsRefused()
{
    Application application(*m_server);
    const FenceGuard guard(stock());
    const auto refused = [&] {
        const auto result = guard.pass(application.database, QByteArray("a"), 5);
        return result.outcome == FenceOutcome::Failed && result.error->kind == Kind::BadRequest
            && result.error->message.contains(u"transaction"_s);
    };
    QVERIFY(refused());
    QCOMPARE(fence(), quint64(0));
    QVERIFY(application.database.transaction());
    QCOMPARE(guard.pass(application.database, QByteArray("a"), 5).outcome, FenceOutcome::Passed);
    QVERIFY(application.database.commit());
    QVERIFY(refused());
    QVERIFY(application.database.transaction());
    application.run(u"CREATE TABLE IF NOT EXISTS other (id INT)"_s); // commits
    QVERIFY(refused());
    application.run(u"SET autocommit = 0"_s); // every statement is in a transaction
    QCOMPARE(guard.pass(application.database, QByteArray("a"), 6).outcome, FenceOutcome::Passed);
    application.run(u"ROLLBACK"_s);
    QCOMPARE(fence(), quint64(5));
    application.run(u"SET autocommit = 1; DROP TABLE other"_s);
    QVERIFY(refused());
}

void TestFenceGuard::aPessimisticLocksTransactionWillDo()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a");
    request.mode = Mode::Pessimistic;
    request.wantsToken = true;
    auto held = engine.acquire(request);
    QCOMPARE(held.outcome, Outcome::Granted);
    FenceResult result;
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) {
        result = FenceGuard(stock()).pass(database, QByteArray("a"), held.handle.token());
        QSqlQuery(database).exec(u"UPDATE stock SET amount = 3"_s);
    });
    QVERIFY2(!error, qPrintable(said(error)));
    QVERIFY2(result.outcome == FenceOutcome::Passed, qPrintable(said(result.error)));
    QCOMPARE(amount(), 0);
    const quint64 token = held.handle.token();
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(amount(), 3);
    QCOMPARE(fence(), token);
}

void TestFenceGuard::aRollbackTakesTheFenceBack()
{
    Application application(*m_server);
    QVERIFY(application.database.transaction());
    QCOMPARE(FenceGuard(stock()).pass(application.database, QByteArray("a"), 5).outcome, FenceOutcome::Passed);
    QVERIFY(application.database.rollback());
    QCOMPARE(fence(), quint64(0));
}

void TestFenceGuard::aRowThatIsLockedIsAnErrorThatPasses()
{
    Application first(*m_server);
    Application second(*m_server);
    second.run(u"SET innodb_lock_wait_timeout = 1"_s);
    QVERIFY(first.database.transaction());
    QVERIFY(second.database.transaction());
    QCOMPARE(FenceGuard(stock()).pass(first.database, QByteArray("a"), 5).outcome, FenceOutcome::Passed);
    const auto blocked = FenceGuard(stock()).pass(second.database, QByteArray("a"), 6);
    QCOMPARE(blocked.outcome, FenceOutcome::Failed);
    QCOMPARE(blocked.error->kind, Kind::Contention);
    QVERIFY(!blocked.error->transactionGone);
    QVERIFY(first.database.commit());
    QCOMPARE(FenceGuard(stock()).pass(second.database, QByteArray("a"), 6).outcome, FenceOutcome::Passed);
}

void TestFenceGuard::oneStatementCarriesTheGuard_data()
{
    equalTokensPassAgain_data();
}

void TestFenceGuard::oneStatementCarriesTheGuard()
{
    QFETCH(QString, options);
    Application application(*m_server, options);
    const FenceGuard guard(stock());
    const auto isWritten = [&](int value, quint64 token) {
        QSqlQuery update(application.database);
        update.prepare(u"UPDATE stock SET amount = :amount, "_s + guard.assignment() + u" WHERE name = 'a' AND "_s
                       + guard.condition());
        update.bindValue(u":amount"_s, value);
        update.bindValue(FenceGuard::Placeholder, token);
        return update.exec() && update.lastInsertId().toULongLong() == token;
    };
    QVERIFY(isWritten(1, 5));
    QVERIFY(isWritten(1, 5)); // changes nothing, and yet it is there
    QVERIFY(isWritten(2, 5));
    QVERIFY(isWritten(3, (quint64(1) << 53) + 1));
    QVERIFY(!isWritten(4, 5));
    QVERIFY(!isWritten(4, quint64(1) << 53));
    QCOMPARE(amount(), 3);
    QCOMPARE(fence(), (quint64(1) << 53) + 1);
    m_observer->run("UPDATE stock SET name = 'b'");
    QVERIFY(!isWritten(5, (quint64(1) << 53) + 2)); // no such row
}

void TestFenceGuard::theOneStatementRefusesWhatHasNoToken()
{
    Application application(*m_server);
    const FenceGuard guard(stock());
    const auto update = [&](quint64 token) {
        QSqlQuery query(application.database);
        query.prepare(u"UPDATE stock SET amount = 9, "_s + guard.assignment() + u" WHERE "_s + guard.condition());
        query.bindValue(FenceGuard::Placeholder, token);
        return query.exec() ? query.numRowsAffected() : -1;
    };
    QCOMPARE(update(0), 0); // of a handle that holds nothing
    m_observer->run("ALTER TABLE stock MODIFY fence_seen BIGINT UNSIGNED NULL; UPDATE stock SET fence_seen = NULL");
    QCOMPARE(update(1), 0);
    QCOMPARE(amount(), 0);
    const FenceGuard wrong({u"stock"_s, u"name"_s, {}, {}});
    QVERIFY(wrong.condition().isEmpty());
    QVERIFY(wrong.assignment().isEmpty());
}

void TestFenceGuard::keysOfEveryKindFindTheirRow_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QVariant>("key");
    QTest::newRow("integer") << QByteArray("INT") << QByteArray("42") << QVariant(42);
    QTest::newRow("negative") << QByteArray("SMALLINT") << QByteArray("-42") << QVariant(qint64(-42));
    QTest::newRow("largest") << QByteArray("BIGINT UNSIGNED") << QByteArray("18446744073709551615")
                             << QVariant(std::numeric_limits<quint64>::max());
    QTest::newRow("text") << QByteArray("VARCHAR(40)") << QByteArray("'\xc3\xa4 42'") << QVariant(u"ä 42"_s);
    QTest::newRow("a text that would end one")
        << QByteArray("VARCHAR(40)") << QByteArray("'a'' OR 1=1 -- '") << QVariant(u"a' OR 1=1 -- "_s);
    QTest::newRow("a text like a place") << QByteArray("CHAR(9)") << QByteArray("':token'") << QVariant(u":token"_s);
    QTest::newRow("bytes") << QByteArray("VARBINARY(9)") << QByteArray("x'ff0027'")
                           << QVariant(QByteArray("\xff\0'", 3));
}

void TestFenceGuard::keysOfEveryKindFindTheirRow()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, stored);
    QFETCH(QVariant, key);
    m_observer->run("DROP TABLE stock");
    m_observer->run("CREATE TABLE stock (name " + type
                    + " PRIMARY KEY, fence_seen BIGINT NOT NULL DEFAULT 0) CHARACTER SET utf8mb4");
    m_observer->run("INSERT INTO stock (name) VALUES (" + stored + ")");
    Application application(*m_server);
    QVERIFY(application.database.transaction());
    const auto result = FenceGuard(stock()).pass(application.database, key, 5);
    QVERIFY2(result.outcome == FenceOutcome::Passed, qPrintable(said(result.error)));
    QVERIFY(application.database.commit());
    QCOMPARE(m_observer->value("SELECT fence_seen FROM stock").toInt(), 5);
}

void TestFenceGuard::hostileNamesAreOnlyNames()
{
    const QString name = u"a`b'; DROP TABLE stock; -- \\ :key ä"_s;
    const FencedTable table{name, name + u"1"_s, name + u"2"_s, u"lock`scope 2"_s};
    Application application(*m_server);
    const QString quoted = u"`%1`"_s.arg(QString(name).replace(u'`', u"``"_s));
    const QString column = quoted.chopped(1);
    application.run(u"DROP DATABASE IF EXISTS `lock``scope 2`; CREATE DATABASE `lock``scope 2`"_s);
    application.run(u"CREATE TABLE `lock``scope 2`.%1 (%2 INT PRIMARY KEY, %3 BIGINT UNSIGNED NOT NULL)"_s.arg(
        quoted, column + u"1`"_s, column + u"2`"_s));
    application.run(u"INSERT INTO `lock``scope 2`.%1 VALUES (1, 0)"_s.arg(quoted));
    QVERIFY(application.database.transaction());
    const auto result = FenceGuard(table).pass(application.database, 1, 5);
    QVERIFY2(result.outcome == FenceOutcome::Passed, qPrintable(said(result.error)));
    QVERIFY(application.database.commit());
    QSqlQuery update(application.database);
    const FenceGuard guard(table);
    update.prepare(u"UPDATE `lock``scope 2`.%1 SET "_s.arg(quoted) + guard.assignment() + u" WHERE "_s
                   + guard.condition());
    update.bindValue(FenceGuard::Placeholder, quint64(6));
    QVERIFY2(update.exec(), qPrintable(update.lastError().text()));
    QCOMPARE(update.lastInsertId().toInt(), 6);
    application.run(u"DROP DATABASE `lock``scope 2`"_s);
}

void TestFenceGuard::badInputIsRefusedBeforeAnyIo_data()
{
    QTest::addColumn<FencedTable>("table");
    QTest::addColumn<QVariant>("key");
    QTest::addColumn<quint64>("token");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, void (*change)(FencedTable &), const QString &says) {
        FencedTable table = stock();
        change(table);
        QTest::newRow(name) << table << QVariant(1) << quint64(1) << says;
    };
    row(
        "no table", [](FencedTable &t) { t.table.clear(); }, u"FencedTable::table has no name"_s);
    row(
        "no key", [](FencedTable &t) { t.keyColumn.clear(); }, u"FencedTable::keyColumn has no name"_s);
    row(
        "no fence", [](FencedTable &t) { t.fenceColumn.clear(); }, u"FencedTable::fenceColumn has no name"_s);
    row(
        "key is fence", [](FencedTable &t) { t.fenceColumn = u"NAME"_s; }, u"same column"_s);
    row(
        "65 characters", [](FencedTable &t) { t.table = QString(65, u'x'); }, u"65 characters"_s);
    row(
        "NUL in a name", [](FencedTable &t) { t.fenceColumn = u"a"_s + QChar(); }, u"NUL"_s);
    row(
        "a schema that is no name", [](FencedTable &t) { t.schema = QString::fromUtf8("\xf0\x9f\x94\x92"); },
        u"FencedTable::schema"_s);
    QTest::newRow("token 0") << stock() << QVariant(1) << quint64(0) << u"not held"_s;
    QTest::newRow("no key value") << stock() << QVariant() << quint64(1) << u"NULL"_s;
    QTest::newRow("a key of no kind") << stock() << QVariant(1.5) << quint64(1) << u"must be an integer"_s;
    QTest::newRow("half a character") << stock() << QVariant(QString(QChar(0xd83d))) << quint64(1) << u"Unicode"_s;
}

void TestFenceGuard::badInputIsRefusedBeforeAnyIo()
{
    QFETCH(FencedTable, table);
    QFETCH(QVariant, key);
    QFETCH(quint64, token);
    QFETCH(QString, says);
    QSqlDatabase nothing; // any I/O would say so instead
    const auto result = FenceGuard(table).pass(nothing, key, token);
    QCOMPARE(result.outcome, FenceOutcome::Failed);
    QCOMPARE(result.error->kind, Kind::BadRequest);
    QVERIFY2(result.error->message.contains(says), qPrintable(result.error->message));
}

void TestFenceGuard::connectionsThatCannotServeAreRefused()
{
    const auto refusal = [](QSqlDatabase database) {
        const auto result = FenceGuard(stock()).pass(database, 1, 1);
        return result.outcome == FenceOutcome::Failed && result.error->kind == Kind::BadRequest ? result.error->message
                                                                                                : QString();
    };
    QVERIFY2(refusal({}).contains(u"QMYSQL"_s), qPrintable(refusal({})));
    Application application(*m_server);
    application.database.close();
    QVERIFY2(refusal(application.database).contains(u"not open"_s), qPrintable(refusal(application.database)));
}

void TestFenceGuard::unfitTablesAreRefusedWithTheReason_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QVariant>("key");
    QTest::addColumn<QString>("says");
    const QVariant a = QByteArray("a");
    QTest::newRow("no such table") << QByteArray("DROP TABLE stock") << a << u"names given to FencedTable"_s;
    QTest::newRow("no such column") << QByteArray("ALTER TABLE stock DROP COLUMN fence_seen") << a
                                    << u"names given to FencedTable"_s;
    QTest::newRow("a key of several rows")
        << QByteArray("ALTER TABLE stock DROP PRIMARY KEY; INSERT INTO stock (name) VALUES ('a')") << a
        << u"not unique"_s;
    QTest::newRow("NULL as fence") << QByteArray(
        "ALTER TABLE stock MODIFY fence_seen BIGINT NULL; UPDATE stock SET fence_seen = NULL")
                                   << a << u"NOT NULL"_s;
    QTest::newRow("a small integer") << QByteArray("ALTER TABLE stock MODIFY fence_seen INT NOT NULL") << a
                                     << u"BIGINT"_s;
    QTest::newRow("text as fence") << QByteArray("ALTER TABLE stock MODIFY fence_seen VARCHAR(20) NOT NULL") << a
                                   << u"BIGINT"_s;
    QTest::newRow("a text for an integer key")
        << QByteArray("UPDATE stock SET name = '42'; ALTER TABLE stock MODIFY name INT") << QVariant(u"42abc"_s)
        << u"different kinds"_s;
    QTest::newRow("an integer for a text key")
        << QByteArray("ALTER TABLE stock MODIFY name VARCHAR(64)") << QVariant(0) << u"different kinds"_s;
}

void TestFenceGuard::unfitTablesAreRefusedWithTheReason()
{
    QFETCH(QByteArray, change);
    QFETCH(QVariant, key);
    QFETCH(QString, says);
    m_observer->run(change);
    Application application(*m_server);
    QVERIFY(application.database.transaction());
    const auto result = FenceGuard(stock()).pass(application.database, key, 5);
    QCOMPARE(result.outcome, FenceOutcome::Failed);
    QVERIFY2(result.error->kind == Kind::BadRequest, qPrintable(said(result.error)));
    QVERIFY2(result.error->message.contains(says), qPrintable(result.error->message));
}

void TestFenceGuard::aMissingPrivilegeIsNamed()
{
    m_observer->run("DROP USER IF EXISTS 'reads'@'localhost'; CREATE USER 'reads'@'localhost'; "
                    "GRANT SELECT ON lockscope.stock TO 'reads'@'localhost'");
    Application application(*m_server, {}, u"reads"_s);
    QVERIFY(application.database.transaction());
    const auto result = FenceGuard(stock()).pass(application.database, QByteArray("a"), 5);
    QCOMPARE(result.outcome, FenceOutcome::Failed);
    QVERIFY2(result.error->kind == Kind::NoPermission, qPrintable(said(result.error)));
    QVERIFY2(result.error->message.contains(u"Grant SELECT and UPDATE"_s), qPrintable(result.error->message));
}

QTEST_GUILESS_MAIN(TestFenceGuard)
#include "tst_fenceguard.moc"
