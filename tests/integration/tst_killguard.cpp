// A session is ended for what it did when the person looked: who does something else by then is left alone, and who
// does that still is ended, whatever it was.
#include "actor.h"
#include "enginetest.h"

#include "waits/sessionkill.h"
#include "waits/waitsreader.h"

#include <QtCore/QThread>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;

namespace {

using Result = KillReport::Outcome;

/// InnoDB tells nothing new to who asks more often, in milliseconds.
constexpr int kInnoDbKeeps = 120;

QStringList tellingOptions()
{
    return {QStringLiteral("--performance-schema=ON"),
            QStringLiteral("--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON"),
            QStringLiteral("--performance-schema-consumer-events-statements-current=ON"),
            QStringLiteral("--performance-schema-consumer-global-instrumentation=ON"),
            QStringLiteral("--performance-schema-consumer-thread-instrumentation=ON")};
}

/// A session that was ended is listed for a moment.
bool isAccepted(const KillReport &report)
{
    return report.outcome == Result::Ended || report.outcome == Result::RollingBack;
}

} // namespace

class TestKillGuard : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void whoHoldsALockEnds_data() { locks(); }
    void whoHoldsALockEnds();
    void whoGaveItsLockBackIsLeftAlone_data() { locks(); }
    void whoGaveItsLockBackIsLeftAlone();
    void whoTookTheSameLockAnewIsLeftAlone_data() { locks(); }
    void whoTookTheSameLockAnewIsLeftAlone();
    void whoRedefinesATableEnds();
    void theNextStatementIsLeftAloneThoughItIsTheSame();
    void aStatementInAnyCharactersIsEnded();
    void whoRunsTheServerIsRefused_data();
    void whoRunsTheServerIsRefused();
    void theConsolesOtherConnectionsAreRefused();
    void aReadingTransactionBegunAnewIsLeftAlone();
    void aReadingTransactionThatStaysOpenEnds();
    void aServerThatTellsLeastIsEnough();

private:
    static void locks();
    void use(const TestServer &server);
    ServerWaits lookUntil(const std::function<bool(const ServerWaits &)> &condition);
    ServerWaits lookUntilSeen(const Actor &actor);
    KillReport act(const ServerWaits &waits, const Actor &actor, KillKind kind = KillKind::Connection);
    bool isAlive(const Actor &actor);

    std::unique_ptr<TestServer> m_telling; ///< with what MariaDB leaves out by default
    std::unique_ptr<Session> m_session;
    std::unique_ptr<WaitsReader> m_reader;
};

void TestKillGuard::initTestCase()
{
    EngineTest::initTestCase();
    m_telling = std::make_unique<TestServer>(tellingOptions());
}

void TestKillGuard::init()
{
    QThread::msleep(kInnoDbKeeps); // the test before has looked too
    use(*m_telling);
}

void TestKillGuard::use(const TestServer &server)
{
    m_reader.reset();
    m_observer = std::make_unique<Observer>(server);
    m_observer->run("DROP DATABASE IF EXISTS shop");
    m_observer->run("CREATE DATABASE shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (1,0),(2,0),(3,0)");
    LockError error;
    m_session = Session::open(targetFor(server), &error);
    QVERIFY2(m_session, qPrintable(error.toString()));
    m_reader = std::make_unique<WaitsReader>(*m_session);
}

void TestKillGuard::cleanup()
{
    m_reader.reset();
    m_session.reset();
}

void TestKillGuard::locks()
{
    QTest::addColumn<QByteArray>("take");
    QTest::addColumn<QByteArray>("giveBack");
    const QByteArray unlock = "UNLOCK TABLES";
    QTest::newRow("everything") << QByteArray("FLUSH TABLES WITH READ LOCK") << unlock;
    QTest::newRow("a table, to write") << QByteArray("LOCK TABLES shop.stock WRITE") << unlock;
    QTest::newRow("a table, to read") << QByteArray("LOCK TABLES shop.stock READ") << unlock;
    QTest::newRow("a flushed table") << QByteArray("FLUSH TABLES shop.stock WITH READ LOCK") << unlock;
    QTest::newRow("a name") << QByteArray("DO GET_LOCK('Job', 0)") << QByteArray("DO RELEASE_LOCK('Job')");
}

ServerWaits TestKillGuard::lookUntil(const std::function<bool(const ServerWaits &)> &condition)
{
    ServerWaits waits;
    const bool isSeen = eventually([&] {
        QThread::msleep(kInnoDbKeeps);
        if (const auto error = m_reader->read(&waits))
            qFatal("%s", qPrintable(error->toString()));
        return condition(waits);
    });
    if (!isSeen)
        qWarning("What was waited for was not seen.");
    return waits;
}

ServerWaits TestKillGuard::lookUntilSeen(const Actor &actor)
{
    return lookUntil([&](const ServerWaits &now) { return now.session(actor.id()) != nullptr; });
}

KillReport TestKillGuard::act(const ServerWaits &waits, const Actor &actor, KillKind kind)
{
    KillOrder order;
    order.target = KillTarget::of(waits, actor.id());
    order.kind = kind;
    order.operatorName = order.reason = QStringLiteral("test");
    const KillReport report = SessionKill(*m_session, m_reader->capabilities()).act(order);
    if (report.outcome == Result::Failed)
        qWarning("%s", report.error ? qPrintable(report.error->toString()) : "");
    return report;
}

bool TestKillGuard::isAlive(const Actor &actor)
{
    return m_observer
               ->value("SELECT COUNT(*) FROM performance_schema.threads WHERE processlist_id = "
                       + QByteArray::number(actor.id()))
               .toInt()
        == 1;
}

void TestKillGuard::whoHoldsALockEnds()
{
    QFETCH(QByteArray, take);
    Actor bystander(*m_telling);
    Actor holder(*m_telling);
    Actor waiter(*m_telling);
    QVERIFY(bystander.run("DO GET_LOCK('other', 0)"));
    QVERIFY(holder.run(take));
    waiter.start(take.startsWith("DO") ? "DO GET_LOCK('Job', 600)" : "ALTER TABLE shop.stock ADD COLUMN extra INT");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return !now.edges.isEmpty(); });
    const KillReport report = act(waits, holder);
    QVERIFY(isAccepted(report));
    QVERIFY(waiter.finish());
    QVERIFY(eventually([&] { return !isAlive(holder); }));
    QVERIFY(isAlive(bystander) && isAlive(waiter));
}

void TestKillGuard::whoGaveItsLockBackIsLeftAlone()
{
    QFETCH(QByteArray, take);
    QFETCH(QByteArray, giveBack);
    Actor holder(*m_telling);
    QVERIFY(holder.run(take));
    const ServerWaits waits = lookUntilSeen(holder);
    QVERIFY(holder.run(giveBack));
    QCOMPARE(act(waits, holder).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
    QCOMPARE(act(waits, holder).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
}

/// A pooled connection that serves the next request, of the same kind.
void TestKillGuard::whoTookTheSameLockAnewIsLeftAlone()
{
    QFETCH(QByteArray, take);
    QFETCH(QByteArray, giveBack);
    Actor holder(*m_telling);
    QVERIFY(holder.run(take));
    const ServerWaits waits = lookUntilSeen(holder);
    QVERIFY(holder.run(giveBack));
    QVERIFY(holder.run(take));
    QCOMPARE(act(waits, holder).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
}

void TestKillGuard::whoRedefinesATableEnds()
{
    Actor reader(*m_telling);
    Actor alter(*m_telling);
    Actor waiter(*m_telling);
    QVERIFY(reader.run("BEGIN"));
    QVERIFY(reader.run("SELECT COUNT(*) FROM shop.stock"));
    alter.start("ALTER TABLE shop.stock ADD COLUMN extra INT, ALGORITHM=COPY");
    lookUntil([&](const ServerWaits &now) { return now.edges.size() == 1; });
    waiter.start("SELECT COUNT(*) FROM shop.stock");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return std::any_of(now.edges.cbegin(), now.edges.cend(), [&](const WaitEdge &edge) {
            return edge.waiter == waiter.id() && edge.blocker == alter.id();
        });
    });
    const KillReport report = act(waits, alter);
    QVERIFY(isAccepted(report));
    QVERIFY(waiter.finish());
    QVERIFY(eventually([&] { return !isAlive(alter); }));
    QVERIFY(isAlive(reader) && isAlive(waiter));
    QVERIFY(reader.run("COMMIT"));
}

void TestKillGuard::theNextStatementIsLeftAloneThoughItIsTheSame()
{
    Actor holder(*m_telling);
    QVERIFY(holder.run("DO GET_LOCK('Job', 0)"));
    holder.start("DO SLEEP(600)");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(holder.id());
        return session && session->statement.source == Statement::Source::Running;
    });
    m_observer->run("KILL QUERY " + QByteArray::number(holder.id()));
    holder.finish();
    holder.start("DO SLEEP(600)");
    lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) && !now.session(holder.id())->isIdle(); });
    QCOMPARE(act(waits, holder, KillKind::Query).outcome, Result::TargetChanged);
    QVERIFY(holder.isBusy());
}

/// MySQL does not show a list of its processes while somebody in it runs a statement with such characters.
void TestKillGuard::aStatementInAnyCharactersIsEnded()
{
    Actor holder(*m_telling);
    QVERIFY(holder.run("DO GET_LOCK('Job', 0)"));
    holder.start("SELECT SLEEP(600), '\xf0\x9f\x94\x92'");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(holder.id());
        return session && session->statement.source == Statement::Source::Running;
    });
    QVERIFY(isAccepted(act(waits, holder, KillKind::Query)));
    holder.finish();
    QVERIFY(holder.run("SELECT 1"));
}

void TestKillGuard::whoRunsTheServerIsRefused_data()
{
    QTest::addColumn<QString>("user");
    for (const char *user : {"rdsadmin", "azure_superuser", "cloudsqladmin"})
        QTest::newRow(user) << QString::fromLatin1(user);
}

void TestKillGuard::whoRunsTheServerIsRefused()
{
    QFETCH(QString, user);
    m_observer->run("CREATE USER IF NOT EXISTS '" + user.toLatin1() + "'@'localhost'");
    SessionTarget target = targetFor(*m_telling);
    target.url.user = user;
    target.url.schema.clear();
    Actor host(target);
    QVERIFY(host.run("DO GET_LOCK('Job', 0)"));
    QCOMPARE(act(lookUntilSeen(host), host).outcome, Result::Refused);
    QVERIFY(host.run("SELECT 1"));
}

void TestKillGuard::theConsolesOtherConnectionsAreRefused()
{
    SessionTarget target = targetFor(*m_telling);
    target.isConsole = true;
    Actor console(target);
    QVERIFY(console.run("DO GET_LOCK('Job', 0)"));
    const ServerWaits waits = lookUntilSeen(console);
    QCOMPARE(waits.session(console.id())->protection, Protection::Own);
    QCOMPARE(act(waits, console).outcome, Result::Refused);
    QVERIFY(console.run("SELECT 1"));
}

/// InnoDB gives a transaction that only reads no number of its own, and tells when it began to the second.
void TestKillGuard::aReadingTransactionBegunAnewIsLeftAlone()
{
    Actor holder(*m_telling);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT COUNT(*) FROM shop.stock"));
    const ServerWaits waits = lookUntilSeen(holder);
    QVERIFY(KillTarget::of(waits, holder.id()).transaction);
    QVERIFY(holder.run("COMMIT"));
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT COUNT(*) FROM shop.stock"));
    QCOMPARE(act(waits, holder).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
}

void TestKillGuard::aReadingTransactionThatStaysOpenEnds()
{
    Actor holder(*m_telling);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT COUNT(*) FROM shop.stock"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(holder.id());
        return session && session->transaction
            && now.clock.server - session->transaction->started > std::chrono::seconds(4);
    });
    QVERIFY(holder.run("SELECT 1")); // goes on in the same transaction
    QVERIFY(isAccepted(act(waits, holder)));
    QVERIFY(eventually([&] { return !isAlive(holder); }));
}

/// By the list of processes and whole seconds alone: who began too short a time ago is left alone.
void TestKillGuard::aServerThatTellsLeastIsEnough()
{
    TestServer server({QStringLiteral("--performance-schema=OFF")});
    use(server);
    Actor holder(server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    holder.start("DO SLEEP(600) /* " + QByteArray(5'000, 'a') + " */");
    const auto waits = lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(holder.id());
        return session && session->statement.source == Statement::Source::Running
            && now.clock.server - *session->commandSince > std::chrono::seconds(4);
    });
    QVERIFY(isAccepted(act(waits, holder, KillKind::Query)));
    holder.finish();
    holder.start("DO SLEEP(600) /* " + QByteArray(5'000, 'a') + " */");
    QCOMPARE(act(waits, holder, KillKind::Query).outcome, Result::TargetChanged);
    QVERIFY(holder.isBusy());
    QVERIFY(isAccepted(act(waits, holder))); // the transaction is the same
    QVERIFY(!holder.finish());
}

QTEST_GUILESS_MAIN(TestKillGuard)
#include "tst_killguard.moc"
