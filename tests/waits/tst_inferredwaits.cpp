// SPDX-License-Identifier: MIT
// What the text of a statement tells of the locks that it wants, and which metadata locks exclude each other.
#include "locks/serverrows.h"
#include "waits/inferredwaits.h"
#include "waits/metadatamodes.h"
#include "waits/rowwaits.h"
#include "waits/sessionfacts.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;

Q_DECLARE_METATYPE(lockscope::SourceStatus::State)
Q_DECLARE_METATYPE(lockscope::Protection)

namespace {

ServerObject table(const char *schema, const char *name)
{
    ServerObject object;
    object.kind = ServerLockKind::Metadata;
    object.scope = QStringLiteral("TABLE");
    object.schema = QString::fromLatin1(schema);
    object.name = name;
    return object;
}

/// In the schema "shop"; the higher its number, the later it came.
void addWaiter(ServerWaits *waits, quint64 id, const QByteArray &state, const QByteArray &statement)
{
    ServerSession session;
    session.id = id;
    session.schema = QStringLiteral("shop");
    session.state = QString::fromLatin1(state);
    session.statement = {Statement::Source::Running, statement};
    session.commandSince = ServerTime(std::chrono::hours(id));
    waits->sessions.insert(id, session);
}

SourceStatus status(WaitSource source, SourceStatus::State state = SourceStatus::State::Complete)
{
    return {source, state, {}, {}, false, 0};
}

/// "2<1 shop.stock": 2 waits for 1.
QString textOf(const ServerWaits &waits)
{
    QStringList texts;
    for (const WaitEdge &edge : waits.edges)
        texts.append(QStringLiteral("%1<%2 %3").arg(edge.waiter).arg(edge.blocker).arg(edge.object.toString()));
    texts.sort();
    return texts.join(QLatin1String(", "));
}

} // namespace

class TestInferredWaits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesOfUserLocksAreFound_data();
    void namesOfUserLocksAreFound();
    void theRedefinedTableIsFound_data();
    void theRedefinedTableIsFound();
    void onlyWholeWordsAreMentioned_data();
    void onlyWholeWordsAreMentioned();
    void modesExcludeEachOtherAsInTheServer_data();
    void modesExcludeEachOtherAsInTheServer();
    void oneHolderOfAUserLockBlocksEveryWaiter();
    void whoHoldsALockInSeveralModesIsToldOnce();
    void ofManyEdgesThoseOfHoldersStay();
    void ofSeveralModesTheStrongestIsListed();
    void whatIsWaitedForIsInferred_data();
    void whatIsWaitedForIsInferred();
    void whoWaitsForARowOfTheTableHoldsUpItsAlter();
    void whoWaitsForTheWholeServerIsBehindNoTable();
    void whoWaitsByItsStateIsNotForgotten_data();
    void whoWaitsByItsStateIsNotForgotten();
    void whoWaitsUnseenMayWaitForAPreparedTransaction();
    void onlyThreadsOfReplicationAreTakenForIt_data();
    void onlyThreadsOfReplicationAreTakenForIt();
    void tablesAreSplitAsInnoDbQuotesThem_data();
    void tablesAreSplitAsInnoDbQuotesThem();
};

void TestInferredWaits::namesOfUserLocksAreFound_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QList<QByteArray>>("names");

    using Names = QList<QByteArray>;
    QTest::newRow("plain") << QByteArray("SELECT GET_LOCK('job', 10)") << Names{"job"};
    QTest::newRow("spaces and case") << QByteArray("do get_lock (\n 'job' , 1)") << Names{"job"};
    QTest::newRow("double quotes") << QByteArray("SELECT GET_LOCK(\"it's\", 1)") << Names{"it's"};
    QTest::newRow("doubled quote") << QByteArray("SELECT GET_LOCK('it''s', 1)") << Names{"it's"};
    QTest::newRow("escaped quote") << QByteArray("SELECT GET_LOCK('it\\'s', 1)") << Names{"it's"};
    QTest::newRow("bracket in the name") << QByteArray("SELECT GET_LOCK('a),b', 1)") << Names{"a),b"};
    QTest::newRow("hexadecimal") << QByteArray("SELECT GET_LOCK(x'6a6f62', 1)") << Names{"job"};
    QTest::newRow("0x") << QByteArray("SELECT GET_LOCK(0x6a6f62, 1)") << Names{"job"};
    QTest::newRow("with a character set") << QByteArray("SELECT GET_LOCK(_utf8mb4 'job', 1)") << Names{"job"};
    QTest::newRow("two") << QByteArray("SELECT GET_LOCK('a', 1), GET_LOCK('b', 1)") << Names({"a", "b"});
    QTest::newRow("computed") << QByteArray("SELECT GET_LOCK(CONCAT('a', 'b'), 1)") << Names{};
    QTest::newRow("a variable") << QByteArray("SELECT GET_LOCK(@name, 1)") << Names{};
    QTest::newRow("cut off") << QByteArray("SELECT GET_LOCK('jo") << Names{};
    QTest::newRow("another function") << QByteArray("SELECT FORGET_LOCK('job', 1)") << Names{};
}

void TestInferredWaits::namesOfUserLocksAreFound()
{
    QFETCH(QByteArray, statement);
    QTEST(userLockNames(statement), "names");
}

void TestInferredWaits::theRedefinedTableIsFound_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QByteArray>("table");

    const auto row = [](const char *name, const QByteArray &statement, const char *table, const char *schema = "") {
        QTest::newRow(name) << statement << QString::fromLatin1(schema) << QByteArray(table);
    };
    row("alter", "ALTER TABLE stock ADD COLUMN c INT", "stock");
    row("with a schema", "alter table shop.stock add c int", "stock", "shop");
    row("quoted", "ALTER TABLE `my ``shop` . `my ``stock` ADD c INT", "my `stock", "my `shop");
    row("online", "ALTER ONLINE IGNORE TABLE stock ADD c INT", "stock");
    row("comment", "/* job 7 */ ALTER TABLE stock ADD c INT", "stock");
    row("comments", QByteArray("/* job */ ").repeated(20) + "ALTER TABLE stock ADD c INT", "stock");
    row("as many comments as are kept", QByteArray("/**/").repeated(1000) + "DROP TABLE stock", "stock");
    row("comments before something else", QByteArray("/* job */ ").repeated(40) + "UPDATE stock SET n = 1", "");
    row("drop", "DROP TABLE IF EXISTS stock", "stock");
    row("truncate", "TRUNCATE stock", "stock");
    row("truncate table", "TRUNCATE TABLE shop.stock", "stock", "shop");
    row("index", "CREATE UNIQUE INDEX i ON stock (n)", "stock");
    row("drop index", "DROP INDEX i ON shop.stock", "stock", "shop");
    row("optimize", "OPTIMIZE NO_WRITE_TO_BINLOG TABLE stock", "stock");
    row("select", "SELECT 'ALTER TABLE stock'", "");
    row("update", "UPDATE stock SET n = 1", "");
    row("nothing", QByteArray(), "");
}

void TestInferredWaits::theRedefinedTableIsFound()
{
    QFETCH(QByteArray, statement);
    const TableName found = redefinedTable(statement);
    QTEST(found.schema, "schema");
    QTEST(found.name, "table");
}

void TestInferredWaits::onlyWholeWordsAreMentioned_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("isMentioned");

    QTest::newRow("word") << QByteArray("SELECT * FROM stock") << QByteArray("stock") << true;
    QTest::newRow("quoted") << QByteArray("SELECT * FROM `stock`") << QByteArray("stock") << true;
    QTest::newRow("with a schema") << QByteArray("SELECT * FROM shop.stock") << QByteArray("stock") << true;
    QTest::newRow("part of a word") << QByteArray("SELECT * FROM stock_old") << QByteArray("stock") << false;
    QTest::newRow("dollar") << QByteArray("SELECT * FROM $stock") << QByteArray("stock") << false;
    QTest::newRow("a pattern's signs") << QByteArray("SELECT * FROM `a.*b`") << QByteArray("a.*b") << true;
    QTest::newRow("no pattern") << QByteArray("SELECT * FROM axxb") << QByteArray("a.*b") << false;
    QTest::newRow("no name") << QByteArray("SELECT 1") << QByteArray() << false;
}

void TestInferredWaits::onlyWholeWordsAreMentioned()
{
    QFETCH(QByteArray, statement);
    QFETCH(QByteArray, name);
    QTEST(mentions(QString::fromUtf8(statement), QString::fromUtf8(name)), "isMentioned");
}

void TestInferredWaits::modesExcludeEachOtherAsInTheServer_data()
{
    QTest::addColumn<QString>("scope");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("other");
    QTest::addColumn<bool>("whenGranted");
    QTest::addColumn<bool>("whenWaiting");

    const auto row = [](const char *name, const char *scope, const char *wanted, const char *other, bool granted,
                        bool waiting) {
        QTest::newRow(name) << QString::fromLatin1(scope) << QString::fromLatin1(wanted) << QString::fromLatin1(other)
                            << granted << waiting;
    };
    row("two writers", "TABLE", "SHARED_WRITE", "SHARED_WRITE", false, false);
    row("ALTER behind a writer", "TABLE", "SHARED_NO_WRITE", "SHARED_WRITE", true, false);
    row("ALTER behind a reader", "TABLE", "EXCLUSIVE", "SHARED_READ", true, false);
    row("a writer behind a waiting ALTER", "TABLE", "SHARED_WRITE", "SHARED_NO_WRITE", true, true);
    row("a reader beside a copying ALTER", "TABLE", "SHARED_READ", "SHARED_NO_WRITE", false, false);
    row("a reader behind a waiting exclusive one", "TABLE", "SHARED_READ", "EXCLUSIVE", true, true);
    row("metadata only, beside a waiting exclusive one", "TABLE", "SHARED_HIGH_PRIO", "EXCLUSIVE", true, false);
    row("two ALTERs", "TABLE", "SHARED_UPGRADABLE", "SHARED_UPGRADABLE", true, false);
    row("low priority behind a waiting LOCK TABLES READ", "TABLE", "SHARED_WRITE_LOW_PRIO", "SHARED_READ_ONLY", true,
        true);
    row("a writer before a waiting LOCK TABLES READ", "TABLE", "SHARED_WRITE", "SHARED_READ_ONLY", true, false);
    row("a writer behind a global read lock", "GLOBAL", "INTENTION_EXCLUSIVE", "SHARED", true, true);
    row("a global read lock behind writers", "GLOBAL", "SHARED", "INTENTION_EXCLUSIVE", true, false);
    row("two writers of a schema", "SCHEMA", "INTENTION_EXCLUSIVE", "INTENTION_EXCLUSIVE", false, false);
    row("MariaDB: a writer behind a global read lock", "BACKUP", "BACKUP_TRANS_DML", "BACKUP_FTWRL2", true, true);
    row("MariaDB: a global read lock behind a writer", "BACKUP", "BACKUP_FTWRL1", "BACKUP_TRANS_DML", true, false);
    row("MariaDB: an ALTER beside a backup's start", "BACKUP", "BACKUP_DDL", "BACKUP_START", false, false);
    row("a mode of a later version", "TABLE", "SHARED_NEW", "EXCLUSIVE", false, false);
}

void TestInferredWaits::modesExcludeEachOtherAsInTheServer()
{
    QFETCH(QString, scope);
    QFETCH(QString, wanted);
    QFETCH(QString, other);
    ServerObject object;
    object.kind = ServerLockKind::Metadata;
    object.scope = scope;
    QTEST(waitsFor(object, wanted, other, true), "whenGranted");
    QTEST(waitsFor(object, wanted, other, false), "whenWaiting");
}

void TestInferredWaits::oneHolderOfAUserLockBlocksEveryWaiter()
{
    ServerObject job;
    job.kind = ServerLockKind::User;
    job.name = "job";
    const QString mode = QStringLiteral("EXCLUSIVE");
    ServerWaits waits;
    addMetadataEdges(
        {{job, mode, true, 1, {}}, {job, mode, false, 2, Age{AgeOf::Wait, ServerTime{}}}, {job, mode, false, 3, {}}},
        &waits);
    QCOMPARE(waits.edges.size(), 2);
    QCOMPARE(waits.edges[0], (WaitEdge{2, 1, job, mode, ServerTime{}}));
    QCOMPARE(waits.edges[1], (WaitEdge{3, 1, job, mode, {}}));
}

void TestInferredWaits::whoHoldsALockInSeveralModesIsToldOnce()
{
    const ServerObject stock = table("shop", "stock");
    const auto lock = [&stock](const char *mode, bool isGranted, quint64 session) {
        return ServerLock{stock, QString::fromLatin1(mode), isGranted, session, {}};
    };
    ServerWaits waits;
    addMetadataEdges({lock("SHARED_READ", true, 1), lock("SHARED_WRITE", true, 1), lock("EXCLUSIVE", false, 2),
                      lock("SHARED_UPGRADABLE", true, 2), lock("SHARED_READ", false, 3)},
                     &waits);
    QCOMPARE(textOf(waits), QStringLiteral("2<1 shop.stock, 3<2 shop.stock"));
}

void TestInferredWaits::ofManyEdgesThoseOfHoldersStay()
{
    const ServerObject stock = table("shop", "stock");
    QList<ServerLock> locks{{stock, QStringLiteral("SHARED_READ"), true, 1, {}}};
    for (quint64 session = 2; session < 402; ++session)
        locks.append({stock, QStringLiteral("EXCLUSIVE"), false, session, {}});
    for (quint64 session = 402; session < 502; ++session)
        locks.append({stock, QStringLiteral("SHARED_READ"), false, session, {}});
    ServerWaits waits;
    waits.sources = {status(WaitSource::Metadata), status(WaitSource::UserLocks)};
    addMetadataEdges(locks, &waits);
    QCOMPARE(waits.edges.size(), ServerWaits::MaxEdges);
    QCOMPARE(
        std::count_if(waits.edges.cbegin(), waits.edges.cend(), [](const WaitEdge &edge) { return edge.blocker == 1; }),
        400);
    QVERIFY(waits.sources[0].isCut && !waits.sources[1].isCut);
}

void TestInferredWaits::ofSeveralModesTheStrongestIsListed()
{
    ServerWaits waits;
    for (const char *mode : {"SHARED_READ", "EXCLUSIVE", "SHARED_UPGRADABLE", "BACKUP_DML"})
        waits.locks.append({table("shop", "stock"), QString::fromLatin1(mode), true, 1, {}});
    const QList<LockRow> rows = serverRows(heldLocks(waits), waits);
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows[0].note, QByteArray("EXCLUSIVE"));
}

void TestInferredWaits::whatIsWaitedForIsInferred_data()
{
    using Locks = QList<ServerLock>;
    QTest::addColumn<QList<ServerLock>>("locks");
    QTest::addColumn<SourceStatus::State>("state");
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QString>("edges");
    QTest::addColumn<int>("lost");

    const auto lock = [](const char *schema) {
        return ServerLock{table(schema, "stock"), QStringLiteral("SHARED_WRITE"), true, 1, {}};
    };
    const auto partial = SourceStatus::State::Partial;
    const auto missing = SourceStatus::State::Missing;
    const QByteArray alter("ALTER TABLE stock ADD c INT");
    const QByteArray elsewhere("ALTER TABLE depot.stock ADD c INT");
    QTest::newRow("a lock in the own schema")
        << Locks{lock("shop")} << partial << alter << QByteArray() << QStringLiteral("11<1 shop.stock") << 0;
    QTest::newRow("a lock in another schema")
        << Locks{lock("depot")} << partial << alter << QByteArray() << QString() << 1;
    QTest::newRow("a lock in a schema that is named")
        << Locks{lock("depot")} << partial << elsewhere << QByteArray() << QStringLiteral("11<1 depot.stock") << 0;
    QTest::newRow("nobody lists the holders")
        << Locks{} << missing << alter << QByteArray() << QStringLiteral("11<5 shop.stock") << 0;
    QTest::newRow("all holders are listed, and the transaction is none")
        << Locks{} << partial << alter << QByteArray() << QString() << 1;
    QTest::newRow("the only transaction, in another schema")
        << Locks{} << missing << elsewhere << QByteArray() << QStringLiteral("11<5 depot.stock") << 0;
    QTest::newRow("a reader behind an ALTER") << Locks{} << missing << alter << QByteArray("SELECT * FROM stock")
                                              << QStringLiteral("11<5 shop.stock, 12<11 shop.stock") << 0;
    QTest::newRow("a reader of another schema's table")
        << Locks{} << missing << elsewhere << QByteArray("SELECT * FROM stock") << QStringLiteral("11<5 depot.stock")
        << 1;
    QTest::newRow("a reader that names the other schema")
        << Locks{} << missing << elsewhere << QByteArray("SELECT * FROM depot.stock")
        << QStringLiteral("11<5 depot.stock, 12<11 depot.stock") << 0;
}

/// Sessions 11 and then 12 wait; 5 is in the only transaction.
void TestInferredWaits::whatIsWaitedForIsInferred()
{
    QFETCH(QList<ServerLock>, locks);
    QFETCH(SourceStatus::State, state);
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    ServerWaits waits;
    waits.locks = locks;
    waits.sources = {status(WaitSource::Metadata, state)};
    ServerSession holder;
    holder.id = 5;
    holder.transaction.emplace();
    waits.sessions.insert(5, holder);
    addWaiter(&waits, 11, "Waiting for table metadata lock", first);
    if (!second.isEmpty())
        addWaiter(&waits, 12, "Waiting for table metadata lock", second);
    inferMetadata(&waits);
    QTEST(textOf(waits), "edges");
    QTEST(int(waits.lost.size()), "lost");
    for (const WaitEdge &edge : std::as_const(waits.edges))
        QVERIFY(edge.isInferred);
}

/// Without its statement's wait for the row nobody could tell that 6 has the table open.
void TestInferredWaits::whoWaitsForARowOfTheTableHoldsUpItsAlter()
{
    ServerWaits waits;
    waits.sources = {status(WaitSource::Metadata, SourceStatus::State::Missing)};
    for (const quint64 id : {5U, 6U, 7U}) {
        ServerSession session;
        session.id = id;
        session.transaction.emplace();
        waits.sessions.insert(id, session);
    }
    WaitEdge inside;
    inside.waiter = 6;
    inside.blocker = 5;
    inside.object.kind = ServerLockKind::Record;
    inside.object.schema = QStringLiteral("shop");
    inside.object.name = "stock";
    WaitEdge elsewhere = inside;
    elsewhere.waiter = 7;
    elsewhere.object.name = "orders";
    waits.edges = {inside, inside, elsewhere};
    addWaiter(&waits, 11, "Waiting for table metadata lock", "ALTER TABLE stock ADD c INT");
    inferMetadata(&waits);
    waits.edges.remove(0, 3);
    QCOMPARE(textOf(waits), QStringLiteral("11<5 shop.stock, 11<6 shop.stock"));
    QVERIFY(waits.lost.isEmpty());
}

/// MariaDB's state of who creates a table while FLUSH TABLES WITH READ LOCK waits.
void TestInferredWaits::whoWaitsForTheWholeServerIsBehindNoTable()
{
    ServerWaits waits;
    waits.sources = {status(WaitSource::Metadata, SourceStatus::State::Missing)};
    ServerSession holder;
    holder.id = 5;
    holder.transaction.emplace();
    waits.sessions.insert(5, holder);
    addWaiter(&waits, 11, "Waiting for backup lock", "CREATE TABLE stock (id INT)");
    inferMetadata(&waits);
    QCOMPARE(textOf(waits), QString());
    QCOMPARE(waits.lost.size(), 1);
}

void TestInferredWaits::whoWaitsByItsStateIsNotForgotten_data()
{
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<bool>("isLost");

    for (const char *state : {"Waiting for table metadata lock", "Waiting for library metadata lock",
                              "Waiting for global read lock", "Waiting for backup lock", "Waiting for commit lock",
                              "Waiting for acl cache lock", "Waiting for table flush", "Waiting for table level lock"})
        QTest::newRow(state) << QByteArray(state) << true;
    for (const char *state :
         {"updating", "Waiting for next activation", "Waiting on empty queue", "Waiting for master to send event",
          "Waiting for source to send event", "Waiting for an event from Coordinator", "waiting for handler commit",
          "Waiting for query cache lock", "Waiting for prior transaction to commit", "User lock"})
        QTest::newRow(state) << QByteArray(state) << false;
}

void TestInferredWaits::whoWaitsByItsStateIsNotForgotten()
{
    QFETCH(QByteArray, state);
    ServerWaits waits;
    addWaiter(&waits, 11, state, "SELECT 1");
    addWaiter(&waits, 12, state, "SELECT 1");
    waits.edges.append({12, 1, {}, {}, {}}); // for whom this one waits is known
    addLostWaiters(&waits);
    QTEST(!waits.lost.isEmpty(), "isLost");
    for (const LostWaiter &lost : std::as_const(waits.lost))
        QCOMPARE(lost.session, quint64(11));
}

void TestInferredWaits::whoWaitsUnseenMayWaitForAPreparedTransaction()
{
    for (const bool isThere : {false, true}) {
        ServerWaits waits;
        addWaiter(&waits, 11, "Waiting for table metadata lock", "ALTER TABLE stock FORCE");
        if (isThere)
            waits.prepared.insert(preparedNumber(421), {});
        addLostWaiters(&waits);
        QCOMPARE(waits.lost.size(), 1);
        QCOMPARE(waits.lost.first().mayBeBehindPrepared, isThere);
    }
}

void TestInferredWaits::onlyThreadsOfReplicationAreTakenForIt_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("state");
    QTest::addColumn<Protection>("protection");

    const auto add = [](const char *user, const char *command, const char *state, Protection protection) {
        QTest::addRow("%s, %s, %s", user, command, state)
            << QString::fromLatin1(user) << QString::fromLatin1(command) << QString::fromLatin1(state) << protection;
    };
    add("app", "Connect", "User sleep", Protection::None);           // an event
    add("event_scheduler", "Event", "User sleep", Protection::None); // the same on MySQL
    add("app", "Query", "wsrep: initiating replication for commit (8)", Protection::None);
    add("app", "Query", "Flushing relay log", Protection::None);
    add("system user", "Connect", "Waiting for master to send event", Protection::Replication);
    add("system user", "Sleep", "wsrep aborter idle", Protection::Replication);
    add("system user", "Slave_SQL", "Slave has read all relay log; waiting for more updates", Protection::Replication);
    add("repl", "Binlog Dump GTID", "Master has sent all binlog to slave", Protection::Replication);
    add("event_scheduler", "Daemon", "Waiting on empty queue", Protection::System);
    add("system user", "Daemon", "InnoDB purge coordinator", Protection::System);
}

void TestInferredWaits::onlyThreadsOfReplicationAreTakenForIt()
{
    QFETCH(QString, user);
    QFETCH(QString, command);
    QFETCH(QString, state);
    ServerSession session;
    session.user = user;
    session.command = command;
    session.state = state;
    QTEST(protectionOf(session), "protection");
}

void TestInferredWaits::tablesAreSplitAsInnoDbQuotesThem_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QByteArray>("table");

    QTest::newRow("plain") << QStringLiteral("`shop`.`stock`") << QStringLiteral("shop") << QByteArray("stock");
    QTest::newRow("back-ticks") << QStringLiteral("`a``.``b`.`c``d`") << QStringLiteral("a`.`b") << QByteArray("c`d");
    QTest::newRow("partition") << QStringLiteral("`shop`.`stock` /* Partition `p0` */") << QStringLiteral("shop")
                               << QByteArray("stock");
    QTest::newRow("dot") << QStringLiteral("`a.b`.`c.d`") << QStringLiteral("a.b") << QByteArray("c.d");
    QTest::newRow("unquoted") << QStringLiteral("stock") << QString() << QByteArray("stock");
    QTest::newRow("cut") << QStringLiteral("`shop`.`sto") << QStringLiteral("shop") << QByteArray("st");
}

void TestInferredWaits::tablesAreSplitAsInnoDbQuotesThem()
{
    QFETCH(QString, text);
    const auto [schema, table] = splitTable(text);
    QTEST(schema, "schema");
    QTEST(table, "table");
}

QTEST_GUILESS_MAIN(TestInferredWaits)
#include "tst_inferredwaits.moc"
