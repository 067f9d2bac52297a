// SPDX-License-Identifier: MIT
// A session is ended for what it did when the person looked: who does something else by then is left alone, and who
// does that still is ended, whatever it was.
#include "waitstest.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;

namespace {

using Result = KillReport::Outcome;

} // namespace

class TestKillGuard : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void whoHoldsALockEnds_data() { locks(); }
    void whoHoldsALockEnds();
    void whoGaveItsLockBackIsLeftAlone_data() { locks(); }
    void whoGaveItsLockBackIsLeftAlone();
    void whoTookTheSameLockAnewIsLeftAlone_data() { locks(); }
    void whoTookTheSameLockAnewIsLeftAlone();
    void whoTookTheSameNameAnewIsLeftAloneWhereNothingCountsIt();
    void aLockThatIsNotToldAnyMoreProtectsItsSession();
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
    ServerWaits lookUntilSeen(const Actor &actor);
    KillReport act(const ServerWaits &waits, const Actor &actor, KillKind kind = KillKind::Connection);
};

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

ServerWaits TestKillGuard::lookUntilSeen(const Actor &actor)
{
    return lookUntil([&](const ServerWaits &now) { return now.session(actor.id()) != nullptr; });
}

KillReport TestKillGuard::act(const ServerWaits &waits, const Actor &actor, KillKind kind)
{
    const KillReport report = WaitsTest::act(orderFor(waits, actor, kind));
    if (report.outcome == Result::Failed)
        qWarning("%s", report.error ? qPrintable(report.error->toString()) : "");
    return report;
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

/// A MariaDB as it is by default tells who has the name, and not since when.
void TestKillGuard::whoTookTheSameNameAnewIsLeftAloneWhereNothingCountsIt()
{
    useServer(false);
    Actor holder(*m_used);
    QVERIFY(holder.run("DO GET_LOCK('Job', 0)"));
    Actor waiter(*m_used);
    waiter.start("DO GET_LOCK('Job', 600)");
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    m_observer->run("KILL " + QByteArray::number(waiter.id()));
    waiter.finish();
    QVERIFY(holder.run("DO RELEASE_LOCK('Job')"));
    QVERIFY(holder.run("DO GET_LOCK('Job', 0)"));
    QCOMPARE(act(waits, holder).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
}

/// The source may be switched off, or its grant taken away, between the look and the kill.
void TestKillGuard::aLockThatIsNotToldAnyMoreProtectsItsSession()
{
    Actor holder(*m_telling);
    QVERIFY(holder.run("LOCK TABLES shop.stock WRITE"));
    const ServerWaits waits = lookUntilSeen(holder);
    Capabilities blind = m_reader->capabilities();
    blind.hasMetadataLocks = false;
    const KillReport report = SessionKill(*m_session, blind).act(orderFor(waits, holder));
    QCOMPARE(report.outcome, Result::TargetChanged);
    QVERIFY(holder.run("UNLOCK TABLES"));
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
    const auto waitsForAlter = [&](const ServerWaits &now) { return edgeOf(now, waiter, alter).has_value(); };
    KillReport report;
    // The transaction that copied may still be told for a moment after its end, and is then another one's: choose
    // again.
    QVERIFY(eventually([&] {
        report = act(lookUntil(waitsForAlter), alter);
        return report.outcome != Result::TargetChanged;
    }));
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
