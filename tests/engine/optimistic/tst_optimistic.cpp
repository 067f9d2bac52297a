// SPDX-License-Identifier: MIT
// Optimistic mode: of several who read the same version one commits, in the engine's table and in an application's.
#include "optimisticfixture.h"

#include <QtTest/QTest>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

class TestOptimistic : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aCommitRaisesTheVersionAndASecondFromTheSameReadConflicts_data();
    void aCommitRaisesTheVersionAndASecondFromTheSameReadConflicts();
    void theSnapshotOfACommitIsWhatIsReadNext_data();
    void theSnapshotOfACommitIsWhatIsReadNext();
    void aForeignChangeIsAConflict_data();
    void aForeignChangeIsAConflict();
    void ofConcurrentCommitsFromOneVersionExactlyOneWins_data();
    void ofConcurrentCommitsFromOneVersionExactlyOneWins();
    void eightThreadsIncrementingLoseNoUpdate_data();
    void eightThreadsIncrementingLoseNoUpdate();
    void manyFirstReadersMakeOneRow();
    void readAndCommitAreOnePacketEach_data();
    void readAndCommitAreOnePacketEach();
    void timestampsOnlyEverGrow_data();
    void timestampsOnlyEverGrow();
    void runStopsAtTheAttemptLimit();
    void runStopsAtTheTimeLimit();
    void runStopsWhenToldTo();
    void runReturnsWhatTheFunctionDecides();
    void aFutureBringsWhatRunBrings();
    void theEnginesEndEndsARunThatSleeps();
    void runRefusesAPolicyThatCannotBe_data();
    void runRefusesAPolicyThatCannotBe();
    void commitsAreCountedByOutcome();
    void countsAreBounded();
    void cleaningRemovesIdleVersionsAndTheyGoOn();
    void cleaningUnderLoadLosesNoUpdate();
    void theGrantsOfTheEngineAreEnough();
};

void TestOptimistic::init()
{
    EngineTest::init();
    makeStock(*m_observer);
}

void TestOptimistic::aCommitRaisesTheVersionAndASecondFromTheSameReadConflicts_data()
{
    everyPlace();
}

void TestOptimistic::aCommitRaisesTheVersionAndASecondFromTheSameReadConflicts()
{
    QFETCH(Place, place);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    const auto first = store.read("a");
    QVERIFY2(first.outcome == ReadOutcome::Read, qPrintable(said(first.error)));
    const auto committed = store.commit(first.snapshot);
    QVERIFY2(committed.outcome == CommitOutcome::Committed, qPrintable(said(committed.error)));
    QVERIFY(committed.committed.version > first.snapshot.version);
    QCOMPARE(store.commit(first.snapshot).outcome, CommitOutcome::Conflict);
    QCOMPARE(store.read("a").snapshot.version, committed.committed.version);
}

void TestOptimistic::theSnapshotOfACommitIsWhatIsReadNext_data()
{
    everyPlace();
}

void TestOptimistic::theSnapshotOfACommitIsWhatIsReadNext()
{
    QFETCH(Place, place);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    Snapshot now = store.read("a").snapshot;
    for (int i = 0; i < 5; ++i) {
        const auto result = store.commit(now);
        QCOMPARE(result.outcome, CommitOutcome::Committed);
        now = result.committed;
        const Snapshot read = store.read("a").snapshot;
        QCOMPARE(read.resource, now.resource);
        QCOMPARE(read.version, now.version);
        QVERIFY(read.updatedAt == now.updatedAt);
        QCOMPARE(read.updatedAt.has_value(), place != Place::Version);
    }
    if (now.updatedAt) {
        const auto clock = m_observer->value("SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))");
        const qint64 age = clock.toLongLong() - now.updatedAt->time_since_epoch().count();
        QVERIFY2(age >= 0 && age < 60'000'000, qPrintable(QString::number(age)));
    }
}

void TestOptimistic::aForeignChangeIsAConflict_data()
{
    everyPlace();
}

void TestOptimistic::aForeignChangeIsAConflict()
{
    QFETCH(Place, place);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    const auto read = store.read("a");
    QCOMPARE(read.outcome, ReadOutcome::Read);
    m_observer->run("UPDATE lock_version SET version = version + 1");
    m_observer->run("UPDATE stock SET version = version + 1, changed = changed + INTERVAL 1 MICROSECOND, amount = 5");
    const ColumnValues values = place == Place::Own ? ColumnValues() : amount(99);
    QCOMPARE(store.commit(read.snapshot, values).outcome, CommitOutcome::Conflict);
    QCOMPARE(amountOf(*m_observer, "a"), 5);
}

void TestOptimistic::ofConcurrentCommitsFromOneVersionExactlyOneWins_data()
{
    everyPlace();
}

void TestOptimistic::ofConcurrentCommitsFromOneVersionExactlyOneWins()
{
    QFETCH(Place, place);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    for (int round = 0; round < 20; ++round) {
        const Snapshot snapshot = store.read("a").snapshot;
        std::atomic<int> wins = 0;
        std::atomic<int> conflicts = 0;
        std::atomic<bool> go = false;
        std::vector<std::thread> threads;
        for (int i = 0; i < 12; ++i) {
            threads.emplace_back([&] {
                store.read("b"); // connects
                go.wait(false);
                const auto outcome = store.commit(snapshot).outcome;
                wins += outcome == CommitOutcome::Committed ? 1 : 0;
                conflicts += outcome == CommitOutcome::Conflict ? 1 : 0;
            });
        }
        go = true;
        go.notify_all();
        for (auto &thread : threads)
            thread.join();
        QCOMPARE(wins.load(), 1);
        QCOMPARE(conflicts.load(), 11);
    }
}

void TestOptimistic::eightThreadsIncrementingLoseNoUpdate_data()
{
    QTest::addColumn<Place>("place");
    QTest::newRow("a version column") << Place::Version;
    QTest::newRow("a timestamp column") << Place::Time;
}

void TestOptimistic::eightThreadsIncrementingLoseNoUpdate()
{
    QFETCH(Place, place);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    std::atomic<int> failures = 0;
    inThreads(8, [&] {
        for (int i = 0; i < 50; ++i)
            failures += store.run("a", oneMore, patientPolicy()).outcome == RunOutcome::Committed ? 0 : 1;
    });
    QCOMPARE(failures.load(), 0);
    QCOMPARE(amountOf(*m_observer, "a"), 400);
    const CommitCounts counts = store.statistics().resources.at("a");
    QCOMPARE(counts.commits, quint64(400));
    QCOMPARE(counts.attempts, counts.commits + counts.conflicts + counts.failures);
}

void TestOptimistic::manyFirstReadersMakeOneRow()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine);
    for (int round = 0; round < 10; ++round) {
        const QByteArray name = "new" + QByteArray::number(round);
        std::mutex mutex;
        std::set<qint64> versions;
        inThreads(12, [&] {
            const auto read = store.read(name);
            const std::lock_guard lock(mutex);
            versions.insert(read.outcome == ReadOutcome::Read ? read.snapshot.version : -1);
        });
        QCOMPARE(versions.size(), std::size_t(1));
        QVERIFY(*versions.begin() > 0);
    }
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_version").toInt(), 10);
}

void TestOptimistic::readAndCommitAreOnePacketEach_data()
{
    everyPlace();
}

void TestOptimistic::readAndCommitAreOnePacketEach()
{
    QFETCH(Place, place);
    EngineConfig config = configFor(*m_server);
    config.measuresLatency = false; // its writes would count
    LockEngine engine(config);
    OptimisticStore store(engine, tableOf(place));
    QCOMPARE(store.read("a").outcome, ReadOutcome::Read); // connects, and the table is known from now on
    m_observer->startLog();
    for (int i = 0; i < 5; ++i)
        QCOMPARE(store.commit(store.read("a").snapshot).outcome, CommitOutcome::Committed);
    const QStringList packets = m_observer->logged();
    QVERIFY2(packets.size() == 10, qPrintable(packets.join(u'\n')));
}

void TestOptimistic::timestampsOnlyEverGrow_data()
{
    QTest::addColumn<Place>("place");
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<bool>("isAhead"); // the server's clock was set back since the row was written
    for (const Place place : {Place::Own, Place::Time}) {
        const QByteArray in = place == Place::Own ? ", the engine's table" : ", an application's";
        QTest::newRow("a burst" + in) << place << QByteArray("2020-01-01") << false;
        QTest::newRow("the clock is behind" + in) << place << QByteArray("2090-12-31 23:59:59.999998") << true;
        QTest::newRow("before 1970" + in) << place << QByteArray("1931-03-04 05:06:07.000001") << false;
    }
}

void TestOptimistic::timestampsOnlyEverGrow()
{
    QFETCH(Place, place);
    QFETCH(QByteArray, start);
    QFETCH(bool, isAhead);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    QCOMPARE(store.read("a").outcome, ReadOutcome::Read);
    m_observer->run("UPDATE lock_version SET updated_at = '" + start + "'");
    m_observer->run("UPDATE stock SET changed = '" + start + "'");
    ServerTime last = store.read("a").snapshot.updatedAt.value();
    for (int i = 0; i < 200; ++i) {
        const auto result = store.run("a", nothingElse);
        QCOMPARE(result.outcome, RunOutcome::Committed);
        const ServerTime now = result.committed.updatedAt.value();
        QVERIFY2(now > last, qPrintable(QString::number(i)));
        if (isAhead)
            QCOMPARE((now - last).count(), 1);
        last = now;
    }
    QVERIFY(store.read("a").snapshot.updatedAt.value() == last);
}

namespace {

/// A change that somebody else always precedes.
OptimisticStore::Change alwaysOvertaken(OptimisticStore &other)
{
    return [&other](const Snapshot &snapshot) -> std::optional<ColumnValues> {
        other.commit(snapshot);
        return ColumnValues();
    };
}

} // namespace

void TestOptimistic::runStopsAtTheAttemptLimit()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine);
    OptimisticStore other(engine);
    RetryPolicy policy;
    policy.maxAttempts = 5;
    const auto result = store.run("a", alwaysOvertaken(other), policy);
    QCOMPARE(result.outcome, RunOutcome::GaveUp);
    QCOMPARE(result.attempts, 5);
    const CommitCounts counts = store.statistics().resources.at("a");
    QCOMPARE(counts.attempts, quint64(5));
    QCOMPARE(counts.conflicts, quint64(5));
    QCOMPARE(counts.retries, quint64(4));
    QCOMPARE(counts.commits, quint64(0));
}

void TestOptimistic::runStopsAtTheTimeLimit()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine);
    OptimisticStore other(engine);
    QCOMPARE(store.read("a").outcome, ReadOutcome::Read); // connects
    RetryPolicy policy = patientPolicy();
    policy.timeLimit = 3s;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = store.run("a", alwaysOvertaken(other), policy);
    const auto took = std::chrono::steady_clock::now() - begin;
    QCOMPARE(result.outcome, RunOutcome::TimedOut);
    QVERIFY(result.attempts > 1);
    QVERIFY(took > 2s && took < Patience);
    policy.timeLimit = 0ms;
    QCOMPARE(store.run("a", alwaysOvertaken(other), policy).attempts, 1);
}

void TestOptimistic::runStopsWhenToldTo()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine);
    OptimisticStore other(engine);
    std::stop_source source;
    RetryPolicy policy;
    policy.firstDelay = policy.maxDelay = std::chrono::hours(1); // it sleeps until it is told
    policy.timeLimit = Forever;
    policy.stop = source.get_token();
    std::thread stopper([&] {
        eventually([&] { return store.statistics().resources.contains("a"); });
        source.request_stop();
    });
    const auto result = store.run("a", alwaysOvertaken(other), policy);
    stopper.join();
    QCOMPARE(result.outcome, RunOutcome::Cancelled);
    QCOMPARE(result.attempts, 1);
    QCOMPARE(store.run("a", nothingElse, policy).outcome, RunOutcome::Cancelled);
    QCOMPARE(store.statistics().resources.at("a").attempts, quint64(1));
}

void TestOptimistic::runReturnsWhatTheFunctionDecides()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, stock());
    const auto stop = [](const Snapshot &) { return std::optional<ColumnValues>(); };
    QCOMPARE(store.run("a", stop).outcome, RunOutcome::Abandoned);
    QCOMPARE(store.run("nobody", oneMore).outcome, RunOutcome::NotFound);
    QCOMPARE(store.run("a", {}).error->kind, Kind::BadRequest);
    QVERIFY(store.statistics().resources.empty());
    const auto result = store.run("a", oneMore);
    QCOMPARE(result.outcome, RunOutcome::Committed);
    QCOMPARE(result.attempts, 1);
    QCOMPARE(result.committed.version, 8);
}

void TestOptimistic::aFutureBringsWhatRunBrings()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, stock());
    std::vector<QFuture<RunResult>> futures(4);
    for (auto &future : futures)
        future = store.runAsync("a", oneMore, patientPolicy());
    for (auto &future : futures)
        QCOMPARE(future.takeResult().outcome, RunOutcome::Committed);
    QCOMPARE(amountOf(*m_observer, "a"), 4);
    QCOMPARE(store.runAsync("nobody", oneMore).takeResult().outcome, RunOutcome::NotFound);
    const auto throws = [](const Snapshot &) -> std::optional<ColumnValues> { throw std::runtime_error("no paper"); };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, store.runAsync("a", throws).takeResult());
    QCOMPARE(amountOf(*m_observer, "a"), 4);
}

void TestOptimistic::theEnginesEndEndsARunThatSleeps()
{
    auto engine = std::make_unique<LockEngine>(configFor(*m_server));
    OptimisticStore store(*engine);
    OptimisticStore other(*engine);
    RetryPolicy policy;
    policy.firstDelay = policy.maxDelay = std::chrono::hours(1);
    policy.timeLimit = Forever;
    auto future = store.runAsync("a", alwaysOvertaken(other), policy);
    QVERIFY(eventually([&] { return store.statistics().resources.contains("a"); }));
    engine.reset();
    QVERIFY(future.isFinished());
    for (const RunResult &result : {future.takeResult(), store.runAsync("a", nothingElse).takeResult()}) {
        QCOMPARE(result.outcome, RunOutcome::Failed);
        QVERIFY2(result.error && result.error->message.contains(QLatin1String("ended")),
                 qPrintable(said(result.error)));
    }
}

void TestOptimistic::runRefusesAPolicyThatCannotBe_data()
{
    QTest::addColumn<int>("attempts");
    QTest::addColumn<qint64>("limitUs");
    QTest::addColumn<qint64>("firstUs");
    QTest::addColumn<qint64>("mostUs");
    QTest::addColumn<QString>("says");
    QTest::newRow("no attempt") << 0 << qint64(1000) << qint64(1) << qint64(2) << "maxAttempts";
    QTest::newRow("negative time") << 1 << qint64(-1) << qint64(1) << qint64(2) << "timeLimit";
    QTest::newRow("negative delay") << 1 << qint64(1000) << qint64(-1) << qint64(2) << "firstDelay";
    QTest::newRow("cap below the first") << 1 << qint64(1000) << qint64(3) << qint64(2) << "firstDelay";
    QTest::newRow("cap of two hours") << 1 << qint64(1000) << qint64(3) << qint64(7200) * 1'000'000 << "maxDelay";
}

void TestOptimistic::runRefusesAPolicyThatCannotBe()
{
    QFETCH(int, attempts);
    QFETCH(qint64, limitUs);
    QFETCH(qint64, firstUs);
    QFETCH(qint64, mostUs);
    QFETCH(QString, says);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine);
    RetryPolicy policy;
    policy.maxAttempts = attempts;
    policy.timeLimit = Duration(limitUs);
    policy.firstDelay = Duration(firstUs);
    policy.maxDelay = Duration(mostUs);
    const auto result = store.run("a", nothingElse, policy);
    QCOMPARE(result.outcome, RunOutcome::Failed);
    QCOMPARE(result.error->kind, Kind::BadRequest);
    QVERIFY2(result.error->message.contains(says), qPrintable(result.error->message));
}

void TestOptimistic::commitsAreCountedByOutcome()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, stock());
    const Snapshot snapshot = store.read("a").snapshot;
    QCOMPARE(store.commit(snapshot, {{QStringLiteral("nowhere"), qint64(1)}}).outcome, CommitOutcome::Failed);
    QCOMPARE(store.commit(snapshot).outcome, CommitOutcome::Committed);
    QCOMPARE(store.commit(snapshot).outcome, CommitOutcome::Conflict);
    QCOMPARE(store.commit(snapshot).outcome, CommitOutcome::Conflict);
    OptimisticStore copy = store;
    QCOMPARE(copy.run("b", oneMore).outcome, RunOutcome::Committed);
    const auto statistics = store.statistics();
    QCOMPARE(statistics.resources.size(), std::size_t(2));
    const CommitCounts a = statistics.resources.at("a");
    QCOMPARE(a.attempts, quint64(4));
    QCOMPARE(a.commits, quint64(1));
    QCOMPARE(a.conflicts, quint64(2));
    QCOMPARE(a.retries, quint64(0));
    QCOMPARE(a.failures, quint64(1));
    QCOMPARE(statistics.resources.at("b").commits, quint64(1));
    QCOMPARE(statistics.others.attempts, quint64(0));
}

void TestOptimistic::countsAreBounded()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, stock());
    Snapshot snapshot;
    for (int i = 0; i < MaxCountedResources + 7; ++i) {
        snapshot.resource = QByteArray::number(i);
        QCOMPARE(store.commit(snapshot).outcome, CommitOutcome::Conflict);
    }
    const auto statistics = store.statistics();
    QCOMPARE(statistics.resources.size(), std::size_t(MaxCountedResources));
    QCOMPARE(statistics.others.conflicts, quint64(7));
}

void TestOptimistic::cleaningRemovesIdleVersionsAndTheyGoOn()
{
    EngineConfig config = configFor(*m_server);
    config.idleRowsKept = std::chrono::hours(1);
    LockEngine engine(config);
    OptimisticStore store(engine);
    const Snapshot old = store.read("a").snapshot;
    qint64 last = 0;
    for (int i = 0; i < 5; ++i)
        last = store.run("a", nothingElse).committed.version;
    store.read("b");
    QVERIFY(!engine.clean());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_version").toInt(), 2);
    m_observer->run("UPDATE lock_version SET updated_at = updated_at - INTERVAL 61 MINUTE WHERE resource = 'a'");
    const Snapshot before = store.read("a").snapshot;
    QVERIFY(!engine.clean());
    QCOMPARE(m_observer->value("SELECT resource FROM lock_version").toByteArray(), QByteArray("b"));
    QCOMPARE(store.commit(before).outcome, CommitOutcome::Conflict);
    QVERIFY(store.read("a").snapshot.version > last);
    QCOMPARE(store.commit(old).outcome, CommitOutcome::Conflict);
    QVERIFY(store.read("c").snapshot.version > last); // the floor is for all
}

void TestOptimistic::cleaningUnderLoadLosesNoUpdate()
{
    EngineConfig config = configFor(*m_server);
    config.idleRowsKept = Duration(1);
    LockEngine engine(config);
    OptimisticStore store(engine);
    std::atomic<int> shared = 0; // guarded by nothing but the version
    QString failure;
    std::atomic<bool> stop = false;
    std::thread cleaner([&] {
        while (!stop)
            engine.clean();
    });
    std::mutex mutex;
    std::set<qint64> versions;
    inThreads(6, [&] {
        for (int i = 0; i < 50; ++i) {
            const auto result = store.run("a", nothingElse, patientPolicy());
            const std::lock_guard lock(mutex);
            if (result.outcome != RunOutcome::Committed)
                failure = QStringLiteral("outcome %1: %2").arg(int(result.outcome)).arg(said(result.error));
            shared += versions.insert(result.committed.version).second ? 1 : 0;
        }
    });
    stop = true;
    cleaner.join();
    QCOMPARE(failure, QString());
    QCOMPARE(shared.load(), 300); // no version was given twice
}

void TestOptimistic::theGrantsOfTheEngineAreEnough()
{
    m_observer->run("DROP USER IF EXISTS lockscope_engine@localhost");
    m_observer->run("CREATE USER lockscope_engine@localhost IDENTIFIED BY 'pw'");
    m_observer->run(sqlText("grants/engine", m_server->family()));
    EngineConfig config = configFor(*m_server);
    config.server.user = QStringLiteral("lockscope_engine");
    config.password = QStringLiteral("pw");
    config.idleRowsKept = Duration(1);
    LockEngine engine(config);
    OptimisticStore store(engine);
    const auto result = store.run("a", nothingElse);
    QVERIFY2(result.outcome == RunOutcome::Committed, qPrintable(said(result.error)));
    const auto refused = engine.clean();
    QVERIFY2(!refused, qPrintable(said(refused)));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_version").toInt(), 0);
}

QTEST_GUILESS_MAIN(TestOptimistic)
#include "tst_optimistic.moc"
