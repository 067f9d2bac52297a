// SPDX-License-Identifier: MIT
// Pessimistic mode: rows locked with SELECT … FOR UPDATE.
#include "enginetest.h"

#include "locks/leasereader.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

#include <array>
#include <atomic>
#include <semaphore>
#include <stdexcept>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

namespace {

void runSql(QSqlDatabase &database, const QString &sql)
{
    QSqlQuery query(database);
    QVERIFY2(query.exec(sql), qPrintable(query.lastError().text()));
}

} // namespace

class TestPessimistic : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        EngineTest::init();
        m_observer->run(
            "DROP TABLE IF EXISTS stock; CREATE TABLE stock (id INT PRIMARY KEY, left_over INT) ENGINE = InnoDB; "
            "INSERT INTO stock VALUES (1, 10); TRUNCATE TABLE lock_row");
    }

    void oneHoldsAndTheOthersAreBusy();
    void aWaiterGetsItFromTheRelease();
    void budgetsHold_data();
    void budgetsHold();
    void aCancelledWaiterLeavesNothing();
    void aHundredOwnersExcludeEachOther();
    void namesAreComparedByteForByte();
    void theSameOwnerEntersAgain();
    void theHolderIsSeenAsLongAsItHolds();
    void theConsoleListsRowsBesideLeases();
    void aKilledSessionIsToldAsALoss_data();
    void aKilledSessionIsToldAsALoss();
    void aSessionKilledInACallIsToldBeforeItsEnd();
    void aShortTtlIsKeptFromEndingByTheEngine();
    void theTtlEndsALockThatNobodyKeeps();
    void aNewTtlIsTakenOver();
    void tokensGrowFromGrantToGrant();
    void aReleaseKeepsTheCallersWorkAndADestructorUndoesIt();
    void aCallLongerThanTheTtlKeepsTheLock();
    void aCallThatOutlivesItsSessionIsToldAndUndone();
    void aCallersStatementWaitsAsLongAsTheServerSays();
    void aDeadlockOfTwoCallsIsToldToOne();
    void whatACallThrowsPassesThrough();
    void pastTheDeadlineAReleaseUndoesTheWork();
    void aStatementThatCommitsLosesTheLock_data();
    void aStatementThatCommitsLosesTheLock();
    void aRowKeepsItsSizeWhileItIsHeld();
    void anyFreeOneOfSeveral();
    void stripesShareRows();
    void theLimitOfConnectionsIsAnErrorAndNotAHang();
    void killedIdleConnectionsCostAReconnectOnly();
    void cleaningRemovesOldRowsThatNobodyHolds();
    void maxHoldIsToldOnce();
    void aReleaseInAnotherThreadFreesTheRow();
    void theEnginesEndFreesItsRows();

private:
    bool isFree(const QByteArray &resource);
};

bool TestPessimistic::isFree(const QByteArray &resource)
{
    LockEngine other(configFor(*m_server));
    return other.acquire(rowRequest(resource)).outcome == Outcome::Granted;
}

void TestPessimistic::oneHoldsAndTheOthersAreBusy()
{
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    auto held = one.acquire(rowRequest("a"));
    QCOMPARE(held.outcome, Outcome::Granted);
    QVERIFY(held.handle.isHeld());
    QCOMPARE(held.handle.resource(), QByteArray("a"));
    QCOMPARE(two.acquire(rowRequest("a")).outcome, Outcome::Busy);
    QCOMPARE(two.acquire(rowRequest("b")).outcome, Outcome::Granted);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(two.acquire(rowRequest("a")).outcome, Outcome::Granted);
}

void TestPessimistic::aWaiterGetsItFromTheRelease()
{
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    auto held = one.acquire(rowRequest("a"));
    AcquireResult next;
    std::thread thread([&] { next = two.acquire(rowRequest("a", Forever)); });
    const QByteArray blocked =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '%lock_row%FOR UPDATE%' "
        "AND id <> CONNECTION_ID()";
    QVERIFY(eventually([&] { return m_observer->value(blocked).toInt() == 1; }));
    held.handle.release();
    thread.join();
    QCOMPARE(next.outcome, Outcome::Granted);
    QVERIFY(next.handle.isHeld());
}

void TestPessimistic::budgetsHold_data()
{
    QTest::addColumn<int>("milliseconds");
    for (const int milliseconds : {2, 40, 250, 1500}) // one of 1 ms is a try
        QTest::addRow("%d ms", milliseconds) << milliseconds;
}

void TestPessimistic::budgetsHold()
{
    QFETCH(int, milliseconds);
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    QVERIFY(!two.connectToServer());
    const auto held = one.acquire(rowRequest("a"));
    const auto began = std::chrono::steady_clock::now();
    QCOMPARE(two.acquire(rowRequest("a", std::chrono::milliseconds(milliseconds))).outcome, Outcome::TimedOut);
    const auto took = std::chrono::steady_clock::now() - began;
    QVERIFY(took >= std::chrono::milliseconds(milliseconds));
    QVERIFY(took < Patience);                                         // nothing else ends it: the row is kept
    QCOMPARE(two.acquire(rowRequest("b")).outcome, Outcome::Granted); // the connection is usable
}

void TestPessimistic::aCancelledWaiterLeavesNothing()
{
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    auto held = one.acquire(rowRequest("a"));
    std::stop_source stop;
    LockRequest request = rowRequest("a", Forever);
    request.stop = stop.get_token();
    AcquireResult result;
    std::thread thread([&] { result = two.acquire(request); });
    const QByteArray blocked =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '%lock_row%FOR UPDATE%' "
        "AND id <> CONNECTION_ID()";
    QVERIFY(eventually([&] { return m_observer->value(blocked).toInt() == 1; }));
    stop.request_stop();
    thread.join();
    QCOMPARE(result.outcome, Outcome::Cancelled);
    QVERIFY(eventually([&] { return m_observer->value(blocked).toInt() == 0; }));
    held.handle.release();
    QVERIFY(isFree("a"));
}

void TestPessimistic::aHundredOwnersExcludeEachOther()
{
    constexpr int Owners = 100;
    std::vector<std::unique_ptr<LockEngine>> engines;
    for (int i = 0; i < 10; ++i)
        engines.push_back(std::make_unique<LockEngine>(configFor(*m_server)));
    std::atomic<int> inside = 0;
    std::atomic<int> violations = 0;
    std::atomic<int> grants = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < Owners; ++i) {
        threads.emplace_back([&, i] {
            auto result = engines[std::size_t(i % 10)]->acquire(rowRequest("hot", Patience));
            if (result.outcome != Outcome::Granted)
                return;
            violations += inside++ != 0 ? 1 : 0;
            ++grants;
            --inside;
        });
    }
    for (auto &thread : threads)
        thread.join();
    QCOMPARE(violations.load(), 0);
    QCOMPARE(grants.load(), Owners);
}

void TestPessimistic::namesAreComparedByteForByte()
{
    LockEngine engine(configFor(*m_server));
    std::vector<LockHandle> held;
    for (const QByteArray &name :
         {QByteArray("a"), QByteArray("A"), QByteArray("a "), QByteArray("\xc3\xa4"), QByteArray("a\xcc\x88"),
          QByteArray("\xf0\x9f\x94\x92"), QByteArray("\\'\"`;--"), QByteArray(255, 'x')}) {
        auto result = engine.acquire(rowRequest(name));
        QVERIFY2(result.outcome == Outcome::Granted, name.constData());
        held.push_back(std::move(result.handle));
    }
}

void TestPessimistic::theSameOwnerEntersAgain()
{
    LockEngine engine(configFor(*m_server));
    auto first = engine.acquire(rowRequest("a"));
    auto second = engine.acquire(rowRequest("a"));
    QCOMPARE(second.outcome, Outcome::Granted);
    QCOMPARE(first.handle.release(), ReleaseOutcome::Released);
    QVERIFY(!isFree("a"));
    QVERIFY(second.handle.isHeld());
    QCOMPARE(second.handle.release(), ReleaseOutcome::Released);
    QVERIFY(isFree("a"));
}

void TestPessimistic::theHolderIsSeenAsLongAsItHolds()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = rowRequest("a");
    request.note = "counting";
    auto held = engine.acquire(request);
    const QByteArray seen = "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SELECT NULLIF(CONCAT(note, ' ', "
                            "RTRIM(owner)), ' ') FROM "
                            "lock_row WHERE resource = 'a'";
    const QByteArray text = m_observer->value(seen).toByteArray();
    QVERIFY2(text.startsWith("counting ") && text.contains(engine.owner().session), text.constData());
    held.handle.release();
    QVERIFY(m_observer->value(seen).isNull());
}

void TestPessimistic::theConsoleListsRowsBesideLeases()
{
    LockEngine engine(configFor(*m_server));
    const auto lease = engine.acquire(requestFor("a"));
    LockRequest request = rowRequest("a");
    request.note = "counting";
    auto held = engine.acquire(request);
    LockError error;
    const auto session = Session::open(forReading(targetFor(*m_server)), &error);
    const auto list = [&](const QByteArray &contains) {
        LockSnapshot snapshot;
        return LeaseReader(*session).list({1000, contains}, &snapshot) ? QList<SharedLockRow>() : snapshot.rows;
    };
    const auto rows = list({});
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0]->key.kind, LockKind::Lease);
    QCOMPARE(rows[1]->key.kind, LockKind::Row);
    QCOMPARE(rows[1]->key.resource, QByteArray("a"));
    QCOMPARE(rows[1]->state, LockState::Held);
    QCOMPARE(rows[1]->owner.session, engine.owner().session);
    QCOMPARE(rows[1]->note, QByteArray("counting"));
    QCOMPARE(list("counting").size(), 1);
    held.handle.release();
    QCOMPARE(list({}).size(), 1);
    // What a lost transaction left behind is no holder: nobody has its presence.
    m_observer->run("UPDATE lock_row SET owner = '{}', connection = 1, presence = 'ls:gone', since = UTC_TIMESTAMP(6)");
    QCOMPARE(list({}).size(), 1);
}

void TestPessimistic::aKilledSessionIsToldAsALoss_data()
{
    QTest::addColumn<bool>("autoRenew");
    QTest::addColumn<qint64>("ttlSeconds");
    QTest::addColumn<qint64>("maxHoldMs");
    QTest::newRow("kept alive, short TTL") << true << qint64(9) << qint64(-1);
    QTest::newRow("kept alive, long TTL") << true << qint64(3600) << qint64(-1);
    QTest::newRow("not kept alive") << false << qint64(3600) << qint64(-1);
    QTest::newRow("past the longest hold") << true << qint64(3600) << qint64(1);
}

void TestPessimistic::aKilledSessionIsToldAsALoss()
{
    QFETCH(bool, autoRenew);
    QFETCH(qint64, ttlSeconds);
    QFETCH(qint64, maxHoldMs);
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    std::atomic<int> toldMaxHold = 0;
    std::atomic<LossReason> why = LossReason::Expired;
    LockRequest request = rowRequest("a", 0s, std::chrono::seconds(ttlSeconds));
    request.autoRenew = autoRenew;
    request.onLost = [&](LossReason reason) {
        why = reason;
        ++told;
    };
    request.onMaxHold = [&] { ++toldMaxHold; };
    if (maxHoldMs >= 0)
        request.maxHold = std::chrono::milliseconds(maxHoldMs);
    auto held = engine.acquire(request);
    if (maxHoldMs >= 0)
        QVERIFY(eventually([&] { return toldMaxHold.load() == 1; }));
    m_observer->run("KILL " + m_observer->rowHolder("a"));
    QVERIFY(eventually([&] { return told.load() == 1; })); // without a call by the holder
    QCOMPARE(why.load(), LossReason::SessionEnded);
    QVERIFY(!held.handle.isHeld());
    QVERIFY(eventually([&] { return m_observer->rowHolder("a").isEmpty(); })); // the name goes with the session
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    QVERIFY(isFree("a"));
    QCOMPARE(told.load(), 1);
}

void TestPessimistic::aSessionKilledInACallIsToldBeforeItsEnd()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    LockRequest request = rowRequest("stock", 0s, 1h);
    request.onLost = [&](LossReason reason) { told += reason == LossReason::SessionEnded ? 1 : 100; };
    auto held = engine.acquire(request);
    const QByteArray id = m_observer->rowHolder("stock");
    bool toldInTime = false;
    const auto error = held.handle.inTransaction([&](QSqlDatabase &) {
        m_observer->run("KILL " + id);
        toldInTime = eventually([&] { return told > 0; });
    });
    QVERIFY(toldInTime);
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::LockLost);
    QCOMPARE(told.load(), 1);
}

void TestPessimistic::aShortTtlIsKeptFromEndingByTheEngine()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(rowRequest("a", 0s, 5s));
    const QByteArray now = "SELECT UNIX_TIMESTAMP()";
    const qint64 began = m_observer->value(now).toLongLong();
    QVERIFY(eventually([&] { return m_observer->value(now).toLongLong() > began + 11; }));
    QVERIFY(held.handle.isHeld());
    QVERIFY(!isFree("a"));
}

void TestPessimistic::theTtlEndsALockThatNobodyKeeps()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    LockRequest request = rowRequest("a", 0s, 1s);
    request.autoRenew = false;
    request.onLost = [&](LossReason) { ++told; };
    const auto held = engine.acquire(request);
    QVERIFY(held.handle.remaining() <= 1s);
    LockEngine other(configFor(*m_server));
    QCOMPARE(other.acquire(rowRequest("a", Patience)).outcome, Outcome::Granted);
    QVERIFY(!held.handle.isHeld()); // its own clock ended it first
    QVERIFY(eventually([&] { return told.load() == 1; }));
}

void TestPessimistic::aNewTtlIsTakenOver()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = rowRequest("a", 0s, 5s);
    request.autoRenew = false;
    auto held = engine.acquire(request);
    QCOMPARE(held.handle.renew(100s), RenewOutcome::Renewed);
    QVERIFY(held.handle.remaining() > 90s);
    const QByteArray id = m_observer->rowHolder("a");
    const QByteArray now = "SELECT UNIX_TIMESTAMP()";
    const qint64 began = m_observer->value(now).toLongLong();
    QVERIFY(eventually([&] { return m_observer->value(now).toLongLong() > began + 6; }));
    QCOMPARE(m_observer->rowHolder("a"), id);
}

void TestPessimistic::tokensGrowFromGrantToGrant()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = rowRequest("a", Patience); // the server undoes what a killed session had in its own time
    request.wantsToken = true;
    quint64 last = 0;
    for (int i = 0; i < 5; ++i) {
        auto held = engine.acquire(request);
        QCOMPARE(held.outcome, Outcome::Granted);
        QVERIFY(held.handle.token() > last);
        last = held.handle.token();
        if (i == 2) // also when the session dies
            m_observer->run("KILL " + m_observer->rowHolder("a"));
        held.handle.release();
        if (i == 3)
            m_observer->run("DELETE FROM lock_row");
    }
}

void TestPessimistic::aReleaseKeepsTheCallersWorkAndADestructorUndoesIt()
{
    LockEngine engine(configFor(*m_server));
    const auto sell = [](QSqlDatabase &database) {
        runSql(database, QStringLiteral("UPDATE stock SET left_over = left_over - 1 WHERE id = 1"));
    };
    {
        auto held = engine.acquire(rowRequest("stock"));
        QVERIFY(!held.handle.inTransaction(sell));
        QVERIFY(!held.handle.inTransaction(sell));
        QCOMPARE(m_observer->value("SELECT left_over FROM stock").toInt(), 10);
        QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    }
    QCOMPARE(m_observer->value("SELECT left_over FROM stock").toInt(), 8);
    {
        auto held = engine.acquire(rowRequest("stock"));
        QVERIFY(!held.handle.inTransaction(sell));
    }
    QCOMPARE(m_observer->value("SELECT left_over FROM stock").toInt(), 8);
    QCOMPARE(m_observer->value("SELECT TRIM(owner) FROM lock_row WHERE resource = 'stock'").toString(), QString());
    QVERIFY(isFree("stock"));
}

void TestPessimistic::aCallLongerThanTheTtlKeepsTheLock()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> lost = 0;
    LockRequest request = rowRequest("stock", 0s, 5s);
    request.onLost = [&](LossReason) { ++lost; };
    auto held = engine.acquire(request);
    const auto error = held.handle.inTransaction([](QSqlDatabase &database) {
        runSql(database, QStringLiteral("UPDATE stock SET left_over = 7 WHERE id = 1"));
        runSql(database, QStringLiteral("SELECT SLEEP(8)"));
    });
    QVERIFY2(!error, error ? qPrintable(error->toString()) : "");
    QVERIFY(held.handle.isHeld());
    QVERIFY(!isFree("stock"));
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(lost.load(), 0);
    QCOMPARE(m_observer->value("SELECT left_over FROM stock").toInt(), 7);
}

void TestPessimistic::aCallThatOutlivesItsSessionIsToldAndUndone()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    LockRequest request = rowRequest("stock", 0s, 3s);
    request.onLost = [&](LossReason reason) { told += reason == LossReason::SessionEnded ? 1 : 100; };
    auto held = engine.acquire(request);
    const QByteArray id = m_observer->rowHolder("stock");
    const QByteArray lives = "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + id;
    bool toldInTime = false;
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) {
        runSql(database, QStringLiteral("UPDATE stock SET left_over = 7 WHERE id = 1"));
        QVERIFY(eventually([&] { return m_observer->value(lives).toInt() == 0; })); // idle for too long
        toldInTime = eventually([&] { return told > 0; });
    });
    QVERIFY(toldInTime); // while the call still runs
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::LockLost);
    QVERIFY(!held.handle.isHeld());
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    QCOMPARE(told.load(), 1);
    QCOMPARE(m_observer->value("SELECT left_over FROM stock").toInt(), 10);
    QVERIFY(isFree("stock"));
}

void TestPessimistic::aCallersStatementWaitsAsLongAsTheServerSays()
{
    const QByteArray before = m_observer->value("SELECT @@global.innodb_lock_wait_timeout").toByteArray();
    m_observer->run("SET GLOBAL innodb_lock_wait_timeout = 2");
    Observer stranger(*m_server);
    stranger.run("BEGIN; UPDATE stock SET left_over = 9 WHERE id = 1");
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(rowRequest("stock"));
    QString code;
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) {
        QSqlQuery query(database);
        query.exec(QStringLiteral("UPDATE stock SET left_over = left_over - 1 WHERE id = 1"));
        code = query.lastError().nativeErrorCode();
    });
    m_observer->run("SET GLOBAL innodb_lock_wait_timeout = " + before);
    QCOMPARE(code, QStringLiteral("1205"));
    QVERIFY(!error); // only the statement was undone
    QVERIFY(held.handle.isHeld());
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    stranger.run("ROLLBACK");
    QCOMPARE(m_observer->value("SELECT left_over FROM stock").toInt(), 10);
}

void TestPessimistic::aDeadlockOfTwoCallsIsToldToOne()
{
    m_observer->run("INSERT INTO stock VALUES (2, 10)");
    LockEngine engine(configFor(*m_server));
    std::array<std::binary_semaphore, 2> haveRow{std::binary_semaphore(0), std::binary_semaphore(0)};
    std::array<std::optional<LockError>, 2> errors;
    std::array<ReleaseOutcome, 2> released{};
    const auto work = [&](int self) {
        auto held = engine.acquire(rowRequest("lock " + QByteArray::number(self)));
        const auto take = QStringLiteral("UPDATE stock SET left_over = left_over - 1 WHERE id = %1");
        errors[std::size_t(self)] = held.handle.inTransaction([&](QSqlDatabase &database) {
            QSqlQuery(database).exec(take.arg(1 + self));
            haveRow[std::size_t(self)].release();
            haveRow[std::size_t(1 - self)].acquire();
            QSqlQuery(database).exec(take.arg(2 - self));
        });
        released[std::size_t(self)] = held.handle.release();
    };
    std::thread other([&] { work(1); });
    work(0);
    other.join();
    const std::size_t victim = errors[0] ? 0 : 1;
    QVERIFY(errors[victim]);
    QVERIFY(!errors[1 - victim]);
    QCOMPARE(errors[victim]->kind, Kind::LockLost);
    QVERIFY2(errors[victim]->message.contains(QStringLiteral("deadlock")), qPrintable(errors[victim]->message));
    QCOMPARE(released[victim], ReleaseOutcome::NotHeld);
    QCOMPARE(released[1 - victim], ReleaseOutcome::Released);
    QCOMPARE(m_observer->value("SELECT SUM(left_over) FROM stock").toInt(), 18); // one did both, the other nothing
}

void TestPessimistic::whatACallThrowsPassesThrough()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(rowRequest("a"));
    bool caught = false;
    try {
        held.handle.inTransaction([](QSqlDatabase &) { throw std::runtime_error("no"); });
    } catch (const std::runtime_error &) {
        caught = true;
    }
    QVERIFY(caught);
    QVERIFY(held.handle.isHeld());
    QVERIFY(!held.handle.inTransaction([](QSqlDatabase &) {}));
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
}

void TestPessimistic::pastTheDeadlineAReleaseUndoesTheWork()
{
    // Nobody looks after the lock meanwhile: another one's news keep the engine's thread.
    LockEngine engine(configFor(*m_server));
    std::binary_semaphore begun(0);
    std::binary_semaphore goOn(0);
    LockRequest other = requestFor("other", Patience, 200ms);
    other.autoRenew = false;
    other.onLost = [&](LossReason) {
        begun.release();
        goOn.acquire();
    };
    LockRequest request = rowRequest("stock", 0s, 3100ms); // the server ends the session after 4 s
    request.autoRenew = false;
    auto held = engine.acquire(request);
    QVERIFY(!held.handle.inTransaction([](QSqlDatabase &database) {
        runSql(database, QStringLiteral("UPDATE stock SET left_over = 7 WHERE id = 1"));
    }));
    const auto keeps = engine.acquire(other);
    begun.acquire();
    QVERIFY(eventually([&] { return !held.handle.isHeld(); }));
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    goOn.release();
    QCOMPARE(m_observer->value("SELECT left_over FROM stock").toInt(), 10);
    QVERIFY(isFree("stock"));
}

void TestPessimistic::aStatementThatCommitsLosesTheLock_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("COMMIT") << QStringLiteral("COMMIT");
    QTest::newRow("ROLLBACK") << QStringLiteral("ROLLBACK");
    QTest::newRow("a new BEGIN") << QStringLiteral("BEGIN");
    QTest::newRow("DDL") << QStringLiteral("CREATE TABLE IF NOT EXISTS made (id INT)");
}

void TestPessimistic::aStatementThatCommitsLosesTheLock()
{
    QFETCH(QString, sql);
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    LockRequest request = rowRequest("a");
    request.onLost = [&](LossReason reason) { told += reason == LossReason::TransactionEnded ? 1 : 100; };
    auto held = engine.acquire(request);
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) { runSql(database, sql); });
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::LockLost);
    QVERIFY(!held.handle.isHeld());
    QVERIFY(eventually([&] { return told.load() == 1; }));
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    const QByteArray owner = "SELECT TRIM(owner) FROM lock_row WHERE resource = 'a'";
    QVERIFY(eventually([&] { return m_observer->value(owner).toString().isEmpty(); }));
    QVERIFY(isFree("a"));
}

/// Else InnoDB takes it out of its page and in again, with the locks of all who wait for it.
void TestPessimistic::aRowKeepsItsSizeWhileItIsHeld()
{
    const auto sizes = [this] {
        return m_observer
            ->rows("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SELECT LENGTH(owner), LENGTH(note), "
                   "LENGTH(presence), since IS NULL, connection IS NULL FROM lock_row")
            .value(0);
    };
    LockEngine engine(configFor(*m_server));
    QCOMPARE(engine.acquire(rowRequest("a")).handle.release(), ReleaseOutcome::Released);
    const QVariantList whenFree = sizes();
    QCOMPARE(whenFree.size(), 5);
    auto held = engine.acquire(rowRequest("a"));
    QCOMPARE(sizes(), whenFree);
    QVERIFY(!held.handle.inTransaction([](QSqlDatabase &) {}));
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released); // with a COMMIT
    QCOMPARE(sizes(), whenFree);
}

void TestPessimistic::anyFreeOneOfSeveral()
{
    LockEngine engine(configFor(*m_server));
    const QList<QByteArray> slots_{"slot 1", "slot 2", "slot 3"};
    std::vector<LockHandle> held;
    QList<QByteArray> got;
    for (int i = 0; i < 3; ++i) {
        auto result = engine.acquireAny(slots_, rowRequest("-"));
        QCOMPARE(result.outcome, Outcome::Granted);
        got.append(result.handle.resource());
        held.push_back(std::move(result.handle));
    }
    std::sort(got.begin(), got.end());
    QCOMPARE(got, slots_);
    QCOMPARE(engine.acquireAny(slots_, rowRequest("-")).outcome, Outcome::Busy);
    const QByteArray freed = held[1].resource();
    held[1].release();
    QCOMPARE(engine.acquireAny(slots_, rowRequest("-")).handle.resource(), freed);
}

void TestPessimistic::stripesShareRows()
{
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    LockRequest central = rowRequest("x");
    central.stripes = 1;
    auto held = one.acquire(central);
    QCOMPARE(held.outcome, Outcome::Granted);
    central.resource = "another name";
    QCOMPARE(two.acquire(central).outcome, Outcome::Busy);
    LockRequest striped = rowRequest("x");
    striped.stripes = 100;
    QCOMPARE(two.acquire(striped).outcome, Outcome::Granted);
    held.handle.release();
    QCOMPARE(two.acquire(central).outcome, Outcome::Granted);
    QVERIFY(m_observer->value("SELECT COUNT(*) FROM lock_row").toInt() <= 2);
}

void TestPessimistic::theLimitOfConnectionsIsAnErrorAndNotAHang()
{
    EngineConfig config = configFor(*m_server);
    config.maxConnections = 6;
    LockEngine engine(config);
    std::vector<AcquireResult> results;
    for (int i = 0; i < 6; ++i)
        results.push_back(engine.acquire(rowRequest("r" + QByteArray::number(i), Forever)));
    QCOMPARE(results.front().outcome, Outcome::Granted);
    QCOMPARE(results.back().outcome, Outcome::Failed);
    QCOMPARE(results.back().error->kind, Kind::LimitReached);
    results.front().handle.release();
    QCOMPARE(engine.acquire(rowRequest("again")).outcome, Outcome::Granted);
}

void TestPessimistic::killedIdleConnectionsCostAReconnectOnly()
{
    LockEngine engine(configFor(*m_server));
    engine.acquire(rowRequest("a")).handle.release();
    for (const QVariantList &row : m_observer->rows("SELECT id FROM information_schema.processlist WHERE id <> "
                                                    "CONNECTION_ID() AND user = 'root' AND db IS NOT NULL"))
        m_observer->kill(row.value(0).toByteArray());
    auto held = engine.acquire(rowRequest("a"));
    QVERIFY2(held.outcome == Outcome::Granted, held.error ? qPrintable(held.error->toString()) : "");
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
}

void TestPessimistic::cleaningRemovesOldRowsThatNobodyHolds()
{
    EngineConfig config = configFor(*m_server);
    config.idleRowsKept = Duration::zero();
    LockEngine engine(config);
    for (int i = 0; i < 20; ++i)
        QCOMPARE(engine.acquire(rowRequest("free" + QByteArray::number(i))).outcome, Outcome::Granted);
    auto held = engine.acquire(rowRequest("held"));
    QVERIFY(!engine.clean());
    QCOMPARE(m_observer->value("SELECT GROUP_CONCAT(resource) FROM lock_row").toByteArray(), QByteArray("held"));
    QVERIFY(held.handle.isHeld());
    QVERIFY(!isFree("held"));
    QCOMPARE(engine.acquire(rowRequest("free1", Patience)).outcome, Outcome::Granted);
}

void TestPessimistic::maxHoldIsToldOnce()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    std::atomic<int> lost = 0;
    LockRequest request = rowRequest("a", 0s, 5s);
    request.maxHold = 500ms;
    request.onMaxHold = [&] { ++told; };
    request.onLost = [&](LossReason) { ++lost; };
    const auto held = engine.acquire(request);
    QVERIFY(eventually([&] { return lost.load() == 1; }));
    QCOMPARE(told.load(), 1);
    QVERIFY(eventually([&] { return isFree("a"); }));
}

void TestPessimistic::aReleaseInAnotherThreadFreesTheRow()
{
    LockEngine engine(configFor(*m_server));
    AcquireResult held;
    std::thread([&] { held = engine.acquire(rowRequest("a")); }).join();
    QCOMPARE(held.outcome, Outcome::Granted);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QVERIFY(isFree("a"));
}

void TestPessimistic::theEnginesEndFreesItsRows()
{
    AcquireResult held;
    {
        LockEngine engine(configFor(*m_server));
        held = engine.acquire(rowRequest("a"));
        QCOMPARE(held.outcome, Outcome::Granted);
    }
    QVERIFY(!held.handle.isHeld());
    QVERIFY(isFree("a"));
}

QTEST_GUILESS_MAIN(TestPessimistic)
#include "tst_pessimistic.moc"
