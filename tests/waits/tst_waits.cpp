// SPDX-License-Identifier: MIT
// Who waits for whom on real servers, as they are set up by default and as they tell most.
#include "waitstest.h"

#include "feeds/waitsfeed.h"
#include "waits/userlockthreads.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QScopeGuard>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

class TestWaits : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void aQuietServerHasNoWaits();
    void theIdleTransactionIsTheRootOfTheIncident_data();
    void theIdleTransactionIsTheRootOfTheIncident();
    void theHolderOfAnInsertIsFoundByItsTransaction();
    void aRingOverARowAndAUserLockIsFound();
    void aGlobalReadLockBlocksWriters();
    void whoDropsAFunctionWaitsForItsCaller();
    void anAlterBehindSeveralTransactionsIsNotGuessed();
    void aSessionOfTheEventSchedulerIsNobodyToBeSpared();
    void ofSeveralNamesTheOneIsInferred();
    void whoWaitsIsSeenByItsStateWhereItsLockIsNot();
    void whoWaitsForATableIsNotForgotten_data();
    void whoWaitsForATableIsNotForgotten();
    void aTransactionTellsItsSize();
    void anyNameIsReadAsItIs();
    void aStatementThatHidesTheListsIsTheReasonThatIsTold();
    void whoMaySeeNothingIsToldWhatIsMissing();
    void afterOneRestartWithWhatTheRemedyNamesNothingIsMissing();
    void whatIsGrantedShowsWithoutAReconnect();
    void aSourceThatIsSwitchedOffIsNotRead_data();
    void aSourceThatIsSwitchedOffIsNotRead();
    void aLockWithoutATransactionIsAtLeastAsOldAsItsSessionIsIdle();
    void aLockThatWasWaitedForIsNotOlderThanItsGrant();
    void withoutTheTransactionsRowWaitsAreMissing();
    void bothKindsOfLocksFailWithTheirTable();
    void aFullListIsCutAndSaysSo();
    void aFullListKeepsWhatSomebodyWaitsFor();
    void everySessionWithAUserLockIsSeen_data();
    void everySessionWithAUserLockIsSeen();
    void waitingSessionsAreCutWhereOnlyTheirStateTells();
    void leasesAreShownOnlyWhereTheyHangOnAnotherLock();
    void theOwnerOfAnEnginesRowIsTold();
    void livingLeasesLeaveRoomForOtherLocks();
    void onlyWhoHasUserLocksOfOthersIsLookedFor();
    void whatTheServerDoesNotCountIsSeen_data();
    void whatTheServerDoesNotCountIsSeen();
    void whoWaitsUnrecordedIsSeen_data();
    void whoWaitsUnrecordedIsSeen();
    void namesThatOnlyBeginAsEnginesDoAreSeen();
    void whoWaitsForASchemaIsBlockedByItsStatement();
    void whoCommitsUnderAGlobalReadLockIsBlockedByIt();
    void aLookThatIsCalledOffBringsNothing();
    void aPauseDuringAnOutageDoesNotEndTheLooking();
};

void TestWaits::aQuietServerHasNoWaits()
{
    const ServerWaits waits = look();
    QVERIFY(waits.edges.isEmpty());
    QVERIFY(waits.lost.isEmpty());
    QVERIFY(waits.locks.isEmpty());
    QCOMPARE(statusOf(waits, WaitSource::Transactions).state, SourceStatus::State::Complete);
    QVERIFY(!waits.identity.isEmpty());
}

void TestWaits::theIdleTransactionIsTheRootOfTheIncident_data()
{
    QTest::addColumn<bool>("tellsMost");

    QTest::newRow("as it is by default") << false;
    QTest::newRow("with all it can tell") << true;
}

/// A transaction that was left open, ten that want its row, an ALTER behind them, readers and writers behind that; and
/// a migration tool's lock with one who waits for it.
void TestWaits::theIdleTransactionIsTheRootOfTheIncident()
{
    QFETCH(bool, tellsMost);
    useServer(tellsMost);
    const bool tells = tellsMost || m_used->family() == Family::MySql;

    Actor idle(*m_used);
    QVERIFY(idle.run("BEGIN"));
    QVERIFY(idle.run("UPDATE shop.stock SET n = n + 1 WHERE id = 5"));
    std::vector<std::unique_ptr<Actor>> waiters;
    for (int i = 0; i < 10; ++i) {
        waiters.push_back(std::make_unique<Actor>(*m_used));
        waiters.back()->start("UPDATE shop.stock SET n = n + 1 WHERE id = 5");
    }
    lookUntil([](const ServerWaits &waits) { return waits.edges.size() == 55; });
    Actor alter(*m_used);
    alter.start("ALTER TABLE shop.stock ADD COLUMN extra INT, ALGORITHM=COPY");
    lookUntil([&](const ServerWaits &waits) { return waits.session(alter.id()) && waits.edges.size() > 55; });
    Actor writer(*m_used);
    writer.start("UPDATE shop.stock SET n = 7 WHERE id = 9");
    Actor migration(*m_used);
    QVERIFY(migration.run("SELECT GET_LOCK('Flyway--320650056', 0)"));
    Actor second(*m_used);
    second.start("SELECT GET_LOCK('Flyway--320650056', 600)");

    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return edgeOf(now, writer, alter) && edgeOf(now, second, migration) && edgeOf(now, alter, idle);
    });
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    const WaitNode &root = graph.nodes[graph.roots.first()];
    QCOMPARE(root.session, idle.id());
    QCOMPARE(root.frees, 12);
    QCOMPARE(graph.roots.size(), 2);
    QCOMPARE(graph.nodes[graph.roots[1]].session, migration.id());
    QCOMPARE(graph.nodes[graph.roots[1]].frees, 1);
    QVERIFY(graph.cycles.isEmpty());
    QVERIFY(waits.lost.isEmpty());

    const ServerSession *holder = waits.session(idle.id());
    QVERIFY(holder && holder->isIdle() && holder->transaction);
    QCOMPARE(holder->transaction->rowsChanged, quint64(1));
    QCOMPARE(holder->user, QStringLiteral("root"));
    if (tells) {
        QCOMPARE(holder->statement.source, Statement::Source::Last);
        QCOMPARE(holder->statement.text, QByteArray("UPDATE shop.stock SET n = n + 1 WHERE id = 5"));
        QCOMPARE(holder->osPid, QCoreApplication::applicationPid());
        QVERIFY(!edgeOf(waits, alter, idle)->isInferred);
    } else {
        QCOMPARE(holder->statement.source, Statement::Source::NotInstrumented);
        QVERIFY(edgeOf(waits, alter, idle)->isInferred);
        QVERIFY(!statusOf(waits, WaitSource::Metadata).remedy.isEmpty());
    }
    const auto rowEdge = edgeOf(waits, *waiters.front(), idle);
    QCOMPARE(rowEdge->object.toString(), QStringLiteral("shop.stock PRIMARY (5)"));
    QCOMPARE(rowEdge->object.kind, ServerLockKind::Record);
    QCOMPARE(edgeOf(waits, alter, idle)->object.name, QByteArray("stock"));
    QCOMPARE(edgeOf(waits, second, migration)->object.name.toLower(), QByteArray("flyway--320650056"));
    const auto age = std::chrono::abs(waits.clock.server - holder->transaction->started);
    QVERIFY2(age < 1h, qPrintable(QString::number(std::chrono::duration_cast<std::chrono::seconds>(age).count())));

    idle.run("ROLLBACK");
    for (const auto &waiter : waiters)
        QVERIFY(waiter->finish());
    QVERIFY(alter.finish());
    QVERIFY(writer.finish());
    migration.run("DO RELEASE_LOCK('Flyway--320650056')");
    QVERIFY(second.finish());
    QVERIFY(lookUntil([](const ServerWaits &now) { return now.edges.isEmpty(); }).edges.isEmpty());
}

/// The lock of an INSERT is implicit until somebody waits; then the waiter makes it, and data_locks names that thread.
void TestWaits::theHolderOfAnInsertIsFoundByItsTransaction()
{
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("INSERT INTO shop.stock VALUES (100, 0)"));
    Actor waiter(*m_used);
    waiter.start("INSERT INTO shop.stock VALUES (100, 1)");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    QCOMPARE(waits.edges.size(), 1);
    QCOMPARE(waits.edges[0].waiter, waiter.id());
    QCOMPARE(waits.edges[0].blocker, holder.id());
    QVERIFY(holder.run("COMMIT"));
    QVERIFY(!waiter.finish()); // a duplicate
}

void TestWaits::aRingOverARowAndAUserLockIsFound()
{
    Actor one(*m_used);
    Actor two(*m_used);
    QVERIFY(one.run("BEGIN"));
    QVERIFY(one.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    QVERIFY(two.run("SELECT GET_LOCK('job', 0)"));
    two.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    one.start("SELECT GET_LOCK('job', 600)");
    const ServerWaits waits =
        lookUntil([&](const ServerWaits &now) { return edgeOf(now, one, two) && edgeOf(now, two, one); });
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QCOMPARE(graph.cycles.size(), 1);
    QCOMPARE(graph.cycles[0].size(), 2);
    m_observer->run("KILL " + QByteArray::number(one.id()));
    QVERIFY(!one.finish());
    QVERIFY(two.finish());
}

void TestWaits::aGlobalReadLockBlocksWriters()
{
    Actor backup(*m_used);
    QVERIFY(backup.run("FLUSH TABLES WITH READ LOCK"));
    Actor writer(*m_used);
    writer.start("UPDATE shop.stock SET n = 3 WHERE id = 3");
    const ServerWaits waits =
        lookUntil([&](const ServerWaits &now) { return edgeOf(now, writer, backup).has_value(); });
    QCOMPARE(edgeOf(waits, writer, backup)->object.kind, ServerLockKind::Metadata);
    QVERIFY2(edgeOf(waits, writer, backup)->object.toString().startsWith(QLatin1String("the whole server")),
             qPrintable(edgeOf(waits, writer, backup)->object.toString()));
    QVERIFY(backup.run("UNLOCK TABLES"));
    QVERIFY(writer.finish());
}

/// Which may be called as a table is. Who calls it is found again before it is ended, by this lock alone: it has no
/// transaction of InnoDB's.
void TestWaits::whoDropsAFunctionWaitsForItsCaller()
{
    useServer(true);
    Actor caller(*m_used);
    QVERIFY(caller.run("CREATE FUNCTION shop.price() RETURNS INT NO SQL RETURN 7"));
    QVERIFY(caller.run("BEGIN"));
    QVERIFY(caller.run("SELECT shop.price()"));
    Actor dropper(*m_used);
    dropper.start("DROP FUNCTION shop.price");
    const ServerWaits waits = lookUntilBlocked(dropper, caller);
    QCOMPARE(edgeOf(waits, dropper, caller)->object.toString(), QStringLiteral("function shop.price"));
    const KillReport report = act(orderFor(waits, caller));
    QVERIFY2(isAccepted(report), report.error ? qPrintable(report.error->toString()) : "not ended");
    QVERIFY(dropper.finish());
}

/// With two transactions that may be the reason, a server that does not tell must not make us point at one.
void TestWaits::anAlterBehindSeveralTransactionsIsNotGuessed()
{
    useServer(false);
    Actor one(*m_used);
    Actor two(*m_used);
    for (Actor *actor : {&one, &two}) {
        QVERIFY(actor->run("BEGIN"));
        QVERIFY(actor->run("SELECT * FROM shop.stock"));
    }
    Actor alter(*m_used);
    alter.start("ALTER TABLE shop.stock ADD COLUMN extra INT");
    const ServerWaits waits =
        lookUntil([](const ServerWaits &now) { return !now.lost.isEmpty() || now.edges.size() == 2; });
    if (m_used->family() == Family::MariaDb) {
        QVERIFY(waits.edges.isEmpty());
        QCOMPARE(waits.lost.size(), 1);
        QCOMPARE(waits.lost[0].session, alter.id());
        QVERIFY(statusOf(waits, WaitSource::Metadata).remedy.contains(QLatin1String("performance_schema=ON")));
    } else {
        QVERIFY(edgeOf(waits, alter, one) && edgeOf(waits, alter, two));
    }
    one.run("COMMIT");
    two.run("COMMIT");
    QVERIFY(alter.finish());
}

/// Its command is "Connect", as that of a thread of replication once was.
void TestWaits::aSessionOfTheEventSchedulerIsNobodyToBeSpared()
{
    m_observer->run("SET GLOBAL event_scheduler = ON");
    m_observer->run("CREATE EVENT shop.nightly ON SCHEDULE AT CURRENT_TIMESTAMP DO BEGIN START TRANSACTION; "
                    "UPDATE shop.stock SET n = 1 WHERE id = 5; DO SLEEP(600); ROLLBACK; END");
    const auto isHeld = [](const ServerWaits &now) {
        return std::any_of(now.sessions.cbegin(), now.sessions.cend(), [](const ServerSession &one) {
            return one.transaction && one.transaction->rowsChanged > 0;
        });
    };
    lookUntil(isHeld);
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = n + 1 WHERE id = 5");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    const ServerSession *nightly = waits.session(waits.edges.first().blocker);
    QVERIFY(nightly);
    QCOMPARE(nightly->protection, Protection::None);
    m_observer->run("KILL " + QByteArray::number(nightly->id));
    QVERIFY(waiter.finish());
}

/// Which of them it waits for is the guess; who holds that one is told.
void TestWaits::ofSeveralNamesTheOneIsInferred()
{
    useServer(false);
    Actor holder(*m_used);
    QVERIFY(holder.run("SELECT GET_LOCK('b', 0)"));
    Actor waiter(*m_used);
    waiter.start("SELECT GET_LOCK('a', 0), GET_LOCK('b', 600)");
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    QCOMPARE(edgeOf(waits, waiter, holder)->isInferred, m_used->family() == Family::MariaDb);
}

void TestWaits::whoWaitsIsSeenByItsStateWhereItsLockIsNot()
{
    const QByteArray instrument = "UPDATE performance_schema.setup_instruments SET enabled = '%1' "
                                  "WHERE name = 'wait/lock/metadata/sql/mdl'";
    m_observer->run(QByteArray(instrument).replace("%1", "NO"));
    const auto restore = qScopeGuard([&] { m_observer->run(QByteArray(instrument).replace("%1", "YES")); });
    WaitOptions options;
    options.probeEvery = std::chrono::seconds(0);
    Actor holder(*m_used);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    Actor waiter(*m_used);
    waiter.start("SELECT GET_LOCK('job', 600)");
    QVERIFY(edgeOf(lookUntil([&](const ServerWaits &now) { return edgeOf(now, waiter, holder).has_value(); }, options),
                   waiter, holder));
}

void TestWaits::whoWaitsForATableIsNotForgotten_data()
{
    QTest::addColumn<bool>("tellsMost");

    QTest::newRow("as it is by default") << false;
    QTest::newRow("with all it can tell") << true;
}

/// No table of locks lists those of a storage engine without transactions.
void TestWaits::whoWaitsForATableIsNotForgotten()
{
    QFETCH(bool, tellsMost);
    useServer(tellsMost);
    m_observer->run("CREATE TABLE shop.note (n INT) ENGINE=MyISAM");
    m_observer->run("INSERT INTO shop.note VALUES (1), (2)"); // a table of one row is read before its lock goes
    Actor reader(*m_used);
    reader.start("SELECT SLEEP(600) FROM shop.note");
    QVERIFY(seenAsleep(reader));
    Actor writer(*m_used);
    writer.start("UPDATE shop.note SET n = 2");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return lostOf(now, writer).has_value(); });
    QVERIFY(lostOf(waits, writer));
    QCOMPARE(buildWaitGraph(waits, waits.clock.server).waiting(), 1);
    if (m_used->family() == Family::MySql) { // nobody waits for a rare kind of metadata lock
        UserLockThreads threads;
        QVERIFY(!threads.look(*m_session));
        QVERIFY(!threads.hasRareWaits());
    }
    m_observer->run("KILL QUERY " + QByteArray::number(reader.id()));
    QVERIFY(writer.finish());
}

void TestWaits::aTransactionTellsItsSize()
{
    Actor actor(*m_used);
    QVERIFY(actor.run("BEGIN"));
    QVERIFY(actor.run("UPDATE shop.stock SET n = n + 1 WHERE id <= 4"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(actor.id());
        return session && session->transaction && session->transaction->rowsChanged == 4;
    });
    QVERIFY(waits.session(actor.id())->transaction->rowsLocked >= 4);
    QVERIFY(waits.edges.isEmpty());
}

void TestWaits::anyNameIsReadAsItIs()
{
    const QByteArray schema = "we`ird \xd7\xa9 'x'\"";
    const QByteArray quoted = "`we``ird \xd7\xa9 'x'\"`";
    m_observer->run("DROP DATABASE IF EXISTS " + quoted);
    m_observer->run("CREATE DATABASE " + quoted + " CHARACTER SET utf8mb4");
    m_observer->run("CREATE TABLE " + quoted + ".`ta``ble .x` (`k` VARCHAR(100) PRIMARY KEY) ENGINE=InnoDB");
    m_observer->run("INSERT INTO " + quoted + ".`ta``ble .x` VALUES ('it''s `\xe2\x80\xae')");
    Actor holder(*m_used);
    Actor waiter(*m_used);
    const QByteArray lock =
        "SELECT * FROM " + quoted + ".`ta``ble .x` FOR UPDATE /* " + QByteArray(60'000, 'x') + " */";
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run(lock));
    waiter.start(lock);
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    const WaitEdge edge = waits.edges.first();
    QCOMPARE(edge.waiter, waiter.id());
    QCOMPARE(edge.blocker, holder.id());
    QCOMPARE(edge.object.schema, QString::fromUtf8(schema));
    QCOMPARE(edge.object.name, QByteArray("ta`ble .x"));
    QVERIFY(waits.session(waiter.id())->statement.text.size() <= ServerWaits::MaxStatementBytes);
    QVERIFY(waits.session(waiter.id())->statement.text.startsWith("SELECT * FROM `we``ird"));
    holder.run("COMMIT");
    QVERIFY(waiter.finish());
    m_observer->run("DROP DATABASE " + quoted);
}

/// MySQL 9.7 refuses to list transactions meanwhile, whatever is asked of them.
void TestWaits::aStatementThatHidesTheListsIsTheReasonThatIsTold()
{
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    holder.start("SELECT SLEEP(600), '\xf0\x9f\x94\x92'");
    const bool isHidden = m_used->family() == Family::MySql;
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { // whose lists are read one after the other
        const ServerSession *session = now.session(holder.id());
        const bool isFailed = statusOf(now, WaitSource::Transactions).state == SourceStatus::State::Failed;
        return session && session->statement.source == Statement::Source::Running && isFailed == isHidden;
    });
    const SourceStatus transactions = statusOf(waits, WaitSource::Transactions);
    QCOMPARE(transactions.state, isHidden ? SourceStatus::State::Failed : SourceStatus::State::Complete);
    QCOMPARE(transactions.reason.contains(QLatin1String("four bytes")), isHidden);
    m_observer->run("KILL QUERY " + QByteArray::number(holder.id()));
    holder.finish();
    const ServerWaits later = lookUntil([](const ServerWaits &now) {
        return statusOf(now, WaitSource::Transactions).state == SourceStatus::State::Complete;
    });
    QVERIFY(later.session(holder.id())->transaction);
}

void TestWaits::whoMaySeeNothingIsToldWhatIsMissing()
{
    LockError error;
    const auto session = Session::open(userWith("nobody", {}), &error);
    QVERIFY2(session, qPrintable(error.toString()));
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    ServerWaits waits;
    WaitsReader reader(*session);
    QVERIFY(!reader.read(&waits));
    QVERIFY(waits.edges.isEmpty());
    QVERIFY(!waits.session(holder.id()));
    QCOMPARE(statusOf(waits, WaitSource::Transactions).state, SourceStatus::State::Missing);
    QVERIFY(statusOf(waits, WaitSource::Transactions).remedy.contains(QLatin1String("PROCESS")));
    QVERIFY(!statusOf(waits, WaitSource::Metadata).remedy.isEmpty());
    QVERIFY(!reader.capabilities().mayProcess);
    QVERIFY(!reader.capabilities().mayKill);
}

void TestWaits::afterOneRestartWithWhatTheRemedyNamesNothingIsMissing()
{
    const auto remedies = [](const TestServer &server) {
        LockError failed;
        const auto session = Session::open(targetFor(server), &failed);
        ServerWaits waits;
        if (const auto error = session ? WaitsReader(*session).read(&waits) : failed)
            qFatal("%s", qPrintable(error->toString()));
        QStringList texts;
        for (const SourceStatus &status : waits.sources)
            texts += status.remedy;
        return texts.join(u' ');
    };
    TestServer server({QStringLiteral("--performance-schema=OFF")});
    const QString told = remedies(server);
    static const QRegularExpression line(QStringLiteral("performance_schema\\w*=('[^']*'|\\w+)"));
    QStringList options;
    for (const QRegularExpressionMatch &match : line.globalMatch(told))
        options += QLatin1String("--") + match.captured().remove(u'\'');
    options.removeDuplicates();
    QVERIFY2(!options.isEmpty(), qPrintable(told));
    server.stop();
    server.setOptions(options);
    server.start();
    QCOMPARE(remedies(server).trimmed(), QString());
}

/// The remedy is a statement to run as it is.
void TestWaits::whatIsGrantedShowsWithoutAReconnect()
{
    lookAs(userWith("nobody", {}));
    WaitOptions options;
    const SourceStatus before = statusOf(look(options), WaitSource::Statements);
    QCOMPARE(before.state, SourceStatus::State::Missing);
    m_observer->run(before.remedy.toUtf8());
    QCOMPARE(statusOf(look(options), WaitSource::Statements).state, SourceStatus::State::Missing);
    options.probeEvery = std::chrono::seconds(0);
    QCOMPARE(statusOf(look(options), WaitSource::Statements).state, SourceStatus::State::Complete);
}

void TestWaits::aSourceThatIsSwitchedOffIsNotRead_data()
{
    QTest::addColumn<bool>("tellsMost");
    QTest::addColumn<WaitSource>("off");

    for (const bool tellsMost : {false, true}) {
        const char *server = tellsMost ? "with all it can tell" : "as it is by default";
        QTest::addRow("user-level locks, %s", server) << tellsMost << WaitSource::UserLocks;
        QTest::addRow("metadata locks, %s", server) << tellsMost << WaitSource::Metadata;
    }
}

/// Both kinds come from one table, or from one guess.
void TestWaits::aSourceThatIsSwitchedOffIsNotRead()
{
    QFETCH(bool, tellsMost);
    QFETCH(WaitSource, off);
    useServer(tellsMost);
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT * FROM shop.stock"));
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    Actor second(*m_used);
    second.start("SELECT GET_LOCK('job', 600)");
    Actor alter(*m_used);
    alter.start("ALTER TABLE shop.stock ADD COLUMN extra INT");
    lookUntil([&](const ServerWaits &now) { return edgeOf(now, second, holder) && edgeOf(now, alter, holder); });
    WaitOptions options;
    options.off = {off};
    const ServerWaits waits = look(options);
    QCOMPARE(statusOf(waits, off).state, SourceStatus::State::Off);
    QCOMPARE(edgeOf(waits, second, holder).has_value(), off != WaitSource::UserLocks);
    QCOMPARE(edgeOf(waits, alter, holder).has_value(), off != WaitSource::Metadata);
    QVERIFY(waits.lost.isEmpty());
    const ServerLockKind kind = off == WaitSource::UserLocks ? ServerLockKind::User : ServerLockKind::Metadata;
    for (const ServerLock &lock : waits.locks)
        QVERIFY(lock.object.kind != kind);
    holder.run("ROLLBACK");
    QVERIFY(alter.finish());
}

/// The server tells since when the session is idle, and the lock is older; while it runs something, nothing is told.
void TestWaits::aLockWithoutATransactionIsAtLeastAsOldAsItsSessionIsIdle()
{
    Actor holder(*m_used);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    const auto isIdle = [&](const ServerWaits &now) {
        const ServerSession *session = now.session(holder.id());
        return session && session->isIdle();
    };
    ServerWaits waits = lookUntil(isIdle);
    QCOMPARE(waits.locks.size(), 1);
    QVERIFY(waits.locks[0].age);
    QCOMPARE(boundOf(waits.locks[0].age->of), AgeBound::AtLeast);
    QCOMPARE(waits.locks[0].age->since, *waits.session(holder.id())->doneSince());
    holder.start("SELECT SLEEP(600)");
    waits = lookUntil([&](const ServerWaits &now) { return !isIdle(now); });
    QVERIFY(!waits.locks[0].age);
}

/// MySQL counts who is idle from the begin of the last statement.
void TestWaits::aLockThatWasWaitedForIsNotOlderThanItsGrant()
{
    Actor holder(*m_used);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    Actor waiter(*m_used);
    waiter.start("SELECT GET_LOCK('job', 600)");
    ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        const auto edge = edgeOf(now, waiter, holder);
        return edge && edge->since && now.clock.server - *edge->since >= 3s;
    });
    const ServerTime before = waits.clock.server;
    QVERIFY(holder.run("SELECT RELEASE_LOCK('job')"));
    QVERIFY(waiter.finish());
    waits = lookUntil([&](const ServerWaits &now) {
        const ServerSession *session = now.session(waiter.id());
        return session && session->isIdle() && !now.locks.isEmpty();
    });
    QCOMPARE(waits.locks[0].session, waiter.id());
    QVERIFY(waits.locks[0].age->since >= before - 1s); // whole seconds
    QVERIFY(*waits.session(waiter.id())->doneSince() >= before - 1s);
}

void TestWaits::withoutTheTransactionsRowWaitsAreMissing()
{
    WaitOptions options;
    options.off = {WaitSource::Transactions};
    const ServerWaits waits = look(options);
    QCOMPARE(statusOf(waits, WaitSource::RowWaits).state, SourceStatus::State::Missing);
    QVERIFY(!statusOf(waits, WaitSource::RowWaits).reason.isEmpty());
}

void TestWaits::bothKindsOfLocksFailWithTheirTable()
{
    lookAs(userWith("watcher", {"PROCESS ON *.*", "SELECT ON performance_schema.*"}));
    QCOMPARE(statusOf(look(), WaitSource::UserLocks).state, SourceStatus::State::Complete);
    m_observer->run("REVOKE SELECT ON performance_schema.* FROM 'watcher'@'localhost'");
    const ServerWaits waits = look();
    for (const WaitSource source : {WaitSource::Metadata, WaitSource::UserLocks})
        QCOMPARE(statusOf(waits, source).state, SourceStatus::State::Failed);
}

void TestWaits::aFullListIsCutAndSaysSo()
{
    Actor holder(*m_used);
    for (int i = 0; i < 20; ++i)
        QVERIFY(holder.run("SELECT GET_LOCK('job" + QByteArray::number(i) + "', 0)"));
    WaitOptions options;
    options.limit = 10;
    const ServerWaits waits = look(options);
    QCOMPARE(waits.locks.size(), 10);
    QVERIFY(statusOf(waits, WaitSource::Metadata).isCut);
}

/// On MySQL locks of tables are read after others.
void TestWaits::aFullListKeepsWhatSomebodyWaitsFor()
{
    Actor other(*m_used);
    for (int i = 0; i < 10; ++i)
        QVERIFY(other.run("SELECT GET_LOCK('job" + QByteArray::number(i) + "', 0)"));
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT * FROM shop.stock"));
    Actor waiter(*m_used);
    waiter.start("ALTER TABLE shop.stock ADD COLUMN more INT");
    WaitOptions options;
    options.limit = 5;
    const ServerWaits waits =
        lookUntil([&](const ServerWaits &now) { return edgeOf(now, waiter, holder).has_value(); }, options);
    QVERIFY(edgeOf(waits, waiter, holder));
    QCOMPARE(waits.locks.size(), 5);
    QVERIFY(statusOf(waits, WaitSource::Metadata).isCut);
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(waiter.finish());
}

/// MySQL is asked for some threads at once, and for all of them where these are many.
void TestWaits::everySessionWithAUserLockIsSeen_data()
{
    QTest::addColumn<int>("sessions");
    for (const int sessions : {1, 10, 25, 45})
        QTest::addRow("%d", sessions) << sessions;
}

void TestWaits::everySessionWithAUserLockIsSeen()
{
    QFETCH(int, sessions);
    QSet<QByteArray> taken;
    std::vector<std::unique_ptr<Actor>> holders;
    for (int i = 0; i < sessions; ++i) {
        holders.push_back(std::make_unique<Actor>(*m_used));
        taken.insert("job" + QByteArray::number(i));
        QVERIFY(holders.back()->run("SELECT GET_LOCK('job" + QByteArray::number(i) + "', 60)"));
    }
    QSet<QByteArray> seen;
    lookUntil([&](const ServerWaits &now) { // sessions of before may still be ending
        seen.clear();
        for (const ServerLock &lock : now.locks)
            seen.insert(lock.object.name);
        return seen == taken;
    });
    QCOMPARE(seen, taken);
}

void TestWaits::waitingSessionsAreCutWhereOnlyTheirStateTells()
{
    useServer(false);
    lookAs(userWith("watcher", {"PROCESS ON *.*"}));
    Actor holder(*m_used);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    std::vector<std::unique_ptr<Actor>> waiters;
    for (int i = 0; i < 4; ++i) {
        waiters.push_back(std::make_unique<Actor>(*m_used));
        waiters.back()->start("SELECT GET_LOCK('job', 600)");
    }
    lookUntil([](const ServerWaits &now) { return now.edges.size() == 4; });
    WaitOptions options;
    options.limit = 2;
    const ServerWaits waits = look(options);
    QCOMPARE(waits.edges.size(), 2);
    QVERIFY(waits.session(holder.id()));
    QVERIFY(statusOf(waits, WaitSource::Sessions).isCut);
}

/// A queue of a lease is the engine's own business, until its holder hangs on a row.
void TestWaits::leasesAreShownOnlyWhereTheyHangOnAnotherLock()
{
    resetTables(*m_used);
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    Actor leaseholder(*m_used);
    const QByteArray presence = "ls:0123456789abcdef0123456789abcdef:1";
    QVERIFY(leaseholder.run(
        "INSERT INTO lock_lease (resource, slot, token, presence, acquired_at, expires_at, "
        "ttl_us, owner, note, kept) SELECT 'orders/42', 0, 1, '"
        + presence
        + "', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, 1, '{\"service\": \"billing\"}', '', 0"));
    QVERIFY(leaseholder.run("SELECT GET_LOCK('" + presence + "', 0)"));
    Actor waiter(*m_used);
    waiter.start("SELECT GET_LOCK('" + presence + "', 600)");
    QVERIFY(eventually([&] {
        return m_observer->value("SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User lock'")
                   .toInt()
            == 1;
    }));
    ServerWaits waits = look();
    QVERIFY(waits.edges.isEmpty());
    QVERIFY(waits.lost.isEmpty());
    leaseholder.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    waits = lookUntil([](const ServerWaits &now) { return now.edges.size() == 2; });
    QCOMPARE(edgeOf(waits, waiter, leaseholder)->object.toString(), QStringLiteral("lease orders/42"));
    QCOMPARE(waits.session(leaseholder.id())->owner.service, QStringLiteral("billing"));
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QCOMPARE(graph.nodeOf(holder.id())->frees, 2);
    QVERIFY(std::none_of(waits.locks.cbegin(), waits.locks.cend(),
                         [](const ServerLock &lock) { return lock.object.kind == ServerLockKind::User; }));
    holder.run("ROLLBACK");
    QVERIFY(leaseholder.finish());
}

/// What it told stands in a transaction that is never committed.
void TestWaits::theOwnerOfAnEnginesRowIsTold()
{
    resetTables(*m_used);
    LockEngine engine(configFor(*m_used));
    LockRequest request = requestFor("orders/42");
    request.mode = Mode::Pessimistic;
    const AcquireResult held = engine.acquire(request);
    QCOMPARE(held.outcome, Outcome::Granted);
    Actor waiter(*m_used);
    waiter.start("UPDATE lock_row SET note = '' WHERE resource = 'orders/42'");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.edges.size() == 1; });
    const ServerSession *holder = waits.session(waits.edges[0].blocker);
    QVERIFY(holder);
    QCOMPARE(holder->owner.service, configFor(*m_used).service);
    QCOMPARE(holder->owner.pid, QCoreApplication::applicationPid());
    QCOMPARE(waits.session(waiter.id())->owner, Owner());
}

void TestWaits::livingLeasesLeaveRoomForOtherLocks()
{
    useServer(true);
    constexpr int limit = 5;
    Actor engine(*m_used);
    for (int i = 0; i < 2 * limit; ++i)
        QVERIFY(engine.run("SELECT GET_LOCK('ls:0123456789abcdef0123456789abcdef:" + QByteArray::number(i) + "', 0)"));
    Actor migration(*m_used);
    QVERIFY(migration.run("SELECT GET_LOCK('job', 0)"));
    WaitOptions options;
    options.limit = limit;
    const ServerWaits waits = look(options);
    QCOMPARE(waits.locks.size(), 1);
    QCOMPARE(waits.locks[0].session, migration.id());
    QVERIFY(!statusOf(waits, WaitSource::UserLocks).isCut);
}

/// Only MySQL is asked for threads.
void TestWaits::onlyWhoHasUserLocksOfOthersIsLookedFor()
{
    useServer(true);
    if (m_used->family() == Family::MySql) {
        UserLockThreads threads;
        QVERIFY(!threads.look(*m_session));
        const qsizetype before = threads.ids().size();
        Actor engine(*m_used);
        QVERIFY(engine.run("SELECT GET_LOCK('ls:0123456789abcdef0123456789abcdef:1', 0)"));
        Actor migration(*m_used);
        QVERIFY(migration.run("SELECT GET_LOCK('job', 0)"));
        QVERIFY(!threads.look(*m_session));
        QCOMPARE(threads.ids().size(), before + 1);
        std::vector<std::unique_ptr<Actor>> idle;
        for (int i = 0; i < 20; ++i)
            idle.push_back(std::make_unique<Actor>(*m_used));
        m_observer->startLog();
        QVERIFY(!threads.look(*m_session));
        QCOMPARE(threads.ids().size(), before + 1);
        QVERIFY(!m_observer->logged().filter(QStringLiteral("user_level_lock"), Qt::CaseInsensitive).isEmpty());
        QCOMPARE(m_observer->logged().filter(QStringLiteral("m.object_name")), QStringList()); // known, or none
        QVERIFY(migration.run("SELECT RELEASE_LOCK('job')"));
        QVERIFY(!threads.look(*m_session));
        QCOMPARE(threads.ids().size(), before);
        migration.start("SELECT GET_LOCK('ls:0123456789abcdef0123456789abcdef:1', 600)");
        QTRY_VERIFY(!threads.look(*m_session) && threads.ids().size() == before + 1); // whatever it waits for
    }
}

void TestWaits::whatTheServerDoesNotCountIsSeen_data()
{
    QTest::addColumn<QByteArray>("off");
    QTest::addColumn<QByteArray>("on");
    const QByteArray update = "UPDATE performance_schema.";
    const auto row = [&](const char *name, const QByteArray &column, const QByteArray &table, const QByteArray &where) {
        QTest::newRow(name) << update + table + " SET " + column + " = 'NO' WHERE " + where
                            << update + table + " SET " + column + " = 'YES' WHERE " + where;
    };
    row("a thread's", "instrumented", "threads", "processlist_id = ");
    row("anybody's", "enabled", "setup_consumers", "name = 'thread_instrumentation' AND 0 < ");
    row("any", "enabled", "setup_instruments", "name = 'memory/sql/User_level_lock' AND 0 < ");
}

/// While it is off; and where somebody waits also when it is on again.
void TestWaits::whatTheServerDoesNotCountIsSeen()
{
    QFETCH(QByteArray, off);
    QFETCH(QByteArray, on);
    useServer(true);
    Actor migration(*m_used);
    const QByteArray id = QByteArray::number(migration.id());
    m_observer->run(off + id);
    QVERIFY(migration.run("SELECT GET_LOCK('stock', 0)"));
    m_reader->probeSoon();
    const ServerWaits waits = look();
    m_observer->run(on + id);
    m_reader->probeSoon();
    QVERIFY(std::any_of(waits.locks.cbegin(), waits.locks.cend(), [&](const ServerLock &lock) {
        return lock.session == migration.id() && lock.object.kind == ServerLockKind::User
            && lock.object.name == "stock";
    }));
    Actor reader(*m_used); // holds another kind of lock of that name
    QVERIFY(reader.run("BEGIN"));
    QVERIFY(reader.run("SELECT * FROM shop.stock"));
    Actor waiter(*m_used);
    waiter.start("SELECT GET_LOCK('stock', 600)");
    lookUntilBlocked(waiter, migration);
}

void TestWaits::whoWaitsUnrecordedIsSeen_data()
{
    QTest::addColumn<QByteArray>("off");
    QTest::addColumn<QByteArray>("on");
    QTest::addColumn<bool>("isBriefly");
    const QByteArray update = "UPDATE performance_schema.";
    const auto row = [&](const char *name, const QByteArray &table, const QByteArray &which, bool isBriefly) {
        QTest::newRow(name) << update + table + " SET enabled = 'NO' WHERE name = '" + which + "'"
                            << update + table + " SET enabled = 'YES' WHERE name = '" + which + "'" << isBriefly;
    };
    row("nothing is recorded", "setup_consumers", "global_instrumentation", false);
    row("it was not when the wait began", "setup_instruments", "wait/lock/metadata/sql/mdl", true);
}

/// The session's state tells that it waits, and its statement for what.
void TestWaits::whoWaitsUnrecordedIsSeen()
{
    QFETCH(QByteArray, off);
    QFETCH(QByteArray, on);
    QFETCH(bool, isBriefly);
    useServer(true);
    m_observer->run(off);
    Actor holder(*m_used);
    QVERIFY(holder.run("SELECT GET_LOCK('Stock', 0)"));
    Actor waiter(*m_used);
    waiter.start("SELECT GET_LOCK('Stock', 600)");
    QVERIFY(seenIn(waiter, "User lock"));
    if (isBriefly)
        m_observer->run(on);
    m_reader->probeSoon();
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    m_observer->run(on);
    QVERIFY(edgeOf(waits, waiter, holder));
    QVERIFY(waits.session(holder.id()));
    QVERIFY(waits.lost.isEmpty());
    QCOMPARE(std::count_if(waits.locks.cbegin(), waits.locks.cend(),
                           [&](const ServerLock &lock) { return lock.session == holder.id() && lock.isGranted; }),
             1);
}

void TestWaits::namesThatOnlyBeginAsEnginesDoAreSeen()
{
    useServer(true);
    const QByteArrayList names{"ls:", "ls:42", "ls:cafe", "ls:0123456789abcdef0123456789abcdef"};
    Actor other(*m_used);
    for (const QByteArray &name : names)
        QVERIFY(other.run("SELECT GET_LOCK('" + name + "', 0)"));
    QByteArrayList seen;
    for (const ServerLock &lock : look().locks) {
        if (lock.session == other.id())
            seen.append(lock.object.name);
    }
    std::sort(seen.begin(), seen.end());
    QCOMPARE(seen, QByteArrayList({"ls:", "ls:0123456789abcdef0123456789abcdef", "ls:42", "ls:cafe"}));
}

/// Locks on schemas are read where somebody waits for one.
void TestWaits::whoWaitsForASchemaIsBlockedByItsStatement()
{
    useServer(true);
    Actor reader(*m_used);
    QVERIFY(reader.run("BEGIN"));
    QVERIFY(reader.run("SELECT * FROM shop.stock"));
    Actor alter(*m_used);
    alter.start("ALTER TABLE shop.stock ADD COLUMN c INT");
    lookUntilBlocked(alter, reader);
    Actor drop(*m_used);
    drop.start("DROP DATABASE shop");
    const ServerWaits waits = lookUntilBlocked(drop, alter);
    QCOMPARE(edgeOf(waits, drop, alter)->object.scope, QStringLiteral("SCHEMA"));
    QVERIFY(reader.run("ROLLBACK"));
    QVERIFY(alter.finish());
    QVERIFY(drop.finish());
}

void TestWaits::whoCommitsUnderAGlobalReadLockIsBlockedByIt()
{
    useServer(true);
    Actor writer(*m_used);
    QVERIFY(writer.run("BEGIN"));
    QVERIFY(writer.run("UPDATE shop.stock SET n = 4 WHERE id = 4"));
    Actor backup(*m_used);
    QVERIFY(backup.run("FLUSH TABLES WITH READ LOCK"));
    writer.start("COMMIT");
    const ServerWaits waits = lookUntilBlocked(writer, backup);
    QCOMPARE(edgeOf(waits, writer, backup)->object.kind, ServerLockKind::Metadata);
    QVERIFY(backup.run("UNLOCK TABLES"));
    QVERIFY(writer.finish());
}

/// After the first of its sources, as when a kill is wanted while it looks.
void TestWaits::aLookThatIsCalledOffBringsNothing()
{
    int asked = 0;
    WaitOptions options;
    options.isCalledOff = [&asked] { return ++asked > 1; };
    ServerWaits waits;
    const auto error = m_reader->read(&waits, options);
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::Interrupted);
    QCOMPARE(asked, 2);
    QVERIFY(waits.sources.isEmpty());
    QVERIFY(!m_session->isGone());
    QCOMPARE(look().sources.size(), WaitSourceCount);
}

void TestWaits::aPauseDuringAnOutageDoesNotEndTheLooking()
{
    m_reader.reset();
    m_session.reset();
    WaitsFeed feed(targetFor(*m_used));
    QSignalSpy updated(&feed, &WaitsFeed::updated);
    QSignalSpy failed(&feed, &WaitsFeed::failed);
    feed.start();
    QTRY_VERIFY_WITH_TIMEOUT(!updated.isEmpty(), 30'000);
    m_used->stop();
    feed.refresh();
    QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), 30'000);
    feed.setPaused(true);
    m_used->start();
    updated.clear();
    feed.setPaused(false);
    QTRY_VERIFY_WITH_TIMEOUT(!updated.isEmpty(), 30'000);
}

QTEST_GUILESS_MAIN(TestWaits)
#include "tst_waits.moc"
