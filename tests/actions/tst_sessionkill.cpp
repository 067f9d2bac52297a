// SPDX-License-Identifier: MIT
// The session that was chosen ends, and no other: whatever its number means by then.
#include "waitstest.h"

#include "feeds/waitsfeed.h"

#include <QtCore/QScopeGuard>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

using Result = KillReport::Outcome;

constexpr int kPatience = 30'000;

bool waitsAtAll(const ServerWaits &waits, const Actor &actor)
{
    return std::any_of(waits.edges.cbegin(), waits.edges.cend(),
                       [&actor](const WaitEdge &edge) { return edge.waiter == actor.id(); });
}

/// Its transaction. Servers tell its begin in whole seconds.
bool isOlderThanItsStatement(const ServerSession &session)
{
    return session.transaction && session.transaction->started + 1s < *session.commandSince;
}

} // namespace

class TestSessionKill : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        EngineTest::init();
        useServer(false);
    }

    void theChosenSessionEndsAndNoOther();
    void aStatementAloneIsEnded_data();
    void aStatementAloneIsEnded();
    void anIdleSessionsStatementCannotBeEnded();
    void endingAStatementFreesOnlyWhatItHolds_data();
    void endingAStatementFreesOnlyWhatItHolds();
    void whatEndsWithAStatementIsForetold_data();
    void whatEndsWithAStatementIsForetold();
    void ofLockTablesIsWhatTheStatementHasNotTaken_data();
    void ofLockTablesIsWhatTheStatementHasNotTaken();
    void anEarlierStatementOfTheSameSecondIsNoGuess();
    void theSameStatementBegunAnewIsNotFollowed();
    void whatWasAcceptedStaysSoWhenNothingMoreIsSeen();
    void whoIsTrackedIsToldWhateverItDoes();
    void anotherTransactionOfTheSameSessionIsLeftAlone();
    void anotherAccountWithTheSameNumberIsLeftAlone();
    void whoGaveTheUserLockBackIsLeftAlone();
    void whoIsGoneIsAlreadyGone();
    void aNumberFromBeforeARestartIsNotBelieved();
    void theOwnConnectionIsRefused();
    void anOrderWithoutReasonIsRefused();
    void aMissingPrivilegeIsNamed();
    void aHostedServersProcedureIsTried_data();
    void aHostedServersProcedureIsTried();
    void thePreviewTellsWhoGoesOn();
    void thePreviewExpectsTheDeadlockOfAnInsert();
    void whoInsertsADeletedKeyMeetsItAgainOnceTheDeleteIsUndone();
    void theUndoingIsFollowedToItsEnd();
};

void TestSessionKill::theChosenSessionEndsAndNoOther()
{
    Actor bystander(*m_server);
    Actor holder(*m_server);
    Actor waiter(*m_server);
    QVERIFY(bystander.run("BEGIN"));
    QVERIFY(bystander.run("UPDATE shop.stock SET n = 1 WHERE id = 2"));
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    const KillReport report = act(orderFor(waits, holder));
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QVERIFY(report.outcome == Result::Ended || report.outcome == Result::RollingBack);
    QVERIFY2(report.statement.contains("KILL CONNECTION @lockscope_target"), report.statement.constData());
    QVERIFY(waiter.finish());
    QVERIFY(eventually([&] { return !isAlive(holder); }));
    QVERIFY(!holder.run("SELECT 1"));
    QVERIFY(isAlive(bystander) && isAlive(waiter));
    QVERIFY(bystander.run("COMMIT"));
    QCOMPARE(m_observer->value("SELECT n FROM shop.stock WHERE id = 1").toInt(), 2);
    QCOMPARE(m_observer->value("SELECT n FROM shop.stock WHERE id = 2").toInt(), 1);
}

void TestSessionKill::aStatementAloneIsEnded_data()
{
    QTest::addColumn<QByteArray>("comment");
    QTest::newRow("short") << QByteArray("short");
    QTest::newRow("short, not ASCII") << QByteArray("f\xc3\xbcr \xe5\xba\x93\xe5\xad\x98");
    QTest::newRow("more than 1024 bytes") << QByteArray(3'000, 'a');
    QTest::newRow("more than 4096 bytes") << QByteArray(9'000, 'a');
    QTest::newRow("more than 1024 bytes, not ASCII") << QByteArray("\xc3\xa4").repeated(1'500);
    QTest::newRow("more than 4096 bytes, not ASCII") << 'a' + QByteArray("\xe5\xba\x93").repeated(3'000);
}

void TestSessionKill::aStatementAloneIsEnded()
{
    QFETCH(QByteArray, comment);
    Actor holder(*m_server);
    Actor waiter(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 1 /* " + comment + " */");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return !now.edges.isEmpty() && now.session(waiter.id())->statement.source == Statement::Source::Running;
    });
    const KillReport report = act(orderFor(waits, waiter, KillKind::Query));
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QVERIFY(report.outcome == Result::Ended || report.outcome == Result::RollingBack);
    const Reply ended = waiter.finish();
    QVERIFY(ended.error);
    QCOMPARE(ended.error->kind, LockError::Kind::Interrupted);
    QVERIFY(waiter.run("SELECT 1"));
    QVERIFY(isAlive(holder));
}

void TestSessionKill::anIdleSessionsStatementCannotBeEnded()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) != nullptr; });
    const KillPreview preview = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Query);
    QVERIFY(preview.refusal.contains(QLatin1String("free nothing")));
    QVERIFY(previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Connection).refusal.isEmpty());
}

void TestSessionKill::endingAStatementFreesOnlyWhatItHolds_data()
{
    QTest::addColumn<bool>("isOwnTransaction");

    QTest::newRow("a statement within a transaction") << false;
    QTest::newRow("a statement that is its transaction") << true;
}

/// InnoDB keeps what a transaction has locked when one of its statements ends.
void TestSessionKill::endingAStatementFreesOnlyWhatItHolds()
{
    QFETCH(bool, isOwnTransaction);
    Actor holder(*m_server);
    if (!isOwnTransaction) {
        QVERIFY(holder.run("BEGIN"));
        QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
        lookUntil([&](const ServerWaits &now) {
            const ServerSession *session = now.session(holder.id());
            return session && now.clock.server - session->transaction->started > 3s;
        });
    }
    holder.start("UPDATE shop.stock SET n = SLEEP(600) WHERE id <= 1");
    QVERIFY(seenAsleep(holder));
    Actor waiter(*m_server);
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return edgeOf(now, waiter, holder) && now.session(holder.id())->statement.source == Statement::Source::Running;
    });
    const KillPreview whole = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Connection);
    QCOMPARE(whole.forecast.atOnce, QList<quint64>{waiter.id()});
    const KillPreview query = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Query);
    QCOMPARE(query.forecast.atOnce, isOwnTransaction ? QList<quint64>{waiter.id()} : QList<quint64>());
    QCOMPARE(query.forecast.kept, isOwnTransaction ? QList<quint64>() : QList<quint64>{waiter.id()});
    QCOMPARE(query.refusal.isEmpty(), isOwnTransaction);
    QCOMPARE(query.locks.isEmpty(), !isOwnTransaction);
    // No server tells it of a transaction that began in that second.
    QCOMPARE(query.transactionEnd, isOwnTransaction ? TransactionEnd::Perhaps : TransactionEnd::No);
    QCOMPARE(query.isFreedIfOwn, isOwnTransaction);
    m_observer->run("KILL QUERY " + QByteArray::number(holder.id()));
    holder.finish();
    if (isOwnTransaction)
        QVERIFY(waiter.finish());
    QCOMPARE(waiter.isBusy(), !isOwnTransaction);
}

void TestSessionKill::whatEndsWithAStatementIsForetold_data()
{
    QTest::addColumn<QByteArrayList>("before"); // of the session that is ended, seconds earlier
    QTest::addColumn<QByteArrayList>("other");  // of one that holds it up
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QByteArray>("waiter");
    QTest::addColumn<TransactionEnd>("end");
    QTest::addColumn<bool>("isFreed");
    QTest::addColumn<bool>("isKnown");

    const QByteArrayList none;
    const QByteArray slow = "UPDATE shop.stock SET n = n + SLEEP(600) WHERE id = 1";
    const QByteArrayList changed = {"BEGIN", "UPDATE shop.stock SET n = 1 WHERE id = 1"};
    const QByteArrayList inside = {"BEGIN", "SELECT * FROM shop.second"};
    const QByteArray stop = "FLUSH TABLES WITH READ LOCK";
    const QByteArray read = "SELECT COUNT(*) FROM shop.first";
    QTest::newRow("a backup waits for an update")
        << none << none << slow << stop << TransactionEnd::Perhaps << true << true;
    QTest::newRow("a backup waits for an update of a transaction")
        << QByteArrayList{"BEGIN", "UPDATE shop.stock SET n = 1 WHERE id = 2"} << none << slow << stop
        << TransactionEnd::No << true << true;
    QTest::newRow("a definition waits for a table without transactions")
        << none << none << QByteArray("SELECT SLEEP(600) FROM shop.plain")
        << QByteArray("ALTER TABLE shop.plain ADD COLUMN m INT") << TransactionEnd::Perhaps << true << false;
    QTest::newRow("a drop has the one table and wants the other")
        << none << inside << QByteArray("DROP TABLE shop.first, shop.second") << read << TransactionEnd::Yes << true
        << true;
    QTest::newRow("a rename has the one table and wants the other")
        << none << inside << QByteArray("RENAME TABLE shop.first TO shop.third, shop.second TO shop.fourth") << read
        << TransactionEnd::Yes << true << true;
    QTest::newRow("LOCK TABLES has the one table and wants the other")
        << none << inside << QByteArray("LOCK TABLES shop.first WRITE, shop.second WRITE") << read
        << TransactionEnd::Yes << true << true;
    QTest::newRow("a statement under LOCK TABLES")
        << QByteArrayList{"LOCK TABLES shop.first WRITE"} << none << QByteArray("SELECT SLEEP(600) FROM shop.first")
        << read << TransactionEnd::Perhaps << false << true;
    const QByteArray underLock = "SELECT SLEEP(600) FROM shop.first";
    QTest::newRow("a backup waits for a statement under LOCK TABLES")
        << QByteArrayList{"LOCK TABLES shop.first WRITE"} << none << underLock << stop << TransactionEnd::Perhaps
        << false << true;
    QTest::newRow("a flush waits for a statement under LOCK TABLES")
        << QByteArrayList{"LOCK TABLES shop.plain READ"} << none << QByteArray("SELECT SLEEP(600) FROM shop.plain")
        << QByteArray("FLUSH TABLES shop.plain") << TransactionEnd::Perhaps << false << true;
    QTest::newRow("a schema is dropped during a statement under LOCK TABLES")
        << QByteArrayList{"LOCK TABLES spare.first READ"} << none << QByteArray("SELECT SLEEP(600) FROM spare.first")
        << QByteArray("DROP DATABASE spare") << TransactionEnd::Perhaps << false << true;
    QTest::newRow("a statement on a table that is flushed for export")
        << QByteArrayList{"FLUSH TABLES shop.first FOR EXPORT"} << none << underLock
        << QByteArray("INSERT INTO shop.first VALUES (2)") << TransactionEnd::Perhaps << false << true;
    QTest::newRow("LOCK TABLES after a comment and over two lines")
        << none << inside << QByteArray("/* app:billing */ lock\n  tables shop.first WRITE, shop.second WRITE") << read
        << TransactionEnd::Yes << true << true;
    QTest::newRow("a statement in a transaction has opened the one table and waits for the other")
        << QByteArrayList{"BEGIN", "SELECT * FROM shop.stock"} << QByteArrayList{"LOCK TABLES shop.second WRITE"}
        << QByteArray("SELECT * FROM shop.first, shop.second") << QByteArray("ALTER TABLE shop.first ADD COLUMN m INT")
        << TransactionEnd::No << true << true;
    QTest::newRow("a statement in a transaction waits for another table than it has")
        << QByteArrayList{"BEGIN", "SELECT * FROM shop.first"} << QByteArrayList{"LOCK TABLES shop.second WRITE"}
        << QByteArray("SELECT * FROM shop.second") << QByteArray("ALTER TABLE shop.first ADD COLUMN m INT")
        << TransactionEnd::No << false << true;
    QTest::newRow("a flush that locks tables has the one and wants the other")
        << none << QByteArrayList{"BEGIN", "UPDATE shop.second SET id = id"}
        << QByteArray("FLUSH TABLES shop.first, shop.second WITH READ LOCK")
        << QByteArray("UPDATE shop.first SET id = id") << TransactionEnd::Perhaps << true << false;
    QTest::newRow("a transaction has a table that its statement uses as well")
        << QByteArrayList{"BEGIN", "UPDATE shop.first SET id = id"} << QByteArrayList{"LOCK TABLES shop.second WRITE"}
        << QByteArray("SELECT * FROM shop.first, shop.second") << QByteArray("ALTER TABLE shop.first ADD COLUMN m INT")
        << TransactionEnd::No << false << true;
    QTest::newRow("a temporary table is made in a transaction")
        << changed << none << QByteArray("CREATE TEMPORARY TABLE shop.brief AS SELECT SLEEP(600) FROM shop.second")
        << QByteArray("UPDATE shop.stock SET n = 2 WHERE id = 1") << TransactionEnd::No << false << true;
    for (const char *words : {"CREATE /* app:billing */ TEMPORARY TABLE", "CREATE /*!40000 TEMPORARY */ TABLE",
                              "CREATE # app\n OR REPLACE -- two\n TEMPORARY TABLE"}) {
        if (m_server->family() == Family::MariaDb || !QByteArray(words).contains("REPLACE"))
            QTest::addRow("%s", QByteArray(words).simplified().constData())
                << changed << none << words + QByteArray(" shop.brief AS SELECT SLEEP(600) FROM shop.second")
                << QByteArray("UPDATE shop.stock SET n = 2 WHERE id = 1") << TransactionEnd::No << false << true;
    }
    QTest::newRow("a table was opened by HANDLER")
        << QByteArrayList{"HANDLER shop.first OPEN AS opened", "HANDLER opened READ FIRST"} << none
        << QByteArray("SELECT SLEEP(600)") << QByteArray("ALTER TABLE shop.first ADD COLUMN m INT")
        << TransactionEnd::Perhaps << false << true;
    for (const char *other : {"ALTER TABLE shop.second ADD COLUMN m INT", "LOCK TABLES shop.second WRITE"}) {
        QTest::addRow("a table was opened by HANDLER before %s", other)
            << QByteArrayList{"HANDLER shop.first OPEN AS opened", "HANDLER opened READ FIRST"} << inside
            << QByteArray(other) << QByteArray("ALTER TABLE shop.first ADD COLUMN m INT") << TransactionEnd::Yes
            << false << true;
    }
    QTest::newRow("a transaction has read a table without transactions")
        << QByteArrayList{"START TRANSACTION", "SELECT * FROM shop.plain"} << none << QByteArray("SELECT SLEEP(600)")
        << QByteArray("ALTER TABLE shop.plain ADD COLUMN m INT") << TransactionEnd::Perhaps << false << true;
    QTest::newRow("a commit waits for a backup")
        << changed << QByteArrayList{stop} << QByteArray("COMMIT")
        << QByteArray("SELECT n FROM shop.stock WHERE id = 1 LOCK IN SHARE MODE") << TransactionEnd::Yes << true
        << true;
    QTest::newRow("an insert waits for a gap that was locked before")
        << QByteArrayList{"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", "BEGIN",
                          "SELECT * FROM shop.gap WHERE id > 10 AND id <= 20 LOCK IN SHARE MODE"}
        << QByteArrayList{"BEGIN", "SELECT * FROM shop.gap WHERE id = 20 LOCK IN SHARE MODE"}
        << QByteArray("UPDATE shop.gap SET n = 1 WHERE id = 20") << QByteArray("INSERT INTO shop.gap VALUES (15, 1)")
        << TransactionEnd::No << false << false;
    if (m_server->family() == Family::MySql)
        return; // whose numbers for new rows wait for nobody, as it is set up
    QTest::newRow("a definition waits for BACKUP LOCK")
        << QByteArrayList{"BACKUP LOCK shop.first"} << none << underLock
        << QByteArray("ALTER TABLE shop.first ADD COLUMN m INT") << TransactionEnd::Perhaps << false << true;
    QTest::newRow("numbers for new rows are kept until the statement ends")
        << QByteArrayList{"BEGIN", "SELECT * FROM shop.stock WHERE id = 9 FOR UPDATE"} << none
        << QByteArray("INSERT INTO shop.numbered (n) SELECT IF(id = 1, 1, SLEEP(600)) FROM shop.stock ORDER BY id")
        << QByteArray("INSERT INTO shop.numbered (n) SELECT 1 FROM shop.stock") << TransactionEnd::No << true << true;
}

/// On each server, what is foretold and what then happens.
void TestSessionKill::whatEndsWithAStatementIsForetold()
{
    QFETCH(QByteArrayList, before);
    QFETCH(QByteArrayList, other);
    QFETCH(QByteArray, statement);
    QFETCH(QByteArray, waiter);
    QFETCH(TransactionEnd, end);
    QFETCH(bool, isFreed);
    QFETCH(bool, isKnown);
    useServer(true);
    for (const char *table : {"gap (id INT PRIMARY KEY, n INT)", "first (id INT)", "second (id INT)",
                              "numbered (id INT PRIMARY KEY AUTO_INCREMENT, n INT)"})
        m_observer->run(QByteArray("CREATE TABLE shop.") + table + " ENGINE=InnoDB");
    m_observer->run("CREATE TABLE shop.plain (id INT) ENGINE=MyISAM; INSERT INTO shop.plain VALUES (1);"
                    "INSERT INTO shop.gap VALUES (10, 1), (20, 1), (30, 1); INSERT INTO shop.first VALUES (1);"
                    "INSERT INTO shop.second VALUES (1); DROP DATABASE IF EXISTS spare; CREATE DATABASE spare;"
                    "CREATE TABLE spare.first ENGINE=InnoDB SELECT 1 AS id");
    Actor holder(*m_used);
    for (const QByteArray &sql : std::as_const(before))
        QVERIFY(holder.run(sql));
    Actor second(*m_used);
    for (const QByteArray &sql : std::as_const(other))
        QVERIFY(second.run(sql));
    if (before.contains("BEGIN")) {
        lookUntil([&](const ServerWaits &now) {
            const ServerSession *session = now.session(holder.id());
            return session && session->transaction && now.clock.server - session->transaction->started > 3s;
        });
    }
    holder.start(statement);
    lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(holder.id());
        return session && !session->isIdle() && (session->state == u"User sleep"_s || waitsAtAll(now, holder));
    });
    Actor last(*m_used);
    last.start(waiter);
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return edgeOf(now, last, holder) && now.session(holder.id())->statement.source == Statement::Source::Running;
    });
    const auto edge = edgeOf(waits, last, holder);
    QVERIFY(edge);
    const KillPreview query = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Query);
    // MariaDB begins a transaction for LOCK TABLES; whether that was in the statement's second is chance, and told.
    const bool isUnderLock = !before.isEmpty() && before.last().startsWith("LOCK TABLES");
    const bool isBegunBefore = isUnderLock && isOlderThanItsStatement(*waits.session(holder.id()));
    QCOMPARE(query.transactionEnd, isBegunBefore ? TransactionEnd::No : end);
    const bool isSaidToGoOn = query.forecast.goesOn().contains(last.id());
    QCOMPARE(query.refusal.isEmpty(), isSaidToGoOn);
    QCOMPARE(!query.isFreedIfOwn && !query.isFreedIfUnheld, isKnown);
    if (isKnown)
        QCOMPARE(isSaidToGoOn, isFreed);
    m_observer->run("KILL QUERY " + QByteArray::number(holder.id()));
    holder.finish();
    if (isFreed) {
        last.finish();
        return;
    }
    if (edge->mode.isEmpty()) // for a table to be closed: who has it open was told by its work
        lookUntil([&](const ServerWaits &now) { return lostOf(now, last).has_value(); });
    else
        QVERIFY(edgeOf(lookUntilBlocked(last, holder), last, holder));
    QVERIFY(last.isBusy());
}

void TestSessionKill::ofLockTablesIsWhatTheStatementHasNotTaken_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QString>("mode");
    QTest::addColumn<std::optional<quint64>>("event"); // of the lock; that of the statement is 10
    QTest::addColumn<StatementEnd::Effect>("effect");

    using Effect = StatementEnd::Effect;
    const std::optional<quint64> before = 7;
    const std::optional<quint64> now = 12;
    const std::optional<quint64> untold;
    const QString all = u"SHARED_NO_READ_WRITE"_s;
    const QString writers = u"SHARED_NO_WRITE"_s;
    const QByteArray lock = "LOCK TABLES shop.first WRITE, shop.second WRITE";
    const QByteArray flush = "FLUSH TABLES shop.first, shop.second WITH READ LOCK";
    const QByteArray repair = "REPAIR TABLE shop.second EXTENDED";
    QTest::newRow("repaired under LOCK TABLES") << repair << all << before << Effect::Kept;
    QTest::newRow("repaired by itself") << repair << all << now << Effect::Freed;
    QTest::newRow("repaired, not told") << repair << all << untold << Effect::Kept;
    QTest::newRow("LOCK TABLES") << lock << all << now << Effect::Freed;
    QTest::newRow("LOCK TABLES, not told") << lock << all << untold << Effect::Freed;
    QTest::newRow("a flush") << flush << writers << now << Effect::FreedIfOwn;
    QTest::newRow("a flush, not told") << flush << writers << untold << Effect::FreedIfOwn;
    QTest::newRow("flushed before") << QByteArray("SELECT 1") << writers << before << Effect::Kept;
    QTest::newRow("a definition") << QByteArray("ALTER TABLE shop.first FORCE") << writers << now << Effect::Freed;
    QTest::newRow("a definition, not told")
        << QByteArray("ALTER TABLE shop.first FORCE") << writers << untold << Effect::Freed;
}

void TestSessionKill::ofLockTablesIsWhatTheStatementHasNotTaken()
{
    QFETCH(QByteArray, statement);
    QFETCH(QString, mode);
    QFETCH(std::optional<quint64>, event);
    ServerSession session;
    session.id = 5;
    session.statement = {Statement::Source::Running, statement};
    session.statementEvent = 10;
    ServerLock held;
    held.object.kind = ServerLockKind::Metadata;
    held.object.scope = u"TABLE"_s;
    held.object.schema = u"shop"_s;
    held.object.name = "first";
    held.mode = mode;
    held.session = session.id;
    held.event = event;
    ServerWaits waits;
    waits.locks = {held};
    waits.edges = {{6, session.id, held.object, u"SHARED_WRITE"_s, {}}};
    QTEST(StatementEnd(waits, session).on(waits.edges.constFirst()), "effect");
}

void TestSessionKill::anEarlierStatementOfTheSameSecondIsNoGuess()
{
    ServerSession session;
    session.id = 5;
    session.statement = {Statement::Source::Running, "SELECT SLEEP(600)"};
    session.commandSince = ServerTime(100s);
    session.transaction.emplace().started = ServerTime(100s);
    QCOMPARE(StatementEnd({}, session).transaction(), TransactionEnd::Perhaps);
    session.history.append({"UPDATE shop.stock SET n = 1", true});
    QCOMPARE(StatementEnd({}, session).transaction(), TransactionEnd::No);
}

/// A program that tries again runs the same text within the same second.
void TestSessionKill::theSameStatementBegunAnewIsNotFollowed()
{
    Actor holder(*m_server);
    Actor waiter(*m_server);
    const QByteArray update = "UPDATE shop.stock SET n = 2 WHERE id = 1";
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    waiter.start(update);
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return !now.edges.isEmpty() && now.session(waiter.id())->statement.source == Statement::Source::Running;
    });
    const KillOrder order = orderFor(waits, waiter, KillKind::Query);
    SessionKill kill(*m_session, m_reader->capabilities());
    KillReport report = kill.act(order);
    QVERIFY(isAccepted(report));
    waiter.finish();
    waiter.start(update);
    lookUntilBlocked(waiter, holder);
    report.outcome = Result::RollingBack;
    QCOMPARE(kill.follow(order, report).outcome, Result::Ended);
    QVERIFY(waiter.isBusy());
}

void TestSessionKill::whatWasAcceptedStaysSoWhenNothingMoreIsSeen()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) != nullptr; });
    SessionKill kill(*m_session, m_reader->capabilities());
    m_observer->run("KILL " + QByteArray::number(m_session->connectionId()));
    KillReport accepted;
    accepted.outcome = Result::RollingBack;
    const KillReport report = kill.follow(orderFor(waits, holder), accepted);
    QCOMPARE(report.outcome, Result::RollingBack);
    QVERIFY(report.error && report.error->connectionGone);
}

/// A default MariaDB does not tell who holds a name that nobody waits for, and still who is there.
void TestSessionKill::whoIsTrackedIsToldWhateverItDoes()
{
    WaitOptions options;
    {
        Actor holder(*m_server);
        QVERIFY(holder.run("DO GET_LOCK('Job', 0)"));
        options.sessions = {holder.id()};
        const ServerWaits waits = look(options);
        QVERIFY(waits.session(holder.id()));
        QVERIFY(!waits.isKnownGone(holder.id()));
        QVERIFY(!look().isKnownGone(holder.id()));
    }
    const quint64 gone = *options.sessions.cbegin();
    lookUntil([&](const ServerWaits &now) { return now.isKnownGone(gone); }, options);
    QVERIFY(look(options).isKnownGone(gone));
    lookAs(userWith("blind", {}));
    QVERIFY(!look(options).isKnownGone(gone)); // it may not see others
}

/// A pooled connection serves somebody else by the time the operator presses the button.
void TestSessionKill::anotherTransactionOfTheSameSessionIsLeftAlone()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) != nullptr; });
    const KillOrder order = orderFor(waits, holder);
    QVERIFY(order.target.transaction);
    QVERIFY(holder.run("COMMIT"));
    QCOMPARE(act(order).outcome, Result::TargetChanged);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 2 WHERE id = 2"));
    QCOMPARE(act(order).outcome, Result::TargetChanged);
    QVERIFY(holder.run("COMMIT"));
}

void TestSessionKill::anotherAccountWithTheSameNumberIsLeftAlone()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    KillOrder order;
    order.target.session = holder.id();
    look();
    order.target.identity = m_reader->capabilities().identity;
    order.target.user = QStringLiteral("somebody");
    order.target.host = QStringLiteral("localhost");
    order.operatorName = order.reason = QStringLiteral("test");
    QCOMPARE(act(order).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
}

void TestSessionKill::whoGaveTheUserLockBackIsLeftAlone()
{
    Actor holder(*m_server);
    Actor waiter(*m_server);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    waiter.start("SELECT GET_LOCK('job', 600)");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    const KillOrder order = orderFor(waits, holder);
    QVERIFY(!order.target.transaction);
    QVERIFY(order.target.lock);
    QCOMPARE(order.target.lock->object.name.toLower(), QByteArray("job"));
    QVERIFY(holder.run("DO RELEASE_LOCK('job')"));
    QVERIFY(waiter.finish());
    QCOMPARE(act(order).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
    QVERIFY(waiter.run("SELECT 1"));
}

void TestSessionKill::whoIsGoneIsAlreadyGone()
{
    auto holder = std::make_unique<Actor>(*m_server);
    QVERIFY(holder->run("BEGIN"));
    QVERIFY(holder->run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder->id()) != nullptr; });
    const KillOrder order = orderFor(waits, *holder);
    const quint64 id = holder->id();
    holder.reset();
    QVERIFY(eventually([&] {
        return m_observer->rows("SELECT id FROM information_schema.processlist WHERE id = " + QByteArray::number(id))
            .isEmpty();
    }));
    QCOMPARE(act(order).outcome, Result::AlreadyGone);
}

void TestSessionKill::aNumberFromBeforeARestartIsNotBelieved()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    ServerWaits waits = look();
    waits.identity = QStringLiteral("elsewhere:3306@1000000000");
    QCOMPARE(act(orderFor(waits, holder)).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
}

void TestSessionKill::theOwnConnectionIsRefused()
{
    const ServerWaits waits = look();
    KillOrder order;
    order.target.session = m_session->connectionId();
    order.target.identity = waits.identity;
    order.target.user = QStringLiteral("root");
    order.operatorName = order.reason = QStringLiteral("test");
    const KillReport report = act(order);
    QCOMPARE(report.outcome, Result::Refused);
    QVERIFY(report.error->message.contains(QLatin1String("own connection")));
}

void TestSessionKill::anOrderWithoutReasonIsRefused()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    KillOrder order = orderFor(look(), holder);
    order.reason = QStringLiteral("  ");
    QCOMPARE(act(order).outcome, Result::Refused);
    order.reason = QStringLiteral("stuck");
    order.operatorName.clear();
    QCOMPARE(act(order).outcome, Result::Refused);
    QVERIFY(holder.run("SELECT 1"));
}

void TestSessionKill::aMissingPrivilegeIsNamed()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    lookAs(userWith("watcher", {"PROCESS ON *.*", "SELECT ON performance_schema.*"}));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) != nullptr; });
    const KillReport report = act(orderFor(waits, holder));
    QCOMPARE(report.outcome, Result::Failed);
    QCOMPARE(report.error->kind, LockError::Kind::NoPermission);
    QVERIFY(report.error->message.contains(QLatin1String("CONNECTION ADMIN")));
    QVERIFY(report.error->message.contains(QLatin1String("SYSTEM_USER"))); // of root on MySQL
    QVERIFY(holder.run("COMMIT"));
}

void TestSessionKill::aHostedServersProcedureIsTried_data()
{
    QTest::addColumn<QByteArray>("procedure");
    QTest::addColumn<KillKind>("kind");
    QTest::addColumn<QString>("hosting");

    QTest::newRow("a session at Amazon") << QByteArray("rds_kill") << KillKind::Connection << "Amazon RDS";
    QTest::newRow("a statement at Amazon") << QByteArray("rds_kill_query") << KillKind::Query << "Amazon RDS";
    QTest::newRow("a session at Azure") << QByteArray("az_kill") << KillKind::Connection << "Azure";
    QTest::newRow("a statement at Azure") << QByteArray("az_kill_query") << KillKind::Query << "Azure";
}

/// It ends the session or its statement for a user who may not.
void TestSessionKill::aHostedServersProcedureIsTried()
{
    QFETCH(QByteArray, procedure);
    QFETCH(KillKind, kind);
    QFETCH(QString, hosting);
    const bool isQuery = kind == KillKind::Query;
    const auto leave = qScopeGuard([&] { m_observer->run("DROP PROCEDURE IF EXISTS mysql." + procedure); });
    m_observer->run("CREATE PROCEDURE mysql." + procedure + "(IN thread BIGINT) SQL SECURITY DEFINER KILL "
                    + (isQuery ? "QUERY " : "") + "thread");
    Actor holder(userWith("shop", {"ALL ON shop.*"})); // nobody but a SYSTEM_USER may end root's on MySQL
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    holder.start("DO SLEEP(600)");
    lookAs(userWith("hosted",
                    {"PROCESS ON *.*", "SELECT ON performance_schema.*", "EXECUTE ON PROCEDURE mysql." + procedure}));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(holder.id());
        return session && session->statement.source == Statement::Source::Running
            && now.clock.server - *session->commandSince > 4s; // told from the next one without a number
    });
    QCOMPARE(m_reader->capabilities().hosting, hosting);
    const KillReport report = act(orderFor(waits, holder, kind));
    QVERIFY2(isAccepted(report), report.error ? qPrintable(report.error->toString()) : "");
    QVERIFY2(report.statement.contains("CALL `mysql`.`" + procedure + '`'), report.statement.constData());
    holder.finish();
    QVERIFY(eventually([&] { return isAlive(holder) == isQuery; }));
    QCOMPARE(bool(holder.run("COMMIT")), isQuery);
}

void TestSessionKill::thePreviewTellsWhoGoesOn()
{
    Actor holder(*m_server);
    Actor one(*m_server);
    Actor two(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id <= 2"));
    one.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    lookUntil([](const ServerWaits &now) { return now.edges.size() == 1; });
    two.start("UPDATE shop.stock SET n = 2 WHERE id = 2");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.edges.size() == 2; });
    const KillPreview preview = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Connection);
    QCOMPARE(QSet<quint64>(preview.forecast.atOnce.cbegin(), preview.forecast.atOnce.cend()),
             QSet<quint64>({one.id(), two.id()}));
    QVERIFY(preview.forecast.stay.isEmpty());
    QCOMPARE(preview.rowsToRollBack, quint64(2));
    QCOMPARE(preview.deadlocks, 0);
    QVERIFY(preview.statement.contains(QByteArray::number(holder.id())));
    holder.run("ROLLBACK");
    QVERIFY(one.finish());
    QVERIFY(two.finish());
}

void TestSessionKill::thePreviewExpectsTheDeadlockOfAnInsert()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("INSERT INTO shop.stock VALUES (100, 0)"));
    Actor one(*m_server);
    Actor two(*m_server);
    one.start("INSERT INTO shop.stock VALUES (100, 1)");
    two.start("INSERT INTO shop.stock VALUES (100, 2)");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return std::count_if(now.edges.cbegin(), now.edges.cend(),
                             [&](const WaitEdge &edge) { return edge.blocker == holder.id(); })
            == 2;
    });
    const KillPreview preview = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Connection);
    QCOMPARE(preview.deadlocks, 1);
    act(orderFor(waits, holder));
    const bool oneDone = bool(one.finish());
    const bool twoDone = bool(two.finish());
    QVERIFY(oneDone != twoDone); // as was predicted
}

void TestSessionKill::whoInsertsADeletedKeyMeetsItAgainOnceTheDeleteIsUndone()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("DELETE FROM shop.stock WHERE id = 5"));
    Actor one(*m_server);
    Actor two(*m_server);
    one.start("INSERT INTO shop.stock VALUES (5, 1)");
    two.start("INSERT INTO shop.stock VALUES (5, 2)");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return std::count_if(now.edges.cbegin(), now.edges.cend(),
                             [&](const WaitEdge &edge) { return edge.blocker == holder.id(); })
            == 2;
    });
    QCOMPARE(previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Connection).deadlocks, 1); // or more
    act(orderFor(waits, holder));
    for (Actor *waiter : {&one, &two}) {
        const Reply reply = waiter->finish();
        QVERIFY(reply.error);
        QCOMPARE(reply.error->code, 1062);
    }
}

void TestSessionKill::theUndoingIsFollowedToItsEnd()
{
    WaitsFeed feed(targetFor(*m_server));
    QSignalSpy killed(&feed, &WaitsFeed::killed);
    QSignalSpy updated(&feed, &WaitsFeed::updated);
    m_observer->run("CREATE TABLE shop.many (id INT PRIMARY KEY AUTO_INCREMENT, n INT) ENGINE=InnoDB");
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("INSERT INTO shop.many (n) WITH d (i) AS (SELECT 0 UNION ALL SELECT 1 UNION ALL SELECT 2 UNION "
                       "ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION "
                       "ALL SELECT 8 UNION ALL SELECT 9) SELECT a.i FROM d AS a, d AS b, d AS c, d AS e, d AS f"));
    feed.setInterval(200ms);
    feed.start();
    ServerWaitsPtr waits;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            if (updated.isEmpty())
                return false;
            waits = updated.last()[0].value<ServerWaitsPtr>();
            const ServerSession *session = waits->session(holder.id());
            return session && session->transaction && session->transaction->rowsChanged >= 100'000;
        }(),
        kPatience);
    feed.kill(orderFor(*waits, holder), ServerAccess::toAct());
    QTRY_COMPARE_WITH_TIMEOUT(killed.size(), 1, kPatience);
    const auto report = killed[0][1].value<KillReport>();
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QCOMPARE(report.outcome, Result::Ended);
    QCOMPARE(report.rowsLeft, quint64(0));
    QVERIFY(!isAlive(holder));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM shop.many").toInt(), 0);
}

QTEST_GUILESS_MAIN(TestSessionKill)
#include "tst_sessionkill.moc"
