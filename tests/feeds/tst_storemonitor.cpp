// SPDX-License-Identifier: MIT
// A monitor of a Redis, a ZooKeeper or an etcd says what is so on that server, also when it fails.
#include "feeds/monitor.h"
#include "storenodes.h"
#include "strict.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>

#include <algorithm>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using Phase = MonitorStatus::Phase;

namespace {

constexpr int kPatience = 30'000;

LockRequest requestFor(const QByteArray &resource, Duration wait = 0s)
{
    LockRequest request;
    request.resource = resource;
    request.ttl = 30s;
    request.wait = wait;
    request.note = "charge card";
    return request;
}

/// A monitor and the last things it said.
class Watcher : public QObject
{
    Q_OBJECT
public:
    explicit Watcher(const QString &url)
        : monitor([url](SourceUse) { return makeSource(url, {}); })
    {
        LockView view;
        view.ghostTime = 0ms;
        monitor.setView(view);
        monitor.setInterval(50ms);
        connect(&monitor, &Monitor::listUpdated, this, [this](const LockListUpdatePtr &update) { list = update; });
        connect(&monitor, &Monitor::statusChanged, this, [this](const MonitorStatus &now) { status = now; });
        connect(&monitor, &Monitor::detailsUpdated, this, [this](const LockDetails &now) { details = now; });
        monitor.start();
    }

    SharedLockRow lock(const QByteArray &resource) const
    {
        for (const LockItem &item : list->items) {
            if (item.row->key.resource == resource)
                return item.row;
        }
        return {};
    }

    Monitor monitor;
    LockListUpdatePtr list = std::make_shared<LockListUpdate>();
    MonitorStatus status;
    LockDetails details;
};

/// A MySQL or MariaDB that has no lock tables.
class BareSource : public LockSource
{
public:
    std::optional<LockError> open() override { return missing(); }
    QString server() const override { return {}; }
    QString account() const override { return {}; }
    std::optional<LockError> leases(const std::stop_token &, const Take &) override { return missing(); }
    std::optional<LockError> heldLeases(const QByteArray &, const std::stop_token &, const Take &) override
    {
        return missing();
    }
    std::optional<LockError> others(int, LockSnapshot *) override { return missing(); }
    std::optional<LockError> one(const LockKey &, std::optional<LockRow> *, SnapshotClock *) override
    {
        return missing();
    }
    std::optional<LockError> waiters(const LockKey &, QList<Waiter> *) override { return missing(); }
    QByteArray statement(const detail::LeaseId &, const detail::ReleaseNote &) const override { return {}; }
    ForcedRelease endLease(const detail::LeaseId &, const detail::ReleaseNote &) override { return {}; }

private:
    static LockError missing()
    {
        LockError error;
        error.kind = LockError::Kind::SchemaMissing;
        return error;
    }
};

} // namespace

class TestStoreMonitor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }

    void showsWhoHoldsWhatAndWhoWaits_data() { addStoreKinds(); }
    void showsWhoHoldsWhatAndWhoWaits();
    void aLockThatDidNotChangeIsTheSame_data() { addStoreKinds(); }
    void aLockThatDidNotChangeIsTheSame();
    void aReleaseGoesThroughUnderItsTokenAlone_data() { addStoreKinds(); }
    void aReleaseGoesThroughUnderItsTokenAlone();
    void aServerThatGoesKeepsItsRowsAndIsFoundAgain_data() { addStoreKinds(); }
    void aServerThatGoesKeepsItsRowsAndIsFoundAgain();
    void aLongListIsCutAndCounted();
    void furtherServersJoinTheList();
    void oneThatHasStoppedCanGo();
    void aFurtherServerThatFailsKeepsItsRowsAndTheOthersGoOn();
    void aFurtherServerWithoutLockTablesFails();
    void whatWasAskedForBeforeIsAskedOfALaterServer();
    void aReleaseOnAServerThatIsRemovedIsAnswered();

private:
    StoreNodes m_nodes;
    QTemporaryDir m_home;
};

void TestStoreMonitor::initTestCase()
{
    qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
}

void TestStoreMonitor::showsWhoHoldsWhatAndWhoWaits()
{
    QFETCH(const StoreKind, kind);
    Watcher watcher(m_nodes.url(kind));
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
    const auto engine = m_nodes.newEngine(kind);
    const auto other = m_nodes.newEngine(kind, QStringLiteral("shipping"));
    auto held = engine->acquire(requestFor("orders/42"));
    QCOMPARE(held.outcome, Outcome::Granted);
    AcquireResult next;
    std::jthread waiting([&] { next = other->acquire(requestFor("orders/42", 60s)); });
    QTRY_VERIFY_WITH_TIMEOUT(watcher.lock("orders/42") && watcher.lock("orders/42")->waiters == 1, kPatience);
    const LockRow row = watcher.lock("orders/42");
    QCOMPARE(row.state, LockState::Held);
    QCOMPARE(row.token, held.handle.token());
    QCOMPARE(row.owner.service, QStringLiteral("billing"));
    QCOMPARE(row.note, "charge card");
    QVERIFY(row.sessionAlive);
    QVERIFY(row.expiresAt || row.isOfSession);
    QVERIFY(watcher.list->counts.held >= 1 && watcher.list->counts.waiting >= 1);
    watcher.monitor.watch(row.key);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.details.queue.size(), 1, kPatience);
    QCOMPARE(watcher.details.queue[0].owner.service, QStringLiteral("shipping"));
    QCOMPARE(watcher.details.lock->token, row.token);
    held.handle.release();
    waiting.join();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.lock("orders/42")->owner.service, QStringLiteral("shipping"), kPatience);
    next.handle.release();
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.lock("orders/42"), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.details.lock, kPatience);
}

void TestStoreMonitor::aLockThatDidNotChangeIsTheSame()
{
    QFETCH(const StoreKind, kind);
    const auto engine = m_nodes.newEngine(kind);
    LockRequest request = requestFor("stays");
    request.autoRenew = false; // a renewal would move its end
    auto stays = engine->acquire(request);
    QCOMPARE(stays.outcome, Outcome::Granted);
    Watcher watcher(m_nodes.url(kind));
    QTRY_VERIFY_WITH_TIMEOUT(bool(watcher.lock("stays")), kPatience);
    const LockRow *before = &*watcher.lock("stays");
    auto comes = engine->acquire(requestFor("comes"));
    QTRY_VERIFY_WITH_TIMEOUT(bool(watcher.lock("comes")), kPatience);
    QCOMPARE(&*watcher.lock("stays"), before);
}

void TestStoreMonitor::aReleaseGoesThroughUnderItsTokenAlone()
{
    QFETCH(const StoreKind, kind);
    const auto engine = m_nodes.newEngine(kind);
    auto held = engine->acquire(requestFor("stuck"));
    QCOMPARE(held.outcome, Outcome::Granted);
    Watcher watcher(m_nodes.url(kind));
    QSignalSpy previews(&watcher.monitor, &Monitor::previewReady);
    QSignalSpy reports(&watcher.monitor, &Monitor::released);
    watcher.monitor.preview(LockKey{LockKind::Lease, "stuck"});
    QTRY_COMPARE_WITH_TIMEOUT(previews.size(), 1, kPatience);
    const auto preview = previews[0][1].value<ReleasePreview>();
    QCOMPARE(preview.lock->token, held.handle.token());
    ReleaseOrder order{preview.lock->key, preview.lock->token + 1, QStringLiteral("ada"), QStringLiteral("test")};
    const auto release = [&](const ServerAccess &access) {
        reports.clear();
        watcher.monitor.release(order, access);
        return QTest::qWaitFor([&] { return reports.size() == 1; }, kPatience) ? reports[0][1].value<ReleaseReport>()
                                                                               : ReleaseReport();
    };
    QCOMPARE(release(ServerAccess::toAct()).outcome, ForcedRelease::Outcome::TargetChanged);
    order.token = preview.lock->token;
    QCOMPARE(release(ServerAccess::toLook(false)).outcome, ForcedRelease::Outcome::Failed);
    QVERIFY(held.handle.isHeld());
    const ReleaseReport done = release(ServerAccess::toAct());
    QCOMPARE(done.outcome, ForcedRelease::Outcome::Released);
    QVERIFY2(done.recordError.isEmpty(), qPrintable(done.recordError));
    QVERIFY(!done.lockNow);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.status.phase == Phase::Live && !watcher.lock("stuck"), kPatience);
}

void TestStoreMonitor::aServerThatGoesKeepsItsRowsAndIsFoundAgain()
{
    QFETCH(const StoreKind, kind);
    const auto engine = m_nodes.newEngine(kind);
    auto held = engine->acquire(requestFor("kept"));
    QCOMPARE(held.outcome, Outcome::Granted);
    Watcher watcher(m_nodes.url(kind));
    QTRY_VERIFY_WITH_TIMEOUT(bool(watcher.lock("kept")), kPatience);
    m_nodes.stop(kind);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Failing, kPatience);
    QVERIFY(watcher.status.error && watcher.status.nextTry);
    QVERIFY(bool(watcher.lock("kept")));
    m_nodes.start(kind);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
}

void TestStoreMonitor::aLongListIsCutAndCounted()
{
    const auto engine = m_nodes.newEngine(StoreKind::Redis);
    std::vector<AcquireResult> held;
    for (int i = 0; i < 250; ++i)
        held.push_back(engine->acquire(requestFor("many/" + QByteArray::number(i))));
    Watcher watcher(m_nodes.url(StoreKind::Redis));
    QTRY_VERIFY_WITH_TIMEOUT(watcher.list->shown >= 250, kPatience);
    watcher.monitor.setLimit(120);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->shown, 120, kPatience);
    QVERIFY(watcher.list->isCut() && watcher.list->counts.held >= 250);
    const LockKey last{LockKind::Lease, "many/99"};
    QVERIFY(!watcher.lock(last.resource));
    watcher.monitor.watch(last);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.details.lock.has_value(), kPatience);
}

/// Of all kinds, and each lock is released where it is.
void TestStoreMonitor::furtherServersJoinTheList()
{
    const auto redis = m_nodes.newEngine(StoreKind::Redis);
    const auto etcd = m_nodes.newEngine(StoreKind::Etcd);
    const auto zookeeper = m_nodes.newEngine(StoreKind::ZooKeeper);
    auto here = redis->acquire(requestFor("same"));
    auto there = etcd->acquire(requestFor("same"));
    auto beyond = zookeeper->acquire(requestFor("same"));
    Watcher watcher(m_nodes.url(StoreKind::Redis));
    for (const auto &[number, kind] : {std::pair{1, StoreKind::Etcd}, std::pair{2, StoreKind::ZooKeeper}})
        watcher.monitor.addServer(number, [url = m_nodes.url(kind)](SourceUse) { return makeSource(url, {}); });
    const auto on = [&](int server) -> SharedLockRow {
        for (const LockItem &item : watcher.list->items) {
            if (item.row->key == LockKey{LockKind::Lease, "same", 0, 0, server})
                return item.row;
        }
        return {};
    };
    QTRY_VERIFY_WITH_TIMEOUT(on(0) && on(1) && on(2), kPatience);
    QCOMPARE(on(0)->token, here.handle.token());
    QCOMPARE(on(1)->token, there.handle.token());
    QCOMPARE(on(2)->token, beyond.handle.token());
    QCOMPARE(watcher.list->clocks.keys(), (QList{1, 2}));
    QVERIFY(watcher.list->counts.held >= 3);

    watcher.monitor.watch(on(2)->key);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.details.key.server, 2, kPatience);
    QCOMPARE(watcher.details.lock->token, beyond.handle.token());
    QSignalSpy reports(&watcher.monitor, &Monitor::released);
    const ReleaseOrder order{on(1)->key, on(1)->token, QStringLiteral("ada"), QStringLiteral("test")};
    watcher.monitor.release(order, ServerAccess::toAct());
    QTRY_COMPARE_WITH_TIMEOUT(reports.size(), 1, kPatience);
    QCOMPARE(reports[0][1].value<ReleaseReport>().outcome, ForcedRelease::Outcome::Released);
    QTRY_VERIFY_WITH_TIMEOUT(on(0) && !on(1) && on(2), kPatience);

    watcher.monitor.removeServer(2);
    QTRY_VERIFY_WITH_TIMEOUT(on(0) && !on(2), kPatience);
    QVERIFY(!watcher.list->clocks.contains(2));
}

/// By then its threads have ended, and what worked in them is no more.
void TestStoreMonitor::oneThatHasStoppedCanGo()
{
    for (int i = 0; i < 20; ++i) {
        const auto make = [url = m_nodes.url(StoreKind::Redis)](SourceUse) { return makeSource(url, {}); };
        auto monitor = std::make_unique<Monitor>(make);
        QSignalSpy stopped(monitor.get(), &Monitor::stopped);
        monitor->addServer(1, make);
        monitor->start();
        monitor->stop();
        QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, kPatience);
        monitor.reset();
    }
}

void TestStoreMonitor::aFurtherServerThatFailsKeepsItsRowsAndTheOthersGoOn()
{
    const auto etcd = m_nodes.newEngine(StoreKind::Etcd);
    const auto redis = m_nodes.newEngine(StoreKind::Redis);
    auto kept = redis->acquire(requestFor("kept/beside"));
    Watcher watcher(m_nodes.url(StoreKind::Etcd));
    MonitorStatus further;
    connect(&watcher.monitor, &Monitor::serverStatusChanged, &watcher,
            [&further](int, const MonitorStatus &status) { further = status; });
    watcher.monitor.addServer(1, [url = m_nodes.url(StoreKind::Redis)](SourceUse) { return makeSource(url, {}); });
    QTRY_VERIFY_WITH_TIMEOUT(bool(watcher.lock("kept/beside")), kPatience);
    m_nodes.stop(StoreKind::Redis);
    QTRY_COMPARE_WITH_TIMEOUT(further.phase, Phase::Failing, kPatience);
    QVERIFY(further.error.has_value());
    auto comes = etcd->acquire(requestFor("comes/here"));
    QTRY_VERIFY_WITH_TIMEOUT(bool(watcher.lock("comes/here")), kPatience);
    QVERIFY(bool(watcher.lock("kept/beside")));
    QCOMPARE(watcher.status.phase, Phase::Live);
    m_nodes.start(StoreKind::Redis);
    QTRY_COMPARE_WITH_TIMEOUT(further.phase, Phase::Live, kPatience);
}

/// Nothing else of it would be listed.
void TestStoreMonitor::aFurtherServerWithoutLockTablesFails()
{
    Watcher watcher(m_nodes.url(StoreKind::Redis));
    MonitorStatus further;
    connect(&watcher.monitor, &Monitor::serverStatusChanged, &watcher,
            [&further](int, const MonitorStatus &status) { further = status; });
    watcher.monitor.addServer(1, [](SourceUse) { return std::make_unique<BareSource>(); });
    QTRY_COMPARE_WITH_TIMEOUT(further.phase, Phase::Failing, kPatience);
    QVERIFY(further.isFailing() && !further.isWithoutTables());
}

void TestStoreMonitor::whatWasAskedForBeforeIsAskedOfALaterServer()
{
    const auto redis = m_nodes.newEngine(StoreKind::Redis);
    auto first = redis->acquire(requestFor("later/1"));
    auto second = redis->acquire(requestFor("later/2"));
    Watcher watcher(m_nodes.url(StoreKind::Etcd));
    const LockKey key{LockKind::Lease, "later/2", 0, 0, 1};
    watcher.monitor.watch(key);
    watcher.monitor.setLimit(1);
    watcher.monitor.addServer(1, [url = m_nodes.url(StoreKind::Redis)](SourceUse) { return makeSource(url, {}); });
    QTRY_VERIFY_WITH_TIMEOUT(watcher.list->clocks.contains(1), kPatience);
    const auto &items = watcher.list->items;
    QCOMPARE(std::count_if(items.begin(), items.end(), [](const LockItem &item) { return item.row->key.server == 1; }),
             1);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.details.lock.has_value(), kPatience);
    QCOMPARE(watcher.details.key, key);
}

void TestStoreMonitor::aReleaseOnAServerThatIsRemovedIsAnswered()
{
    const auto redis = m_nodes.newEngine(StoreKind::Redis);
    auto held = redis->acquire(requestFor("leaves"));
    Watcher watcher(m_nodes.url(StoreKind::Etcd));
    watcher.monitor.addServer(1, [url = m_nodes.url(StoreKind::Redis)](SourceUse) { return makeSource(url, {}); });
    QTRY_VERIFY_WITH_TIMEOUT(bool(watcher.lock("leaves")), kPatience);
    const ReleaseOrder order{watcher.lock("leaves")->key, held.handle.token(), QStringLiteral("ada"),
                             QStringLiteral("test")};
    QSignalSpy reports(&watcher.monitor, &Monitor::released);
    watcher.monitor.release(order, ServerAccess::toAct());
    watcher.monitor.removeServer(1);
    QTRY_COMPARE_WITH_TIMEOUT(reports.size(), 1, kPatience);
    QCOMPARE(reports[0][1].value<ReleaseReport>().outcome, ForcedRelease::Outcome::Released);
}

QTEST_GUILESS_MAIN(TestStoreMonitor)
#include "tst_storemonitor.moc"
