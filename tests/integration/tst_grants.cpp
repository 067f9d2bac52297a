// The users of sql/grants can do their work, and not what is not theirs.
#include "enginefixture.h"

#include "engine/once.h"
#include "monitor/bulkrelease.h"
#include "engine/optimistic.h"
#include "server/schema.h"

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

ReleaseOrder orderFor(quint64 token)
{
    ReleaseOrder order;
    order.key = keyA();
    order.token = token;
    order.operatorName = QStringLiteral("test");
    order.reason = QStringLiteral("stuck");
    return order;
}

} // namespace

class TestGrants : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { resetTables(*m_server); }

    void theEngineUserTakesWaitsTakesOverAndCleans();
    void theMonitorUserSeesButCannotRelease();
    void theOperatorUserReleases();
    void theInstallerUserInstalls();

private:
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
    for (const char *role : {"engine", "monitor", "operator", "installer"}) {
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
    const Job job{"mail", "42"};
    const auto work = [](LockHandle &) { return true; };
    QCOMPARE(once(engine, job, work).outcome, OnceOutcome::Done);
    QCOMPARE(once(engine, job, work).outcome, OnceOutcome::AlreadyDone);
    config.doneKept = Duration(1);
    QVERIFY(!LockEngine(config).clean());
    QCOMPARE(observer.value("SELECT COUNT(*) FROM lock_done").toInt(), 0);
    QVERIFY(!engine.clean());
    {
        LockEngine third(config);
        OptimisticStore store(third);
        QCOMPARE(store.commit(store.read("c").snapshot).outcome, CommitOutcome::Committed);
    }
    QCOMPARE(observer.value("SELECT commits FROM lock_attempt").toInt(), 1);
    const auto session = sessionOf(QStringLiteral("lockscope_engine"));
    QCOMPARE(session->run("UPDATE lock_event SET reason = NULL", "test").error->kind, LockError::Kind::NoPermission);
    QCOMPARE(session->run("DROP TABLE lock_lease", "test").error->kind, LockError::Kind::NoPermission);
}

void TestGrants::theMonitorUserSeesButCannotRelease()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    const auto session = sessionOf(QStringLiteral("lockscope_monitor"));
    ForceRelease release(*session);
    ReleasePreview preview;
    QVERIFY(!release.preview(keyA(), &preview));
    QCOMPARE(preview.lock->token, held.handle.token());
    const auto report = release.act(orderFor(held.handle.token()));
    QCOMPARE(report.outcome, ReleaseReport::Outcome::Failed);
    QCOMPARE(report.error->kind, LockError::Kind::NoPermission);
    QVERIFY(held.handle.isHeld());
    QCOMPARE(Observer(*m_server).value("SELECT COUNT(*) FROM lock_event").toInt(), 0);
}

void TestGrants::theOperatorUserReleases()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    const auto session = sessionOf(QStringLiteral("lockscope_operator"));
    const auto report = ForceRelease(*session).act(orderFor(held.handle.token()));
    QCOMPARE(report.outcome, ReleaseReport::Outcome::Released);
    QCOMPARE(Observer(*m_server).value("SELECT kind FROM lock_event").toString(), QStringLiteral("force_release"));
    const auto again = engine.acquire(requestFor("b"));
    Link link(targetOf(QStringLiteral("lockscope_operator")));
    BulkRelease many(link);
    ReleasePlan plan;
    QVERIFY(!many.plan({{}, engine.owner().session}, &plan));
    QCOMPARE(many.act(plan, QStringLiteral("test"), QStringLiteral("stuck")).released, 1);
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

QTEST_GUILESS_MAIN(TestGrants)
#include "tst_grants.moc"
