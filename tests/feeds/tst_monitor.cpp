// SPDX-License-Identifier: MIT
// What the monitor says is the truth on the server, also when that server fails.
#include "enginetest.h"
#include "feeds/monitor.h"
#include "session/schema.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using Phase = MonitorStatus::Phase;

namespace {

/// A monitor and the last things it said.
class Watcher : public QObject
{
    Q_OBJECT
public:
    explicit Watcher(const TestServer &server)
        : Watcher(targetFor(server))
    {
    }
    explicit Watcher(const SessionTarget &target)
        : monitor(target)
    {
        LockView view;
        view.ghostTime = 0ms;
        monitor.setView(view);
        monitor.setInterval(50ms);
        connect(&monitor, &Monitor::listUpdated, this, [this](const LockListUpdatePtr &update) {
            list = update;
            ++updates;
        });
        connect(&monitor, &Monitor::statusChanged, this, [this](const MonitorStatus &now) { status = now; });
        connect(&monitor, &Monitor::detailsUpdated, this, [this](const LockDetails &now) { details = now; });
        connect(&monitor, &Monitor::eventsArrived, this, [this](const QList<Event> &now) { events += now; });
        monitor.start();
    }

    std::optional<LockRow> lock(const QByteArray &resource) const
    {
        for (const LockItem &item : list->items) {
            if (item.row->key.resource == resource)
                return item.row;
        }
        return std::nullopt;
    }
    bool is(const QByteArray &resource, LockState state) const
    {
        const auto row = lock(resource);
        return row && row->state == state;
    }

    Monitor monitor;
    LockListUpdatePtr list = std::make_shared<LockListUpdate>();
    MonitorStatus status;
    LockDetails details;
    QList<Event> events;
    int updates = 0;
};

constexpr int kPatience = 30'000;

} // namespace

class TestMonitor : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhoHoldsWhatAndWhoWaits();
    void theCountdownRunsOnTheServersClock();
    void aKilledHolderLeavesAnOrphanThatExpires();
    void aLeaseReleasedEarlyIsKept();
    void everyNameIsShownAsItIs();
    void aLongListIsCutAndTheFilterStillFindsAll();
    void whilePausedItAsksOnlyWhenTold();
    void eventsAreToldOnceAndInOrder();
    void aServerThatGoesAndComesBackIsFoundAgain();
    void aPauseDoesNotEndTheTrying();
    void whoLosesTheRightToReadKeepsWhatWasRead_data();
    void whoLosesTheRightToReadKeepsWhatWasRead();
    void whoIsRefusedIsNotTriedAgainUntilSomebodyAsks();
    void aFrozenServerHoldsUpNothingHere();
    void missingTablesAreNamedAndCanBeInstalled();
    void tablesThatAreInstalledAnewTellTheirEvents();
    void aReleaseGoesThroughAndTheListFollows();
    void aHundredThousandIdleRowsDoNotSlowItDown();
};

void TestMonitor::showsWhoHoldsWhatAndWhoWaits()
{
    Watcher watcher(*m_server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
    QVERIFY(!watcher.status.server.version.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.updates > 0, kPatience);
    QVERIFY(watcher.list->items.isEmpty());

    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("orders/42", 0s, 60s);
    request.note = "charge card";
    auto held = engine.acquire(request);
    Worker first(*m_server);
    Worker second(*m_server);
    first.send("acquire orders/42 30000 60000");
    QTRY_VERIFY_WITH_TIMEOUT(watcher.lock("orders/42") && watcher.lock("orders/42")->waiters == 1, kPatience);
    second.send("acquire orders/42 30000 60000");
    QTRY_COMPARE_WITH_TIMEOUT(watcher.lock("orders/42")->waiters, 2, kPatience);
    const LockRow row = *watcher.lock("orders/42");
    QCOMPARE(row.state, LockState::Held);
    QCOMPARE(row.token, held.handle.token());
    QCOMPARE(row.note, "charge card");
    QCOMPARE(row.owner.pid, QCoreApplication::applicationPid());
    QVERIFY(row.sessionAlive && row.connectionId.has_value());
    QCOMPARE(row.ttl, std::optional<Microseconds>(60s));
    QCOMPARE(watcher.list->counts.waiting, 2);
    QCOMPARE(watcher.list->shown, 1);

    watcher.monitor.watch(row.key);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.details.queue.size(), 2, kPatience);
    QCOMPARE(watcher.details.queue[0].owner.pid, first.pid());
    QCOMPARE(watcher.details.queue[1].owner.pid, second.pid());
    QVERIFY(watcher.details.queue[0].since < watcher.details.queue[1].since);
    QCOMPARE(watcher.details.lock->token, row.token);

    held.handle.release();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.details.lock && watcher.details.lock->owner.pid == first.pid(), kPatience);
    QCOMPARE(watcher.details.lock->token, row.token + 1);
    first.ask("release");
    second.answer();
    second.ask("release");
    QTRY_VERIFY_WITH_TIMEOUT(watcher.list->items.isEmpty(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.details.lock.has_value(), kPatience);
}

void TestMonitor::theCountdownRunsOnTheServersClock()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("a", 0s, 600s);
    request.autoRenew = false;
    const auto held = engine.acquire(request);
    Watcher watcher(*m_server);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.lock("a").has_value(), kPatience);
    const auto remaining = watcher.lock("a")->remaining(watcher.list->clock.now());
    QVERIFY(remaining.has_value());
    const auto difference = *remaining - held.handle.remaining();
    QVERIFY2(difference < 5s && difference > -5s, qPrintable(QString::number(difference.count())));
}

void TestMonitor::aKilledHolderLeavesAnOrphanThatExpires()
{
    Watcher watcher(*m_server);
    Worker holder(*m_server);
    holder.ask("acquire a 9000 0");
    QTRY_VERIFY_WITH_TIMEOUT(watcher.is("a", LockState::Held), kPatience);
    holder.kill9();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.is("a", LockState::Orphan), kPatience);
    QVERIFY(!watcher.lock("a")->sessionAlive);
    QVERIFY(!watcher.lock("a")->connectionId.has_value());
    QCOMPARE(watcher.list->counts.orphan, 1);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.is("a", LockState::Expired), kPatience);
    QVERIFY(watcher.lock("a")->remaining(watcher.list->clock.server)->count() <= 0);
}

void TestMonitor::aLeaseReleasedEarlyIsKept()
{
    Watcher watcher(*m_server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestFor("job", 0s, 30s);
    request.holdAtLeast = 10s;
    engine.acquire(request).handle.release();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.is("job", LockState::Kept), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.lock("job").has_value(), kPatience);
}

void TestMonitor::everyNameIsShownAsItIs()
{
    const QByteArrayList names{
        "a", "A", "a ", "ä", "a\xcc\x88", "\xf0\x9f\x94\x92", "'\"\\`", QByteArray("\xff\x01"), QByteArray(255, 'x')};
    LockEngine engine(configFor(*m_server));
    std::vector<AcquireResult> held;
    for (const QByteArray &name : names) {
        held.push_back(engine.acquire(requestFor(name)));
        QCOMPARE(held.back().outcome, Outcome::Granted);
    }
    Watcher watcher(*m_server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), names.size(), kPatience);
    for (const QByteArray &name : names)
        QVERIFY2(watcher.is(name, LockState::Held), name.toHex().constData());
}

void TestMonitor::aLongListIsCutAndTheFilterStillFindsAll()
{
    Observer observer(*m_server);
    observer.run(
        "INSERT INTO lock_lease (resource, token, presence, acquired_at, expires_at, ttl_us, owner, queue) "
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) "
        "SELECT CONCAT('job/', LPAD(i, 4, '0')), i, CONCAT('gone:', i), UTC_TIMESTAMP(6), "
        "UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, 3600000000, '{\"service\":\"Batch\"}', IF(i = 150, 'ls:gone', '') FROM n");
    Watcher watcher(*m_server);
    watcher.monitor.setLimit(20);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 20, kPatience);
    QCOMPARE(watcher.list->counts.total(), 200);
    QCOMPARE(watcher.list->counts.orphan, 20);
    QCOMPARE(watcher.list->counts.unread, 180);
    LockView view;
    view.ghostTime = 0ms;
    view.filter = QStringLiteral("JOB/019");
    watcher.monitor.setView(view);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 10, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->counts.total(), 10, kPatience);
    view.filter = QStringLiteral("batch");
    watcher.monitor.setView(view);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->counts.total(), 200, kPatience);
    watcher.monitor.setPaused(true);
    view.filter = QStringLiteral("job/018");
    watcher.monitor.setView(view);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->counts.total(), 10, kPatience);
    watcher.monitor.setPaused(false);
    view.filter.clear();
    watcher.monitor.setView(view);
    watcher.monitor.setLimit(1000);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 200, kPatience);
}

void TestMonitor::whilePausedItAsksOnlyWhenTold()
{
    Watcher watcher(*m_server);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.updates > 2, kPatience);
    watcher.monitor.setPaused(true);
    watcher.monitor.preview({LockKind::Lease, "x", 0}); // answered after the pause has begun
    QSignalSpy answered(&watcher.monitor, &Monitor::previewReady);
    QVERIFY(answered.wait(kPatience));
    QTest::qWait(0); // the last list's own hand-over
    const int before = watcher.updates;
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    for (int i = 0; i < 5; ++i) {
        watcher.monitor.preview({LockKind::Lease, "x", 0});
        QVERIFY(answered.wait(kPatience));
    }
    QVERIFY(watcher.updates <= before + 1);
    QVERIFY(!watcher.lock("a").has_value());
    watcher.monitor.refresh();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.lock("a").has_value(), kPatience);
    watcher.monitor.setPaused(false);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.updates > before + 4, kPatience);
}

void TestMonitor::eventsAreToldOnceAndInOrder()
{
    Observer observer(*m_server);
    const auto insert = [&observer](int token) {
        observer.run("INSERT INTO lock_event (at, kind, resource, token) VALUES (UTC_TIMESTAMP(6), 'takeover', 'a', "
                     + QByteArray::number(token) + ')');
    };
    insert(1);
    insert(2);
    Watcher watcher(*m_server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), 2, kPatience);
    insert(3);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), 3, kPatience);
    const int seen = watcher.updates;
    QTRY_VERIFY_WITH_TIMEOUT(watcher.updates > seen + 3, kPatience);
    QCOMPARE(watcher.events.size(), 3);
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(watcher.events[i].token, quint64(i) + 1);
        QCOMPARE(watcher.events[i].kind, Event::Kind::Takeover);
    }
}

void TestMonitor::aServerThatGoesAndComesBackIsFoundAgain()
{
    TestServer server;
    resetTables(server);
    Observer(server).run("INSERT INTO lock_lease (resource, token, presence, acquired_at) "
                         "VALUES ('a', 1, 'gone:1', UTC_TIMESTAMP(6))");
    Watcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 1, kPatience);
    server.stop();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Failing, kPatience);
    QVERIFY(watcher.status.error.has_value());
    QVERIFY(!watcher.status.error->message.isEmpty());
    QCOMPARE(watcher.list->items.size(), 1); // the last data stays
    server.start();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
    QCOMPARE(watcher.list->items.size(), 1);
}

void TestMonitor::aPauseDoesNotEndTheTrying()
{
    TestServer server;
    resetTables(server);
    Watcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
    server.stop();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Failing, kPatience);
    QVERIFY(!watcher.status.isPermanent());
    watcher.monitor.setPaused(true);
    server.start();
    watcher.monitor.setPaused(false);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
}

void TestMonitor::whoLosesTheRightToReadKeepsWhatWasRead_data()
{
    QTest::addColumn<bool>("isAnyLeft");
    QTest::newRow("but for another table") << true;
    QTest::newRow("to the whole schema") << false;
}

void TestMonitor::whoLosesTheRightToReadKeepsWhatWasRead()
{
    QFETCH(const bool, isAnyLeft);
    m_observer->run("DROP USER IF EXISTS fired@localhost; CREATE USER fired@localhost; GRANT SELECT ON lockscope.* TO "
                    "fired@localhost");
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    SessionTarget target = targetFor(*m_server);
    target.url.user = QStringLiteral("fired");
    target.password.clear();
    Watcher watcher(target);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.list && watcher.lock("a"), kPatience);
    m_observer->run("REVOKE SELECT ON lockscope.* FROM fired@localhost");
    if (isAnyLeft)
        m_observer->run("GRANT SELECT ON lockscope.lock_attempt TO fired@localhost");
    const auto sessions = m_observer->rows("SELECT id FROM information_schema.processlist WHERE user = 'fired'");
    for (const QVariantList &session : sessions)
        m_observer->kill(session.value(0).toByteArray());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.status.isFailing() && watcher.status.error->kind == LockError::Kind::NoPermission
                                 && watcher.status.error->statement == QLatin1String("server/schema_version"),
                             kPatience);
    QVERIFY(!watcher.status.isWithoutTables());
    QVERIFY(watcher.lock("a"));
}

/// A server may lock out who is refused too often.
void TestMonitor::whoIsRefusedIsNotTriedAgainUntilSomebodyAsks()
{
    m_observer->run("CREATE USER late@localhost IDENTIFIED BY 'secret'; GRANT SELECT ON lockscope.* TO late@localhost");
    SessionTarget target = targetFor(*m_server);
    target.url.user = QStringLiteral("late");
    target.password = QStringLiteral("wrong");
    m_observer->startLog();
    Monitor monitor(target);
    QSignalSpy told(&monitor, &Monitor::statusChanged);
    const auto status = [&] { return told.last().first().value<MonitorStatus>(); };
    monitor.start();
    QTRY_VERIFY_WITH_TIMEOUT(!told.isEmpty() && status().phase == Phase::Failing, kPatience);
    QVERIFY(status().isPermanent());
    monitor.setInterval(50ms);
    monitor.setHidden(true);
    monitor.setHidden(false);
    monitor.setPaused(true);
    monitor.setPaused(false);
    LockView view;
    view.filter = QStringLiteral("a");
    monitor.setView(view);
    monitor.watch(LockKey{LockKind::Lease, "a"});
    const auto before = told.size();
    QVERIFY(!told.wait(1500)); // the first try again would have come after half a second
    monitor.refresh();
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), before + 1, kPatience);
    const auto refused = m_observer->value("SELECT COUNT(*) FROM mysql.general_log WHERE command_type = 'Connect' "
                                           "AND CONVERT(argument USING utf8mb4) LIKE 'Access denied%'");
    QCOMPARE(refused.toInt(), 2);
    m_observer->run("ALTER USER late@localhost IDENTIFIED BY 'wrong'");
    monitor.refresh();
    QTRY_COMPARE_WITH_TIMEOUT(status().phase, Phase::Live, kPatience);
    m_observer->run("DROP USER late@localhost");
}

void TestMonitor::aFrozenServerHoldsUpNothingHere()
{
    TestServer server;
    resetTables(server);
    Observer(server).run("INSERT INTO lock_lease (resource, token, presence, acquired_at) VALUES "
                         "('a', 1, 'gone:1', UTC_TIMESTAMP(6)), ('b', 1, 'gone:2', UTC_TIMESTAMP(6))");
    {
        Watcher watcher(server);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 2, kPatience);
        server.freeze();
        LockView view;
        view.filter = QStringLiteral("b");
        QElapsedTimer timer;
        timer.start();
        watcher.monitor.setView(view);
        watcher.monitor.refresh();
        QVERIFY2(timer.elapsed() < 2000, "calls return at once");
        QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 1, kPatience);
        QVERIFY2(watcher.status.phase != Phase::Failing, "the filter does not wait for the server");
        QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Failing, kPatience);
    }
    server.thaw();
}

void TestMonitor::missingTablesAreNamedAndCanBeInstalled()
{
    TestServer server; // its schema is empty
    Watcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Failing, kPatience);
    QCOMPARE(watcher.status.error->kind, LockError::Kind::SchemaMissing);
    QSignalSpy installed(&watcher.monitor, &Monitor::tablesInstalled);
    watcher.monitor.installTables();
    QVERIFY(installed.wait(kPatience));
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
}

void TestMonitor::tablesThatAreInstalledAnewTellTheirEvents()
{
    TestServer server;
    resetTables(server);
    Observer observer(server);
    observer.run(
        "INSERT INTO lock_event (id, at, kind, resource, token) VALUES (1000, UTC_TIMESTAMP(6), 'takeover', 'a', 1)");
    Watcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), 1, kPatience);
    observer.run("DROP DATABASE lockscope");
    observer.run("CREATE DATABASE lockscope");
    QTRY_VERIFY_WITH_TIMEOUT(watcher.status.isWithoutTables(), kPatience);
    resetTables(server);
    Observer(server).run(
        "INSERT INTO lock_event (at, kind, resource, token) VALUES (UTC_TIMESTAMP(6), 'takeover', 'b', 1)");
    watcher.monitor.refresh();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), 2, kPatience);
    QCOMPARE(watcher.events[1].key.resource, QByteArray("b"));
}

void TestMonitor::aReleaseGoesThroughAndTheListFollows()
{
    Watcher watcher(*m_server);
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.lock("a").has_value(), kPatience);
    QSignalSpy released(&watcher.monitor, &Monitor::released);
    watcher.monitor.release(
        {watcher.lock("a")->key, held.handle.token(), QStringLiteral("alice"), QStringLiteral("stuck")},
        ServerAccess::toAct());
    QVERIFY(released.wait(kPatience));
    QCOMPARE(released[0][1].value<ReleaseReport>().outcome, ReleaseReport::Outcome::Released);
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.lock("a").has_value(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), 1, kPatience);
}

void TestMonitor::aHundredThousandIdleRowsDoNotSlowItDown()
{
    Observer observer(*m_server);
    observer.run("INSERT INTO lock_lease (resource, token, owner) "
                 "WITH d (i) AS (SELECT 0 UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 "
                 "UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) "
                 "SELECT CONCAT('idle/', a.i, b.i, c.i, e.i, f.i), 1, REPEAT('x', 120) "
                 "FROM d AS a, d AS b, d AS c, d AS e, d AS f");
    LockEngine engine(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    Watcher watcher(*m_server);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.is("a", LockState::Held), kPatience);
    const auto rowsRead = [&observer] {
        qint64 all = 0;
        for (const QVariantList &row : observer.rows("SHOW GLOBAL STATUS LIKE 'Handler_read%'"))
            all += row.value(1).toLongLong();
        return all;
    };
    constexpr int looks = 5;
    const int seen = watcher.updates;
    QTRY_VERIFY_WITH_TIMEOUT(watcher.updates > seen, kPatience);
    const qint64 before = rowsRead();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.updates > seen + looks, kPatience);
    const qint64 each = (rowsRead() - before) / looks;
    QVERIFY2(each < 250'000, qPrintable(QString::number(each))); // of digests: a row about once
}

QTEST_GUILESS_MAIN(TestMonitor)
#include "tst_monitor.moc"
