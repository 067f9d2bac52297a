// SPDX-License-Identifier: MIT
// The users of sql/grants can do their work, and not what is not theirs.
#include "actor.h"
#include "enginefixture.h"
#include "strict.h"

#include "actions/bulkrelease.h"
#include "actions/forcerelease.h"
#include "actions/sessionkill.h"
#include "engine/records/cleanup_p.h"
#include "engine/unique/leaserelease_p.h"
#include "locks/leasereader.h"
#include "lockscope/once.h"
#include "lockscope/optimistic.h"
#include "session/schema.h"
#include "sources/mysqlsource.h"
#include "waits/waitsreader.h"

#include <QtCore/QThread>
#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;

namespace {

LockKey keyA()
{
    LockKey key;
    key.resource = "a";
    return key;
}

ForcedRelease end(Session &session, quint64 token)
{
    return detail::endLease(session, {"a", 0, token}, {QStringLiteral("test"), QStringLiteral("stuck")});
}

} // namespace

class TestGrants : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init()
    {
        failOnWarnings();
        resetTables(*m_server);
    }

    void theEngineUserTakesWaitsTakesOverAndCleans();
    void whatTheEngineUserMayNotDoTheServerRefuses_data();
    void whatTheEngineUserMayNotDoTheServerRefuses();
    void theServerSaysWhichAccountWroteAnEvent();
    void onlyTheRetentionUserRemovesOldEvents();
    void theMonitorUserSeesButCannotRelease();
    void theMonitorUserSeesRowWaitersOnlyWithTheirGrant();
    void theOperatorUserReleases();
    void theInstallerUserInstalls();
    void theMonitorUserSeesTheServersOwnLocksAndEndsNothing();
    void theOperatorUserEndsASessionOfAnotherUser();

private:
    /// A session of the application, which has a row, and one of its own that wants it.
    void makeShop();
    SessionTarget shopTarget() const;

    ServerUrl urlOf(const QString &user) const;
    SessionTarget targetOf(const QString &user) const;
    std::unique_ptr<Session> sessionOf(const QString &user) const;

    TestServer *m_server = nullptr;
};

void TestGrants::initTestCase()
{
    m_server = &TestServer::instance();
    resetTables(*m_server);
    Observer administrator(*m_server);
    for (const char *role : {"engine", "retention", "monitor", "operator", "installer"}) {
        const QByteArray name(role);
        administrator.run("CREATE USER 'lockscope_" + name + "'@'localhost' IDENTIFIED BY 'pw'");
        administrator.run(sqlText("grants/" + name, m_server->family()));
    }
}

ServerUrl TestGrants::urlOf(const QString &user) const
{
    ServerUrl url = m_server->url();
    url.user = user;
    return url;
}

SessionTarget TestGrants::targetOf(const QString &user) const
{
    SessionTarget target;
    target.url = urlOf(user);
    target.password = QStringLiteral("pw");
    return target;
}

std::unique_ptr<Session> TestGrants::sessionOf(const QString &user) const
{
    LockError error;
    auto session = Session::open(targetOf(user), &error);
    if (!session)
        qFatal("%s", qPrintable(error.toString()));
    return session;
}

void TestGrants::theEngineUserTakesWaitsTakesOverAndCleans()
{
    EngineConfig config = configFor(*m_server);
    config.server = urlOf(QStringLiteral("lockscope_engine"));
    config.password = QStringLiteral("pw");
    config.idleRowsKept = Duration(1);
    LockEngine engine(config);
    LockEngine other(config);
    auto held = engine.acquire(requestFor("a"));
    QCOMPARE(held.outcome, Outcome::Granted);
    AcquireResult waited;
    std::thread thread([&] { waited = other.acquire(requestFor("a", Patience)); });
    Observer observer(*m_server);
    QVERIFY(eventually([&] { return observer.waiters("a") == 1; }));
    QCOMPARE(held.handle.renew(20s), RenewOutcome::Renewed);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    thread.join();
    QCOMPARE(waited.outcome, Outcome::Granted);
    QCOMPARE(waited.handle.release(), ReleaseOutcome::Released);
    {
        Worker dead(*m_server);
        QVERIFY(dead.ask("acquire b 100 0").startsWith(QStringLiteral("granted")));
        dead.kill9();
    }
    QCOMPARE(engine.acquire(requestFor("b", Patience)).outcome, Outcome::Granted); // a takeover, with its event
    const auto stuck = other.acquire(requestFor("stuck"));
    const HeldLeases found = engine.heldLeases({.prefix = "stuck"});
    QVERIFY2(!found.error, found.error ? qPrintable(found.error->toString()) : "");
    QCOMPARE(engine.forceRelease(found.leases, QStringLiteral("janitor"), QStringLiteral("stuck")).released, 1);
    const Job job{"mail", "42"};
    const auto work = [](LockHandle &) { return true; };
    QCOMPARE(once(engine, job, work).outcome, OnceOutcome::Done);
    QCOMPARE(once(engine, job, work).outcome, OnceOutcome::AlreadyDone);
    config.doneKept = Duration(1);
    QVERIFY(!LockEngine(config).clean());
    QCOMPARE(observer.value("SELECT COUNT(*) FROM lock_done").toInt(), 0);
    {
        LockEngine third(config);
        OptimisticStore store(third);
        QCOMPARE(store.commit(store.read("c").snapshot).outcome, CommitOutcome::Committed);
    }
    QCOMPARE(observer.value("SELECT commits FROM lock_attempt").toInt(), 1);
    QVERIFY(observer.value("SELECT floor FROM lock_meta WHERE name = 'floor_of_tokens'").toInt() > 0); // by clean()
}

void TestGrants::whatTheEngineUserMayNotDoTheServerRefuses_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::newRow("say that the tables are of another version")
        << QByteArray("UPDATE lock_meta SET value = 99 WHERE name = 'schema_version'");
    QTest::newRow("rename the version away") << QByteArray("UPDATE lock_meta SET name = 'x' WHERE floor = 0");
    QTest::newRow("write a second version") << QByteArray("INSERT INTO lock_meta (name, value) VALUES ('x', 1)");
    QTest::newRow("remove the version") << QByteArray("DELETE FROM lock_meta WHERE name = 'schema_version'");
    QTest::newRow("change an event") << QByteArray("UPDATE lock_event SET reason = NULL");
    QTest::newRow("remove events") << QByteArray("DELETE FROM lock_event");
    QTest::newRow("remove all events") << QByteArray("TRUNCATE lock_event");
    QTest::newRow("write an event for another account")
        << QByteArray("INSERT INTO lock_event (at, kind, resource, token, account) "
                      "VALUES (NOW(), 'kill', 'a', 1, 'root@localhost')");
    QTest::newRow("put an event between others")
        << QByteArray("INSERT INTO lock_event (id, at, kind, resource, token) VALUES (1, NOW(), 'kill', 'a', 1)");
    QTest::newRow("replace an event") << QByteArray(
        "REPLACE INTO lock_event (id, at, kind, resource, token) VALUES (1, NOW(), 'kill', 'a', 1)");
    QTest::newRow("drop a table") << QByteArray("DROP TABLE lock_lease");
}

void TestGrants::whatTheEngineUserMayNotDoTheServerRefuses()
{
    QFETCH(QByteArray, sql);
    const auto session = sessionOf(QStringLiteral("lockscope_engine"));
    const Reply reply = session->run(sql, "test");
    QVERIFY(reply.error);
    QCOMPARE(reply.error->kind, LockError::Kind::NoPermission);
}

void TestGrants::theServerSaysWhichAccountWroteAnEvent()
{
    LockEngine engine(configFor(*m_server));
    for (const QString &user : {QStringLiteral("lockscope_engine"), QStringLiteral("lockscope_operator")}) {
        const auto held = engine.acquire(requestFor("a"));
        const auto session = sessionOf(user);
        QCOMPARE(session->info().account, user + QStringLiteral("@localhost"));
        QCOMPARE(end(*session, held.handle.token()).outcome, ForcedRelease::Outcome::Released);
    }
    QList<Event> events;
    QVERIFY(!LeaseReader(*sessionOf(QStringLiteral("lockscope_monitor"))).events({}, &events));
    QCOMPARE(events.size(), 2);
    QCOMPARE(events[0].actor(), QStringLiteral("test (lockscope_engine@localhost)"));
    QCOMPARE(events[1].actor(), QStringLiteral("test (lockscope_operator@localhost)"));
}

void TestGrants::onlyTheRetentionUserRemovesOldEvents()
{
    Observer administrator(*m_server);
    administrator.run("INSERT INTO lock_event (at, kind, resource, token) VALUES "
                      "(UTC_TIMESTAMP(6) - INTERVAL 40 DAY, 'lost', 'a', 1), (UTC_TIMESTAMP(6), 'lost', 'a', 2)");
    EngineConfig config = configFor(*m_server);
    config.server = urlOf(QStringLiteral("lockscope_engine"));
    config.password = QStringLiteral("pw");
    const auto refused = LockEngine(config).clean(); // it goes on past what it may not remove
    QVERIFY2(!refused, refused ? qPrintable(refused->toString()) : "");
    QCOMPARE(administrator.value("SELECT COUNT(*) FROM lock_event").toInt(), 2);

    ReconnectingSession keeper(targetOf(QStringLiteral("lockscope_retention")));
    qint64 removed = 0;
    QVERIFY(!detail::removeOldEvents(keeper, std::chrono::hours(720), &removed));
    QCOMPARE(removed, 1);
    QCOMPARE(administrator.value("SELECT token FROM lock_event").toInt(), 2);
    const auto session = sessionOf(QStringLiteral("lockscope_retention"));
    for (const char *sql : {"UPDATE lock_event SET reason = 'x'", "DELETE FROM lock_lease", "SELECT * FROM lock_lease",
                            "INSERT INTO lock_event (at, kind, resource, token) VALUES (NOW(), 'kill', 'a', 1)"})
        QCOMPARE(session->run(sql, "test").error->kind, LockError::Kind::NoPermission);
}

void TestGrants::theMonitorUserSeesButCannotRelease()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    const auto session = sessionOf(QStringLiteral("lockscope_monitor"));
    ReconnectingSession link(targetOf(QStringLiteral("lockscope_monitor")));
    MySqlSource source(link);
    ReleasePreview preview;
    QVERIFY(!previewRelease(source, keyA(), &preview));
    QCOMPARE(preview.lock->token, held.handle.token());
    const auto report = end(*session, held.handle.token());
    QCOMPARE(report.outcome, ForcedRelease::Outcome::Failed);
    QCOMPARE(report.error->kind, LockError::Kind::NoPermission);
    QVERIFY(held.handle.isHeld());
    QCOMPARE(Observer(*m_server).value("SELECT COUNT(*) FROM lock_event").toInt(), 0);
}

void TestGrants::theMonitorUserSeesRowWaitersOnlyWithTheirGrant()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", Patience);
    request.mode = Mode::Pessimistic;
    auto held = engine.acquire(request);
    std::thread waiter([&] { engine.acquire(request); });
    Observer observer(*m_server);
    const bool waits = eventually(
        [&] { return observer.rows("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")[0][1].toInt() == 1; });
    LockKey row = keyA();
    row.kind = LockKind::Row;
    const auto look = [&](LockSnapshot *snapshot, QList<Waiter> *queue) {
        LockError error;
        const auto session = Session::open(forReading(targetOf(QStringLiteral("lockscope_monitor"))), &error);
        return session && !LeaseReader(*session).list({}, snapshot) && !LeaseReader(*session).waiters(row, queue);
    };
    LockSnapshot before;
    LockSnapshot after;
    QList<Waiter> unseen;
    QList<Waiter> queue;
    const bool looked = look(&before, &unseen);
    observer.run(sqlText("grants/waits", m_server->family()));
    const bool lookedAgain = look(&after, &queue);
    held.handle.release();
    waiter.join();

    QVERIFY(waits && looked && lookedAgain);
    QVERIFY(!before.rows.isEmpty() && !after.rows.isEmpty());
    QVERIFY(!before.rows[0]->waiters.has_value());
    QCOMPARE(before.rows[0]->owner.session, engine.owner().session);
    QVERIFY(unseen.isEmpty());
    QCOMPARE(after.rows[0]->waiters, std::optional(1));
    QCOMPARE(queue.size(), 1);
    QCOMPARE(queue[0].account, QStringLiteral("root@localhost"));
}

void TestGrants::theOperatorUserReleases()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    const auto session = sessionOf(QStringLiteral("lockscope_operator"));
    const auto report = end(*session, held.handle.token());
    QCOMPARE(report.outcome, ForcedRelease::Outcome::Released);
    QCOMPARE(Observer(*m_server).value("SELECT kind FROM lock_event").toString(), QStringLiteral("force_release"));
    const auto again = engine.acquire(requestFor("b"));
    ReconnectingSession link(targetOf(QStringLiteral("lockscope_operator")));
    MySqlSource source(link);
    BulkRelease many(source);
    ReleasePlan plan;
    QVERIFY(!many.plan({{}, engine.owner().session}, &plan));
    QCOMPARE(many.act(plan, ServerAccess::toAct(), QStringLiteral("test"), QStringLiteral("stuck")).released, 1);
    QCOMPARE(session->run("DELETE FROM lock_lease", "test").error->kind, LockError::Kind::NoPermission);
}

void TestGrants::theInstallerUserInstalls()
{
    Observer administrator(*m_server);
    administrator.run("DROP DATABASE lockscope; CREATE DATABASE lockscope");
    QVERIFY(!installSchema(targetOf(QStringLiteral("lockscope_installer"))));
    LockEngine engine(configFor(*m_server));
    QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
}

void TestGrants::makeShop()
{
    Observer administrator(*m_server);
    administrator.run("CREATE DATABASE IF NOT EXISTS shop");
    administrator.run("CREATE TABLE IF NOT EXISTS shop.stock (id INT PRIMARY KEY, n INT) ENGINE=InnoDB");
    administrator.run("REPLACE INTO shop.stock VALUES (1, 0)");
    administrator.run("DROP USER IF EXISTS 'shop'@'localhost'");
    administrator.run("CREATE USER 'shop'@'localhost' IDENTIFIED BY 'pw'");
    administrator.run("GRANT ALL ON shop.* TO 'shop'@'localhost'");
    for (const char *name : {"waits", "kill"})
        administrator.run(sqlText(QByteArray("grants/") + name, m_server->family()));
}

SessionTarget TestGrants::shopTarget() const
{
    SessionTarget target = targetOf(QStringLiteral("shop"));
    target.url.schema = QStringLiteral("shop");
    return target;
}

void TestGrants::theMonitorUserSeesTheServersOwnLocksAndEndsNothing()
{
    makeShop();
    Actor holder(shopTarget());
    Actor waiter(shopTarget());
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE stock SET n = 1 WHERE id = 1"));
    waiter.start("UPDATE stock SET n = 2 WHERE id = 1");
    const auto session = sessionOf(QStringLiteral("lockscope_monitor"));
    QVERIFY(session);
    WaitsReader reader(*session);
    ServerWaits waits;
    for (int i = 0; i < 200 && waits.edges.isEmpty(); ++i) {
        QThread::msleep(120); // InnoDB tells nothing new to who asks more often
        QVERIFY(!reader.read(&waits));
    }
    QCOMPARE(waits.edges.size(), 1);
    QCOMPARE(waits.edges[0].blocker, holder.id());
    for (const SourceStatus &source : waits.sources)
        QVERIFY2(source.state != SourceStatus::State::Failed, qPrintable(source.reason));
    QVERIFY(!reader.capabilities().mayKill);
    KillOrder order;
    order.target = KillTarget::of(waits, holder.id());
    order.operatorName = order.reason = QStringLiteral("test");
    const KillReport report = SessionKill(*session, reader.capabilities()).act(order);
    QCOMPARE(report.outcome, KillReport::Outcome::Failed);
    QCOMPARE(report.error->kind, LockError::Kind::NoPermission);
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(waiter.finish());
}

void TestGrants::theOperatorUserEndsASessionOfAnotherUser()
{
    makeShop();
    Actor holder(shopTarget());
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE stock SET n = 1 WHERE id = 1"));
    const auto session = sessionOf(QStringLiteral("lockscope_operator"));
    QVERIFY(session);
    WaitsReader reader(*session);
    ServerWaits waits;
    for (int i = 0; i < 200 && !waits.session(holder.id()); ++i) {
        QThread::msleep(120);
        QVERIFY(!reader.read(&waits));
    }
    QVERIFY(reader.capabilities().mayKill);
    KillOrder order;
    order.target = KillTarget::of(waits, holder.id());
    order.operatorName = order.reason = QStringLiteral("test");
    const KillReport report = SessionKill(*session, reader.capabilities()).act(order);
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QVERIFY(!holder.run("SELECT 1"));
}

QTEST_GUILESS_MAIN(TestGrants)
#include "tst_grants.moc"
