// SPDX-License-Identifier: MIT
// What a row of another program's lock table says, and the statements about it.
#include "locktables/applicationzones.h"
#include "locktables/profilelibrary.h"
#include "locktables/tablejudge.h"
#include "locktables/tablestatements.h"

#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

/// 2026-06-01 12:00:00 UTC.
const ServerTime kNow{std::chrono::seconds(1'780'315'200)};

TableProfile profile(const QString &id)
{
    const auto all = builtInProfiles();
    const auto found = std::find_if(all.cbegin(), all.cend(), [&](const TableProfile &each) { return each.id == id; });
    return found == all.cend() ? TableProfile() : *found;
}

/// `columns`: "name:varchar lock_until:timestamp"
LockTable table(const QString &id, const QByteArray &columns)
{
    LockTable table;
    table.schema = u"app"_s;
    table.name = u"t"_s;
    table.engine = u"InnoDB"_s;
    table.profile = profile(id);
    for (const QByteArray &column : columns.split(' '))
        table.columns.append({QString::fromUtf8(column.split(':').value(0)), column.split(':').value(1)});
    return table;
}

/// "-": NULL
QList<TableValue> values(const QByteArray &text)
{
    QList<TableValue> list;
    for (const QByteArray &value : text.split('|'))
        list.append(value == "-" ? std::nullopt : TableValue(value));
    return list;
}

QByteArray stateName(TableLockState state)
{
    switch (state) {
    case TableLockState::Held:
        return "held";
    case TableLockState::Free:
        return "free";
    case TableLockState::Expired:
        return "expired";
    case TableLockState::Unknown:
        break;
    }
    return "unknown";
}

constexpr auto kShedLock = "name:varchar lock_until:timestamp locked_at:timestamp locked_by:varchar";
constexpr auto kShedLockDates = "name:varchar lock_until:datetime locked_at:datetime locked_by:varchar";
constexpr auto kSpring6 = "LOCK_KEY:char REGION:varchar CLIENT_ID:char CREATED_DATE:datetime";
constexpr auto kSpring7 = "LOCK_KEY:char REGION:varchar CLIENT_ID:char CREATED_DATE:datetime EXPIRED_AFTER:datetime";
constexpr auto kLaravel = "key:varchar owner:varchar expiration:bigint";
constexpr auto kLiquibase = "ID:int LOCKED:bit LOCKGRANTED:datetime LOCKEDBY:varchar";
constexpr auto kNextcloud = "id:int lock:int key:varchar ttl:int";
constexpr auto kMoodle = "resourcekey:varchar expires:bigint owner:varchar";
constexpr auto kActiveMq = "ID:bigint TIME:bigint BROKER_NAME:varchar";
constexpr auto kCoditory = "ID:varchar ACQUIRED_BY:varchar ACQUIRED_AT:timestamp EXPIRES_AT:timestamp";
constexpr auto kDelayed = "id:bigint locked_at:datetime locked_by:varchar failed_at:datetime";
constexpr auto kOrchestrator = "anchor:tinyint hostname:varchar token:varchar last_seen_active:timestamp";
constexpr auto kScheduler = "task_name:varchar task_instance:varchar execution_time:datetime picked:tinyint "
                            "picked_by:varchar last_heartbeat:datetime version:bigint";

} // namespace

class TestTableJudge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRowIsJudged_data();
    void aRowIsJudged();
    void aTimeIsReadInTheZoneThatItIsWrittenIn_data();
    void aTimeIsReadInTheZoneThatItIsWrittenIn();
    void whatIsSeenIsAFingerprint();
    void aStatementRepeatsAllThatWasSeen();
    void whatIsHeldIsReadFirst_data();
    void whatIsHeldIsReadFirst();
    void hostileNamesAreQuoted();
    void zonesAreKept();
};

void TestTableJudge::aRowIsJudged_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QByteArray>("columns");
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("holder");
    const auto row = [](const char *name, const char *profile, const char *columns, const char *values,
                        const char *zone, const char *state, const char *key, const char *holder) {
        QTest::newRow(name) << QString::fromUtf8(profile) << QByteArray(columns) << QByteArray(values)
                            << QByteArray(zone) << QByteArray(state) << QByteArray(key) << QByteArray(holder);
    };
    row("ShedLock held", "shedlock", kShedLock, "job|2026-06-01 12:05:00.000|2026-06-01 11:55:00.000|a7", "UTC", "held",
        "job", "a7");
    row("ShedLock over", "shedlock", kShedLock, "job|2026-06-01 11:56:00.000|2026-06-01 11:55:00.000|a7", "UTC", "free",
        "job", "a7");
    row("ShedLock two hours off", "shedlock", kShedLock, "job|2026-06-01 10:05:00.000|2026-06-01 09:55:00.000|a7",
        "Europe/Berlin", "held", "job", "a7");
    row("ShedLock in a zone that is not known", "shedlock", kShedLock,
        "job|2026-06-01 12:05:00.000|2026-06-01 11:55:00.000|a7", "", "unknown", "job", "a7");
    row("ShedLock released, in a zone that is not known", "shedlock", kShedLock,
        "job|2026-06-01 11:55:00.000|2026-06-01 11:55:00.000|a7", "", "free", "job", "a7");
    row("ShedLock over in any zone", "shedlock", kShedLock, "job|2026-05-31 12:05:00.000|2026-05-31 11:55:00.000|a7",
        "", "free", "job", "a7");
    row("ShedLock held in any zone", "shedlock", kShedLock, "job|2026-06-03 12:05:00.000|2026-06-01 11:55:00.000|a7",
        "", "held", "job", "a7");
    row("ShedLock in DATETIME needs no zone", "shedlock", kShedLockDates,
        "job|2026-06-01 12:00:00.001|2026-06-01 11:55:00|a7", "", "held", "job", "a7");
    row("ShedLock of NULL", "shedlock", kShedLockDates, "-|-|-|-", "", "held", "NULL", "");
    row("ShedLock without a time", "shedlock", kShedLockDates, "job|0000-00-00 00:00:00|-|a7", "UTC", "unknown", "job",
        "a7");
    row("Spring 7 held", "spring-integration", kSpring7,
        "k|DEFAULT|c1|2026-06-01 11:00:00.000000|2026-06-01 12:00:09.000000", "", "held", "DEFAULT k", "c1");
    row("Spring 7 expired", "spring-integration", kSpring7,
        "k|DEFAULT|c1|2026-06-01 11:59:59.000000|2026-06-01 11:59:59.500000", "", "expired", "DEFAULT k", "c1");
    row("Spring 6 held", "spring-integration", kSpring6, "k|DEFAULT|c1|2026-06-01 11:59:51.000000", "", "held",
        "DEFAULT k", "c1");
    row("Spring 6 expired", "spring-integration", kSpring6, "k|DEFAULT|c1|2026-06-01 11:59:49.000000", "", "expired",
        "DEFAULT k", "c1");
    row("Laravel held", "laravel", kLaravel, "app:x|o|1780315201", "", "held", "app:x", "o");
    row("Laravel expired", "laravel", kLaravel, "app:x|o|1780315200", "", "expired", "app:x", "o");
    row("Laravel of NULL", "laravel", kLaravel, "-|-|-", "", "held", "NULL", "");
    row("Laravel before 1970", "laravel", kLaravel, "app:x|o|-5", "", "unknown", "app:x", "o");
    row("Laravel after the year 9999", "laravel", kLaravel, "app:x|o|9223372036854775807", "", "unknown", "app:x", "o");
    row("Liquibase locked", "liquibase", kLiquibase, "1|1|2026-06-01 11:00:00|h (10.0.0.1)", "", "held", "1",
        "h (10.0.0.1)");
    row("Liquibase free", "liquibase", kLiquibase, "1|0|-|-", "", "free", "1", "");
    row("Liquibase of NULL", "liquibase", kLiquibase, "-|-|-|-", "", "unknown", "NULL", "");
    row("Knex locked", "knex", "index:int is_locked:int", "1|1", "", "held", "1", "");
    row("Knex free", "knex", "index:int is_locked:int", "1|0", "", "free", "1", "");
    row("Knex of old", "knex", "is_locked:int", "1", "", "held", "", "");
    row("Nextcloud exclusive", "nextcloud", kNextcloud, "7|-1|abc|1780318800", "", "held", "abc", "");
    row("Nextcloud shared", "nextcloud", kNextcloud, "7|3|abc|1780318800", "", "held", "abc", "");
    row("Nextcloud free", "nextcloud", kNextcloud, "7|0|abc|-1", "", "free", "abc", "");
    row("Nextcloud without an end", "nextcloud", kNextcloud, "7|1|abc|-1", "", "held", "abc", "");
    row("Nextcloud before 1970", "nextcloud", kNextcloud, "7|1|abc|-2", "", "unknown", "abc", "");
    row("Moodle held", "moodle", kMoodle, "cron|1780315260|u-1", "", "held", "cron", "u-1");
    row("Moodle free", "moodle", kMoodle, "cron|-|-", "", "free", "cron", "");
    row("ActiveMQ leased", "activemq", kActiveMq, "1|1780315205000|b1", "", "held", "1", "b1");
    row("ActiveMQ expired", "activemq", kActiveMq, "1|1780315195000|b1", "", "expired", "1", "b1");
    row("Sherlock for ever", "coditory", kCoditory, "x|me|2026-06-01 11:00:00.000|-", "", "held", "x", "me");
    row("Sherlock expired", "coditory", kCoditory, "x|me|2026-06-01 11:00:00.000|2026-06-01 11:59:00.000", "",
        "expired", "x", "me");
    row("delayed_job held", "delayed-job", kDelayed, "12|2026-06-01 08:30:00|host:a pid:1|-", "", "held", "12",
        "host:a pid:1");
    row("delayed_job that has failed", "delayed-job", kDelayed,
        "12|2026-06-01 08:30:00|host:a pid:1|2026-06-01 09:00:00", "", "free", "12", "host:a pid:1");
    row("delayed_job for too long", "delayed-job", kDelayed, "12|2026-06-01 07:30:00|host:a pid:1|-", "", "expired",
        "12", "host:a pid:1");
    row("Orchestrator leads", "orchestrator", kOrchestrator, "1|node1|t|2026-06-01 11:59:58", "", "held", "1", "node1");
    row("Orchestrator is gone", "orchestrator", kOrchestrator, "1|node1|t|2026-06-01 11:59:00", "", "expired", "1",
        "node1");
    row("db-scheduler picked", "db-scheduler", kScheduler,
        "report|7|2026-06-01 13:00:00.000000|1|n1|2026-06-01 13:45:00.000000|4", "Europe/Berlin", "held", "report 7",
        "n1");
    row("db-scheduler dead", "db-scheduler", kScheduler,
        "report|7|2026-06-01 13:00:00.000000|1|n1|2026-06-01 13:15:00.000000|4", "Europe/Berlin", "expired", "report 7",
        "n1");
    row("db-scheduler in a zone that is not known", "db-scheduler", kScheduler,
        "report|7|2026-06-01 13:00:00.000000|1|n1|2026-06-01 13:45:00.000000|4", "", "unknown", "report 7", "n1");
    row("Quartz", "quartz", "SCHED_NAME:varchar LOCK_NAME:varchar", "s|TRIGGER_ACCESS", "", "unknown",
        "s TRIGGER_ACCESS", "");
    row("fewer values than columns", "laravel", kLaravel, "app:x", "", "held", "app:x", "");
}

void TestTableJudge::aRowIsJudged()
{
    QFETCH(QString, profile);
    QFETCH(QByteArray, columns);
    QFETCH(QByteArray, row);
    QFETCH(QByteArray, zone);
    const TableLock lock =
        judgeRow(table(profile, columns), values(row), applicationZone(QString::fromLatin1(zone)), kNow);
    QTEST(stateName(lock.state), "state");
    QTEST(lock.key, "key");
    QTEST(lock.holder, "holder");
    QCOMPARE(lock.state == TableLockState::Unknown, !lock.reason.isEmpty());
}

void TestTableJudge::aTimeIsReadInTheZoneThatItIsWrittenIn_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<QByteArray>("since");
    QTest::newRow("UTC in DATETIME") << u"shedlock"_s << QByteArray("datetime") << QByteArray()
                                     << QByteArray("2026-06-01T11:00:00.250Z");
    QTest::newRow("UTC in TIMESTAMP") << u"shedlock"_s << QByteArray("timestamp") << QByteArray("+02:00")
                                      << QByteArray("2026-06-01T13:00:00.250Z");
    QTest::newRow("UTC in TIMESTAMP, not known")
        << u"shedlock"_s << QByteArray("timestamp") << QByteArray() << QByteArray();
    QTest::newRow("local in DATETIME") << u"liquibase"_s << QByteArray("datetime") << QByteArray("America/New_York")
                                       << QByteArray("2026-06-01T15:00:00.250Z");
    QTest::newRow("local in DATETIME, not known")
        << u"liquibase"_s << QByteArray("datetime") << QByteArray() << QByteArray();
    QTest::newRow("local in TIMESTAMP") << u"liquibase"_s << QByteArray("timestamp") << QByteArray()
                                        << QByteArray("2026-06-01T11:00:00.250Z");
}

void TestTableJudge::aTimeIsReadInTheZoneThatItIsWrittenIn()
{
    QFETCH(QString, profile);
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, zone);
    const QByteArray at = "2026-06-01 11:00:00.25";
    const bool isShedLock = profile == u"shedlock"_s;
    const LockTable found = isShedLock
        ? table(profile, "name:varchar lock_until:" + type + " locked_at:" + type + " locked_by:varchar")
        : table(profile, "ID:int LOCKED:bit LOCKGRANTED:" + type + " LOCKEDBY:varchar");
    const QByteArray row = isShedLock ? "job|" + at + '|' + at + "|a7" : "1|1|" + at + "|a7";
    const TableLock lock = judgeRow(found, values(row), applicationZone(QString::fromLatin1(zone)), kNow);
    const QByteArray since =
        lock.since ? toDateTime(*lock.since).toUTC().toString(Qt::ISODateWithMs).toLatin1() : QByteArray();
    QTEST(since, "since");
    QCOMPARE(lock.needsZone, since.isEmpty());
}

void TestTableJudge::whatIsSeenIsAFingerprint()
{
    const LockTable found = table(u"laravel"_s, kLaravel);
    const TableLock lock = judgeRow(found, values("a|b|1"), {}, kNow);
    QVERIFY(lock.fingerprint() > 0 && lock.fingerprint() < quint64(1) << 48);
    QCOMPARE(lock.fingerprint(), judgeRow(found, values("a|b|1"), {}, kNow).fingerprint());
    for (const char *other : {"a|b|2", "a|-|1", "a|NULL|1", "ab||1", "|ab|1", "A|b|1"})
        QVERIFY2(lock.fingerprint() != judgeRow(found, values(other), {}, kNow).fingerprint(), other);
    LockTable elsewhere = found;
    elsewhere.name = u"u"_s;
    QVERIFY(lock.fingerprint() != judgeRow(elsewhere, values("a|b|1"), {}, kNow).fingerprint());
}

void TestTableJudge::aStatementRepeatsAllThatWasSeen()
{
    LockTable found = table(u"laravel"_s, kLaravel);
    found.columns[0].isIndexed = true;
    const QByteArray deletion = releaseStatement(judgeRow(found, values("it's|-|5"), {}, kNow));
    QVERIFY2(deletion.startsWith("DELETE FROM `app`.`t`\nWHERE `key` = _utf8mb4 x'69742773'"), deletion);
    QVERIFY2(deletion.contains("CONVERT(`key` USING utf8mb4), 1024) AS BINARY) <=> x'69742773'"), deletion);
    QVERIFY2(deletion.contains("CONVERT(`owner` USING utf8mb4), 1024) AS BINARY) <=> NULL"), deletion);
    QVERIFY2(deletion.endsWith("LEFT(CAST(`expiration` AS CHAR), 1024) AS BINARY) <=> x'35'"), deletion);
    const QByteArray update = releaseStatement(judgeRow(table(u"shedlock"_s, kShedLock), values("j|1|2|3"), {}, kNow));
    QVERIFY2(update.contains("SET `lock_until` = `locked_at`\nWHERE "), update);
    QCOMPARE(
        releaseStatement(judgeRow(table(u"quartz"_s, "SCHED_NAME:varchar LOCK_NAME:varchar"), values("a|b"), {}, kNow)),
        QByteArray());
    const QByteArray read = readStatement(table(u"liquibase"_s, kLiquibase), 11);
    QVERIFY2(read.contains("CAST(`LOCKED` + 0 AS CHAR)"), read);
    QVERIFY2(read.endsWith(" FROM `app`.`t` WHERE (`LOCKED` IS NULL OR `LOCKED` = 1) ORDER BY `LOCKGRANTED` LIMIT 11"),
             read);
}

void TestTableJudge::whatIsHeldIsReadFirst_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QByteArray>("columns");
    QTest::addColumn<QByteArray>("ending");
    const auto row = [](const char *profile, const char *columns, const char *ending) {
        QTest::newRow(columns) << QString::fromUtf8(profile) << QByteArray(columns) << QByteArray(ending);
    };
    row("laravel", kLaravel, " FROM `app`.`t` ORDER BY `expiration` IS NULL DESC, `expiration` DESC LIMIT 5");
    row("nextcloud", kNextcloud, " ORDER BY `ttl` IS NULL DESC, `ttl` = -1 DESC, `ttl` DESC LIMIT 5");
    row("spring-integration", kSpring6, " ORDER BY `CREATED_DATE` IS NULL DESC, `CREATED_DATE` DESC LIMIT 5");
    row("spring-integration", kSpring7, " ORDER BY `EXPIRED_AFTER` IS NULL DESC, `EXPIRED_AFTER` DESC LIMIT 5");
    row("orchestrator", kOrchestrator, " ORDER BY `last_seen_active` IS NULL DESC, `last_seen_active` DESC LIMIT 5");
    row("delayed-job", kDelayed,
        " WHERE `locked_at` IS NOT NULL AND `failed_at` IS NULL ORDER BY `locked_at` IS NULL DESC, `locked_at` DESC "
        "LIMIT 5");
    row("knex", "index:int is_locked:int", " WHERE (`is_locked` IS NULL OR `is_locked` = 1) LIMIT 5");
}

void TestTableJudge::whatIsHeldIsReadFirst()
{
    QFETCH(QString, profile);
    QFETCH(QByteArray, columns);
    QFETCH(QByteArray, ending);
    const QByteArray read = readStatement(table(profile, columns), 5);
    QVERIFY2(read.endsWith(ending), read);
}

void TestTableJudge::hostileNamesAreQuoted()
{
    LockTable found = table(u"laravel"_s, kLaravel);
    found.schema = u"a`; DROP TABLE x; -- "_s;
    found.name = u"b'\\\"`"_s;
    const QByteArray read = readStatement(found, 1);
    QVERIFY2(read.contains("FROM `a``; DROP TABLE x; -- `.`b'\\\"```"), read);
}

void TestTableJudge::zonesAreKept()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(u"settings"_s), QSettings::IniFormat);
    QVERIFY(setApplicationZone(&settings, u"shedlock"_s, u"Europe/Berlin"_s));
    QVERIFY(setApplicationZone(&settings, u"ghost"_s, u"+05:30"_s));
    settings.setValue(u"lockTableZones/bad"_s, u"Nowhere/Here"_s);
    const ApplicationZones zones = applicationZones(settings);
    QCOMPARE(zones.size(), 2);
    QCOMPARE(zones.value(u"shedlock"_s).id(), "Europe/Berlin");
    QCOMPARE(zones.value(u"ghost"_s).standardTimeOffset(QDateTime::currentDateTime()), 19'800);
    QVERIFY(setApplicationZone(&settings, u"shedlock"_s, QString()));
    QCOMPARE(applicationZones(settings).size(), 1);
    for (const char *none : {"", "Nowhere/Here", "Nowhere", "+99:00", "+25:00", "2", "../etc/passwd"})
        QVERIFY2(!applicationZone(QString::fromLatin1(none)).isValid(), none);
}

QTEST_APPLESS_MAIN(TestTableJudge)
#include "tst_tablejudge.moc"
