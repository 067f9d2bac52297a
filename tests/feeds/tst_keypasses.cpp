// SPDX-License-Identifier: MIT
// Leases are read in one rhythm, other programs' keys in a slower one, and neither waits for the other.
#include "feeds/monitor.h"
#include "locks/keyrows.h"
#include "strict.h"

#include <QtCore/QSemaphore>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <algorithm>
#include <atomic>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;
using Phase = MonitorStatus::Phase;

namespace {

constexpr int kPatience = 30'000;

/// What a test lets happen on a server, and what was asked of it.
struct Server
{
    std::atomic<int> looks = 0;
    std::atomic<int> walks = 0;
    std::atomic<bool> wasResting = true;
    std::atomic<qsizetype> longest = 0;
    std::atomic<bool> hadGuesses = false;
    std::atomic<bool> isUnsafe = false;
    std::atomic<bool> tellsAtOnce = false; ///< what a walk finds, before it ends
    std::atomic<bool> isGone = false;      ///< the lock of another program's
    QSemaphore mayEnd;                     ///< walks
};

/// A Redis with one lock of another program's, whose walks last as long as a test wants.
class FakeSource : public LockSource
{
public:
    explicit FakeSource(Server *server)
        : m_server(server)
    {
    }
    std::optional<LockError> open() override
    {
        LockError error;
        error.kind = LockError::Kind::UnsafeServer;
        error.message = QStringLiteral("It evicts keys.");
        return m_server->isUnsafe ? std::optional(error) : std::nullopt;
    }
    QString server() const override { return QStringLiteral("redis://cache1"); }
    QString account() const override { return {}; }
    std::optional<LockError> leases(const std::stop_token &, const Take &take) override
    {
        ++m_server->looks;
        take({}, now());
        return std::nullopt;
    }
    std::optional<LockError> heldLeases(const QByteArray &, const std::stop_token &, const Take &) override
    {
        return std::nullopt;
    }
    std::optional<LockError> others(int, LockSnapshot *) override { return std::nullopt; }
    std::optional<LockError> one(const LockKey &, std::optional<LockRow> *row, SnapshotClock *clock) override
    {
        *clock = now();
        if (!m_server->isGone)
            *row = lock();
        return std::nullopt;
    }
    std::optional<LockError> waiters(const LockKey &, QList<Waiter> *) override { return std::nullopt; }
    void useConventions(const QList<KeyConvention> &conventions) override { m_conventions = conventions; }
    std::optional<LockKind> keyKind() const override { return LockKind::RedisKey; }
    std::optional<LockError> keyLocks(const KeyWalk &walk, const std::stop_token &stop, KeyLocks *found) override
    {
        m_server->wasResting = walk.isResting;
        m_server->longest = walk.limit;
        m_server->hadGuesses = std::any_of(m_conventions.begin(), m_conventions.end(),
                                           [](const KeyConvention &each) { return each.isGuess; });
        ++m_server->walks;
        const std::stop_callback wake(stop, [this] { m_server->mayEnd.release(); });
        if (m_server->tellsAtOnce)
            walk.onStep({lock()});
        while (!m_server->mayEnd.tryAcquire(1, 10)) {
            if (m_server->tellsAtOnce)
                walk.onStep({});
        }
        if (!m_server->tellsAtOnce)
            walk.onStep({lock()});
        found->clock = now();
        found->rows = {lock()};
        return std::nullopt;
    }
    std::optional<QList<LockRow>> keysNow(const QByteArrayList &names) override
    {
        return names.isEmpty() || m_server->isGone ? QList<LockRow>() : QList<LockRow>{lock()};
    }
    QByteArray statement(const detail::LeaseId &, const detail::ReleaseNote &) const override { return {}; }
    ForcedRelease endLease(const detail::LeaseId &, const detail::ReleaseNote &) override { return {}; }

private:
    static SnapshotClock now()
    {
        return {ServerTime(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)), std::chrono::steady_clock::now()};
    }
    static LockRow lock()
    {
        KeyConvention convention;
        convention.title = QStringLiteral("Billing");
        KeyHolder holder;
        holder.text = QStringLiteral("host-a7");
        holder.part.value = "host-a7";
        return toRow({convention, "lock:orders", {holder}, {}, {}, {}});
    }

    Server *const m_server;
    QList<KeyConvention> m_conventions;
};

/// A monitor of it, and the last things it said.
class Watcher : public QObject
{
    Q_OBJECT
public:
    explicit Watcher(Server *server)
        : monitor(SourceMaker([server](SourceUse) { return std::make_unique<FakeSource>(server); }))
    {
        LockView view;
        view.ghostTime = 0ms;
        monitor.setView(view);
        monitor.setInterval(1ms);
        connect(&monitor, &Monitor::listUpdated, this, [this](const LockListUpdatePtr &update) { list = update; });
        connect(&monitor, &Monitor::statusChanged, this, [this](const MonitorStatus &now) { status = now; });
        monitor.start();
    }

    KeyPasses passes() const { return list->keyPasses.value(0); }

    Monitor monitor;
    LockListUpdatePtr list = std::make_shared<LockListUpdate>();
    MonitorStatus status;
};

} // namespace

class TestKeyPasses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aWalkThatLastsDelaysNoLook();
    void onePassGoesOnAtATime();
    void whatIsOnlyGuessedIsLookedForWhenAskedFor();
    void aServerThatIsNotSafeForLeasesHasOthersLocks();
    void aKeyThatIsLookedAtLeavesTheListAtOnce();
    void whatAWalkFoundIsToldAndAskedAgainWhileItGoesOn();
    void whoLeavesWaitsForNoWalk();
};

void TestKeyPasses::aWalkThatLastsDelaysNoLook()
{
    Server server;
    Watcher watcher(&server);
    QTRY_COMPARE_WITH_TIMEOUT(server.walks, 1, kPatience);
    const int before = server.looks;
    QTRY_VERIFY_WITH_TIMEOUT(server.looks >= before + 5, kPatience); // while it goes on
    QCOMPARE(server.walks, 1);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.list->keyPasses.contains(0), kPatience);
    QVERIFY(!watcher.passes().endedAt); // said, and no more
    QVERIFY(watcher.list->items.isEmpty());
    QVERIFY(server.wasResting && server.longest > 0);
    server.mayEnd.release();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 1, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.passes().endedAt.has_value(), kPatience); // what was found is told before the end
    QCOMPARE(watcher.list->items[0].row->key, (LockKey{LockKind::RedisKey, "lock:orders"}));
    QCOMPARE(watcher.list->counts.held, 1);
}

/// However often the leases are read.
void TestKeyPasses::onePassGoesOnAtATime()
{
    Server server;
    Watcher watcher(&server);
    QTRY_COMPARE_WITH_TIMEOUT(server.walks, 1, kPatience);
    for (int i = 0; i < 20; ++i)
        watcher.monitor.setInterval(std::chrono::milliseconds(i + 1));
    QTRY_VERIFY_WITH_TIMEOUT(server.looks >= 10, kPatience);
    QCOMPARE(server.walks, 1);
    server.mayEnd.release(2);
    QTRY_COMPARE_WITH_TIMEOUT(server.walks, 3, kPatience); // and then again and again
    QVERIFY(server.looks > server.walks);
}

void TestKeyPasses::whatIsOnlyGuessedIsLookedForWhenAskedFor()
{
    Server server;
    Watcher watcher(&server);
    QTRY_COMPARE_WITH_TIMEOUT(server.walks, 1, kPatience);
    QVERIFY(!server.hadGuesses);
    watcher.monitor.setGuesses(true);
    const auto hasWalkWithGuesses = [&server] { // the next one, or the one after: another thread is told
        server.mayEnd.release();
        return server.hadGuesses.load();
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasWalkWithGuesses(), kPatience);
}

void TestKeyPasses::aServerThatIsNotSafeForLeasesHasOthersLocks()
{
    Server server;
    server.isUnsafe = true;
    Watcher watcher(&server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.status.phase, Phase::Live, kPatience);
    QVERIFY(watcher.status.error && watcher.status.error->kind == LockError::Kind::UnsafeServer);
    QVERIFY(!watcher.status.isFailing());
    server.mayEnd.release();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 1, kPatience);
    server.isUnsafe = false;
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.status.error, kPatience);
}

void TestKeyPasses::aKeyThatIsLookedAtLeavesTheListAtOnce()
{
    Server server;
    Watcher watcher(&server);
    server.mayEnd.release();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 1, kPatience);
    watcher.monitor.watch(watcher.list->items[0].row->key);
    server.isGone = true;
    QTRY_VERIFY_WITH_TIMEOUT(watcher.list->items.isEmpty(), kPatience); // no walk has ended meanwhile
}

void TestKeyPasses::whatAWalkFoundIsToldAndAskedAgainWhileItGoesOn()
{
    Server server;
    server.tellsAtOnce = true;
    Watcher watcher(&server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.list->items.size(), 1, kPatience);
    QVERIFY(!watcher.passes().endedAt);
    server.isGone = true;
    QTRY_VERIFY_WITH_TIMEOUT(watcher.list->items.isEmpty(), kPatience);
    QCOMPARE(server.walks, 1);
    server.mayEnd.release(); // it came by the lock before that was gone
    QTRY_VERIFY_WITH_TIMEOUT(watcher.passes().endedAt.has_value(), kPatience);
    QVERIFY(watcher.list->items.isEmpty());
}

void TestKeyPasses::whoLeavesWaitsForNoWalk()
{
    Server server;
    auto watcher = std::make_unique<Watcher>(&server);
    QTRY_COMPARE_WITH_TIMEOUT(server.walks, 1, kPatience);
    QSignalSpy stopped(&watcher->monitor, &Monitor::stopped);
    watcher->monitor.stop();
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, kPatience);
    watcher = std::make_unique<Watcher>(&server);
    QTRY_COMPARE_WITH_TIMEOUT(server.walks, 2, kPatience);
    watcher.reset(); // in the middle of one
}

QTEST_GUILESS_MAIN(TestKeyPasses)
#include "tst_keypasses.moc"
