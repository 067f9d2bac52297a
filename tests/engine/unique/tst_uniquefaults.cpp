// SPDX-License-Identifier: MIT
// Crashes, freezes, killed connections, restarts and servers that refuse.
#include "enginetest.h"

#include "session/schema.h"

#include <QtTest/QTest>

#include <atomic>
#include <future>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

class TestUniqueFaults : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void aKilledHolderIsAnOrphanUntilItsEnd();
    void aDeadWaiterIsPassedOver();
    void aHolderThatFrozePastItsEndLearnsIt();
    void aReleasePastTheEndOverADeadConnectionIsNotHeld();
    void whoCutsItShortDoesNotBelieveInItForLonger();
    void theSecondGetsItsTurnWhenTheFirstFroze_data();
    void theSecondGetsItsTurnWhenTheFirstFroze();
    void aKilledConnectionDoesNotEndALease();
    void theKilledPresenceOfALongLeaseComesBack();
    void aKilledWaiterKeepsWaiting();
    void killedConnectionsUnderLoadBreakNothing();
    void aRestartUnderAHolderAndAWaiterLosesNothing();
    void aReleaseDuringARestartArrives();
    void tokensGoOnAfterTheServerWasKilled();
    void aClockThatIsSetForwardEndsNoLivingLease_data();
    void aClockThatIsSetForwardEndsNoLivingLease();
    void anExpiredLeaseIsRenewedOnlyByWhoStillHoldsIt();
    void aLateRenewalNeverTakesALeaseBack();
    void whatTheServerRefusesIsSaidInOneSentence_data();
    void whatTheServerRefusesIsSaidInOneSentence();
    void sixteenInstallersAtOnceDoNoHarm();
    void tablesOfVersionThreeKeepTheirLeases();
    void statementFormatBinlogIsRefused();
    void aReadOnlyServerIsNamed();
    void aFullDiskIsNamedAndNothingIsLost();

private:
    QList<quint64> engineConnections();
};

QList<quint64> TestUniqueFaults::engineConnections()
{
    QList<quint64> ids;
    for (const QVariantList &row : m_observer->rows("SELECT id FROM information_schema.processlist "
                                                    "WHERE id <> CONNECTION_ID() AND user = 'root' AND db IS NOT NULL"))
        ids += row.value(0).toULongLong();
    return ids;
}

void TestUniqueFaults::aKilledHolderIsAnOrphanUntilItsEnd()
{
    LockEngine engine(configFor(*m_server));
    QVERIFY(!engine.connectToServer());
    Worker worker(*m_server);
    const quint64 token = worker.ask("acquire a 6000 0").section(u' ', 1).toULongLong();
    QVERIFY(token > 0);
    worker.kill9();
    const QByteArray alive = "SELECT IS_USED_LOCK(presence) IS NOT NULL FROM lock_lease";
    QVERIFY(eventually([&] { return !m_observer->value(alive).toBool(); }));
    QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Busy); // its work may still run
    const auto next = engine.acquire(requestFor("a", Patience));
    QCOMPARE(next.outcome, Outcome::Granted);
    QVERIFY(next.handle.token() > token);
}

void TestUniqueFaults::aDeadWaiterIsPassedOver()
{
    LockEngine holder(configFor(*m_server));
    auto held = holder.acquire(requestFor("a"));
    Worker dead(*m_server);
    Worker living(*m_server);
    dead.send("acquire a 30000 60000");
    QVERIFY(eventually([&] { return m_observer->waiters("a") == 1; }));
    living.send("acquire a 30000 60000");
    QVERIFY(eventually([&] { return m_observer->waiters("a") == 2; }));
    const auto place = m_observer->value("SELECT SUBSTRING_INDEX(queue, '\\t', 1) FROM lock_lease").toByteArray();
    dead.kill9();
    const QByteArray seen = "SELECT IS_USED_LOCK('" + place + "') IS NULL";
    QVERIFY(eventually([&] { return m_observer->value(seen).toBool(); })); // the server has noticed
    const auto released = std::chrono::steady_clock::now();
    held.handle.release();
    QCOMPARE(living.answer(), QStringLiteral("granted %1").arg(held.handle.token() + 1));
    QVERIFY(std::chrono::steady_clock::now() - released < 10s); // one that is not woken looks after 15 s
    QCOMPARE(living.ask("release"), QStringLiteral("released"));
}

void TestUniqueFaults::aHolderThatFrozePastItsEndLearnsIt()
{
    LockEngine engine(configFor(*m_server));
    Worker worker(*m_server);
    const quint64 token = worker.ask("acquire a 1000 0").section(u' ', 1).toULongLong();
    worker.freeze();
    const auto next = engine.acquire(requestFor("a", Patience));
    QCOMPARE(next.outcome, Outcome::Granted);
    QVERIFY(next.handle.token() > token);
    worker.thaw();
    QCOMPARE(worker.ask("held"), QStringLiteral("no"));
    QCOMPARE(worker.ask("lost"), QStringLiteral("expired"));
    QCOMPARE(worker.ask("release"), QStringLiteral("not held"));
    QVERIFY(next.handle.isHeld());
}

/// As after a freeze, in the moment before the watchdog looks at its clock.
void TestUniqueFaults::aReleasePastTheEndOverADeadConnectionIsNotHeld()
{
    LockEngine engine(configFor(*m_server));
    std::promise<void> isReleased;
    LockRequest shorter = requestFor("b", 0s, 200ms);
    shorter.autoRenew = false;
    std::atomic<bool> isBusy = false;
    shorter.onLost = [&, until = isReleased.get_future().share()](LossReason) {
        isBusy = true;
        until.wait(); // the watchdog's thread
    };
    LockRequest request = requestFor("a", 0s, 2s);
    request.autoRenew = false;
    auto held = engine.acquire(request);
    const auto lost = engine.acquire(shorter);
    QVERIFY(eventually([&] { return isBusy.load(); }));
    QVERIFY(eventually([&] { return !held.handle.isHeld(); }));
    for (const quint64 id : engineConnections())
        m_observer->kill(QByteArray::number(id));
    QVERIFY(eventually([&] { return engineConnections().isEmpty(); }));
    const ReleaseOutcome outcome = held.handle.release();
    isReleased.set_value();
    QCOMPARE(outcome, ReleaseOutcome::NotHeld);
}

/// The server may have done it long before its answer is there.
void TestUniqueFaults::whoCutsItShortDoesNotBelieveInItForLonger()
{
    LockEngine engine(configFor(*m_server));
    auto taken = engine.acquire(requestFor("a", 0s, 1h));
    QCOMPARE(taken.outcome, Outcome::Granted);
    m_server->freeze();
    std::atomic<bool> isAnswered = false;
    std::thread renewal([&] {
        taken.handle.renew(1s);
        isAnswered = true;
    });
    const bool isOver = eventually([&] { return !taken.handle.isHeld(); }) && !isAnswered;
    m_server->thaw();
    renewal.join();
    QVERIFY(isOver);
    QVERIFY(!taken.handle.isHeld());
}

void TestUniqueFaults::theSecondGetsItsTurnWhenTheFirstFroze_data()
{
    QTest::addColumn<bool>("frozenBeforeTheGrant");
    QTest::newRow("after it was granted") << false;
    QTest::newRow("while it waited") << true;
}

void TestUniqueFaults::theSecondGetsItsTurnWhenTheFirstFroze()
{
    QFETCH(bool, frozenBeforeTheGrant);
    LockEngine holder(configFor(*m_server));
    LockEngine second(configFor(*m_server));
    auto held = holder.acquire(requestFor("a"));
    Worker first(*m_server);
    first.send("acquire a 4000 60000");
    QVERIFY(eventually([&] { return m_observer->waiters("a") == 1; }));
    AcquireResult result;
    std::thread thread([&] { result = second.acquire(requestFor("a", Patience)); });
    QVERIFY(eventually([&] { return m_observer->waiters("a") == 2; }));
    if (frozenBeforeTheGrant)
        first.freeze();
    held.handle.release();
    if (!frozenBeforeTheGrant) {
        QCOMPARE(first.answer(), QStringLiteral("granted %1").arg(held.handle.token() + 1));
        first.freeze();
    }
    thread.join();
    first.thaw();
    QCOMPARE(result.outcome, Outcome::Granted);
    QCOMPARE(result.handle.token(), held.handle.token() + 2);
    // Not before the frozen one's time was over.
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event WHERE kind = 'takeover'").toInt(), 1);
}

void TestUniqueFaults::aKilledConnectionDoesNotEndALease()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<bool> lost = false;
    LockRequest request = requestFor("a", 0s, 9s);
    request.onLost = [&](LossReason) { lost = true; };
    auto held = engine.acquire(request);
    const auto ids = engineConnections();
    QVERIFY(ids.size() >= 2);
    for (const quint64 id : ids)
        m_observer->kill(QByteArray::number(id));
    const QByteArray state = "SELECT IS_USED_LOCK(presence) IS NOT NULL AND expires_at > "
                             "acquired_at + INTERVAL 9100000 MICROSECOND FROM lock_lease";
    QVERIFY(eventually([&] { return m_observer->value(state).toBool(); })); // renewed, with its presence again
    QVERIFY(held.handle.isHeld());
    QVERIFY(!lost);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
}

void TestUniqueFaults::theKilledPresenceOfALongLeaseComesBack()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a", 0s, Forever)); // nothing is renewed for a long time
    for (const quint64 id : engineConnections())
        m_observer->kill(QByteArray::number(id));
    const QByteArray isAlive = "SELECT IS_USED_LOCK(presence) IS NOT NULL FROM lock_lease";
    QVERIFY(eventually([&] { return !m_observer->value(isAlive).toBool(); }));
    QVERIFY(eventually([&] { return m_observer->value(isAlive).toBool(); }));
}

void TestUniqueFaults::aKilledWaiterKeepsWaiting()
{
    LockEngine holder(configFor(*m_server));
    auto held = holder.acquire(requestFor("a"));
    Worker waiter(*m_server);
    waiter.send("acquire a 30000 60000");
    QVERIFY(eventually([&] { return m_observer->blocked() == 1; }));
    m_observer->run("SET @id = (SELECT id FROM information_schema.processlist WHERE state = 'User lock')");
    m_observer->run("KILL (SELECT @id)");
    QVERIFY(eventually([&] {
        return m_observer
                   ->value("SELECT COUNT(*) FROM information_schema.processlist "
                           "WHERE state = 'User lock' AND id <> @id")
                   .toInt()
            == 1;
    }));
    held.handle.release();
    QCOMPARE(waiter.answer(), QStringLiteral("granted %1").arg(held.handle.token() + 1));
    QCOMPARE(waiter.ask("release"), QStringLiteral("released"));
}

void TestUniqueFaults::killedConnectionsUnderLoadBreakNothing()
{
    std::vector<std::unique_ptr<LockEngine>> engines;
    for (int i = 0; i < 6; ++i)
        engines.push_back(std::make_unique<LockEngine>(configFor(*m_server)));
    std::atomic<bool> stop = false;
    std::atomic<int> inside = 0;
    std::atomic<int> violations = 0;
    std::atomic<int> grants = 0;
    quint64 last = 0;
    std::vector<std::thread> threads;
    for (auto &engine : engines) {
        threads.emplace_back([&, engine = engine.get()] {
            while (!stop) {
                auto result = engine->acquire(requestFor("hot", 5s, 10s));
                if (result.outcome != Outcome::Granted)
                    continue;
                if (inside++ != 0 || result.handle.token() <= last)
                    ++violations;
                last = result.handle.token();
                ++grants;
                --inside;
            }
        });
    }
    for (qsizetype i = 0; i < 60; ++i) {
        const auto ids = engineConnections();
        if (!ids.isEmpty()) // an id may be gone by now: that is no error here
            m_observer->run("SET @id = " + QByteArray::number(ids[(i * 7) % ids.size()])
                            + "; SELECT COUNT(*) INTO @there FROM information_schema.processlist WHERE id = @id");
        if (m_observer->value("SELECT @there").toInt() == 1) {
            Observer killer(*m_server);
            LockError ignored;
            const auto session = Session::open(targetFor(*m_server), &ignored);
            session->run("KILL " + m_observer->value("SELECT @id").toByteArray(), "test");
        }
    }
    const int soFar = grants;
    QVERIFY(eventually([&] { return grants > soFar + 20; })); // and it goes on
    stop = true;
    for (auto &thread : threads)
        thread.join();
    QCOMPARE(violations.load(), 0);
}

void TestUniqueFaults::aRestartUnderAHolderAndAWaiterLosesNothing()
{
    m_observer.reset();
    LockEngine holder(configFor(*m_server));
    std::atomic<bool> lost = false;
    LockRequest request = requestFor("a", 0s, 30s);
    request.onLost = [&](LossReason) { lost = true; };
    auto held = holder.acquire(request);
    Worker waiter(*m_server);
    waiter.send("acquire a 30000 60000");
    QVERIFY(eventually([&] { return Observer(*m_server).blocked() == 1; }));
    m_server->restart();
    QVERIFY(eventually([&] { return Observer(*m_server).blocked() == 1; })); // it has come back by itself
    QVERIFY(held.handle.isHeld());
    QVERIFY(!lost);
    QVERIFY(!waiter.hasAnswer());
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(waiter.answer(), QStringLiteral("granted %1").arg(held.handle.token() + 1));
    QCOMPARE(waiter.ask("release"), QStringLiteral("released"));
}

void TestUniqueFaults::aReleaseDuringARestartArrives()
{
    m_observer.reset();
    LockEngine holder(configFor(*m_server));
    auto held = holder.acquire(requestFor("a", 0s, Forever)); // no end would free it
    m_server->stop();
    ReleaseOutcome released = ReleaseOutcome::Failed;
    std::thread thread([&] { released = held.handle.release(); });
    m_server->start();
    thread.join();
    QCOMPARE(released, ReleaseOutcome::Released);
    LockEngine next(configFor(*m_server));
    QCOMPARE(next.acquire(requestFor("a")).outcome, Outcome::Granted);
}

void TestUniqueFaults::tokensGoOnAfterTheServerWasKilled()
{
    m_observer.reset();
    quint64 last = 0;
    {
        LockEngine engine(configFor(*m_server));
        for (int i = 0; i < 10; ++i)
            last = engine.acquire(requestFor("a")).handle.token();
    }
    m_server->kill9();
    m_server->start();
    LockEngine engine(configFor(*m_server));
    const auto next = engine.acquire(requestFor("a", Patience));
    QCOMPARE(next.outcome, Outcome::Granted);
    QVERIFY(next.handle.token() > last);
}

void TestUniqueFaults::aClockThatIsSetForwardEndsNoLivingLease_data()
{
    QTest::addColumn<QByteArray>("step");
    QTest::addColumn<bool>("waits");
    QTest::addColumn<bool>("comes");
    QTest::newRow("nobody else is there") << QByteArray("1 HOUR") << false << false;
    QTest::newRow("somebody comes") << QByteArray("12100 * 1000 MICROSECOND") << false << true;
    QTest::newRow("somebody waits") << QByteArray("1 HOUR") << true << false;
}

void TestUniqueFaults::aClockThatIsSetForwardEndsNoLivingLease()
{
    QFETCH(QByteArray, step);
    QFETCH(bool, waits);
    QFETCH(bool, comes);
    LockEngine holder(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    std::atomic<bool> lost = false;
    LockRequest request = requestFor("a", 0s, 12s);
    request.onLost = [&](LossReason) { lost = true; };
    auto held = holder.acquire(request);
    const quint64 token = held.handle.token();
    AcquireResult next;
    std::jthread waiter([&] {
        if (waits)
            next = other.acquire(requestFor("a", Patience));
    });
    QVERIFY(!waits || eventually([&] { return m_observer->blocked() == 1; }));

    // Nothing but its distance to the server's clock is read of a time in the row.
    QVERIFY(m_observer
                ->value("UPDATE lock_lease SET acquired_at = acquired_at - INTERVAL " + step
                        + ", expires_at = expires_at - INTERVAL " + step
                        + "; SELECT expires_at < UTC_TIMESTAMP(6) FROM lock_lease") // before it is renewed
                .toBool());
    if (waits) { // that it looks now, and not when it would
        m_observer->run("SET @id = (SELECT id FROM information_schema.processlist WHERE state = 'User lock')");
        m_observer->run("KILL (SELECT @id)");
    }
    QVERIFY(!comes || other.acquire(requestFor("a")).outcome == Outcome::Busy);

    QVERIFY(eventually([&] { return m_observer->value("SELECT expires_at > UTC_TIMESTAMP(6) FROM lock_lease") == 1; }));
    QCOMPARE(m_observer->value("SELECT token FROM lock_lease").toULongLong(), token);
    QVERIFY(held.handle.isHeld());
    QVERIFY(!lost);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(next.outcome, waits ? Outcome::Granted : Outcome::Failed);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 0);
}

void TestUniqueFaults::anExpiredLeaseIsRenewedOnlyByWhoStillHoldsIt()
{
    LockEngine holder(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, std::chrono::hours(1));
    auto held = holder.acquire(request);
    const QByteArray expire = "UPDATE lock_lease SET expires_at = UTC_TIMESTAMP(6) - INTERVAL 1 SECOND";
    m_observer->run(expire);
    QCOMPARE(held.handle.renew(std::chrono::hours(1)), RenewOutcome::Renewed);
    QVERIFY(held.handle.isHeld());

    m_observer->run(expire + ", ttl_us = 1000000");
    LockEngine other(configFor(*m_server));
    const auto next = other.acquire(requestFor("a", Patience));
    QCOMPARE(next.outcome, Outcome::Granted);
    QCOMPARE(held.handle.renew(std::chrono::hours(1)), RenewOutcome::NotHeld);
    QVERIFY(!held.handle.isHeld());
    QVERIFY(next.handle.isHeld());
    QCOMPARE(m_observer->value("SELECT token FROM lock_lease WHERE expires_at > UTC_TIMESTAMP(6)").toULongLong(),
             next.handle.token());
}

void TestUniqueFaults::aLateRenewalNeverTakesALeaseBack()
{
    // Renewals and takeovers of one lease that looks expired all the time: each takeover has a holder of its own.
    LockEngine holder(configFor(*m_server));
    std::atomic<int> doubles = 0;
    std::jthread expirer([&](const std::stop_token &stop) {
        Observer observer(*m_server);
        while (!stop.stop_requested())
            observer.run("UPDATE lock_lease SET expires_at = UTC_TIMESTAMP(6) - INTERVAL 1 HOUR");
    });
    LockEngine other(configFor(*m_server));
    for (int i = 0; i < 60; ++i) {
        auto held = holder.acquire(requestFor("a", Patience, 1s));
        QCOMPARE(held.outcome, Outcome::Granted);
        AcquireResult next;
        std::jthread taker([&] { next = other.acquire(requestFor("a", Duration::zero(), 1s)); });
        RenewOutcome renewed = RenewOutcome::Renewed;
        for (int n = 0; n < 20 && renewed == RenewOutcome::Renewed; ++n)
            renewed = held.handle.renew(1s);
        taker.join();
        const bool isTaken = next.outcome == Outcome::Granted;
        doubles += isTaken && held.handle.renew(1s) == RenewOutcome::Renewed ? 1 : 0;
        held.handle.release();
    }
    QCOMPARE(doubles.load(), 0);
}

void TestUniqueFaults::whatTheServerRefusesIsSaidInOneSentence_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("password");
    QTest::addColumn<QString>("schema");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("says");
    const QString none;
    QTest::newRow("wrong password") << "CREATE USER IF NOT EXISTS u1@localhost IDENTIFIED BY 'secret'"
                                    << "u1"
                                    << "wrong"
                                    << "lockscope" << int(Kind::AccessDenied) << "password";
    QTest::newRow("no privilege") << "CREATE USER IF NOT EXISTS u2@localhost IDENTIFIED BY 'secret'"
                                  << "u2"
                                  << "secret"
                                  << "lockscope" << int(Kind::NoPermission) << "privilege";
    QTest::newRow("no schema") << none << "root" << none << "nowhere" << int(Kind::SchemaMissing) << "lockctl init";
    QTest::newRow("no tables") << "CREATE DATABASE IF NOT EXISTS emptyschema"
                               << "root" << none << "emptyschema" << int(Kind::SchemaMissing) << "lockctl init";
    QTest::newRow("newer tables")
        << "CREATE DATABASE IF NOT EXISTS newer; CREATE TABLE IF NOT EXISTS newer.lock_meta (name VARCHAR(64) PRIMARY "
           "KEY, value BIGINT UNSIGNED); REPLACE INTO newer.lock_meta VALUES ('schema_version', 99)"
        << "root" << none << "newer" << int(Kind::SchemaTooNew) << "99";
    QTest::newRow("older tables")
        << "CREATE DATABASE IF NOT EXISTS older; CREATE TABLE IF NOT EXISTS older.lock_meta (name VARCHAR(64) PRIMARY "
           "KEY, value BIGINT UNSIGNED); REPLACE INTO older.lock_meta VALUES ('schema_version', 1)"
        << "root" << none << "older" << int(Kind::SchemaMissing) << "lockctl init";
}

void TestUniqueFaults::whatTheServerRefusesIsSaidInOneSentence()
{
    QFETCH(QString, sql);
    QFETCH(QString, user);
    QFETCH(QString, password);
    QFETCH(QString, schema);
    QFETCH(int, kind);
    QFETCH(QString, says);
    if (!sql.isEmpty())
        m_observer->run(sql.toUtf8());
    EngineConfig config = configFor(*m_server);
    config.server.user = user;
    config.server.schema = schema;
    config.password = password;
    LockEngine engine(config);
    const auto result = engine.acquire(requestFor("a"));
    QCOMPARE(result.outcome, Outcome::Failed);
    QVERIFY2(result.error->message.contains(says), qPrintable(result.error->toString()));
    QCOMPARE(int(result.error->kind), kind);
    QVERIFY(!result.error->toString().contains(QStringLiteral("secret")));
}

void TestUniqueFaults::sixteenInstallersAtOnceDoNoHarm()
{
    m_observer->run("DROP DATABASE IF EXISTS fresh");
    SessionTarget target = targetFor(*m_server);
    target.url.schema = QStringLiteral("fresh");
    std::vector<std::thread> threads;
    std::atomic<int> failures = 0;
    for (int i = 0; i < 16; ++i)
        threads.emplace_back([&] { failures += installSchema(target) ? 1 : 0; });
    for (auto &thread : threads)
        thread.join();
    QCOMPARE(failures.load(), 0);
    QCOMPARE(m_observer->value("SELECT value FROM fresh.lock_meta WHERE name = 'schema_version'").toInt(),
             SchemaVersion);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM fresh.lock_meta").toInt(), 3);
    QVERIFY(!installSchema(target)); // and again
    m_observer->run("UPDATE fresh.lock_meta SET value = 1 WHERE name = 'schema_version'");
    m_observer->run("DROP TABLE fresh.lock_row");
    QVERIFY(!installSchema(target)); // an upgrade
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM fresh.lock_row").toInt(), 0);
}

void TestUniqueFaults::tablesOfVersionThreeKeepTheirLeases()
{
    m_observer->run("DROP DATABASE IF EXISTS three");
    SessionTarget target = targetFor(*m_server);
    target.url.schema = QStringLiteral("three");
    QVERIFY(!installSchema(target));
    m_observer->run("ALTER TABLE three.lock_lease MODIFY presence VARCHAR(64) CHARACTER SET ascii NULL, "
                    "ADD released_at DATETIME(6) NULL");
    m_observer->run("ALTER TABLE three.lock_latency DROP COLUMN prefix");
    m_observer->run(
        "INSERT INTO three.lock_lease (resource, token, presence) VALUES ('free', 7, NULL), ('held', 8, 'p')");
    m_observer->run("UPDATE three.lock_meta SET value = IF(name = 'schema_version', 3, 70 + LENGTH(name)), "
                    "name = REPLACE(REPLACE(name, 'floor_of_tokens', 'token_floor'), 'floor_of_versions', "
                    "'version_floor')");
    m_observer->run("ALTER TABLE three.lock_meta DROP COLUMN floor");
    m_observer->run("ALTER TABLE three.lock_event DROP COLUMN account");
    m_observer->run("INSERT INTO three.lock_event (at, kind, resource, token) VALUES (NOW(), 'lost', 'a', 1)");
    QVERIFY(!installSchema(target));
    const auto floors = m_observer->value("SELECT GROUP_CONCAT(name, ' ', floor ORDER BY name) FROM three.lock_meta "
                                          "WHERE name LIKE '%floor%'");
    QCOMPARE(floors.toString(), QStringLiteral("floor_of_tokens 85,floor_of_versions 87"));
    m_observer->run("INSERT INTO three.lock_event (at, kind, resource, token) VALUES (NOW(), 'lost', 'a', 2)");
    QCOMPARE(
        m_observer->value("SELECT GROUP_CONCAT(IFNULL(account, '-') ORDER BY id) FROM three.lock_event").toString(),
        QStringLiteral("-,root@localhost"));
    QCOMPARE(m_observer->value("SELECT presence FROM three.lock_lease WHERE resource = 'held'").toByteArray(), "p");

    EngineConfig config = configFor(*m_server);
    config.server.schema = target.url.schema;
    LockEngine engine(config);
    QCOMPARE(engine.acquire(requestFor("free")).handle.token(), 8u);
    QCOMPARE(engine.acquire(requestFor("new")).outcome, Outcome::Granted);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM three.lock_lease WHERE presence = '-'").toInt(), 2);
}

void TestUniqueFaults::statementFormatBinlogIsRefused()
{
    TestServer server(
        {QStringLiteral("--log-bin"), QStringLiteral("--binlog-format=STATEMENT"), QStringLiteral("--server-id=1")});
    LockEngine engine(configFor(server));
    const auto result = engine.acquire(requestFor("a"));
    QCOMPARE(result.outcome, Outcome::Failed);
    QCOMPARE(result.error->kind, Kind::UnsafeServer);
    QVERIFY(result.error->message.contains(QStringLiteral("ROW")));
}

void TestUniqueFaults::aReadOnlyServerIsNamed()
{
    m_observer->run("CREATE USER IF NOT EXISTS app@localhost IDENTIFIED BY 'secret'; "
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON lockscope.* TO app@localhost");
    EngineConfig config = configFor(*m_server);
    config.server.user = QStringLiteral("app");
    config.password = QStringLiteral("secret");
    LockEngine engine(config);
    auto held = engine.acquire(requestFor("a"));
    QCOMPARE(held.outcome, Outcome::Granted);
    m_observer->run("SET GLOBAL read_only = 1");
    const auto refused = engine.acquire(requestFor("b"));
    const auto released = held.handle.release();
    m_observer->run("SET GLOBAL read_only = 0");
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, Kind::ReadOnlyServer);
    QCOMPARE(released, ReleaseOutcome::Failed);
}

void TestUniqueFaults::aFullDiskIsNamedAndNothingIsLost()
{
    // All tables in one file that cannot grow: to the server that is a full disk.
    const auto limitedTo = [](int megabytes) {
        return QStringList{QStringLiteral("--innodb-file-per-table=0"),
                           QStringLiteral("--innodb-data-file-path=ibdata1:12M:autoextend:max:%1M").arg(megabytes)};
    };
    TestServer server(limitedTo(14));
    QVERIFY(!installSchema(targetFor(server)));
    LockEngine engine(configFor(server));
    auto held = engine.acquire(requestFor("held"));
    QCOMPARE(held.outcome, Outcome::Granted);

    Observer observer(server);
    observer.run("CREATE TABLE filler (id INT AUTO_INCREMENT PRIMARY KEY, x VARBINARY(4000)) ENGINE = InnoDB");
    ReconnectingSession filler(targetFor(server));
    for (int rows = 64; rows > 0;) { // ever smaller pieces, until nothing fits
        const QByteArray values = QByteArrayList(rows, "(REPEAT('x', 4000))").join(',');
        if (!filler.run("INSERT INTO filler (x) VALUES " + values, "fill"))
            rows /= 2;
    }
    LockRequest request = requestFor("n");
    request.note = QByteArray(1024, 'x');
    AcquireResult refused;
    int tried = 0;
    do {
        QVERIFY(++tried < 1000);
        request.resource = QByteArray(240, 'n') + QByteArray::number(tried);
        refused = engine.acquire(request);
    } while (refused.outcome == Outcome::Granted);
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, Kind::DiskFull);
    QVERIFY(refused.error->message.contains(QStringLiteral("Free space")));
    QCOMPARE(observer.value("SELECT COUNT(*) FROM lock_lease WHERE resource = '" + request.resource + '\'').toInt(), 0);
    QCOMPARE(observer.value("SELECT COUNT(*) FROM lock_lease WHERE presence <> '-'").toInt(), 1);

    // What is held can be renewed: that changes no row's size. A release changes it, for which InnoDB may want a new
    // page; then the lease ends with its TTL.
    QCOMPARE(held.handle.renew(10s), RenewOutcome::Renewed);
    const auto released = held.handle.release();
    QVERIFY(released == ReleaseOutcome::Released || held.handle.lastError()->kind == Kind::DiskFull);
    server.setOptions(limitedTo(20));
    server.restart();
    QCOMPARE(engine.acquire(request).outcome, Outcome::Granted);
    QCOMPARE(engine.acquire(requestFor("held", Patience)).outcome, Outcome::Granted);
}

QTEST_GUILESS_MAIN(TestUniqueFaults)
#include "tst_uniquefaults.moc"
