// SPDX-License-Identifier: MIT
// Records are kept as long as they shall be, and removed in batches that disturb nobody.
#include "engine/records/latencylog_p.h"
#include "enginetest.h"
#include "lockscope/once.h"

#include <QtTest/QTest>

#include <array>
#include <atomic>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using detail::LatencyLog;

class TestRetention : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void oldRecordsGoAndNewOnesStay();
    void foreverKeepsRecords();
    void oldAttemptsGoAndThoseStillCountedStay();
    void cleanersUnderLoadRemoveTheOldOnly();
    void aLongRoundLosesNoLeaseAndLeavesNothingOld();
    void rowsAreCleanedWhileManyLockThem();

private:
    void insertOld(const QByteArray &table, int rows);
    void countRemovals();
    void writeUntil(const std::atomic<bool> &isDone, const QByteArray &session);
    void cleanOften();

    std::atomic<int> m_written = 0;
    std::atomic<int> m_errors = 0;
};

void TestRetention::insertOld(const QByteArray &table, int rows)
{
    const QByteArray columns = table == "lock_event"
        ? "(at, kind, resource, token) SELECT UTC_TIMESTAMP(6) - INTERVAL 2 HOUR, 'lost', 'old', 1"
        : table == "lock_done"
        ? "(biz_type, biz_id, token, done_at) SELECT 'old', UUID(), 1, UTC_TIMESTAMP(6) - INTERVAL 2 HOUR"
        : "(at, period_us, mode, kind, outcome, owner, batch, count, sum_us, max_us, buckets) "
          "SELECT UTC_TIMESTAMP(6) - INTERVAL 2 HOUR, 1, 'unique', 'acquire', 'granted', 'old', 1, 1, 3, 3, x'010401'";
    m_observer->run("INSERT INTO " + table + columns
                    + " FROM information_schema.collations a, "
                      "information_schema.collations b LIMIT "
                    + QByteArray::number(rows));
}

void TestRetention::oldRecordsGoAndNewOnesStay()
{
    for (const char *table : {"lock_event", "lock_latency", "lock_done"})
        insertOld(table, 1300);
    m_observer->run("INSERT INTO lock_event (at, kind, resource, token) VALUES (UTC_TIMESTAMP(6), 'lost', 'new', 1)");
    m_observer->run(
        "INSERT INTO lock_done (biz_type, biz_id, token, done_at) VALUES ('new', '1', 1, UTC_TIMESTAMP(6))");
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false;
    config.latencyKept = 1h;
    LockEngine engine(config);
    QVERIFY(!engine.clean());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_latency").toInt(), 0);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 1301); // kept for 30 days
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_done").toInt(), 1301);
    config.eventsKept = 1h;
    config.doneKept = 1h;
    LockEngine shorter(config);
    QVERIFY(!shorter.clean());
    QCOMPARE(m_observer->value("SELECT GROUP_CONCAT(resource) FROM lock_event").toString(), QStringLiteral("new"));
    QCOMPARE(m_observer->value("SELECT GROUP_CONCAT(biz_type) FROM lock_done").toString(), QStringLiteral("new"));
}

void TestRetention::foreverKeepsRecords()
{
    insertOld("lock_event", 3);
    insertOld("lock_latency", 3);
    insertOld("lock_done", 3);
    EngineConfig config = configFor(*m_server);
    config.eventsKept = Forever;
    config.latencyKept = Forever;
    config.doneKept = Forever;
    QVERIFY(!LockEngine(config).clean());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 3);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_latency").toInt(), 3);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_done").toInt(), 3);
}

void TestRetention::oldAttemptsGoAndThoseStillCountedStay()
{
    m_observer->run("INSERT INTO lock_attempt SELECT CONCAT('old/', id), 1, 2, 3, UTC_TIMESTAMP(6) - INTERVAL 3 HOUR, "
                    "UTC_TIMESTAMP(6) - INTERVAL 2 HOUR FROM information_schema.collations LIMIT 120");
    m_observer->run("INSERT INTO lock_attempt SELECT CONCAT(a.resource, '/', b.resource), 1, 2, 3, a.first_at, "
                    "a.updated_at FROM lock_attempt a, lock_attempt b LIMIT 1200");
    m_observer->run("INSERT INTO lock_attempt VALUES "
                    "('old/but used', 1, 2, 3, UTC_TIMESTAMP(6) - INTERVAL 3 HOUR, UTC_TIMESTAMP(6))");
    EngineConfig config = configFor(*m_server);
    config.latencyKept = Forever;
    QVERIFY(!LockEngine(config).clean());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_attempt").toInt(), 1321);
    config.latencyKept = 1h;
    m_observer->startLog();
    QVERIFY(!LockEngine(config).clean());
    const QStringList packets = m_observer->logged();
    QCOMPARE(m_observer->value("SELECT GROUP_CONCAT(resource) FROM lock_attempt").toString(),
             QStringLiteral("old/but used"));
    QCOMPARE(packets.filter(QStringLiteral("SELECT resource FROM lock_attempt")).size(), 4); // 500, 500, 320, none
}

/// A trigger's clock stands still within a statement, so it tells the statements apart.
void TestRetention::countRemovals()
{
    m_observer->run(
        "CREATE TABLE removed (id BIGINT AUTO_INCREMENT PRIMARY KEY, what INT, who BIGINT, at DATETIME(6))");
    m_observer->run("CREATE TRIGGER one_event AFTER DELETE ON lock_event FOR EACH ROW "
                    "INSERT INTO removed (what, who, at) VALUES (1, CONNECTION_ID(), UTC_TIMESTAMP(6))");
    m_observer->run("CREATE TRIGGER one_latency AFTER DELETE ON lock_latency FOR EACH ROW "
                    "INSERT INTO removed (what, who, at) VALUES (2, CONNECTION_ID(), UTC_TIMESTAMP(6))");
    m_observer->run("CREATE TRIGGER one_done AFTER DELETE ON lock_done FOR EACH ROW "
                    "INSERT INTO removed (what, who, at) VALUES (3, CONNECTION_ID(), UTC_TIMESTAMP(6))");
}

void TestRetention::writeUntil(const std::atomic<bool> &isDone, const QByteArray &session)
{
    Owner owner;
    owner.session = session;
    LatencyLog log(true, owner);
    ReconnectingSession link(targetFor(*m_server));
    const auto event = Params()
                           .bytes("kind", "lost")
                           .bytes("resource", "new")
                           .number("slot", qint64(0))
                           .number("token", qint64(1))
                           .bytes("owner", {})
                           .bytes("reason", {});
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false;
    LockEngine engine(config);
    while (!isDone.load()) {
        const Job job{"new", session + '/' + QByteArray::number(m_written)};
        m_errors += once(engine, job, [](LockHandle &) { return true; }).outcome == OnceOutcome::Done ? 0 : 1;
        log.record(MeasuredMode::Unique, Ending::Granted, 1ms);
        m_errors += log.flush(link).has_value() ? 1 : 0;
        m_errors += link.run("engine/event", event) ? 0 : 1;
        ++m_written;
    }
}

void TestRetention::cleanOften()
{
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false;
    config.eventsKept = config.latencyKept = config.doneKept = 1h;
    LockEngine engine(config);
    for (int round = 0; round < 6; ++round)
        m_errors += engine.clean() ? 1 : 0;
}

void TestRetention::cleanersUnderLoadRemoveTheOldOnly()
{
    constexpr int kOld = 12'000;
    insertOld("lock_event", kOld);
    insertOld("lock_latency", kOld);
    insertOld("lock_done", kOld);
    countRemovals();
    const QByteArray deadlocks = "SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'";
    const quint64 deadlocksBefore = m_observer->value(deadlocks).toULongLong();
    std::atomic<bool> isDone = false;
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i)
        writers.emplace_back([&, i] { writeUntil(isDone, QByteArray::number(i)); });
    std::vector<std::thread> cleaners;
    for (int i = 0; i < 3; ++i)
        cleaners.emplace_back([&] { cleanOften(); });
    for (std::thread &cleaner : cleaners)
        cleaner.join();
    isDone = true;
    for (std::thread &writer : writers)
        writer.join();

    QCOMPARE(m_errors.load(), 0);
    for (const QByteArray table : {"lock_event", "lock_latency", "lock_done"}) {
        const QByteArray count = "SELECT COUNT(*) FROM " + table;
        const QByteArray time = table == "lock_done" ? "done_at" : "at";
        QCOMPARE(m_observer->value(count + " WHERE " + time + " < UTC_TIMESTAMP(6) - INTERVAL 1 HOUR").toInt(), 0);
        QCOMPARE(m_observer->value(count).toInt(), m_written.load());
    }
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM removed").toInt(), 3 * kOld);
    const int largest = m_observer
                            ->value("SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM removed "
                                    "GROUP BY what, who, at) AS statements")
                            .toInt();
    QVERIFY2(largest > 1 && largest <= 500, qPrintable(QString::number(largest)));
    QCOMPARE(m_observer->value(deadlocks).toULongLong(), deadlocksBefore);
    m_observer->run("DROP TRIGGER one_event; DROP TRIGGER one_latency; DROP TRIGGER one_done; DROP TABLE removed");
    qInfo("%d rows in each table written by 4 threads meanwhile, batches of at most %d", m_written.load(), largest);
}

void TestRetention::aLongRoundLosesNoLeaseAndLeavesNothingOld()
{
    m_observer->run("INSERT INTO lock_lease (resource, presence, token, acquired_at) "
                    "SELECT UUID(), '-', 1, UTC_TIMESTAMP(6) - INTERVAL 2 HOUR "
                    "FROM information_schema.collations a, information_schema.collations b, (SELECT 1 UNION SELECT 2 "
                    "UNION SELECT 3 UNION SELECT 4) c LIMIT 100500");
    insertOld("lock_event", 12'000);
    // For each event so long that it is nine seconds in all, under half of one for a batch, on whatever machine.
    m_observer->run("CREATE TRIGGER slowly BEFORE DELETE ON lock_event FOR EACH ROW DO SLEEP(0.00075)");
    EngineConfig config = configFor(*m_server);
    config.eventsKept = 1h;
    LockEngine engine(config);
    std::atomic<int> lost = 0;
    LockRequest request = requestFor("held", 0s, 6s);
    request.onLost = [&](LossReason) { ++lost; };
    const auto held = engine.acquire(request);
    const auto refused = engine.clean(); // takes longer than the TTL, over the connection that renews
    m_observer->run("DROP TRIGGER slowly");
    QVERIFY2(!refused, refused ? qPrintable(refused->toString()) : "");
    QCOMPARE(lost.load(), 0);
    QVERIFY(held.handle.isHeld());
    QCOMPARE(m_observer->value("SELECT GROUP_CONCAT(resource) FROM lock_lease").toString(), QStringLiteral("held"));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 0);
}

void TestRetention::rowsAreCleanedWhileManyLockThem()
{
    constexpr int kThreads = 4;
    constexpr int kLocks = 250;
    EngineConfig config = configFor(*m_server);
    config.idleRowsKept = Duration::zero(); // rows go as soon as they are free
    LockEngine engine(config);
    std::array<std::atomic<int>, 5> inside{};
    std::atomic<int> overlaps = 0;
    std::atomic<int> failures = 0;
    std::atomic<int> atWork = kThreads;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < kLocks; ++n) {
                const std::size_t name = std::size_t(i + n) % inside.size();
                LockRequest request = requestFor("row " + QByteArray::number(int(name)), Patience);
                request.mode = Mode::Pessimistic;
                const auto got = engine.acquire(request);
                failures += got.outcome == Outcome::Granted ? 0 : 1;
                overlaps += inside[name]++ == 0 ? 0 : 1;
                --inside[name];
            }
            --atWork;
        });
    }
    int rounds = 0;
    for (; atWork > 0; ++rounds)
        failures += engine.clean() ? 1 : 0;
    for (std::thread &thread : threads)
        thread.join();
    QVERIFY(!engine.clean());
    QCOMPARE(failures.load(), 0);
    QCOMPARE(overlaps.load(), 0);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_row").toInt(), 0);
    qInfo("%d locks of %d rows, cleaned %d times meanwhile", kThreads * kLocks, int(inside.size()), rounds);
}

QTEST_GUILESS_MAIN(TestRetention)
#include "tst_retention.moc"
