// SPDX-License-Identifier: MIT
// Optimistic mode in tables of applications: names are only names, values arrive as given, unsafe tables are refused.
#include "optimisticfixture.h"

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

Q_DECLARE_METATYPE(lockscope::VersionedTable)
Q_DECLARE_METATYPE(lockscope::ColumnValue)

class TestOptimisticTable : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        EngineTest::init();
        makeStock(*m_observer);
    }

    void namesAreComparedByteForByte_data();
    void namesAreComparedByteForByte();
    void badNamesAreRefusedBeforeAnyIo_data();
    void badNamesAreRefusedBeforeAnyIo();
    void keysMatchTheKindOfTheirColumn_data();
    void keysMatchTheKindOfTheirColumn();
    void hostileIdentifiersAreOnlyNames_data();
    void hostileIdentifiersAreOnlyNames();
    void badDescriptionsAreRefusedBeforeAnyIo_data();
    void badDescriptionsAreRefusedBeforeAnyIo();
    void badColumnsToSetAreRefusedBeforeAnyIo_data();
    void badColumnsToSetAreRefusedBeforeAnyIo();
    void unsafeTablesAreRefusedWithTheReason_data();
    void unsafeTablesAreRefusedWithTheReason();
    void aMissingPrivilegeIsNamed_data();
    void aMissingPrivilegeIsNamed();
    void valuesArriveAsGiven_data();
    void valuesArriveAsGiven();
    void aChangeThatDoesNotFitIsAnErrorAndChangesNothing_data();
    void aChangeThatDoesNotFitIsAnErrorAndChangesNothing();
    void aMissingRowIsNotFound();
    void theServersZoneChangesNothing();
};

void TestOptimisticTable::namesAreComparedByteForByte_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("A") << QByteArray("A");
    QTest::newRow("a with a space") << QByteArray("a ");
    QTest::newRow("ä composed") << QByteArray("\xc3\xa4");
    QTest::newRow("ä decomposed") << QByteArray("a\xcc\x88");
    QTest::newRow("emoji") << QByteArray("\xf0\x9f\x94\x92");
    QTest::newRow("backslash") << QByteArray("\\");
    QTest::newRow("quotes") << QByteArray("'\"`; DROP TABLE lock_version; --");
    QTest::newRow("a place") << QByteArray(":resource");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe");
    QTest::newRow("255 bytes") << QByteArray(255, 'x');
}

void TestOptimisticTable::namesAreComparedByteForByte()
{
    QFETCH(QByteArray, name);
    m_observer->run("INSERT INTO stock VALUES (x'" + name.toHex() + "', 1, '2020-02-02', 0)");
    LockEngine engine(configFor(*m_server));
    for (const Place place : {Place::Own, Place::Version, Place::Time}) {
        OptimisticStore store(engine, tableOf(place));
        const Snapshot neighbour = store.read("a").snapshot;
        const auto read = store.read(name);
        QCOMPARE(read.outcome, ReadOutcome::Read);
        QCOMPARE(store.commit(read.snapshot).outcome, CommitOutcome::Committed);
        QCOMPARE(store.commit(read.snapshot).outcome, CommitOutcome::Conflict);
        QCOMPARE(store.read("a").snapshot.version, neighbour.version);
        QCOMPARE(store.statistics().resources.at(name).attempts, quint64(2));
    }
}

void TestOptimisticTable::badNamesAreRefusedBeforeAnyIo_data()
{
    QTest::addColumn<QByteArray>("resource");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray() << "empty";
    QTest::newRow("256 bytes") << QByteArray(256, 'x') << "256 bytes";
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << "NUL";
}

void TestOptimisticTable::badNamesAreRefusedBeforeAnyIo()
{
    QFETCH(QByteArray, resource);
    QFETCH(QString, says);
    EngineConfig nowhere = configFor(*m_server);
    nowhere.server.socket = QStringLiteral("/nonexistent/socket"); // any I/O would say so instead
    LockEngine engine(nowhere);
    for (const Place place : {Place::Own, Place::Version}) {
        OptimisticStore store(engine, tableOf(place));
        Snapshot snapshot;
        snapshot.resource = resource;
        for (const auto &error :
             {store.read(resource).error, store.commit(snapshot).error, store.run(resource, nothingElse).error}) {
            QVERIFY(error);
            QCOMPARE(error->kind, Kind::BadRequest);
            QVERIFY2(error->message.contains(says), qPrintable(error->message));
        }
        QVERIFY(store.statistics().resources.empty());
    }
}

void TestOptimisticTable::keysMatchTheKindOfTheirColumn_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<QString>("says"); // empty: found
    QTest::newRow("integer") << QByteArray("INT") << QByteArray("42") << QByteArray("42") << QString();
    QTest::newRow("negative") << QByteArray("INT") << QByteArray("-42") << QByteArray("-42") << QString();
    QTest::newRow("largest") << QByteArray("BIGINT UNSIGNED") << QByteArray("18446744073709551615")
                             << QByteArray("18446744073709551615") << QString();
    QTest::newRow("leading zero") << QByteArray("INT") << QByteArray("42") << QByteArray("042") << "integers";
    QTest::newRow("text for an integer") << QByteArray("INT") << QByteArray("0") << QByteArray("a") << "integers";
    QTest::newRow("injection") << QByteArray("INT") << QByteArray("1") << QByteArray("1 OR 1=1") << "integers";
    QTest::newRow("text") << QByteArray("VARCHAR(40)") << QByteArray("'\xc3\xa4 42'") << QByteArray("\xc3\xa4 42")
                          << QString();
    QTest::newRow("not UTF-8 for text") << QByteArray("VARCHAR(40)") << QByteArray("'x'") << QByteArray("\xff")
                                        << "UTF-8";
    QTest::newRow("digits in text") << QByteArray("CHAR(9)") << QByteArray("'42'") << QByteArray("42") << QString();
    QTest::newRow("bytes") << QByteArray("BINARY(2)") << QByteArray("x'ff00'") << QByteArray("\xff\x01", 2)
                           << "not found";
    QTest::newRow("a time") << QByteArray("DATETIME") << QByteArray("'2020-01-01'") << QByteArray("2020-01-01")
                            << "key";
}

void TestOptimisticTable::keysMatchTheKindOfTheirColumn()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, stored);
    QFETCH(QByteArray, asked);
    QFETCH(QString, says);
    m_observer->run("DROP TABLE stock");
    m_observer->run("CREATE TABLE stock (name " + type
                    + " PRIMARY KEY, version INT UNSIGNED NOT NULL, amount INT NOT NULL) "
                      "CHARACTER SET utf8mb4");
    m_observer->run("INSERT INTO stock VALUES (" + stored + ", 1, 0)");
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, stock());
    const auto result = store.run(asked, oneMore);
    const QString words = said(result.error);
    if (says.isEmpty()) {
        QVERIFY2(result.outcome == RunOutcome::Committed, qPrintable(words));
        QCOMPARE(m_observer->value("SELECT amount FROM stock").toInt(), 1);
    } else {
        QCOMPARE(result.outcome, says == QLatin1String("not found") ? RunOutcome::NotFound : RunOutcome::Failed);
        QVERIFY2(!result.error || words.contains(says), qPrintable(words));
        QCOMPARE(m_observer->value("SELECT amount FROM stock").toInt(), 0);
    }
}

void TestOptimisticTable::hostileIdentifiersAreOnlyNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("a back-tick") << "a`b";
    QTest::newRow("only back-ticks") << "```";
    QTest::newRow("injection") << "x` = 1; DROP TABLE stock; -- ";
    QTest::newRow("quotes") << "'\"\\";
    QTest::newRow("a place") << ":v :resource";
    QTest::newRow("a dot") << "stock.name";
    QTest::newRow("a keyword") << "select";
    QTest::newRow("umlauts") << QStringLiteral("schlüssel größe");
    QTest::newRow("percent") << "%_%";
    QTest::newRow("64 characters") << QString(64, u'ü');
}

void TestOptimisticTable::hostileIdentifiersAreOnlyNames()
{
    QFETCH(QString, name);
    name =
        name.trimmed() + (name.endsWith(u' ') ? QStringLiteral("x") : QString()); // servers allow no space at the end
    const auto suffixed = [&](QChar end) { return name.left(63) + end; };
    VersionedTable table;
    table.schema = QStringLiteral("hostile");
    table.table = name;
    table.keyColumn = suffixed(u'k');
    table.versionColumn = suffixed(u'v');
    table.readColumns = {suffixed(u'r')};
    const auto quoted = [](const QString &text) { return quotedIdentifier(text); };
    const QByteArray full = "hostile." + quoted(name);
    m_observer->run("DROP DATABASE IF EXISTS hostile");
    m_observer->run("CREATE DATABASE hostile");
    m_observer->run("CREATE TABLE " + full + " (" + quoted(table.keyColumn) + " VARBINARY(255) PRIMARY KEY, "
                    + quoted(table.versionColumn) + " INT NOT NULL, " + quoted(table.readColumns[0])
                    + " INT NOT NULL)");
    m_observer->run("INSERT INTO " + full + " VALUES ('a', 1, 10)");
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, table);
    const auto result = store.run("a", [&](const Snapshot &snapshot) {
        return ColumnValues{{table.readColumns[0], snapshot.values.value(0).toLongLong() + 5}};
    });
    QVERIFY2(result.outcome == RunOutcome::Committed, qPrintable(said(result.error)));
    QCOMPARE(m_observer->value("SELECT " + quoted(table.readColumns[0]) + " FROM " + full).toInt(), 15);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM stock").toInt(), 2);
}

void TestOptimisticTable::badDescriptionsAreRefusedBeforeAnyIo_data()
{
    QTest::addColumn<VersionedTable>("table");
    QTest::addColumn<QString>("says");
    const auto with = [](QString VersionedTable::*field, const QString &value) {
        VersionedTable table = stock();
        table.*field = value;
        return table;
    };
    const QString nul(QStringLiteral("a") + QChar(u'\0'));
    const QString emoji = QString::fromUtf8("\xf0\x9f\x94\x92");
    QTest::newRow("no table") << with(&VersionedTable::table, {}) << "table has no name";
    QTest::newRow("65 characters") << with(&VersionedTable::table, QString(65, u'x')) << "65 characters";
    QTest::newRow("NUL in the table") << with(&VersionedTable::table, nul) << "NUL";
    QTest::newRow("NUL in the schema") << with(&VersionedTable::schema, nul) << "NUL";
    QTest::newRow("NUL in the key") << with(&VersionedTable::keyColumn, nul) << "NUL";
    QTest::newRow("NUL in the version") << with(&VersionedTable::versionColumn, nul) << "NUL";
    QTest::newRow("emoji") << with(&VersionedTable::table, emoji) << "no server allows";
    QTest::newRow("no key") << with(&VersionedTable::keyColumn, {}) << "keyColumn";
    QTest::newRow("no version") << with(&VersionedTable::versionColumn, {}) << "either";
    QTest::newRow("version and time") << with(&VersionedTable::timestampColumn, QStringLiteral("changed")) << "either";
    QTest::newRow("key as version") << with(&VersionedTable::versionColumn, QStringLiteral("NAME")) << "same column";
    VersionedTable reads = stock();
    reads.readColumns = {QString()};
    QTest::newRow("nameless column") << reads << "readColumns";
}

void TestOptimisticTable::badDescriptionsAreRefusedBeforeAnyIo()
{
    QFETCH(VersionedTable, table);
    QFETCH(QString, says);
    EngineConfig nowhere = configFor(*m_server);
    nowhere.server.socket = QStringLiteral("/nonexistent/socket");
    LockEngine engine(nowhere);
    OptimisticStore store(engine, table);
    const auto result = store.read("a");
    QCOMPARE(result.outcome, ReadOutcome::Failed);
    QCOMPARE(result.error->kind, Kind::BadRequest);
    QVERIFY2(result.error->message.contains(says), qPrintable(result.error->message));
}

void TestOptimisticTable::badColumnsToSetAreRefusedBeforeAnyIo_data()
{
    QTest::addColumn<bool>("isOwn");
    QTest::addColumn<QString>("column");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("says");
    QTest::newRow("the key") << false << "Name"
                             << "x"
                             << "key or version";
    QTest::newRow("the version") << false << "VERSION"
                                 << "x"
                                 << "key or version";
    QTest::newRow("no name") << false << QString() << "x"
                             << "has no name";
    QTest::newRow("NUL") << false << QString(QChar(u'\0')) << "x"
                         << "NUL";
    QTest::newRow("half a surrogate pair") << false << "note" << QString(QChar(0xd83d)) << "Unicode";
    QTest::newRow("the engine's table") << true << "note"
                                        << "x"
                                        << "no columns to set";
}

void TestOptimisticTable::badColumnsToSetAreRefusedBeforeAnyIo()
{
    QFETCH(bool, isOwn);
    QFETCH(QString, column);
    QFETCH(QString, value);
    QFETCH(QString, says);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, isOwn ? VersionedTable() : stock());
    const Snapshot snapshot = store.read("a").snapshot;
    m_observer->startLog();
    const auto result = store.commit(snapshot, {{column, value}});
    QCOMPARE(m_observer->logged(), QStringList());
    QCOMPARE(result.outcome, CommitOutcome::Failed);
    QCOMPARE(result.error->kind, Kind::BadRequest);
    QVERIFY2(result.error->message.contains(says), qPrintable(result.error->message));
}

void TestOptimisticTable::unsafeTablesAreRefusedWithTheReason_data()
{
    QTest::addColumn<QByteArray>("columns");
    QTest::addColumn<bool>("byTime");
    QTest::addColumn<QString>("says"); // empty: accepted
    const QByteArray key = "name VARBINARY(255) PRIMARY KEY, ";
    QTest::newRow("DATETIME") << QByteArray(key + "changed DATETIME NOT NULL") << true << "DATETIME(6)";
    QTest::newRow("DATETIME(3)") << QByteArray(key + "changed DATETIME(3) NOT NULL") << true << "3 decimals";
    QTest::newRow("DATETIME(5)") << QByteArray(key + "changed DATETIME(5) NOT NULL") << true << "5 decimals";
    QTest::newRow("DATETIME(6)") << QByteArray(key + "changed DATETIME(6) NOT NULL") << true << QString();
    QTest::newRow("TIMESTAMP") << QByteArray(key + "changed TIMESTAMP NOT NULL") << true << "TIMESTAMP(6)";
    QTest::newRow("TIMESTAMP(6) that changes by itself")
        << QByteArray(key
                      + "changed TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) "
                        "ON UPDATE CURRENT_TIMESTAMP(6)")
        << true << QString();
    QTest::newRow("DATE") << QByteArray(key + "changed DATE NOT NULL") << true << "is not a time but";
    QTest::newRow("text as time") << QByteArray(key + "changed VARCHAR(40) NOT NULL") << true << "is not a time but";
    QTest::newRow("generated time") << QByteArray(key + "x DATETIME(6), changed DATETIME(6) AS (x) STORED") << true
                                    << "generated";
    QTest::newRow("generated version") << QByteArray(key + "x INT, version INT AS (x + 1) VIRTUAL") << false
                                       << "generated";
    QTest::newRow("text as version") << QByteArray(key + "version VARCHAR(9) NOT NULL") << false
                                     << "is not an integer but";
    QTest::newRow("a point as version") << QByteArray(key + "version POINT NOT NULL") << false
                                        << "is not an integer but";
    QTest::newRow("DOUBLE as version") << QByteArray(key + "version DOUBLE NOT NULL") << false
                                       << "is not an integer but";
    QTest::newRow("SMALLINT UNSIGNED") << QByteArray(key + "version SMALLINT UNSIGNED NOT NULL") << false << QString();
    QTest::newRow("no version column") << QByteArray(key + "x INT") << false << "is not there";
    QTest::newRow("no key column") << QByteArray("x INT PRIMARY KEY, version INT NOT NULL") << false << "is not there";
    QTest::newRow("key not unique") << QByteArray("name VARBINARY(9), version INT NOT NULL, KEY (name)") << false
                                    << "not unique";
    QTest::newRow("half of a key") << QByteArray(
        "name VARBINARY(9), x INT, version INT NOT NULL, PRIMARY KEY (name, x)")
                                   << false << "not unique";
    QTest::newRow("unique beside another primary key")
        << QByteArray("x INT AUTO_INCREMENT PRIMARY KEY, name VARBINARY(9), version INT NOT NULL, UNIQUE (name)")
        << false << QString();
    QTest::newRow("no table") << QByteArray() << false << "Check the names";
    QTest::newRow("version is NULL") << QByteArray(key + "version INT") << false << "NULL";
    QTest::newRow("time is NULL") << QByteArray(key + "changed DATETIME(6) NULL") << true << "NULL";
}

void TestOptimisticTable::unsafeTablesAreRefusedWithTheReason()
{
    QFETCH(QByteArray, columns);
    QFETCH(bool, byTime);
    QFETCH(QString, says);
    m_observer->run("DROP TABLE stock");
    if (!columns.isEmpty())
        m_observer->run("CREATE TABLE stock (" + columns + ") ENGINE = InnoDB");
    if (says.isEmpty())
        m_observer->run(QByteArray("INSERT INTO stock (name, ") + (byTime ? "changed" : "version") + ") VALUES ('a', "
                        + (byTime ? "'2030-01-01')" : "1)"));
    if (says == QLatin1String("NULL"))
        m_observer->run("INSERT INTO stock (name) VALUES ('a')");
    LockEngine engine(configFor(*m_server));
    VersionedTable table = byTime ? timedStock() : stock();
    table.readColumns.clear();
    OptimisticStore store(engine, table);
    const auto result = store.run("a", nothingElse);
    const QString words = said(result.error);
    if (says.isEmpty()) {
        QVERIFY2(result.outcome == RunOutcome::Committed, qPrintable(words));
        return;
    }
    QCOMPARE(result.outcome, RunOutcome::Failed);
    QVERIFY2(words.contains(says), qPrintable(words));
    QCOMPARE(result.error->kind, Kind::BadRequest);
}

void TestOptimisticTable::aMissingPrivilegeIsNamed_data()
{
    QTest::addColumn<QByteArray>("grant");
    QTest::addColumn<bool>("isReadable");
    QTest::newRow("none") << QByteArray() << false;
    QTest::newRow("only reading") << QByteArray("GRANT SELECT ON lockscope.stock TO app@localhost") << true;
    QTest::newRow("only the key") << QByteArray("GRANT SELECT (name) ON lockscope.stock TO app@localhost") << false;
}

void TestOptimisticTable::aMissingPrivilegeIsNamed()
{
    QFETCH(QByteArray, grant);
    QFETCH(bool, isReadable);
    m_observer->run("DROP USER IF EXISTS app@localhost");
    m_observer->run("CREATE USER app@localhost IDENTIFIED BY 'secret'");
    m_observer->run("GRANT SELECT ON lockscope.lock_meta TO app@localhost");
    if (!grant.isEmpty())
        m_observer->run(grant);
    EngineConfig config = configFor(*m_server);
    config.server.user = QStringLiteral("app");
    config.password = QStringLiteral("secret");
    LockEngine engine(config);
    OptimisticStore store(engine, stock());
    QCOMPARE(store.read("a").outcome, isReadable ? ReadOutcome::Read : ReadOutcome::Failed);
    const auto result = store.run("a", oneMore);
    QCOMPARE(result.outcome, RunOutcome::Failed);
    const QString words = said(result.error);
    QVERIFY2(words.contains(QStringLiteral("rant SELECT and UPDATE")) && words.contains(QStringLiteral("`stock`")),
             qPrintable(words));
}

void TestOptimisticTable::valuesArriveAsGiven_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<ColumnValue>("value");
    QTest::addColumn<QByteArray>("check"); // true on the server when it arrived
    const auto bytes = QByteArray("\x00\xff'\"\\", 5);
    QTest::newRow("NULL") << QByteArray("INT") << ColumnValue() << QByteArray("amount IS NULL");
    QTest::newRow("negative") << QByteArray("BIGINT") << ColumnValue(std::numeric_limits<qint64>::min())
                              << QByteArray("amount = -9223372036854775808");
    QTest::newRow("largest") << QByteArray("BIGINT UNSIGNED") << ColumnValue(std::numeric_limits<quint64>::max())
                             << QByteArray("amount = 18446744073709551615");
    QTest::newRow("quotes") << QByteArray("VARCHAR(40)") << ColumnValue(QStringLiteral("'; DROP TABLE stock; --\\"))
                            << QByteArray("HEX(amount) = '273B2044524F50205441424C452073746F636B3B202D2D5C'");
    QTest::newRow("emoji") << QByteArray("VARCHAR(40)") << ColumnValue(QString::fromUtf8("\xf0\x9f\x94\x92"))
                           << QByteArray("HEX(amount) = 'F09F9492'");
    QTest::newRow("empty") << QByteArray("VARCHAR(40)") << ColumnValue(QString()) << QByteArray("amount = ''");
    QTest::newRow("bytes") << QByteArray("VARBINARY(40)") << ColumnValue(bytes) << QByteArray("amount = x'00ff27225c'");
    QTest::newRow("decimal") << QByteArray("DECIMAL(20,10)") << ColumnValue(QStringLiteral("1234567890.0123456789"))
                             << QByteArray("amount = 1234567890.0123456789");
    QTest::newRow("time") << QByteArray("DATETIME(6)") << ColumnValue(QStringLiteral("2026-01-02 03:04:05.678901"))
                          << QByteArray("MICROSECOND(amount) = 678901");
}

void TestOptimisticTable::valuesArriveAsGiven()
{
    QFETCH(QByteArray, type);
    QFETCH(ColumnValue, value);
    QFETCH(QByteArray, check);
    m_observer->run("ALTER TABLE stock DROP COLUMN amount");
    m_observer->run("ALTER TABLE stock ADD COLUMN amount " + type + " NULL, CONVERT TO CHARACTER SET utf8mb4");
    for (const Place place : {Place::Version, Place::Time}) {
        LockEngine engine(configFor(*m_server));
        OptimisticStore store(engine, tableOf(place));
        const auto result = store.run("a", [&](const Snapshot &) {
            return ColumnValues{{QStringLiteral("amount"), value}};
        });
        QVERIFY2(result.outcome == RunOutcome::Committed, qPrintable(said(result.error)));
        QCOMPARE(m_observer->value("SELECT " + check + " FROM stock WHERE name = 'a'").toInt(), 1);
        QCOMPARE(m_observer->value("SELECT amount IS NULL FROM stock WHERE name = 'b'").toInt(), 1);
    }
}

void TestOptimisticTable::aChangeThatDoesNotFitIsAnErrorAndChangesNothing_data()
{
    QTest::addColumn<QByteArray>("alter");
    QTest::addColumn<QString>("text");
    QTest::newRow("text for a number") << QByteArray() << "many";
    QTest::newRow("too long") << QByteArray("MODIFY amount VARCHAR(3) NOT NULL") << "many";
    QTest::newRow("a version column that is full") << QByteArray("MODIFY version TINYINT NOT NULL") << "1";
    QTest::newRow("a version column that is full, unsigned")
        << QByteArray("MODIFY version TINYINT UNSIGNED NOT NULL") << "1";
}

void TestOptimisticTable::aChangeThatDoesNotFitIsAnErrorAndChangesNothing()
{
    QFETCH(QByteArray, alter);
    QFETCH(QString, text);
    if (!alter.isEmpty())
        m_observer->run("ALTER TABLE stock " + alter);
    const QByteArray full = alter.contains("UNSIGNED") ? "255" : "127";
    m_observer->run("UPDATE stock SET version = " + full);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, stock());
    const auto result = store.commit(store.read("a").snapshot, {{QStringLiteral("amount"), text}});
    QCOMPARE(result.outcome, CommitOutcome::Failed);
    QVERIFY2(result.error->message.contains(QStringLiteral("`stock`")), qPrintable(said(result.error)));
    QVERIFY(!result.error->serverText.isEmpty());
    QCOMPARE(m_observer->value("SELECT version FROM stock WHERE name = 'a'").toByteArray(), full);
    QCOMPARE(amountOf(*m_observer, "a"), 0);
}

void TestOptimisticTable::aMissingRowIsNotFound()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, stock());
    QCOMPARE(store.read("nobody").outcome, ReadOutcome::NotFound);
    const Snapshot snapshot = store.read("a").snapshot;
    m_observer->run("DELETE FROM stock");
    QCOMPARE(store.commit(snapshot).outcome, CommitOutcome::Conflict);
    QCOMPARE(store.read("a").outcome, ReadOutcome::NotFound);
}

void TestOptimisticTable::theServersZoneChangesNothing()
{
    m_observer->run("ALTER TABLE stock MODIFY changed TIMESTAMP(6) NOT NULL");
    m_observer->run("SET GLOBAL time_zone = '-07:00'");
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, timedStock());
    const auto result = store.run("a", oneMore);
    m_observer->run("SET GLOBAL time_zone = 'SYSTEM'");
    QVERIFY2(result.outcome == RunOutcome::Committed, qPrintable(said(result.error)));
    const auto clock = m_observer->value("SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))");
    const qint64 age = clock.toLongLong() - result.committed.version;
    QVERIFY2(age >= 0 && age < 60'000'000, qPrintable(QString::number(age)));
}

QTEST_GUILESS_MAIN(TestOptimisticTable)
#include "tst_optimistictable.moc"
