// SPDX-License-Identifier: MIT
// What a person at a shell sees of other programs' lock tables, and does with them.
#include "actor.h"
#include "enginetest.h"
#include "lockctlrunner.h"

#include <QtCore/QDir>
#include <QtCore/QScopeGuard>
#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtCore/QThread>
#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class LockctlTablesTest : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void locksOfTablesAreListedAndReleased();
    void aNameWithSeveralPointsIsLookedForInEachSchema();
    void aRowThatHasChangedIsLeftAlone();
    void whatCannotBeReleasedIsToldWithItsReason();
    void aTransactionThatHasTheRowIsItsHolder_data();
    void aTransactionThatHasTheRowIsItsHolder();
    void theZoneOfAnApplicationIsToldOnce();
    void aTableThatOnlyLooksLikeOneIsMarked();
    void aTableThatIsLockedIsAFailure();
    void aNameIsKnownByItsHash();
    void checkCountsLocksOfTables();
    void aNamedSchemaThatCannotBeLookedIntoIsTold_data();
    void aNamedSchemaThatCannotBeLookedIntoIsTold();
    void aProductionServerHasToBeNamed();
    void onesOwnProfileIsUsed();
    void aWrongProfileIsRefusedWithLineAndReason();
    void wrongWordsAreRefused_data();
    void wrongWordsAreRefused();

private:
    CtlRunner ctl(const QString &user = {}) const;
    void write(const QString &name, const QByteArray &content) const;
    QJsonObject only(const QStringList &more = {}) const;
    QByteArray audit() const;

    std::unique_ptr<QTemporaryDir> m_home;
};

void LockctlTablesTest::init()
{
    EngineTest::init();
    m_home = std::make_unique<QTemporaryDir>();
    m_observer->run("DROP DATABASE IF EXISTS app");
    m_observer->run("CREATE DATABASE app");
}

CtlRunner LockctlTablesTest::ctl(const QString &user) const
{
    ServerUrl url = m_server->url();
    url.schema = u"absent"_s; // nothing here needs one
    if (!user.isEmpty())
        url.user = user;
    CtlRunner runner(url.toString());
    runner.set("XDG_DATA_HOME", m_home->path());
    runner.set("XDG_CONFIG_HOME", m_home->path());
    return runner;
}

void LockctlTablesTest::write(const QString &name, const QByteArray &content) const
{
    const QString path = m_home->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written.", qUtf8Printable(path));
}

QJsonObject LockctlTablesTest::only(const QStringList &more) const
{
    QJsonArray tables;
    const auto listed = ctl().run(QStringList{u"list"_s, u"--all"_s, u"--json"_s} + more);
    for (const auto &lock : listed.array()) {
        if (lock[u"kind"_s] == u"table"_s)
            tables.append(lock);
    }
    if (tables.size() != 1)
        qFatal("%s", listed.text().constData());
    return tables.first().toObject();
}

QByteArray LockctlTablesTest::audit() const
{
    QFile file(m_home->filePath(u"lockscope/audit.jsonl"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void LockctlTablesTest::locksOfTablesAreListedAndReleased()
{
    m_observer->run("CREATE TABLE app.DATABASECHANGELOGLOCK (ID INT PRIMARY KEY, LOCKED BIT(1) NOT NULL, LOCKGRANTED "
                    "TIMESTAMP NULL, LOCKEDBY VARCHAR(255))");
    m_observer->run(
        "INSERT INTO app.DATABASECHANGELOGLOCK VALUES (1, 1, NOW() - INTERVAL 90 SECOND, 'ci-4 (10.0.0.9)')");
    const QJsonObject lock = only();
    QCOMPARE(lock[u"profile"_s].toString(), u"liquibase"_s);
    QCOMPARE(lock[u"state"_s].toString(), u"held"_s);
    QCOMPARE(lock[u"clock"_s].toString(), u"database"_s);
    QCOMPARE(lock[u"holder"_s].toString(), u"ci-4 (10.0.0.9)"_s);
    QVERIFY(lock[u"ageMs"_s].toInteger() >= 90'000 && lock[u"expiresAt"_s].isNull());
    const QString token = QString::number(lock[u"token"_s].toInteger());
    const auto listed = ctl().run({u"list"_s, u"--all"_s});
    QVERIFY2(listed.exitCode == 0, listed.text());
    QVERIFY2(listed.out.contains("app.DATABASECHANGELOGLOCK 1") && listed.out.contains(token.toLatin1()),
             listed.text());

    const QStringList words{u"release"_s,  u"--table"_s,     u"app.DATABASECHANGELOGLOCK"_s, u"--token"_s, token,
                            u"--reason"_s, u"ci-4 is gone"_s};
    const auto dry = ctl().run(words + QStringList{u"--dry-run"_s});
    QVERIFY2(dry.exitCode == 0 && dry.out.contains("UPDATE `app`.`DATABASECHANGELOGLOCK`"), dry.text());
    QVERIFY2(dry.out.contains("held by ci-4 (10.0.0.9) for ") && dry.out.contains("Warning: see first"), dry.text());
    QVERIFY(audit().isEmpty());
    const auto done = ctl().run(words);
    QVERIFY2(done.exitCode == 0 && done.out.contains("Released app.DATABASECHANGELOGLOCK 1."), done.text());
    QCOMPARE(m_observer->value("SELECT LOCKED + 0 FROM app.DATABASECHANGELOGLOCK").toInt(), 0);
    QCOMPARE(audit().count('\n'), 2);
    const auto record = ctl().run({u"audit"_s});
    QVERIFY2(record.out.contains("row 1 of app.DATABASECHANGELOGLOCK") && record.out.contains("ci-4 is gone"),
             record.text());
    const auto again = ctl().run(words);
    QVERIFY2(again.exitCode == 3
                 && again.err.contains("no row of app.DATABASECHANGELOGLOCK has the token " + token.toUtf8() + "; "),
             again.text());
}

void LockctlTablesTest::aNameWithSeveralPointsIsLookedForInEachSchema()
{
    const QByteArray columns = " (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(9), expiration BIGINT)";
    m_observer->run("DROP DATABASE IF EXISTS `app.b`");
    m_observer->run("CREATE DATABASE `app.b`");
    m_observer->run("CREATE TABLE app.`b.c_cache_locks`" + columns);
    m_observer->run("CREATE TABLE `app.b`.c_cache_locks" + columns);
    m_observer->run("INSERT INTO `app.b`.c_cache_locks VALUES ('k', 'o-1', UNIX_TIMESTAMP() + 900)");
    const QString token = QString::number(only()[u"token"_s].toInteger());
    const auto released = ctl().run(
        {u"release"_s, u"--table"_s, u"app.b.c_cache_locks"_s, u"--token"_s, token, u"--reason"_s, u"stuck"_s});
    QVERIFY2(released.exitCode == 0, released.text());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM `app.b`.c_cache_locks").toInt(), 0);
    m_observer->run("DROP DATABASE `app.b`");
}

void LockctlTablesTest::aRowThatHasChangedIsLeftAlone()
{
    m_observer->run(
        "CREATE TABLE app.cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration INT)");
    m_observer->run("INSERT INTO app.cache_locks VALUES ('k', 'o-1', UNIX_TIMESTAMP() + 900)");
    const QString token = QString::number(only()[u"token"_s].toInteger());
    m_observer->run("UPDATE app.cache_locks SET owner = 'o-2'");
    const auto stale =
        ctl().run({u"release"_s, u"--table"_s, u"app.cache_locks"_s, u"--token"_s, token, u"--reason"_s, u"r"_s});
    QVERIFY2(stale.exitCode == 3 && stale.err.contains("nothing was done"), stale.text());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.cache_locks").toInt(), 1);
    const auto absent = ctl().run({u"release"_s, u"--table"_s, u"app.x"_s, u"--token"_s, token, u"--reason"_s, u"r"_s});
    QVERIFY2(absent.exitCode == 3 && absent.err.contains("there is no lock table app.x"), absent.text());
}

void LockctlTablesTest::whatCannotBeReleasedIsToldWithItsReason()
{
    m_observer->run("CREATE TABLE app.QRTZ_LOCKS (SCHED_NAME VARCHAR(120), LOCK_NAME VARCHAR(40), PRIMARY KEY "
                    "(SCHED_NAME, LOCK_NAME))");
    m_observer->run("INSERT INTO app.QRTZ_LOCKS VALUES ('s', 'TRIGGER_ACCESS')");
    const QStringList words{
        u"release"_s,  u"--table"_s, u"app.QRTZ_LOCKS"_s, u"--token"_s, QString::number(only()[u"token"_s].toInteger()),
        u"--reason"_s, u"r"_s};
    const auto dry = ctl().run(words + QStringList{u"--dry-run"_s});
    QVERIFY2(dry.exitCode == 3 && dry.out.contains("Not released here") && dry.out.contains("end that session"),
             dry.text());
    const auto refused = ctl().run(words);
    QVERIFY2(refused.exitCode == 3 && refused.err.contains("end that session"), refused.text());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.QRTZ_LOCKS").toInt(), 1);
}

void LockctlTablesTest::aTransactionThatHasTheRowIsItsHolder_data()
{
    QTest::addColumn<QByteArray>("table"); // in app: its name and columns
    QTest::addColumn<QByteArray>("values");
    QTest::addColumn<QByteArray>("row");
    QTest::newRow("Quartz") << QByteArray("QRTZ_LOCKS (SCHED_NAME VARCHAR(120), LOCK_NAME VARCHAR(40), PRIMARY KEY "
                                          "(SCHED_NAME, LOCK_NAME))")
                            << QByteArray("'s', 'TRIGGER_ACCESS'")
                            << QByteArray("SCHED_NAME = 's' AND LOCK_NAME = 'TRIGGER_ACCESS'");
    const auto article = [](const char *name, const char *indexes, const char *row) {
        QTest::newRow(name) << QByteArray("distribute_lock (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, "
                                          "business_code VARCHAR(64) NOT NULL, business_name VARCHAR(64) NOT NULL")
                + indexes + ')'
                            << QByteArray("7, 'it''s', 'payments'") << QByteArray(row);
    };
    article("an article's, by a unique key", ", UNIQUE KEY (business_code)", "business_code = 'it''s'");
    article("by a key that is not unique", ", KEY by_code (business_code)", "business_code = 'it''s'");
    article("by no key", "", "business_code = 'it''s'");
    article("by the primary key", ", UNIQUE KEY (business_code)", "id = 7");
}

void LockctlTablesTest::aTransactionThatHasTheRowIsItsHolder()
{
    QFETCH(const QByteArray, table);
    QFETCH(const QByteArray, values);
    QFETCH(const QByteArray, row);
    const QByteArray name = table.left(table.indexOf(' '));
    m_observer->run("CREATE TABLE app." + table);
    m_observer->run("INSERT INTO app." + name + " VALUES (" + values + ')');
    QCOMPARE(only()[u"state"_s].toString(), u"unknown"_s);
    const QByteArray take = "SELECT * FROM app." + name + " WHERE " + row + " FOR UPDATE";
    Actor holder(*m_server);
    holder.run("BEGIN");
    QVERIFY(holder.run(take));
    Actor waiter(*m_server);
    waiter.start(take);
    QJsonObject lock;
    QVERIFY(eventually([&] {
        QThread::msleep(120); // InnoDB tells nothing new to who asks more often
        lock = only();
        return lock[u"state"_s] == u"held"_s;
    }));
    QVERIFY2(lock[u"holder"_s].toString().startsWith(u"session %1 "_s.arg(holder.id())),
             qPrintable(lock[u"holder"_s].toString()));
    holder.run("ROLLBACK");
    QVERIFY(waiter.finish());
}

void LockctlTablesTest::theZoneOfAnApplicationIsToldOnce()
{
    m_observer->run("CREATE TABLE app.shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL DEFAULT "
                    "CURRENT_TIMESTAMP(3), locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), locked_by "
                    "VARCHAR(255) NOT NULL)");
    m_observer->run("INSERT INTO app.shedlock VALUES ('job', NOW(3) - INTERVAL 115 MINUTE, NOW(3) - INTERVAL 125 "
                    "MINUTE, 'a7')"); // at +02:00 it is held for 5 more minutes
    QCOMPARE(only()[u"state"_s].toString(), u"unknown"_s);
    QVERIFY(only()[u"needsZone"_s].toBool() && only()[u"ageMs"_s].isNull());
    const auto hinted = ctl().run({u"list"_s, u"--all"_s});
    QVERIFY2(hinted.err.contains("lockctl profiles zone shedlock ZONE"), hinted.text());
    for (const QString &wrong : {u"Nowhere"_s, u"+25:00"_s})
        QCOMPARE(ctl().run({u"profiles"_s, u"zone"_s, u"shedlock"_s, wrong}).exitCode, 64);
    QCOMPARE(ctl().run({u"profiles"_s, u"zone"_s, u"none-such"_s, u"UTC"_s}).exitCode, 64);
    const auto told = ctl().run({u"profiles"_s, u"zone"_s, u"shedlock"_s, u"+02:00"_s});
    QVERIFY2(told.exitCode == 0, told.text());
    const QJsonObject lock = only();
    QCOMPARE(lock[u"state"_s].toString(), u"held"_s);
    QVERIFY(lock[u"ageMs"_s].toInteger() >= 300'000 && lock[u"ageMs"_s].toInteger() < 400'000);
    QVERIFY(ctl().run({u"profiles"_s, u"list"_s}).out.contains("UTC+02:00"));
    QCOMPARE(told.out, QByteArray("shedlock: times are of +02:00\n"));
    const auto forgotten = ctl().run({u"profiles"_s, u"zone"_s, u"shedlock"_s, u"none"_s});
    QCOMPARE(forgotten.exitCode, 0);
    QCOMPARE(forgotten.out, QByteArray("shedlock: no time zone\n"));
    QCOMPARE(only()[u"state"_s].toString(), u"unknown"_s);
}

void LockctlTablesTest::aTableThatOnlyLooksLikeOneIsMarked()
{
    m_observer->run("CREATE TABLE app.accounts (id BIGINT PRIMARY KEY, email VARCHAR(9), locked_at DATETIME, locked_by "
                    "VARCHAR(9), failed_at DATETIME)");
    m_observer->run("INSERT INTO app.accounts VALUES (3, 'a@b', UTC_TIMESTAMP() - INTERVAL 1 HOUR, 'admin', NULL)");
    const QJsonObject lock = only();
    QVERIFY(lock[u"looksLike"_s].toBool() && lock[u"profile"_s] == u"delayed-job"_s);
    const auto listed = ctl().run({u"list"_s, u"--all"_s});
    QVERIFY2(listed.out.contains("looks like delayed_job"), listed.text());
    const auto good = ctl().run({u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s, u"30m"_s});
    QVERIFY2(good.exitCode == 0, good.text());
    const QStringList words{
        u"release"_s,  u"--table"_s, u"app.accounts"_s, u"--token"_s, QString::number(lock[u"token"_s].toInteger()),
        u"--reason"_s, u"r"_s};
    const auto dry = ctl().run(words + QStringList{u"--dry-run"_s});
    QVERIFY2(dry.out.contains("--profile delayed-job"), dry.text());
    const auto refused = ctl().run(words);
    QVERIFY2(refused.exitCode == 3 && refused.err.contains("--profile delayed-job"), refused.text());
    QCOMPARE(m_observer->value("SELECT COUNT(locked_at) FROM app.accounts").toInt(), 1);
    const auto done = ctl().run(words + QStringList{u"--profile"_s, u"delayed-job"_s});
    QVERIFY2(done.exitCode == 0, done.text());
}

void LockctlTablesTest::aTableThatIsLockedIsAFailure()
{
    m_observer->run("CREATE TABLE app.cache_locks (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(9), expiration INT)");
    m_observer->run("INSERT INTO app.cache_locks VALUES ('k', 'o-1', UNIX_TIMESTAMP() + 900)");
    const QString token = QString::number(only()[u"token"_s].toInteger());
    Actor holder(*m_server);
    QVERIFY(holder.run("LOCK TABLES app.cache_locks WRITE"));
    const auto check = ctl().run({u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s, u"1h"_s});
    QVERIFY2(check.exitCode == 3 && check.out.contains("app.cache_locks"), check.text());
    const auto failed = ctl().run(
        {u"release"_s, u"--table"_s, u"app.cache_locks"_s, u"--token"_s, token, u"--reason"_s, u"r"_s, u"--json"_s});
    QVERIFY2(failed.exitCode == 1 && failed.object()[u"outcome"_s] == u"failed"_s, failed.text());
    QVERIFY2(failed.err.contains("locked by another session"), failed.text());
    holder.run("UNLOCK TABLES");
}

void LockctlTablesTest::aNameIsKnownByItsHash()
{
    m_observer->run("CREATE TABLE app.lock_keys (key_id VARCHAR(64) PRIMARY KEY, key_token VARCHAR(44), key_expiration "
                    "INT UNSIGNED)");
    m_observer->run("INSERT INTO app.lock_keys VALUES (SHA2('invoices', 256), 't', UNIX_TIMESTAMP() + 900)");
    QCOMPARE(only()[u"resource"_s].toString().size(), 64);
    QCOMPARE(only({u"--name"_s, u"orders"_s, u"--name"_s, u"invoices"_s})[u"resource"_s].toString(), u"invoices"_s);
}

void LockctlTablesTest::checkCountsLocksOfTables()
{
    m_observer->run("CREATE TABLE app.delayed_jobs (id BIGINT PRIMARY KEY, locked_at DATETIME(6), locked_by "
                    "VARCHAR(255), failed_at DATETIME(6))");
    m_observer->run("INSERT INTO app.delayed_jobs VALUES (3, UTC_TIMESTAMP(6) - INTERVAL 1 HOUR, 'host:a', NULL)");
    const QStringList words{u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s};
    const auto bad = ctl().run(words + QStringList{u"30m"_s});
    QVERIFY2(bad.exitCode == 2 && bad.out.contains("app.delayed_jobs 3 has been held for 1 h"), bad.text());
    QVERIFY2(bad.out.contains("by host:a"), bad.text());
    const auto good = ctl().run(words + QStringList{u"2h"_s});
    QVERIFY2(good.exitCode == 0, good.text());
    const auto json = ctl().run(words + QStringList{u"30m"_s, u"--json"_s}).object();
    QCOMPARE(json[u"heldBy"_s].toString(), u"app.delayed_jobs 3"_s);
    QVERIFY(json[u"heldMs"_s].toInteger() >= 3'600'000);
    const auto unasked = ctl().run({u"check"_s, u"--max-wait"_s, u"1h"_s});
    QVERIFY2(unasked.exitCode == 0, unasked.text());
}

void LockctlTablesTest::aNamedSchemaThatCannotBeLookedIntoIsTold_data()
{
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QByteArray>("right");
    QTest::newRow("misspelt") << u"ap"_s << QByteArray();
    QTest::newRow("without a right") << u"app"_s << QByteArray();
    QTest::newRow("its name alone") << u"app"_s << QByteArray("SHOW DATABASES ON *.*");
    QTest::newRow("a right that shows no table") << u"app"_s << QByteArray("EXECUTE ON app.*");
}

void LockctlTablesTest::aNamedSchemaThatCannotBeLookedIntoIsTold()
{
    QFETCH(QString, schema);
    QFETCH(QByteArray, right);
    m_observer->run("CREATE TABLE app.shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL, "
                    "locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL)");
    m_observer->run("CREATE USER watcher@localhost IDENTIFIED BY ''");
    m_observer->run("GRANT PROCESS ON *.* TO watcher@localhost");
    m_observer->run("GRANT SELECT ON performance_schema.* TO watcher@localhost");
    if (!right.isEmpty())
        m_observer->run("GRANT " + right + " TO watcher@localhost");
    const auto drop = qScopeGuard([this] { m_observer->run("DROP USER watcher@localhost"); });
    const CtlRunner watcher = ctl(u"watcher"_s);
    const QByteArray told = "There is no schema " + schema.toUtf8();
    const auto checked =
        watcher.run({u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s, u"1h"_s, u"--schema"_s, schema});
    QVERIFY2(checked.exitCode == 3 && checked.out.contains(told), checked.text());
    const auto listed = watcher.run({u"list"_s, u"--all"_s, u"--json"_s, u"--schema"_s, schema});
    QVERIFY2(listed.exitCode == 77 && listed.err.contains(told), listed.text());
}

void LockctlTablesTest::aProductionServerHasToBeNamed()
{
    m_observer->run(
        "CREATE TABLE app.cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration INT)");
    m_observer->run("INSERT INTO app.cache_locks VALUES ('k', 'o-1', UNIX_TIMESTAMP() + 900)");
    {
        QSettings settings(m_home->filePath(u"lockscope/lockscope.conf"_s), QSettings::NativeFormat);
        settings.beginWriteArray(u"servers"_s);
        settings.setArrayIndex(0);
        settings.setValue(u"url"_s, m_server->url().toString());
        settings.setValue(u"production"_s, true);
        settings.endArray();
    }
    const QStringList words{u"release"_s,
                            u"--table"_s,
                            u"app.cache_locks"_s,
                            u"--token"_s,
                            QString::number(only()[u"token"_s].toInteger()),
                            u"--reason"_s,
                            u"r"_s};
    const auto refused = ctl().run(words);
    QVERIFY2(refused.exitCode == 3 && refused.err.contains("production"), refused.text());
    const ServerUrl url = m_server->url();
    const QString name = !url.socket.isEmpty() ? url.socket : u"%1:%2"_s.arg(url.host).arg(url.port);
    const auto done = ctl().run(words + QStringList{u"--server"_s, name});
    QVERIFY2(done.exitCode == 0, done.text());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.cache_locks").toInt(), 0);
}

void LockctlTablesTest::onesOwnProfileIsUsed()
{
    m_observer->run("CREATE TABLE app.billing (job VARCHAR(50) PRIMARY KEY, taken INT, who VARCHAR(50))");
    m_observer->run("INSERT INTO app.billing VALUES ('invoices', 1, 'me')");
    write(u"lockscope/profiles/billing.toml"_s,
          "format = 1\ntitle = \"Billing\"\n[table]\nnames = [\"billing\"]\n[columns]\njob = \"text\"\ntaken = "
          "\"number\"\nwho = \"text\"\n[lock]\nkey = \"job\"\nholder = \"who\"\nheld = [{ column = \"taken\", is = 1 "
          "}]\n[release]\nby = \"update\"\nset = { taken = 0, who = { null = true } }\n");
    write(u"lockscope/profiles/wrong.toml"_s, "format = 1\ntitle = 7\n");
    const QJsonObject lock = only();
    QCOMPARE(lock[u"profile"_s].toString(), u"billing"_s);
    const auto listed = ctl().run({u"profiles"_s, u"list"_s});
    QVERIFY2(listed.exitCode == 1 && listed.out.contains("Billing") && listed.out.contains("yours"), listed.text());
    QVERIFY2(listed.err.contains("wrong.toml:2: the file.title has to be a text"), listed.text());
    const auto done = ctl().run({u"release"_s, u"--table"_s, u"app.billing"_s, u"--token"_s,
                                 QString::number(lock[u"token"_s].toInteger()), u"--reason"_s, u"r"_s, u"--json"_s});
    QVERIFY2(done.exitCode == 0 && done.object()[u"outcome"_s] == u"released"_s, done.text());
    QCOMPARE(m_observer->value("SELECT taken = 0 AND who IS NULL FROM app.billing").toInt(), 1);
}

void LockctlTablesTest::aWrongProfileIsRefusedWithLineAndReason()
{
    write(u"good.toml"_s,
          "format = 1\ntitle = \"G\"\n[columns]\na = \"text\"\n[lock]\nkey = \"a\"\n[release]\nby = \"delete\"\n");
    write(u"bad.toml"_s, "format = 1\ntitle = \"B\"\n[columns]\na = \"txt\"\n[lock]\nkey = \"a\"\n");
    const QString good = m_home->filePath(u"good.toml"_s);
    const QString bad = m_home->filePath(u"bad.toml"_s);
    const auto right = ctl().run({u"profiles"_s, u"check"_s, good});
    QVERIFY2(right.exitCode == 0 && right.out.endsWith("good.toml: a profile without faults\n") && right.err.isEmpty(),
             right.text());
    const auto wrong = ctl().run({u"profiles"_s, u"check"_s, good, bad});
    QVERIFY2(wrong.exitCode == 1 && wrong.err.contains("bad.toml:4: a column is \"text\""), wrong.text());
    const auto json = ctl().run({u"profiles"_s, u"check"_s, bad, u"--json"_s});
    QCOMPARE(json.array().first()[u"line"_s].toInt(), 4);
    const auto absent = ctl().run({u"profiles"_s, u"check"_s, m_home->filePath(u"absent.toml"_s)});
    QVERIFY2(absent.exitCode == 1 && absent.err.contains("cannot be read"), absent.text());
}

void LockctlTablesTest::wrongWordsAreRefused_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("a resource too") << QStringList{u"release"_s, u"x"_s, u"--table"_s, u"a.b"_s, u"--token"_s, u"1"_s};
    QTest::newRow("a prefix too") << QStringList{u"release"_s, u"--prefix"_s, u"x"_s, u"--table"_s, u"a.b"_s};
    QTest::newRow("a profile without a table")
        << QStringList{u"release"_s, u"x"_s, u"--token"_s, u"1"_s, u"--profile"_s, u"laravel"_s};
    QTest::newRow("no token") << QStringList{u"release"_s, u"--table"_s, u"a.b"_s};
    QTest::newRow("a schema without --all") << QStringList{u"list"_s, u"--schema"_s, u"a"_s};
    QTest::newRow("no file") << QStringList{u"profiles"_s, u"check"_s};
    QTest::newRow("no zone") << QStringList{u"profiles"_s, u"zone"_s, u"shedlock"_s};
}

void LockctlTablesTest::wrongWordsAreRefused()
{
    QFETCH(QStringList, words);
    if (words.first() == u"release"_s)
        words += {u"--reason"_s, u"r"_s};
    const auto refused = ctl().run(words);
    QVERIFY2(refused.exitCode == 64, refused.text());
}

QTEST_GUILESS_MAIN(LockctlTablesTest)
#include "tst_lockctltables.moc"
