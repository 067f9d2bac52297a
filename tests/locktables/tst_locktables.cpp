// SPDX-License-Identifier: MIT
// Lock tables as other programs make them, on a real server: found, judged, and released as these programs would.
#include "actions/tablerelease.h"
#include "actor.h"
#include "enginetest.h"
#include "locktables/profilelibrary.h"
#include "locktables/tablereader.h"
#include "locktables/tablestatements.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestLockTables : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aLockIsSeenAndReleasedAsItWasShown_data();
    void aLockIsSeenAndReleasedAsItWasShown();
    void whatIsFreeOrOverIsToldSo_data();
    void whatIsFreeOrOverIsToldSo();
    void aTableOfAnotherNameOnlyLooksLikeAProgramsTable_data();
    void aTableOfAnotherNameOnlyLooksLikeAProgramsTable();
    void aHeldLockIsNotHiddenBehindDeadRows_data();
    void aHeldLockIsNotHiddenBehindDeadRows();
    void whatElseWouldChangeIsLookedUp_data();
    void whatElseWouldChangeIsLookedUp();
    void aChangeOfWhatForeignKeysFollowIsRefused_data();
    void aChangeOfWhatForeignKeysFollowIsRefused();
    void aRowThatWouldStayHeldIsRolledBack();
    void lockedTablesDoNotTakeLongWithoutEnd();
    void whoSeesOnlySomeColumnsReleasesNothing();
    void tablesThatTheServerExtendsAreFound();
    void rowsThatCannotBeToldApartAreLeftAlone();
    void namesAndValuesMayBeAnything();
    void whatWasHeldStaysWhileItsTableIsNotRead_data();
    void whatWasHeldStaysWhileItsTableIsNotRead();
    void whatWasHeldStaysWhileNoTableIsRead();
    void whatAShorterScanLeavesOutIsReadOn();
    void oneSchemaHidesNoTablesOfOthers();
    void rowsOfNullAreNoHarm();
    void tablesOfOtherTypesAreTold();
    void aTableThatIsDroppedMeanwhileIsTold();
    void whoMayNotReadOrWriteIsTold();
    void aRowThatATransactionHoldsIsLeftAlone();
    void whatATransactionHoldsIsNotReleased();
    void aTableThatCannotRollBackIsLeftAlone();
    void viewsAndOwnTablesAreNone();
    void namesAreFoundByTheirHash();
    void oneSchemaMayBeNamed();
    void aServerWithVeryManyTablesIsNotScannedWhole();
    void aScanThatEndedEarlySaysSo_data();
    void aScanThatEndedEarlySaysSo();
    void nothingIsDoneWithoutARecordOrOnAReadOnlyServer();

private:
    void run(const QByteArray &statements);
    TableLocks read(const TableReadOptions &options = {});
    /// The only lock that there is.
    TableLock only();
    TableReleaseReport release(const TableLock &lock, const ServerAccess &access = ServerAccess::toAct(),
                               const QString &profile = {});
    std::unique_ptr<Session> open(const QString &user = {});
    QByteArray audit() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TableReader> m_reader;
    ApplicationZones m_zones;
};

void TestLockTables::init()
{
    EngineTest::init();
    m_folder = std::make_unique<QTemporaryDir>();
    for (const char *schema : {"app2", "app", "`a``b.'c`"})
        m_observer->run(QByteArray("DROP DATABASE IF EXISTS ") + schema);
    m_observer->run("CREATE DATABASE app CHARACTER SET utf8mb4");
    m_zones = {{u"shedlock"_s, applicationZone(u"+02:00"_s)},
               {u"db-scheduler"_s, applicationZone(u"+02:00"_s)},
               {u"liquibase"_s, applicationZone(u"+02:00"_s)},
               {u"ghost"_s, applicationZone(u"+02:00"_s)},
               {u"article-tag-lock"_s, applicationZone(u"+02:00"_s)}};
    m_session = open();
}

std::unique_ptr<Session> TestLockTables::open(const QString &user)
{
    SessionTarget target = forWatching(targetFor(*m_server));
    if (!user.isEmpty())
        target.url.user = user;
    m_reader = std::make_unique<TableReader>(builtInProfiles(), m_zones); // what another account knows is no matter
    LockError error;
    auto session = Session::open(target, &error);
    if (!session)
        qFatal("%s", qUtf8Printable(error.toString()));
    return session;
}

/// As an application, whose connections are two hours ahead.
void TestLockTables::run(const QByteArray &statements)
{
    Actor application(*m_server);
    application.run("USE app");
    application.run("SET time_zone = '+02:00'");
    for (const QByteArray &statement : statements.split(';')) {
        const Reply reply = application.run(statement);
        if (reply.error)
            qFatal("%s: %s", statement.constData(), qUtf8Printable(reply.error->toString()));
    }
}

TableLocks TestLockTables::read(const TableReadOptions &options)
{
    TableLocks found;
    m_reader->forgetTables();
    if (const auto error = m_reader->read(*m_session, options, &found))
        qFatal("%s", qUtf8Printable(error->toString()));
    return found;
}

TableLock TestLockTables::only()
{
    const TableLocks found = read();
    if (found.locks.size() != 1)
        qFatal("%d locks; %s", int(found.locks.size()), qUtf8Printable(found.notes.join(u'\n')));
    return found.locks.first();
}

TableReleaseReport TestLockTables::release(const TableLock &lock, const ServerAccess &access, const QString &profile)
{
    AuditFile audit(m_folder->filePath(u"audit"_s));
    return releaseTableLock(*m_session, {lock, u"ada"_s, u"stuck"_s, profile}, access, &audit);
}

QByteArray TestLockTables::audit() const
{
    QFile file(m_folder->filePath(u"audit"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestLockTables::aLockIsSeenAndReleasedAsItWasShown_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QByteArray>("made"); // by the program
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("holder");
    QTest::addColumn<int>("age");           // in minutes; -1: not known
    QTest::addColumn<QByteArray>("change"); // what makes it another lock
    QTest::addColumn<QByteArray>("after");  // what the row is then, or none
    const auto row = [](const char *profile, const char *made, const char *key, const char *holder, int age,
                        const char *change, const char *after) {
        QTest::newRow(profile) << QString::fromUtf8(profile) << QByteArray(made) << QByteArray(key)
                               << QByteArray(holder) << age << QByteArray(change) << QByteArray(after);
    };
    row("shedlock",
        "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL, lock_until TIMESTAMP(3) NOT NULL, locked_at TIMESTAMP(3) "
        "NOT "
        "NULL DEFAULT CURRENT_TIMESTAMP(3), locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name));"
        "INSERT INTO shedlock VALUES ('nightly', UTC_TIMESTAMP(3) + INTERVAL 5 MINUTE, "
        "UTC_TIMESTAMP(3) - INTERVAL 10 MINUTE, 'host-a7');"
        "INSERT INTO shedlock VALUES ('over', UTC_TIMESTAMP(3) - INTERVAL 5 MINUTE, "
        "UTC_TIMESTAMP(3) - INTERVAL 9 MINUTE, 'host-a7')",
        "nightly", "host-a7", 10, "UPDATE shedlock SET locked_by = 'host-b1' WHERE name = 'nightly'",
        "SELECT COUNT(*) = 2 AND MAX(lock_until) < UTC_TIMESTAMP(3) FROM shedlock");
    row("spring-integration",
        "CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36), "
        "CREATED_DATE DATETIME(6) NOT NULL, EXPIRED_AFTER DATETIME(6) NOT NULL, PRIMARY KEY (LOCK_KEY, REGION));"
        "INSERT INTO INT_LOCK VALUES ('acbd18db-4cc2-385c-adef-654fccc4a4d8', 'DEFAULT', 'c-1', UTC_TIMESTAMP(6) - "
        "INTERVAL 3 MINUTE, UTC_TIMESTAMP(6) + INTERVAL 1 MINUTE)",
        "DEFAULT acbd18db-4cc2-385c-adef-654fccc4a4d8", "c-1", 3, "UPDATE INT_LOCK SET CLIENT_ID = 'c-2'",
        "SELECT COUNT(*) = 0 FROM INT_LOCK");
    // Its time is the client's setting, taken for 10 s, which a test may need: written by a clock that is ahead.
    QTest::newRow("spring-integration before version 7")
        << u"spring-integration"_s
        << QByteArray("CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID "
                      "CHAR(36), CREATED_DATE DATETIME(6) NOT NULL, PRIMARY KEY (LOCK_KEY, REGION));"
                      "INSERT INTO INT_LOCK VALUES ('acbd18db-4cc2-385c-adef-654fccc4a4d8', 'DEFAULT', 'c-1', "
                      "UTC_TIMESTAMP(6) + INTERVAL 30 MINUTE)")
        << QByteArray("DEFAULT acbd18db-4cc2-385c-adef-654fccc4a4d8") << QByteArray("c-1") << -30
        << QByteArray("UPDATE INT_LOCK SET CLIENT_ID = 'c-2'") << QByteArray("SELECT COUNT(*) = 0 FROM INT_LOCK");
    row("coditory",
        "CREATE TABLE locks (ID VARCHAR(100) NOT NULL PRIMARY KEY, ACQUIRED_BY VARCHAR(100) NOT NULL, ACQUIRED_AT "
        "TIMESTAMP(3) NOT NULL, EXPIRES_AT TIMESTAMP(3) NULL, KEY (ID, ACQUIRED_BY, EXPIRES_AT));"
        "INSERT INTO locks VALUES ('report', 'i-1', NOW(3) - INTERVAL 2 MINUTE, NULL)",
        "report", "i-1", 2, "UPDATE locks SET EXPIRES_AT = NOW(3) + INTERVAL 1 HOUR", "SELECT COUNT(*) = 0 FROM locks");
    row("alturkovic",
        "CREATE TABLE locks (id SERIAL PRIMARY KEY, lock_key VARCHAR(255) UNIQUE, token VARCHAR(255), expireAt "
        "TIMESTAMP NULL); INSERT INTO locks VALUES (7, 'report', 't-1', NOW() + INTERVAL 1 HOUR)",
        "report", "", -1, "UPDATE locks SET token = 't-2'", "SELECT COUNT(*) = 0 FROM locks");
    row("symfony",
        "CREATE TABLE lock_keys (key_id VARCHAR(64) NOT NULL PRIMARY KEY, key_token VARCHAR(44) NOT NULL, "
        "key_expiration INTEGER UNSIGNED NOT NULL) COLLATE utf8mb4_bin;"
        "INSERT INTO lock_keys VALUES ('2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae', 'tok', "
        "UNIX_TIMESTAMP() + 300)",
        "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", "", -1,
        "UPDATE lock_keys SET key_token = 'TOK'", "SELECT COUNT(*) = 0 FROM lock_keys");
    row("laravel",
        "CREATE TABLE cache_locks (`key` VARCHAR(255) NOT NULL PRIMARY KEY, owner VARCHAR(255) NOT NULL, expiration "
        "INT "
        "NOT NULL); INSERT INTO cache_locks VALUES ('app_cache_x', 'o-1', UNIX_TIMESTAMP() + 300)",
        "app_cache_x", "o-1", -1, "UPDATE cache_locks SET expiration = expiration + 1",
        "SELECT COUNT(*) = 0 FROM cache_locks");
    row("drupal",
        "CREATE TABLE semaphore (name VARCHAR(255) NOT NULL PRIMARY KEY, value VARCHAR(255) NOT NULL, expire DOUBLE "
        "NOT "
        "NULL, KEY (value), KEY (expire)); INSERT INTO semaphore VALUES ('cron', 'r1', UNIX_TIMESTAMP() + 900.4372)",
        "cron", "r1", -1, "UPDATE semaphore SET expire = expire + 30.5", "SELECT COUNT(*) = 0 FROM semaphore");
    row("nextcloud",
        "CREATE TABLE oc_file_locks (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, `lock` INT NOT NULL DEFAULT 0, `key` "
        "VARCHAR(64) NOT NULL UNIQUE, ttl INT NOT NULL DEFAULT -1);"
        "INSERT INTO oc_file_locks VALUES (1, 0, 'files/0', -1), (2, -1, 'files/a', UNIX_TIMESTAMP() + 3600)",
        "files/a", "", -1, "UPDATE oc_file_locks SET `lock` = 1 WHERE id = 2",
        "SELECT COUNT(*) = 2 AND MAX(`lock`) = 0 AND MIN(`lock`) = 0 FROM oc_file_locks");
    row("moodle",
        "CREATE TABLE mdl_lock_db (id BIGINT AUTO_INCREMENT PRIMARY KEY, resourcekey VARCHAR(255) NOT NULL UNIQUE, "
        "expires BIGINT, owner VARCHAR(36)); INSERT INTO mdl_lock_db VALUES (1, 'cron_core', UNIX_TIMESTAMP() + 60, "
        "'u-1'), (2, 'free', NULL, NULL)",
        "cron_core", "u-1", -1, "UPDATE mdl_lock_db SET owner = 'u-2' WHERE id = 1",
        "SELECT COUNT(*) = 2 AND COUNT(owner) = 0 AND COUNT(expires) = 0 FROM mdl_lock_db");
    row("activemq",
        "CREATE TABLE ACTIVEMQ_LOCK (ID BIGINT NOT NULL PRIMARY KEY, TIME BIGINT, BROKER_NAME VARCHAR(250));"
        "INSERT INTO ACTIVEMQ_LOCK VALUES (1, (UNIX_TIMESTAMP() + 30) * 1000, 'broker-1')",
        "1", "broker-1", -1, "UPDATE ACTIVEMQ_LOCK SET TIME = TIME + 1",
        "SELECT COUNT(*) = 1 AND COUNT(TIME) = 0 AND COUNT(BROKER_NAME) = 0 FROM ACTIVEMQ_LOCK");
    row("orchestrator",
        "CREATE TABLE active_node (anchor TINYINT UNSIGNED NOT NULL PRIMARY KEY, hostname VARCHAR(128) NOT NULL, token "
        "VARCHAR(128) NOT NULL, last_seen_active TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);"
        "INSERT INTO active_node VALUES (1, 'orc-1', 't', NOW() + INTERVAL 1 MINUTE)",
        "1", "orc-1", -1, "UPDATE active_node SET token = 't2'", "SELECT COUNT(*) = 0 FROM active_node");
    row("django-db-mutex",
        "CREATE TABLE db_mutex_dbmutex (id INT AUTO_INCREMENT PRIMARY KEY, lock_id VARCHAR(255) NOT NULL UNIQUE, "
        "creation_time DATETIME(6)); INSERT INTO db_mutex_dbmutex VALUES (1, 'm', UTC_TIMESTAMP(6) - INTERVAL 4 "
        "MINUTE)",
        "m", "", 4, "UPDATE db_mutex_dbmutex SET id = 2", "SELECT COUNT(*) = 0 FROM db_mutex_dbmutex");
    row("hangfire",
        "CREATE TABLE HangfireDistributedLock (Resource NVARCHAR(100) NOT NULL, CreatedAt DATETIME(6) NOT NULL);"
        "INSERT INTO HangfireDistributedLock VALUES ('locks:schedulepoller', UTC_TIMESTAMP(6) - INTERVAL 5 MINUTE)",
        "locks:schedulepoller", "", 5,
        "UPDATE HangfireDistributedLock SET CreatedAt = CreatedAt + INTERVAL 1 MICROSECOND",
        "SELECT COUNT(*) = 0 FROM HangfireDistributedLock");
    row("liquibase",
        "CREATE TABLE DATABASECHANGELOGLOCK (ID INT NOT NULL PRIMARY KEY, LOCKED BIT(1) NOT NULL, LOCKGRANTED "
        "DATETIME, "
        "LOCKEDBY VARCHAR(255)); INSERT INTO DATABASECHANGELOGLOCK VALUES (1, 1, NOW() - INTERVAL 7 MINUTE, "
        "'ci-4 (10.0.0.9)'), (1000, 0, NULL, NULL)",
        "1", "ci-4 (10.0.0.9)", 7, "UPDATE DATABASECHANGELOGLOCK SET LOCKEDBY = 'ci-5 (10.0.0.9)' WHERE ID = 1",
        "SELECT COUNT(*) = 2 AND MAX(LOCKED + 0) = 0 AND COUNT(LOCKGRANTED) = 0 AND COUNT(LOCKEDBY) = 0 "
        "FROM DATABASECHANGELOGLOCK");
    row("knex",
        "CREATE TABLE knex_migrations_lock (`index` INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, is_locked INT);"
        "INSERT INTO knex_migrations_lock (is_locked) VALUES (1)",
        "1", "", -1, "UPDATE knex_migrations_lock SET `index` = 2",
        "SELECT COUNT(*) = 1 AND MAX(is_locked) = 0 FROM knex_migrations_lock");
    row("ghost",
        "CREATE TABLE migrations_lock (lock_key VARCHAR(191) NOT NULL PRIMARY KEY, locked TINYINT(1) DEFAULT 0, "
        "acquired_at DATETIME, released_at DATETIME);"
        "INSERT INTO migrations_lock VALUES ('km01', 1, NOW() - INTERVAL 6 MINUTE, NULL)",
        "km01", "", 6, "UPDATE migrations_lock SET acquired_at = acquired_at + INTERVAL 1 SECOND",
        "SELECT COUNT(*) = 1 AND MAX(locked) = 0 FROM migrations_lock");
    row("db-scheduler",
        "CREATE TABLE scheduled_tasks (task_name VARCHAR(100) NOT NULL, task_instance VARCHAR(100) NOT NULL, task_data "
        "BLOB, execution_time DATETIME(6) NOT NULL, picked BOOLEAN NOT NULL, picked_by VARCHAR(50), last_success "
        "DATETIME(6), last_failure DATETIME(6), consecutive_failures INT, last_heartbeat DATETIME(6), version BIGINT "
        "NOT "
        "NULL, priority SMALLINT, PRIMARY KEY (task_name, task_instance));"
        "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, picked_by, last_heartbeat, "
        "version) VALUES ('report', '7', NOW(6), 1, 'node-1', NOW(6) - INTERVAL 1 MINUTE, 4), ('report', '8', NOW(6), "
        "0, "
        "NULL, NULL, 1)",
        "report 7", "node-1", -1, "UPDATE scheduled_tasks SET version = version + 1 WHERE task_instance = '7'",
        "SELECT SUM(picked) = 0 AND COUNT(picked_by) = 0 AND MAX(version) = 6 FROM scheduled_tasks");
    row("delayed-job",
        "CREATE TABLE delayed_jobs (id BIGINT AUTO_INCREMENT PRIMARY KEY, priority INT, attempts INT, handler TEXT, "
        "last_error TEXT, run_at DATETIME(6), locked_at DATETIME(6), failed_at DATETIME(6), locked_by VARCHAR(255), "
        "queue VARCHAR(255)); INSERT INTO delayed_jobs (id, locked_at, locked_by) VALUES (3, UTC_TIMESTAMP(6) - "
        "INTERVAL "
        "8 MINUTE, 'host:a pid:12'), (4, NULL, NULL)",
        "3", "host:a pid:12", 8, "UPDATE delayed_jobs SET locked_by = 'host:b pid:12' WHERE id = 3",
        "SELECT COUNT(*) = 2 AND COUNT(locked_at) = 0 AND COUNT(locked_by) = 0 FROM delayed_jobs");
    row("solid-queue",
        "CREATE TABLE solid_queue_semaphores (id BIGINT AUTO_INCREMENT PRIMARY KEY, `key` VARCHAR(255) NOT NULL "
        "UNIQUE, "
        "value INT NOT NULL DEFAULT 1, expires_at DATETIME(6) NOT NULL, created_at DATETIME(6) NOT NULL, updated_at "
        "DATETIME(6) NOT NULL); INSERT INTO solid_queue_semaphores VALUES (1, 'J/1', 0, UTC_TIMESTAMP(6) + INTERVAL 3 "
        "MINUTE, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)), (2, 'J/2', 1, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), "
        "UTC_TIMESTAMP(6))",
        "J/1", "", -1, "UPDATE solid_queue_semaphores SET expires_at = expires_at + INTERVAL 1 SECOND WHERE id = 1",
        "SELECT MIN(value) = 1 AND MAX(value) = 1 FROM solid_queue_semaphores");
    row("article-method-lock",
        "CREATE TABLE methodLock (id INT AUTO_INCREMENT PRIMARY KEY, method_name VARCHAR(64) NOT NULL UNIQUE, `desc` "
        "VARCHAR(1024) NOT NULL, update_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP);"
        "INSERT INTO methodLock VALUES (1, 'pay', 'd', NOW() - INTERVAL 4 MINUTE)",
        "pay", "", 4, "UPDATE methodLock SET `desc` = 'e', update_time = update_time",
        "SELECT COUNT(*) = 0 FROM methodLock");
    row("article-database-lock",
        "CREATE TABLE database_lock (id BIGINT AUTO_INCREMENT PRIMARY KEY, resource INT NOT NULL UNIQUE, description "
        "VARCHAR(1024) NOT NULL); INSERT INTO database_lock VALUES (1, 77, 'lock')",
        "77", "", -1, "UPDATE database_lock SET id = 2", "SELECT COUNT(*) = 0 FROM database_lock");
    row("article-one-by-one",
        "CREATE TABLE cs_one_by_one (BIZ_TYPE VARCHAR(32) NOT NULL, BIZ_ID VARCHAR(64) NOT NULL, METHOD VARCHAR(32), "
        "CREATED_TIME TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (BIZ_TYPE, "
        "BIZ_ID)); INSERT INTO cs_one_by_one VALUES ('order', '7', 'pay', NOW() - INTERVAL 2 MINUTE)",
        "order 7", "", 2, "UPDATE cs_one_by_one SET METHOD = NULL, CREATED_TIME = CREATED_TIME",
        "SELECT COUNT(*) = 0 FROM cs_one_by_one");
    row("article-distribute-lock",
        "CREATE TABLE distribute_lock (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, resource_id VARCHAR(64) NOT NULL "
        "UNIQUE, create_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);"
        "INSERT INTO distribute_lock VALUES (1, 'r', NOW() - INTERVAL 3 MINUTE)",
        "r", "", 3, "UPDATE distribute_lock SET id = 2", "SELECT COUNT(*) = 0 FROM distribute_lock");
    row("article-tag-lock",
        "CREATE TABLE t_tag_lock (Findex INT AUTO_INCREMENT PRIMARY KEY, Flock_name VARCHAR(128) NOT NULL UNIQUE, "
        "Fcount "
        "INT NOT NULL, Fdeadline DATETIME NOT NULL, Fdesc VARCHAR(255) NOT NULL DEFAULT '', Fstatus TINYINT NOT NULL);"
        "INSERT INTO t_tag_lock VALUES (1, 'k', 1, NOW() + INTERVAL 3 MINUTE, '', 1), (2, 'l', 0, '1970-01-01', '', 1)",
        "k", "", -1, "UPDATE t_tag_lock SET Fcount = 2 WHERE Findex = 1",
        "SELECT COUNT(*) = 2 AND MIN(Fstatus) = 0 AND MAX(Fcount) = 0 FROM t_tag_lock");
    row("article-holder-lock",
        "CREATE TABLE `lock` (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, lock_key VARCHAR(128) NOT NULL "
        "UNIQUE, holder VARCHAR(128) NOT NULL DEFAULT '', creation_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, "
        "last_lock_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);"
        "INSERT INTO `lock` (lock_key, holder, last_lock_time) VALUES ('p1', 'A', NOW() - INTERVAL 9 MINUTE), "
        "('new', '', NOW())",
        "p1", "A", 9, "UPDATE `lock` SET last_lock_time = last_lock_time + INTERVAL 1 SECOND WHERE holder = 'A'",
        "SELECT COUNT(*) = 2 AND MAX(holder) = '' AND MIN(last_lock_time) < NOW() - INTERVAL 300 SECOND FROM `lock`");
    row("article-insert-ignore",
        "CREATE TABLE t_lock (lock_key VARCHAR(64) NOT NULL, PRIMARY KEY (lock_key));"
        "INSERT IGNORE INTO t_lock (lock_key) VALUES ('k1')",
        "k1", "", -1, "UPDATE t_lock SET lock_key = 'k2'", "SELECT COUNT(*) = 0 FROM t_lock");
    row("seata",
        "CREATE TABLE distributed_lock (lock_key CHAR(20) NOT NULL, lock_value VARCHAR(20) NOT NULL, expire BIGINT, "
        "PRIMARY KEY (lock_key)); INSERT INTO distributed_lock VALUES ('AsyncCommitting', ' ', 0), ('TxTimeoutCheck', "
        "'10.0.0.7:8091', (UNIX_TIMESTAMP() + 60) * 1000), ('RetryCommitting', ' ', 0)",
        "TxTimeoutCheck", "10.0.0.7:8091", -1,
        "UPDATE distributed_lock SET expire = expire + 1 WHERE lock_key = 'TxTimeoutCheck'",
        "SELECT COUNT(*) = 3 AND MAX(expire) = 0 AND MIN(HEX(lock_value)) = '20' AND MAX(HEX(lock_value)) = '20' "
        "FROM distributed_lock");
    row("grafana",
        "CREATE TABLE server_lock (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, operation_uid VARCHAR(100) NOT NULL, "
        "version BIGINT NOT NULL, last_execution BIGINT NOT NULL, UNIQUE (operation_uid));"
        "INSERT INTO server_lock VALUES (1, 'delete old login attempts', 41, UNIX_TIMESTAMP() - 120), (2, 'new', 0, 0)",
        "delete old login attempts", "", 2, "UPDATE server_lock SET version = 42 WHERE id = 1",
        "SELECT COUNT(*) = 2 AND MAX(last_execution) = 0 AND MAX(version) = 43 FROM server_lock");
}

void TestLockTables::aLockIsSeenAndReleasedAsItWasShown()
{
    QFETCH(QByteArray, made);
    QFETCH(int, age);
    QFETCH(QByteArray, change);
    QFETCH(QByteArray, after);
    run(made);
    const TableLock seen = only();
    QTEST(seen.table.profile.id, "profile");
    QTEST(seen.key, "key");
    QTEST(seen.holder, "holder");
    QVERIFY2(seen.state == TableLockState::Held, qUtf8Printable(seen.reason));
    QVERIFY(!seen.needsZone);
    const auto held =
        seen.since ? std::chrono::floor<std::chrono::minutes>(read().clock.server - *seen.since).count() : -1;
    QCOMPARE(int(held), age);
    QCOMPARE(only(), seen);

    run(change);
    const TableReleaseReport stale = release(seen);
    QVERIFY2(stale.outcome == TableReleaseReport::Outcome::TargetChanged, qUtf8Printable(outcomeOf(stale)));
    QCOMPARE(stale.rows, 0);
    const TableLock now = only();
    QVERIFY(now.fingerprint() != seen.fingerprint());

    const TableReleaseReport done = release(now);
    QVERIFY2(done.outcome == TableReleaseReport::Outcome::Released, qUtf8Printable(outcomeOf(done)));
    QCOMPARE(m_observer->value("SELECT (" + after.replace("FROM ", "FROM app.") + ')').toInt(), 1);
    QVERIFY(read().locks.isEmpty());
    QVERIFY2(audit().count('\n') == 4 && audit().contains("released"), audit());
}

void TestLockTables::whatIsFreeOrOverIsToldSo_data()
{
    QTest::addColumn<QByteArray>("made");
    QTest::addColumn<int>("shown");
    QTest::addColumn<bool>("expired");
    QTest::newRow("no row") << QByteArray("CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner "
                                          "VARCHAR(255), expiration INT)")
                            << 0 << false;
    QTest::newRow("a time that is over") << QByteArray(
        "CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration INT);"
        "INSERT INTO cache_locks VALUES ('k', 'o', UNIX_TIMESTAMP() - 1)")
                                         << 1 << true;
    QTest::newRow("a task of Grafana that began long ago")
        << QByteArray("CREATE TABLE server_lock (id BIGINT PRIMARY KEY, operation_uid VARCHAR(100), version BIGINT, "
                      "last_execution BIGINT); INSERT INTO server_lock VALUES (1, 'o', 1, UNIX_TIMESTAMP() - 601)")
        << 1 << true;
    QTest::newRow("a lock of Spring before version 7, older than its time")
        << QByteArray("CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID "
                      "CHAR(36), CREATED_DATE DATETIME(6) NOT NULL, PRIMARY KEY (LOCK_KEY, REGION)); INSERT INTO "
                      "INT_LOCK VALUES ('k', 'DEFAULT', 'c-1', UTC_TIMESTAMP(6) - INTERVAL 11 SECOND)")
        << 1 << true;
    QTest::newRow("a server of Seata that died")
        << QByteArray("CREATE TABLE distributed_lock (lock_key CHAR(20) PRIMARY KEY, lock_value VARCHAR(20) NOT NULL, "
                      "expire BIGINT); INSERT INTO distributed_lock VALUES ('RetryRollbacking', '10.0.0.7:8091', "
                      "(UNIX_TIMESTAMP() - 1) * 1000)")
        << 1 << true;
    QTest::newRow("a flag of 0") << QByteArray("CREATE TABLE knex_migrations_lock (`index` INT UNSIGNED AUTO_INCREMENT "
                                               "PRIMARY KEY, is_locked INT);"
                                               "INSERT INTO knex_migrations_lock (is_locked) VALUES (0)")
                                 << 0 << false;
}

void TestLockTables::whatIsFreeOrOverIsToldSo()
{
    QFETCH(QByteArray, made);
    QFETCH(bool, expired);
    run(made);
    const TableLocks found = read();
    QCOMPARE(found.tables, 1);
    QTEST(int(found.locks.size()), "shown");
    QCOMPARE(!found.locks.isEmpty() && found.locks.first().state == TableLockState::Expired, expired);
}

void TestLockTables::aTableOfAnotherNameOnlyLooksLikeAProgramsTable_data()
{
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QByteArray>("columns");
    QTest::addColumn<QByteArray>("values");
    QTest::addColumn<QString>("profile");
    const auto row = [](const char *table, const char *columns, const char *values, const char *profile) {
        QTest::newRow(table) << QByteArray(table) << QByteArray(columns) << QByteArray(values)
                             << QString::fromUtf8(profile);
    };
    row("api_keys",
        "id INT PRIMARY KEY, user_id INT, key_id VARCHAR(64), key_token VARCHAR(64), key_expiration INT UNSIGNED",
        "1, 7, 'k', 't', 4000000000", "symfony");
    row("book_loans", "id VARCHAR(9) PRIMARY KEY, acquired_by VARCHAR(9), acquired_at DATETIME, expires_at DATETIME",
        "'b', 'ada', NOW(), NULL", "coditory");
    row("operation_log", "biz_type VARCHAR(9), biz_id VARCHAR(9), method VARCHAR(9), created_time DATETIME",
        "'order', '7', 'pay', NOW()", "article-one-by-one");
    row("accounts",
        "id INT PRIMARY KEY, email VARCHAR(9), locked_at DATETIME, locked_by VARCHAR(9), failed_at DATETIME",
        "1, 'a@b', UTC_TIMESTAMP(), 'admin', NULL", "delayed-job");
    row("trades", "id BIGINT PRIMARY KEY, time BIGINT, broker_name VARCHAR(9)", "1, 4000000000000, 'b'", "activemq");
    row("page_views", "resource VARCHAR(9), createdat DATETIME", "'/', UTC_TIMESTAMP()", "hangfire");
    row("api_tokens", "`key` VARCHAR(9) PRIMARY KEY, owner VARCHAR(9), expiration INT UNSIGNED", "'k', 'o', 4000000000",
        "laravel");
    row("user_bans", "name VARCHAR(9) PRIMARY KEY, lock_until DATETIME, locked_at DATETIME, locked_by VARCHAR(9)",
        "'eve', '2100-01-01', UTC_TIMESTAMP(), 'admin'", "shedlock");
    row("door_events", "id INT PRIMARY KEY, lock_id VARCHAR(9), creation_time DATETIME", "1, 'd', UTC_TIMESTAMP()",
        "django-db-mutex");
}

void TestLockTables::aTableOfAnotherNameOnlyLooksLikeAProgramsTable()
{
    QFETCH(QByteArray, table);
    QFETCH(QByteArray, columns);
    QFETCH(QByteArray, values);
    QFETCH(QString, profile);
    run("CREATE TABLE " + table + " (" + columns + "); INSERT INTO " + table + " VALUES (" + values + ')');
    const TableLock seen = only();
    QCOMPARE(seen.table.profile.id, profile);
    QVERIFY(seen.table.isLookAlike);
    const TableReleaseReport unnamed = release(seen);
    QVERIFY(unnamed.outcome == TableReleaseReport::Outcome::Refused);
    QVERIFY2(outcomeOf(unnamed).contains(u"--profile "_s + profile), qUtf8Printable(outcomeOf(unnamed)));
    const TableReleaseReport other = release(seen, ServerAccess::toAct(), u"quartz"_s);
    QVERIFY(other.outcome == TableReleaseReport::Outcome::Refused);
    QCOMPARE(only(), seen);
    const TableReleaseReport named = release(seen, ServerAccess::toAct(), profile);
    QVERIFY2(named.outcome == TableReleaseReport::Outcome::Released, qUtf8Printable(outcomeOf(named)));
}

void TestLockTables::aHeldLockIsNotHiddenBehindDeadRows_data()
{
    QTest::addColumn<QByteArray>("made");
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QByteArray>("dead"); // its %1 is a number
    QTest::addColumn<QByteArray>("held");
    QTest::newRow("Laravel") << QByteArray("`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(9), expiration INT UNSIGNED")
                             << QByteArray("cache_locks") << QByteArray("('a%1', 'o', 1000)")
                             << QByteArray("('z%1', 'o', 4000000000)");
    QTest::newRow("Nextcloud without an end")
        << QByteArray("id INT AUTO_INCREMENT PRIMARY KEY, `lock` INT, `key` VARCHAR(64), ttl INT")
        << QByteArray("oc_file_locks") << QByteArray("(NULL, 1, 'a%1', 1000)") << QByteArray("(NULL, 1, 'z%1', -1)");
    QTest::newRow("ShedLock") << QByteArray(
        "name VARCHAR(64) PRIMARY KEY, lock_until DATETIME, locked_at DATETIME, locked_by VARCHAR(9)")
                              << QByteArray("shedlock") << QByteArray("('a%1', '2020-01-01', '2020-01-01', 'h')")
                              << QByteArray("('z%1', '2100-01-01', '2020-01-01', 'h')");
    QTest::newRow("delayed_job") << QByteArray(
        "id INT AUTO_INCREMENT PRIMARY KEY, locked_at DATETIME, locked_by VARCHAR(9), failed_at DATETIME")
                                 << QByteArray("delayed_jobs") << QByteArray("(NULL, '2020-01-01', 'a%1', NULL)")
                                 << QByteArray("(NULL, UTC_TIMESTAMP(), 'z%1', NULL)");
}

void TestLockTables::aHeldLockIsNotHiddenBehindDeadRows()
{
    QFETCH(QByteArray, made);
    QFETCH(QByteArray, table);
    QFETCH(QByteArray, dead);
    QFETCH(QByteArray, held);
    const auto rows = [](const QByteArray &row, int count) {
        QByteArrayList list;
        for (int i = 0; i < count; ++i)
            list.append(QByteArray(row).replace("%1", QByteArray::number(i)));
        return list.join(", ");
    };
    const auto isHeld = [](const TableLock &lock) { return lock.state == TableLockState::Held; };
    run("CREATE TABLE " + table + " (" + made + "); INSERT INTO " + table + " VALUES "
        + rows(dead, TableReader::MaxRows + 200) + ", " + rows(held, 1));
    TableReadOptions options;
    options.isFreeShown = true;
    const TableLocks found = read(options);
    QCOMPARE(std::count_if(found.locks.cbegin(), found.locks.cend(), isHeld), 1);
    QVERIFY2(found.notes.join(u'\n').contains(u"1000 of 1001 or more"_s), qUtf8Printable(found.notes.join(u'\n')));
    QVERIFY(found.unread.isEmpty()); // of those that are held
    run("TRUNCATE TABLE " + table + "; INSERT INTO " + table + " VALUES " + rows(held, TableReader::MaxRows + 1));
    QCOMPARE(read().unread.size(), 1);
    QCOMPARE(read().unread.first().place, u"app."_s + QString::fromUtf8(table));
}

void TestLockTables::whatElseWouldChangeIsLookedUp_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QString>("refusal"); // empty: none
    const auto row = [](const char *name, const char *more, const char *refusal) {
        QTest::newRow(name) << QByteArray(more) << QString::fromUtf8(refusal);
    };
    row("ON DELETE CASCADE",
        "CREATE TABLE child (k VARCHAR(64), FOREIGN KEY (k) REFERENCES cache_locks (`key`) ON DELETE CASCADE)",
        "app.child");
    row("ON DELETE SET NULL",
        "CREATE TABLE child (k VARCHAR(64), FOREIGN KEY (k) REFERENCES cache_locks (`key`) ON DELETE SET NULL)",
        "app.child");
    row("of another schema",
        "CREATE DATABASE app2 CHARACTER SET utf8mb4; CREATE TABLE app2.child (k VARCHAR(64), FOREIGN KEY (k) "
        "REFERENCES app.cache_locks "
        "(`key`) ON DELETE CASCADE)",
        "app2.child");
    row("ON DELETE RESTRICT", "CREATE TABLE child (k VARCHAR(64), FOREIGN KEY (k) REFERENCES cache_locks (`key`))", "");
    row("a trigger before", "CREATE TRIGGER gone BEFORE DELETE ON cache_locks FOR EACH ROW SET @x = 1", "gone");
    row("a trigger after", "CREATE TRIGGER gone AFTER DELETE ON cache_locks FOR EACH ROW SET @x = 1", "gone");
    row("a trigger of another statement", "CREATE TRIGGER gone AFTER INSERT ON cache_locks FOR EACH ROW SET @x = 1",
        "");
}

void TestLockTables::whatElseWouldChangeIsLookedUp()
{
    QFETCH(QByteArray, more);
    QFETCH(QString, refusal);
    run("CREATE TABLE cache_locks (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT) ENGINE=InnoDB;"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999)");
    run(more);
    const TableReleaseReport report = release(only());
    QCOMPARE(report.outcome == TableReleaseReport::Outcome::Released, refusal.isEmpty());
    QVERIFY2(refusal.isEmpty() || outcomeOf(report).contains(refusal), qUtf8Printable(outcomeOf(report)));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.cache_locks").toInt(), refusal.isEmpty() ? 0 : 1);
}

void TestLockTables::aChangeOfWhatForeignKeysFollowIsRefused_data()
{
    QTest::addColumn<QByteArray>("column");
    QTest::addColumn<bool>("refused");
    QTest::newRow("a column that stays") << QByteArray("`index`") << false;
    QTest::newRow("the column that is set") << QByteArray("is_locked") << true;
}

void TestLockTables::aChangeOfWhatForeignKeysFollowIsRefused()
{
    QFETCH(QByteArray, column);
    QFETCH(bool, refused);
    run("CREATE TABLE knex_migrations_lock (`index` INT PRIMARY KEY, is_locked INT UNIQUE) ENGINE=InnoDB;"
        "INSERT INTO knex_migrations_lock VALUES (1, 1);"
        "CREATE TABLE child (n INT, FOREIGN KEY (n) REFERENCES knex_migrations_lock ("
        + column + ") ON UPDATE CASCADE ON DELETE CASCADE); INSERT INTO child VALUES (1)");
    const TableReleaseReport report = release(only());
    QCOMPARE(outcomeOf(report).contains(u"app.child"_s), refused);
    QCOMPARE(report.outcome == TableReleaseReport::Outcome::Released, !refused);
    QCOMPARE(m_observer->value("SELECT n FROM app.child").toInt(), 1);
}

/// ShedLock's end becomes its beginning, which an application whose clock is ahead has set to what is to come.
void TestLockTables::aRowThatWouldStayHeldIsRolledBack()
{
    run("CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until DATETIME, locked_at DATETIME, locked_by "
        "VARCHAR(255)); INSERT INTO shedlock VALUES ('j', '2100-01-02', '2100-01-01', 'h')");
    const TableReleaseReport report = release(only());
    QVERIFY(report.outcome == TableReleaseReport::Outcome::StillHeld);
    QVERIFY2(outcomeOf(report).contains(u"rolled back"_s) && audit().contains("rolled back"), audit());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.shedlock WHERE lock_until = '2100-01-02'").toInt(), 1);
}

void TestLockTables::lockedTablesDoNotTakeLongWithoutEnd()
{
    QByteArrayList locked;
    for (int i = 0; i < TableReader::MaxLocked + 2; ++i) {
        const QByteArray name = "app.t" + QByteArray::number(i) + "_cache_locks";
        run("CREATE TABLE " + name
            + " (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT);"
              "INSERT INTO "
            + name + " VALUES ('k', 'o', 99999999999)");
        locked.append(name + " WRITE");
    }
    QCOMPARE(read().locks.size(), locked.size());
    Actor holder(*m_server);
    QVERIFY(holder.run("LOCK TABLES " + locked.join(", ")));
    TableLocks found;
    QVERIFY(!m_reader->read(*m_session, {}, &found));
    const QString notes = found.notes.join(u'\n');
    QCOMPARE(found.unread.size(), locked.size());
    QVERIFY2(notes.count(u"locked by another session"_s) == TableReader::MaxLocked, qUtf8Printable(notes));
    QVERIFY2(!notes.contains(u"holds the row"_s) && notes.contains(u"app.t3_cache_locks, app.t4_cache_locks"_s),
             qUtf8Printable(notes));
    holder.run("UNLOCK TABLES");
}

void TestLockTables::whoSeesOnlySomeColumnsReleasesNothing()
{
    run("CREATE TABLE cache_locks (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT, shoe INT);"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999, 43)");
    QCOMPARE(read().tables, 0); // no table of Laravel
    for (const char *host : {"localhost", "'127.0.0.1'"}) {
        m_observer->run(QByteArray("CREATE USER IF NOT EXISTS partly@") + host);
        m_observer->run(QByteArray("GRANT SELECT (`key`, owner, expiration), DELETE, TRIGGER ON app.cache_locks TO "
                                   "partly@")
                        + host);
    }
    m_session = open(u"partly"_s);
    const TableReleaseReport report = release(only());
    QVERIFY(report.outcome == TableReleaseReport::Outcome::Refused);
    QVERIFY2(outcomeOf(report).contains(u"all columns"_s), qUtf8Printable(outcomeOf(report)));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.cache_locks").toInt(), 1);
}

void TestLockTables::tablesThatTheServerExtendsAreFound()
{
    const QByteArray columns = "CREATE TABLE cache_locks (`key` VARCHAR(64), owner VARCHAR(255), expiration BIGINT)";
    if (m_server->family() == Family::MariaDb)
        run(columns + " WITH SYSTEM VERSIONING");
    else
        run("SET sql_generate_invisible_primary_key = ON;" + columns);
    run("INSERT INTO cache_locks (`key`, owner, expiration) VALUES ('k', 'o', 99999999999)");
    const TableReleaseReport report = release(only());
    QVERIFY2(report.outcome == TableReleaseReport::Outcome::Released, qUtf8Printable(outcomeOf(report)));
    QVERIFY(read().locks.isEmpty());
}

void TestLockTables::rowsThatCannotBeToldApartAreLeftAlone()
{
    run("CREATE TABLE HangfireDistributedLock (Resource NVARCHAR(100) NOT NULL, CreatedAt DATETIME(6) NOT NULL);"
        "INSERT INTO HangfireDistributedLock VALUES ('r', '2026-01-01'), ('r', '2026-01-01'), ('s', '2026-01-01')");
    const TableLocks found = read();
    QCOMPARE(found.locks.size(), 3);
    const TableReleaseReport report = release(found.locks.first());
    QVERIFY(report.outcome == TableReleaseReport::Outcome::TargetChanged);
    QCOMPARE(report.rows, 2);
    QVERIFY2(outcomeOf(report).contains(u"2 rows"_s), qUtf8Printable(outcomeOf(report)));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.HangfireDistributedLock").toInt(), 3);
    QVERIFY(release(found.locks.last()).outcome == TableReleaseReport::Outcome::Released);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.HangfireDistributedLock").toInt(), 2);
}

void TestLockTables::namesAndValuesMayBeAnything()
{
    m_observer->run("CREATE DATABASE `a``b.'c` CHARACTER SET latin1");
    m_observer->run("CREATE TABLE `a``b.'c`.`x\"\\\\;-- y` (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), "
                    "expiration BIGINT)");
    m_observer->run("INSERT INTO `a``b.'c`.`x\"\\\\;-- y` VALUES (_utf8mb4 x'c3a427225c', _utf8mb4 x'c3bc20', "
                    "UNIX_TIMESTAMP() + 99), ('A', 'b', UNIX_TIMESTAMP() + 99)");
    m_observer->run("CREATE TABLE app.cache_locks (`key` VARBINARY(255) PRIMARY KEY, owner VARCHAR(255), expiration "
                    "BIGINT) CHARACTER SET utf8mb4");
    m_observer->run("INSERT INTO app.cache_locks VALUES (x'ff0041', _utf8mb4 x'f09f9892', 99999999999)");
    const TableLocks found = read();
    QCOMPARE(found.locks.size(), 3);
    for (const TableLock &lock : found.locks) {
        const TableReleaseReport report = release(lock, ServerAccess::toAct(), u"laravel"_s);
        QVERIFY2(report.outcome == TableReleaseReport::Outcome::Released, qUtf8Printable(outcomeOf(report)));
    }
    QVERIFY(std::any_of(found.locks.cbegin(), found.locks.cend(),
                        [](const TableLock &lock) { return lock.key == QByteArray("\xff\0A", 3); }));
    QVERIFY(std::any_of(found.locks.cbegin(), found.locks.cend(), [](const TableLock &lock) {
        return lock.key == "\xc3\xa4'\"\\" && lock.holder == "\xc3\xbc ";
    }));
    QVERIFY(read().locks.isEmpty());
}

void TestLockTables::whatWasHeldStaysWhileItsTableIsNotRead_data()
{
    QTest::addColumn<QByteArray>("hide");
    QTest::addColumn<QByteArray>("show");
    QTest::addColumn<bool>("isGone");
    QTest::newRow("locked") << QByteArray("LOCK TABLES app.cache_locks WRITE") << QByteArray("UNLOCK TABLES") << false;
    QTest::newRow("no right any more") << QByteArray("REVOKE SELECT ON app.cache_locks FROM seer@localhost, "
                                                     "seer@'127.0.0.1'")
                                       << QByteArray("GRANT SELECT ON app.cache_locks TO seer@localhost, "
                                                     "seer@'127.0.0.1'")
                                       << false;
    QTest::newRow("dropped") << QByteArray("DROP TABLE app.cache_locks") << QByteArray() << true;
    QTest::newRow("renamed") << QByteArray("RENAME TABLE app.cache_locks TO app.other") << QByteArray() << true;
}

void TestLockTables::whatWasHeldStaysWhileItsTableIsNotRead()
{
    QFETCH(const QByteArray, hide);
    QFETCH(const QByteArray, show);
    QFETCH(const bool, isGone);
    run("CREATE TABLE cache_locks (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT);"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999)");
    m_observer->run("CREATE USER IF NOT EXISTS seer@localhost, seer@'127.0.0.1'");
    m_observer->run("GRANT SELECT ON app.cache_locks TO seer@localhost, seer@'127.0.0.1'");
    m_session = open(u"seer"_s);
    const TableLock seen = only();
    QVERIFY(seen.unread.isEmpty());
    Actor other(*m_server);
    const Reply hidden = other.run(hide);
    QVERIFY2(!hidden.error, hide);
    for (int looks = 0; looks < 2; ++looks) { // also where the table is looked for anew
        const TableLocks found = read();
        if (isGone) {
            QVERIFY(found.locks.isEmpty());
            continue;
        }
        QCOMPARE(found.locks.size(), 1);
        QVERIFY(!found.locks[0].unread.isEmpty());
        QCOMPARE(found.locks[0].stateNow(), TableLockState::Unknown);
        QCOMPARE(found.locks[0].state, TableLockState::Held);
        QCOMPARE(found.locks[0].fingerprint(), seen.fingerprint());
        QCOMPARE(found.unread.size(), 1);
    }
    if (!show.isEmpty())
        QVERIFY(!other.run(show).error);
    if (!isGone)
        QVERIFY(only() == seen);
}

void TestLockTables::whatWasHeldStaysWhileNoTableIsRead()
{
    run("CREATE TABLE cache_locks (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT);"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999)");
    const TableLock seen = only();
    QVERIFY(m_session->run(QByteArray("SET SESSION sql_big_selects = 0, max_join_size = 1"), QByteArray("test")));
    for (int looks = 0; looks < 2; ++looks) {
        TableLocks found;
        m_reader->forgetTables();
        const auto error = m_reader->read(*m_session, {}, &found);
        QVERIFY(error && !error->connectionGone);
        QCOMPARE(found.locks.size(), 1);
        QCOMPARE(found.locks[0].stateNow(), TableLockState::Unknown);
        QCOMPARE(found.locks[0].fingerprint(), seen.fingerprint());
        QCOMPARE(found.unread.size(), 1);
        QVERIFY(found.clock.server != ServerTime{});
        QVERIFY(!found.notes.isEmpty());
    }
    QVERIFY(m_session->run(QByteArray("SET SESSION sql_big_selects = 1"), QByteArray("test")));
    QVERIFY(only() == seen);
}

/// A table that was found once is asked for until it is gone.
void TestLockTables::whatAShorterScanLeavesOutIsReadOn()
{
    const QByteArray columns = " (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT)";
    run("CREATE TABLE z_cache_locks" + columns);
    TableScan scan;
    QVERIFY(!scanLockTables(*m_session, builtInProfiles(), {}, &scan));
    QCOMPARE(scan.tables.size(), 1);
    const QList<LockTable> known = scan.tables;
    run("CREATE TABLE a_cache_locks" + columns + "; CREATE TABLE b_cache_locks" + columns);
    QVERIFY(!scanLockTables(*m_session, builtInProfiles(), {}, &scan, {10'000, 1000, 10, 2}, known));
    QVERIFY(scan.isCut);
    QCOMPARE(scan.tables.size(), 2);
    QCOMPARE(scan.tables[0].name, u"a_cache_locks"_s);
    QCOMPARE(scan.tables[1].name, u"z_cache_locks"_s);
}

void TestLockTables::oneSchemaHidesNoTablesOfOthers()
{
    const QByteArray columns = " (`key` VARCHAR(64) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT)";
    m_observer->run("CREATE DATABASE app2");
    run("CREATE TABLE a_cache_locks" + columns + "; CREATE TABLE b_cache_locks" + columns
        + "; CREATE TABLE app2.cache_locks" + columns);
    TableScan scan;
    QVERIFY(!scanLockTables(*m_session, builtInProfiles(), {}, &scan, {10'000, 1000, 10, 2}));
    QVERIFY(scan.isCut);
    QCOMPARE(scan.tables.size(), 2);
    QCOMPARE(scan.tables[1].place(), u"app2.cache_locks"_s);
}

void TestLockTables::rowsOfNullAreNoHarm()
{
    run("CREATE TABLE shedlock (name VARCHAR(64) NULL, lock_until TIMESTAMP(3) NULL, locked_at TIMESTAMP(3) NULL, "
        "locked_by VARCHAR(255) NULL); INSERT INTO shedlock VALUES (NULL, NULL, NULL, NULL);"
        "CREATE TABLE knex_migrations_lock (`index` INT NULL, is_locked INT NULL);"
        "INSERT INTO knex_migrations_lock VALUES (NULL, NULL);"
        "CREATE TABLE mdl_lock_db (resourcekey VARCHAR(255), expires BIGINT, owner VARCHAR(36));"
        "INSERT INTO mdl_lock_db VALUES (NULL, NULL, 'u')");
    const TableLocks found = read();
    QCOMPARE(found.locks.size(), 3);
    for (const TableLock &lock : found.locks) {
        const bool isKnex = lock.table.profile.id == u"knex"_s;
        QCOMPARE(lock.state, isKnex ? TableLockState::Unknown : TableLockState::Held);
        const bool isShedLock = lock.table.profile.id == u"shedlock"_s; // its end becomes its beginning: NULL again
        QCOMPARE(release(lock).outcome,
                 isShedLock ? TableReleaseReport::Outcome::TargetChanged : TableReleaseReport::Outcome::Released);
    }
}

void TestLockTables::tablesOfOtherTypesAreTold()
{
    run("CREATE TABLE shedlock (name VARCHAR(64), lock_until BIGINT, locked_at BIGINT, locked_by VARCHAR(255));"
        "CREATE TABLE cache_locks (`key` INT, owner VARCHAR(9), expiration DATETIME);"
        "CREATE TABLE a_cache_locks (`key` VARCHAR(9), owner VARCHAR(9), expiration FLOAT);"
        "INSERT INTO a_cache_locks VALUES ('k', 'o', 99999999999);"
        "INSERT INTO cache_locks VALUES (1, 'o', NOW())");
    const TableLocks found = read();
    QVERIFY(found.locks.isEmpty());
    QCOMPARE(found.notes.size(), 3);
    QVERIFY2(found.notes.join(u'\n').contains(u"app.shedlock is named as the table of ShedLock, but its column "
                                              "lock_until is of type bigint"_s),
             qUtf8Printable(found.notes.join(u'\n')));
}

void TestLockTables::aTableThatIsDroppedMeanwhileIsTold()
{
    run("CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT);"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999)");
    const TableLock seen = only();
    run("DROP TABLE cache_locks");
    TableLocks found;
    QVERIFY(!m_reader->read(*m_session, {}, &found));
    QVERIFY(found.locks.isEmpty());
    QVERIFY2(found.notes.join(u'\n').contains(u"app.cache_locks cannot be read"_s),
             qUtf8Printable(found.notes.join(u'\n')));
    QVERIFY2(!found.notes.join(u'\n').contains(u"lockctl init"_s), qUtf8Printable(found.notes.join(u'\n')));
    const TableReleaseReport report = release(seen);
    QVERIFY(report.outcome == TableReleaseReport::Outcome::Failed && report.error);
    QVERIFY(!m_reader->read(*m_session, {}, &found)); // looked for anew
    QVERIFY(found.notes.isEmpty() && found.tables == 0);
    run("CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT)");
    QCOMPARE(release(seen).outcome, TableReleaseReport::Outcome::TargetChanged);
}

void TestLockTables::whoMayNotReadOrWriteIsTold()
{
    run("CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT);"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999)");
    const TableLock seen = only();
    m_observer->run("CREATE USER IF NOT EXISTS watcher@localhost, watcher@'127.0.0.1'");
    m_session = open(u"watcher"_s);
    QCOMPARE(read().tables, 0);
    for (const char *host : {"localhost", "'127.0.0.1'"})
        m_observer->run(QByteArray("GRANT INSERT ON app.* TO watcher@") + host);
    m_session = open(u"watcher"_s);
    const TableLocks unread = read();
    QVERIFY2(unread.locks.isEmpty() && unread.notes.size() == 1, qUtf8Printable(unread.notes.join(u'\n')));
    QVERIFY2(!unread.notes.first().contains(u"sql/grants"_s), qUtf8Printable(unread.notes.first()));
    QCOMPARE(unread.unread.size(), 1);
    for (const char *host : {"localhost", "'127.0.0.1'"})
        m_observer->run(QByteArray("GRANT SELECT ON app.* TO watcher@") + host);
    m_session = open(u"watcher"_s);
    QCOMPARE(only().fingerprint(), seen.fingerprint());
    const TableReleaseReport blind = release(seen);
    QVERIFY(blind.outcome == TableReleaseReport::Outcome::Refused);
    QVERIFY2(outcomeOf(blind).contains(u"TRIGGER"_s), qUtf8Printable(outcomeOf(blind)));
    for (const char *host : {"localhost", "'127.0.0.1'"})
        m_observer->run(QByteArray("GRANT TRIGGER ON app.* TO watcher@") + host);
    m_session = open(u"watcher"_s);
    const TableReleaseReport report = release(seen);
    QVERIFY(report.outcome == TableReleaseReport::Outcome::Failed);
    QCOMPARE(report.error->kind, LockError::Kind::NoPermission);
    QVERIFY2(!outcomeOf(report).contains(u"sql/grants"_s), qUtf8Printable(outcomeOf(report)));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.cache_locks").toInt(), 1);
}

void TestLockTables::aRowThatATransactionHoldsIsLeftAlone()
{
    run("CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT);"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999)");
    const TableLock seen = only();
    Actor holder(*m_server);
    holder.run("BEGIN");
    holder.run("SELECT * FROM app.cache_locks FOR UPDATE");
    const TableReleaseReport report = release(seen);
    QVERIFY(report.outcome == TableReleaseReport::Outcome::Failed);
    QCOMPARE(report.error->code, 1205);
    holder.run("ROLLBACK");
    QCOMPARE(release(seen).outcome, TableReleaseReport::Outcome::Released);
}

void TestLockTables::whatATransactionHoldsIsNotReleased()
{
    run("CREATE TABLE QRTZ_LOCKS (SCHED_NAME VARCHAR(120) NOT NULL, LOCK_NAME VARCHAR(40) NOT NULL, PRIMARY KEY "
        "(SCHED_NAME, LOCK_NAME)); INSERT INTO QRTZ_LOCKS VALUES ('s', 'TRIGGER_ACCESS');"
        "CREATE TABLE xxl_job_lock (lock_name VARCHAR(50) NOT NULL PRIMARY KEY);"
        "INSERT INTO xxl_job_lock VALUES ('schedule_lock');"
        "CREATE TABLE distribute_lock (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, business_code VARCHAR(64) NOT "
        "NULL UNIQUE, business_name VARCHAR(64) NOT NULL);"
        "INSERT INTO distribute_lock VALUES (1, 'pay', 'payments')");
    const TableLocks found = read();
    QCOMPARE(found.locks.size(), 3);
    for (const TableLock &lock : found.locks) {
        QCOMPARE(lock.state, TableLockState::Unknown);
        const TableReleaseReport report = release(lock);
        QVERIFY(report.outcome == TableReleaseReport::Outcome::Refused);
        QVERIFY2(outcomeOf(report).contains(u"end that session"_s), qUtf8Printable(outcomeOf(report)));
    }
    QVERIFY(audit().isEmpty());
}

void TestLockTables::aTableThatCannotRollBackIsLeftAlone()
{
    run("CREATE TABLE cache_locks (`key` VARCHAR(200) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT) "
        "ENGINE=MyISAM;"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999)");
    const TableReleaseReport report = release(only());
    QVERIFY(report.outcome == TableReleaseReport::Outcome::Refused);
    QVERIFY2(outcomeOf(report).contains(u"MyISAM"_s), qUtf8Printable(outcomeOf(report)));
}

void TestLockTables::viewsAndOwnTablesAreNone()
{
    run("CREATE TABLE t (k VARCHAR(255), o VARCHAR(255), e BIGINT);"
        "CREATE VIEW cache_locks AS SELECT k AS `key`, o AS owner, e AS expiration FROM t");
    const TableLocks found = read();
    QCOMPARE(found.tables, 0);
    QVERIFY(found.notes.isEmpty());
}

void TestLockTables::namesAreFoundByTheirHash()
{
    run("CREATE TABLE lock_keys (key_id VARCHAR(64) NOT NULL PRIMARY KEY, key_token VARCHAR(44) NOT NULL, "
        "key_expiration INTEGER UNSIGNED NOT NULL); INSERT INTO lock_keys VALUES (SHA2('foo', 256), 't', 4000000000), "
        "(SHA2('bar', 256), 't', 4000000000)");
    TableReadOptions options;
    options.candidates = {"nothing", "foo"};
    const TableLocks found = read(options);
    QCOMPARE(found.locks.size(), 2);
    QCOMPARE(std::count_if(found.locks.cbegin(), found.locks.cend(),
                           [](const TableLock &lock) { return lock.name() == "foo"; }),
             1);
}

void TestLockTables::oneSchemaMayBeNamed()
{
    m_observer->run("CREATE DATABASE app2");
    for (const char *schema : {"app", "app2"}) {
        m_observer->run(QByteArray("CREATE TABLE ") + schema
                        + ".cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT)");
        m_observer->run(QByteArray("INSERT INTO ") + schema + ".cache_locks VALUES ('k', 'o', 99999999999)");
    }
    QCOMPARE(read().locks.size(), 2);
    TableReadOptions options;
    options.schema = u"app2"_s;
    const TableLocks found = read(options);
    QCOMPARE(found.locks.size(), 1);
    QCOMPARE(found.locks.first().table.schema, u"app2"_s);

    QVERIFY(!checkSchemaSeen(*m_session, u"app2"_s));
    const auto misspelt = checkSchemaSeen(*m_session, u"ap"_s);
    QVERIFY(misspelt && misspelt->message.contains(u"There is no schema ap"_s));
}

void TestLockTables::aServerWithVeryManyTablesIsNotScannedWhole()
{
    run("CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT)");
    ScanBounds bounds;
    bounds.tables = 3; // the engine has more of its own
    TableScan scan;
    QVERIFY(!scanLockTables(*m_session, builtInProfiles(), {}, &scan, bounds));
    QVERIFY(scan.isOneSchema && scan.tableCount > bounds.tables && scan.tables.isEmpty());
    QVERIFY(!scanLockTables(*m_session, builtInProfiles(), u"app"_s, &scan, bounds));
    QCOMPARE(scan.tables.size(), 1);
    SessionTarget target = forWatching(targetFor(*m_server));
    target.url.schema = u"app"_s;
    LockError error;
    const auto session = Session::open(target, &error);
    QVERIFY(session);
    QVERIFY(!scanLockTables(*session, builtInProfiles(), {}, &scan, bounds));
    QCOMPARE(scan.tables.size(), 1);
}

void TestLockTables::aScanThatEndedEarlySaysSo_data()
{
    QTest::addColumn<qint64>("columns");
    QTest::addColumn<int>("candidates");
    QTest::addColumn<int>("found");
    QTest::addColumn<bool>("isCut");
    QTest::newRow("no bound is reached") << qint64(1000) << 10 << 10 << false;
    QTest::newRow("as many as there may be") << qint64(1000) << 3 << 2 << false;
    QTest::newRow("columns") << qint64(2) << 10 << 10 << true;
    QTest::newRow("tables that are no lock tables after all") << qint64(1000) << 1 << 10 << true;
    QTest::newRow("lock tables") << qint64(1000) << 10 << 1 << true;
}

void TestLockTables::aScanThatEndedEarlySaysSo()
{
    QFETCH(const qint64, columns);
    QFETCH(const int, candidates);
    QFETCH(const int, found);
    QFETCH(const bool, isCut);
    run("CREATE TABLE a_like (`key` INT, owner INT, expiration DATETIME);" // of other types
        "CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT);"
        "CREATE TABLE z_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT)");
    TableScan scan;
    QVERIFY(!scanLockTables(*m_session, builtInProfiles(), u"app"_s, &scan, {10'000, columns, candidates, found}));
    QCOMPARE(scan.isCut, isCut);
}

void TestLockTables::nothingIsDoneWithoutARecordOrOnAReadOnlyServer()
{
    run("CREATE TABLE cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration BIGINT);"
        "INSERT INTO cache_locks VALUES ('k', 'o', 99999999999)");
    const TableLock seen = only();
    QVERIFY(release(seen, ServerAccess()).outcome == TableReleaseReport::Outcome::Refused);
    AuditFile audit(u"/proc/none/audit"_s);
    const TableReleaseReport report =
        releaseTableLock(*m_session, {seen, u"ada"_s, u"stuck"_s}, ServerAccess::toAct(), &audit);
    QVERIFY(report.outcome == TableReleaseReport::Outcome::Refused && report.error);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM app.cache_locks").toInt(), 1);
}

QTEST_GUILESS_MAIN(TestLockTables)
#include "tst_locktables.moc"
