// What the text of a statement tells of the locks that it wants, and which metadata locks exclude each other.
#include "waits/guessedwaits.h"
#include "waits/metadatamodes.h"
#include "waits/rowwaits.h"

#include <QtTest/QTest>

using namespace lockscope;

class TestGuessedWaits : public QObject
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
    void tablesAreSplitAsInnoDbQuotesThem_data();
    void tablesAreSplitAsInnoDbQuotesThem();
};

void TestGuessedWaits::namesOfUserLocksAreFound_data()
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

void TestGuessedWaits::namesOfUserLocksAreFound()
{
    QFETCH(QByteArray, statement);
    QTEST(userLockNames(statement), "names");
}

void TestGuessedWaits::theRedefinedTableIsFound_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QByteArray>("table");

    QTest::newRow("alter") << QByteArray("ALTER TABLE stock ADD COLUMN c INT") << QByteArray("stock");
    QTest::newRow("with a schema") << QByteArray("alter table shop.stock add c int") << QByteArray("stock");
    QTest::newRow("quoted") << QByteArray("ALTER TABLE `shop`.`my ``stock` ADD c INT") << QByteArray("my `stock");
    QTest::newRow("online") << QByteArray("ALTER ONLINE IGNORE TABLE stock ADD c INT") << QByteArray("stock");
    QTest::newRow("comment") << QByteArray("/* job 7 */ ALTER TABLE stock ADD c INT") << QByteArray("stock");
    QTest::newRow("drop") << QByteArray("DROP TABLE IF EXISTS stock") << QByteArray("stock");
    QTest::newRow("truncate") << QByteArray("TRUNCATE stock") << QByteArray("stock");
    QTest::newRow("truncate table") << QByteArray("TRUNCATE TABLE stock") << QByteArray("stock");
    QTest::newRow("index") << QByteArray("CREATE UNIQUE INDEX i ON stock (n)") << QByteArray("stock");
    QTest::newRow("drop index") << QByteArray("DROP INDEX i ON stock") << QByteArray("stock");
    QTest::newRow("optimize") << QByteArray("OPTIMIZE NO_WRITE_TO_BINLOG TABLE stock") << QByteArray("stock");
    QTest::newRow("select") << QByteArray("SELECT 'ALTER TABLE stock'") << QByteArray();
    QTest::newRow("update") << QByteArray("UPDATE stock SET n = 1") << QByteArray();
    QTest::newRow("nothing") << QByteArray() << QByteArray();
}

void TestGuessedWaits::theRedefinedTableIsFound()
{
    QFETCH(QByteArray, statement);
    QTEST(redefinedTable(statement), "table");
}

void TestGuessedWaits::onlyWholeWordsAreMentioned_data()
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

void TestGuessedWaits::onlyWholeWordsAreMentioned()
{
    QFETCH(QByteArray, statement);
    QFETCH(QByteArray, name);
    QTEST(mentions(statement, name), "isMentioned");
}

void TestGuessedWaits::modesExcludeEachOtherAsInTheServer_data()
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

void TestGuessedWaits::modesExcludeEachOtherAsInTheServer()
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

void TestGuessedWaits::oneHolderOfAUserLockBlocksEveryWaiter()
{
    ServerObject job;
    job.kind = ServerLockKind::User;
    job.name = "job";
    const QString mode = QStringLiteral("EXCLUSIVE");
    const auto edges = metadataEdges(
        {{job, mode, true, 1, {}}, {job, mode, false, 2, Age{AgeOf::Wait, ServerTime{}}}, {job, mode, false, 3, {}}});
    QCOMPARE(edges.size(), 2);
    QCOMPARE(edges[0], (WaitEdge{2, 1, job, mode, ServerTime{}}));
    QCOMPARE(edges[1], (WaitEdge{3, 1, job, mode, {}}));
}

void TestGuessedWaits::tablesAreSplitAsInnoDbQuotesThem_data()
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

void TestGuessedWaits::tablesAreSplitAsInnoDbQuotesThem()
{
    QFETCH(QString, text);
    const auto [schema, table] = splitTable(text);
    QTEST(schema, "schema");
    QTEST(table, "table");
}

QTEST_GUILESS_MAIN(TestGuessedWaits)
#include "tst_guessedwaits.moc"
