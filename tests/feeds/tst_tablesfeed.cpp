// SPDX-License-Identifier: MIT
// Lock tables of other programs, read in a thread of their own into the list that the monitor makes.
#include "actor.h"
#include "enginetest.h"
#include "feeds/monitor.h"
#include "feeds/tablesfeed.h"
#include "feeds/waitsfeed.h"
#include "locktables/tableerrors.h"

#include <QtCore/QDir>
#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;

namespace {

constexpr int kPatience = 30'000;

/// What a window does with them.
class Watcher
{
public:
    explicit Watcher(const SessionTarget &target)
        : Watcher(target, target)
    {
    }
    Watcher(const SessionTarget &target, const SessionTarget &tablesTarget)
        : monitor(target)
        , feed(tablesTarget)
    {
        QObject::connect(&feed, &TablesFeed::updated, &monitor, &Monitor::setTableLocks);
        QObject::connect(&feed, &TablesFeed::updated, &monitor, [this](const TableLocksPtr &read) { tables = read; });
        QObject::connect(&monitor, &Monitor::listUpdated, &monitor,
                         [this](const LockListUpdatePtr &update) { list = update; });
        QObject::connect(&monitor, &Monitor::detailsUpdated, &monitor,
                         [this](const LockDetails &read) { details = read; });
        monitor.setInterval(50ms);
        feed.setInterval(200ms);
        monitor.start();
        feed.start();
    }

    std::optional<LockRow> lock(LockKind kind, const QByteArray &resource) const
    {
        if (!list)
            return std::nullopt;
        const auto isIt = [&](const LockItem &item) {
            return item.row->key.kind == kind && item.row->key.resource == resource && !item.vanishedAt;
        };
        const auto found = std::find_if(list->items.cbegin(), list->items.cend(), isIt);
        return found == list->items.cend() ? std::nullopt : std::optional<LockRow>(found->row);
    }
    std::optional<LockRow> nightly() const { return lock(LockKind::Table, "app.shedlock nightly"); }

    Monitor monitor;
    TablesFeed feed;
    LockListUpdatePtr list;
    TableLocksPtr tables;
    std::optional<LockDetails> details;
};

QString settingsFile()
{
    return QSettings(QStringLiteral("lockscope"), QStringLiteral("lockscope")).fileName();
}

} // namespace

class TestTablesFeed : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void aLockOfATableStandsBesideLeases();
    void theDetailsFollowTheRow();
    void aServerWithoutTablesOfTheEngineListsThem();
    void leasesDoNotWaitForATableThatIsLocked();
    void aTableThatIsDroppedLeavesTheList();
    void whatIsKnownOutlivesItsConnection();
    void whyNothingCanBeReadIsTold();
    void whereNoLockTableIsKnownAFailureIsAllThatIsTold();
    void aZoneThatAnotherProgramIsToldIsUsed();
    void rowsOfNullsAreListed();
    void aTransactionsLockIsHeldOnceSomebodyWaits();

private:
    SessionTarget makeTablesUser();

    QTemporaryDir m_folder;
};

void TestTablesFeed::initTestCase()
{
    EngineTest::initTestCase();
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path()); // not those of a person
}

void TestTablesFeed::init()
{
    EngineTest::init();
    m_observer->run("DROP DATABASE IF EXISTS app");
    m_observer->run("CREATE DATABASE app CHARACTER SET utf8mb4");
    m_observer->run("CREATE TABLE app.shedlock (name VARCHAR(64) PRIMARY KEY, lock_until DATETIME(3) NOT NULL, "
                    "locked_at DATETIME(3) NOT NULL, locked_by VARCHAR(255) NOT NULL)");
    m_observer->run("INSERT INTO app.shedlock VALUES ('nightly', UTC_TIMESTAMP(3) + INTERVAL 1 HOUR, "
                    "UTC_TIMESTAMP(3) - INTERVAL 1 HOUR, 'host-a7'), ('free', UTC_TIMESTAMP(3) - INTERVAL 1 HOUR, "
                    "UTC_TIMESTAMP(3) - INTERVAL 2 HOUR, 'host-a7')");
}

void TestTablesFeed::cleanup()
{
    m_observer->run("DROP DATABASE IF EXISTS app");
    m_observer->run("DROP USER IF EXISTS onlooker@localhost");
    QFile::remove(settingsFile());
}

/// A user of the feed alone: what its connections meet, those of the monitor do not.
SessionTarget TestTablesFeed::makeTablesUser()
{
    m_observer->run("CREATE USER onlooker@localhost");
    m_observer->run("GRANT SELECT ON app.* TO onlooker@localhost");
    SessionTarget target = targetFor(*m_server);
    target.url.user = QStringLiteral("onlooker");
    target.url.schema = QStringLiteral("app");
    return target;
}

void TestTablesFeed::aLockOfATableStandsBesideLeases()
{
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    Watcher watcher(targetFor(*m_server));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly() && watcher.lock(LockKind::Lease, "a"), kPatience);
    const LockRow row = *watcher.nightly();
    QCOMPARE(row.state, LockState::Held);
    QCOMPARE(row.owner.service, QStringLiteral("host-a7"));
    QVERIFY(*row.heldFor(watcher.list->clock.server) > 59min);
    QVERIFY(!watcher.lock(LockKind::Table, "app.shedlock free"));
    QCOMPARE(watcher.list->counts.held, 2);
}

void TestTablesFeed::theDetailsFollowTheRow()
{
    Watcher watcher(targetFor(*m_server));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly(), kPatience);
    watcher.monitor.watch(watcher.nightly()->key);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.details && watcher.details->lock, kPatience);
    m_observer->run("UPDATE app.shedlock SET locked_by = 'host-b2' WHERE name = 'nightly'");
    QTRY_COMPARE_WITH_TIMEOUT(watcher.details->lock->owner.service, QStringLiteral("host-b2"), kPatience);
    m_observer->run("UPDATE app.shedlock SET lock_until = locked_at WHERE name = 'nightly'");
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.details->lock, kPatience);
}

void TestTablesFeed::aServerWithoutTablesOfTheEngineListsThem()
{
    SessionTarget target = targetFor(*m_server);
    target.url.schema = QStringLiteral("app");
    Watcher watcher(target);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly(), kPatience);
    QVERIFY(watcher.list->clock.server != ServerTime{});
}

void TestTablesFeed::leasesDoNotWaitForATableThatIsLocked()
{
    Watcher watcher(targetFor(*m_server));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly(), kPatience);
    m_observer->run("LOCK TABLES app.shedlock WRITE");
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.lock(LockKind::Lease, "a"), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.tables->unread.isEmpty(), kPatience);
    QCOMPARE(watcher.tables->unread[0].place, QStringLiteral("app.shedlock"));
    QVERIFY(watcher.tables->unread[0].error);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.nightly().value_or(LockRow()).state, LockState::Unknown, kPatience);
    QVERIFY(watcher.nightly() && !watcher.nightly()->table->unread.isEmpty()); // held or not, it is not free
    watcher.feed.refresh();
    QSignalSpy readAgain(&watcher.feed, &TablesFeed::updated);
    QVERIFY(readAgain.wait(kPatience));
    QCOMPARE(watcher.tables->locks.size(), 1); // what was known is known to new profiles, too
    m_observer->run("UNLOCK TABLES");
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly() && watcher.nightly()->state == LockState::Held, kPatience);
}

void TestTablesFeed::aTableThatIsDroppedLeavesTheList()
{
    Watcher watcher(targetFor(*m_server));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly(), kPatience);
    m_observer->run("DROP TABLE app.shedlock");
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.nightly(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.tables->unread.isEmpty(), kPatience); // the next look does not ask for it
}

void TestTablesFeed::whatIsKnownOutlivesItsConnection()
{
    const SessionTarget own = makeTablesUser();
    Watcher watcher(targetFor(*m_server), own);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.nightly().value_or(LockRow()).state, LockState::Held, kPatience);
    QSignalSpy failed(&watcher.feed, &TablesFeed::failed);
    m_observer->run("ALTER USER onlooker@localhost ACCOUNT LOCK"); // it can open no other
    m_observer->kill(
        m_observer->value("SELECT id FROM information_schema.processlist WHERE user = 'onlooker'").toByteArray());
    QTRY_COMPARE_WITH_TIMEOUT(watcher.nightly().value_or(LockRow()).state, LockState::Unknown, kPatience);
    QVERIFY(watcher.nightly() && !watcher.nightly()->table->unread.isEmpty());
    QCOMPARE(watcher.tables->unread.value(0).place, QStringLiteral("app.shedlock"));
    QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), kPatience);

    Actor locker(*m_server);
    QVERIFY(locker.run("LOCK TABLES app.shedlock WRITE"));
    m_observer->run("ALTER USER onlooker@localhost ACCOUNT UNLOCK");
    watcher.feed.refresh();
    const auto isOfTable = [&watcher] { return isOfLock(watcher.tables->unread.value(0).error); };
    QTRY_VERIFY_WITH_TIMEOUT(isOfTable(), kPatience); // it is connected again
    QCOMPARE(watcher.tables->locks.size(), 1);
    QVERIFY(locker.run("UNLOCK TABLES"));
    QTRY_COMPARE_WITH_TIMEOUT(watcher.nightly().value_or(LockRow()).state, LockState::Held, kPatience);
}

void TestTablesFeed::whyNothingCanBeReadIsTold()
{
    const SessionTarget own = makeTablesUser();
    m_observer->run("ALTER USER onlooker@localhost ACCOUNT LOCK");
    Watcher watcher(targetFor(*m_server), own);
    QSignalSpy failed(&watcher.feed, &TablesFeed::failed);
    QVERIFY(failed.wait(kPatience));
    QVERIFY(!failed[0][0].value<LockError>().toString().isEmpty());
    QVERIFY(!watcher.tables); // nothing is known, not even that there is none
    m_observer->run("ALTER USER onlooker@localhost ACCOUNT UNLOCK");
    watcher.feed.refresh();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.nightly().value_or(LockRow()).state, LockState::Held, kPatience);
}

/// What is told beside a failure ends it for whoever shows it.
void TestTablesFeed::whereNoLockTableIsKnownAFailureIsAllThatIsTold()
{
    m_observer->run("DROP TABLE app.shedlock");
    const SessionTarget own = makeTablesUser();
    Watcher watcher(targetFor(*m_server), own);
    QStringList told;
    QObject::connect(&watcher.feed, &TablesFeed::updated, &watcher.monitor,
                     [&told] { told.append(QStringLiteral("updated")); });
    QObject::connect(&watcher.feed, &TablesFeed::failed, &watcher.monitor,
                     [&told] { told.append(QStringLiteral("failed")); });
    QTRY_VERIFY_WITH_TIMEOUT(!told.isEmpty(), kPatience);
    QVERIFY(watcher.tables && watcher.tables->tables == 0);
    m_observer->run("ALTER USER onlooker@localhost ACCOUNT LOCK"); // it can open no other
    m_observer->kill(
        m_observer->value("SELECT id FROM information_schema.processlist WHERE user = 'onlooker'").toByteArray());
    QTRY_VERIFY_WITH_TIMEOUT(told.contains(QStringLiteral("failed")), kPatience);
    watcher.feed.refresh();
    QTRY_VERIFY_WITH_TIMEOUT(told.count(QStringLiteral("failed")) > 1, kPatience);
    told.remove(0, told.indexOf(QStringLiteral("failed")));
    QVERIFY2(!told.contains(QStringLiteral("updated")), qPrintable(told.join(u' ')));
}

void TestTablesFeed::aZoneThatAnotherProgramIsToldIsUsed()
{
    m_observer->run("ALTER TABLE app.shedlock MODIFY lock_until TIMESTAMP(3) NOT NULL DEFAULT '2030-01-01 00:00:00', "
                    "MODIFY locked_at TIMESTAMP(3) NOT NULL DEFAULT '2030-01-01 00:00:00'");
    Watcher watcher(targetFor(*m_server));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly(), kPatience);
    QCOMPARE(watcher.nightly()->state, LockState::Unknown);
    QFile settings(settingsFile());
    QVERIFY(QDir().mkpath(QFileInfo(settings).path()));
    QVERIFY(settings.open(QIODevice::WriteOnly));
    settings.write("[lockTableZones]\nshedlock=UTC\n");
    settings.close();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly() && watcher.nightly()->state == LockState::Held, kPatience);
    QVERIFY(settings.remove());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.nightly() && watcher.nightly()->state == LockState::Unknown, kPatience);
}

void TestTablesFeed::rowsOfNullsAreListed()
{
    m_observer->run("CREATE TABLE app.nulls_shedlock (name VARCHAR(64), lock_until DATETIME(3), locked_at DATETIME(3), "
                    "locked_by VARCHAR(255))");
    m_observer->run("INSERT INTO app.nulls_shedlock VALUES (NULL, NULL, NULL, NULL), (NULL, NULL, NULL, NULL)");
    Watcher watcher(targetFor(*m_server));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.lock(LockKind::Table, "app.nulls_shedlock NULL"), kPatience);
    const auto isOfNulls = [](const LockItem &item) { return item.row->key.resource == "app.nulls_shedlock NULL"; };
    QCOMPARE(std::count_if(watcher.list->items.cbegin(), watcher.list->items.cend(), isOfNulls), 2);
}

/// Quartz locks a row of QRTZ_LOCKS; which session holds it the server tells once another one waits.
void TestTablesFeed::aTransactionsLockIsHeldOnceSomebodyWaits()
{
    m_observer->run("CREATE TABLE app.QRTZ_LOCKS (SCHED_NAME VARCHAR(120), LOCK_NAME VARCHAR(40), "
                    "PRIMARY KEY (SCHED_NAME, LOCK_NAME)) ENGINE=InnoDB");
    m_observer->run("INSERT INTO app.QRTZ_LOCKS VALUES ('s', 'TRIGGER_ACCESS')");
    const QByteArray lockRow = "SELECT * FROM app.QRTZ_LOCKS WHERE SCHED_NAME = 's' FOR UPDATE";
    Actor holder(*m_server);
    Actor waiter(*m_server);
    holder.run("BEGIN");
    holder.run(lockRow);
    const SessionTarget target = targetFor(*m_server);
    Watcher watcher(target);
    WaitsFeed waits(target);
    QObject::connect(&waits, &WaitsFeed::updated, &watcher.monitor, &Monitor::setServerWaits);
    waits.start();
    const auto stateOf = [&watcher] {
        const auto row = watcher.lock(LockKind::Table, "app.QRTZ_LOCKS s TRIGGER_ACCESS");
        return row ? std::optional(row->state) : std::nullopt;
    };
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(), std::optional(LockState::Unknown), kPatience);
    waiter.start(lockRow);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(), std::optional(LockState::Held), kPatience);
    QVERIFY(watcher.lock(LockKind::Table, "app.QRTZ_LOCKS s TRIGGER_ACCESS")
                ->owner.service.startsWith(QStringLiteral("session ")));
    holder.run("ROLLBACK");
}

QTEST_GUILESS_MAIN(TestTablesFeed)
#include "tst_tablesfeed.moc"
