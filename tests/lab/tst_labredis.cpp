// SPDX-License-Identifier: MIT
// Ways on Redis when workers crash and freeze, and when Redis forgets: what goes wrong without the engine, and does not
// with it.
#include "enginetest.h"
#include "lab/labnodes.h"
#include "lab/labrun.h"
#include "privateserver/processfolder.h"
#include "stores/redis/redisconnection.h"

#include <QtCore/QDir>
#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using Fault = LabFault::Kind;

namespace {

/// What happened in a run behind a moment.
struct Since
{
    quint64 crashes = 0;
    quint64 grantsAfterCrash = 0;
    quint64 gaveUpAfterCrash = 0;

    void add(const QList<LabEvent> &events)
    {
        for (const LabEvent &event : events) {
            crashes += event.kind == LabEvent::Kind::Crashed;
            grantsAfterCrash += crashes > 0 && event.kind == LabEvent::Kind::Got;
            gaveUpAfterCrash += crashes > 0 && event.kind == LabEvent::Kind::TimedOut;
        }
    }
};

std::unique_ptr<LabNodes> startNodes(const QList<LabFault> &faults)
{
    LockError error;
    auto nodes = LabNodes::start({.way = LabWay::RedisSet, .faults = faults}, &error);
    if (!nodes)
        qWarning("%s", qPrintable(error.toString()));
    return nodes;
}

/// The number that it answers.
qint64 ask(const LabNodes &nodes, const QByteArrayList &words)
{
    RedisConfig config;
    config.server.socket = nodes.access().addresses.constFirst();
    config.password = nodes.access().password;
    LockError error;
    const auto connection = detail::RedisConnection::openAny(config, "lockscope-test", &error);
    return connection ? connection->run(words, "test").value.integer : -1;
}

constexpr quint64 kEnough = 8;
constexpr int kMaxRuns = 4; ///< where nothing is promised a busy machine may hide a race: then it is tried again

} // namespace

class TestLabRedis : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void aCrashBetweenTwoCommandsLocksForEver_data();
    void aCrashBetweenTwoCommandsLocksForEver();
    void aFrozenHolderSellsAgain_data();
    void aFrozenHolderSellsAgain();
    void onlyTheFenceRefusesAFrozenHolder_data();
    void onlyTheFenceRefusesAFrozenHolder();
    void theEngineKeepsItsPromises();
    void nodesThatForgetLetTwoHold_data();
    void nodesThatForgetLetTwoHold();
    void aScenarioShowsItsFaultAndItsCure_data();
    void aScenarioShowsItsFaultAndItsCure();
    void clocksThatJumpLetTwoHold_data();
    void clocksThatJumpLetTwoHold();
    void aFailoverLetsTwoHold_data();
    void aFailoverLetsTwoHold();
    void theFenceHoldsWhereRedisForgets_data();
    void theFenceHoldsWhereRedisForgets();
    void whatKilledNodesUsedIsCounted();
    void whoHasTakenOverIsLeftAlone();
    void aPausedNodeGoesOn();
    void whoeverDoesNotReachTheMajorityIsNotGranted_data();
    void whoeverDoesNotReachTheMajorityIsNotGranted();
    void nothingIsLeftBehind();

private:
    LabPlace place() const;
    LabReport run(const LabPlan &plan, const std::function<bool(const LabProgress &)> &isSeen = {}) const;
};

LabPlace TestLabRedis::place() const
{
    LabPlace place;
    place.target = targetFor(*m_server);
    place.workerProgram = QStringLiteral(LOCKSCOPE_LOCKCTL);
    return place;
}

/// To its end, or until that has been seen.
LabReport TestLabRedis::run(const LabPlan &plan, const std::function<bool(const LabProgress &)> &isSeen) const
{
    std::stop_source stop;
    const LabResult result = runLab(plan, place(), stop.get_token(), [&](const LabProgress &progress) {
        if (isSeen && isSeen(progress))
            stop.request_stop();
    });
    if (result.error)
        qWarning("%s", qPrintable(result.error->toString()));
    return result.report;
}

void TestLabRedis::aCrashBetweenTwoCommandsLocksForEver_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<bool>("isForEver");
    QTest::newRow("SETNX, then EXPIRE") << LabWay::RedisSetnx << true;
    QTest::newRow("SET NX PX") << LabWay::RedisSet << false;
    QTest::newRow("the engine") << LabWay::RedisFair << false;
}

void TestLabRedis::aCrashBetweenTwoCommandsLocksForEver()
{
    QFETCH(LabWay, way);
    QFETCH(bool, isForEver);
    const auto scenario = labScenarioOf(u"setnx-crash"_s);
    QVERIFY(scenario);
    LabPlan plan = *scenario;
    plan.way = way;
    Since seen;
    const auto isShown = [&] { return seen.crashes == 1 && (!isForEver || seen.gaveUpAfterCrash >= kEnough); };
    for (int runs = 0; runs < kMaxRuns && !isShown(); ++runs) {
        seen = {}; // a worker that is killed too late has gone past the gap
        run(plan, [&](const LabProgress &progress) {
            seen.add(progress.events);
            return seen.gaveUpAfterCrash >= kEnough || seen.grantsAfterCrash >= kEnough;
        });
    }
    QCOMPARE(seen.crashes, 1u);
    QCOMPARE(seen.gaveUpAfterCrash >= kEnough, isForEver); // each waited for more than a TTL
    QCOMPARE(seen.grantsAfterCrash >= kEnough, !isForEver);
}

void TestLabRedis::aFrozenHolderSellsAgain_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<bool>("isOversold");
    QTest::newRow("SET NX PX") << LabWay::RedisSet << true;
    QTest::newRow("the same, woken") << LabWay::RedisWake << true;
    QTest::newRow("Redlock") << LabWay::Redlock << true;
    QTest::newRow("the engine, with the fence") << LabWay::RedisFair << false;
}

/// Frozen past its TTL between looking and selling, it sells what the next one has sold. Until all is sold.
void TestLabRedis::aFrozenHolderSellsAgain()
{
    QFETCH(LabWay, way);
    QFETCH(bool, isOversold);
    LabPlan plan;
    plan.way = way;
    plan.workers = 4;
    plan.hold = {LabTime::Shape::Fixed, 100ms};
    plan.ttl = 300ms;
    plan.duration = 15s;
    plan.job = LabJob::Sale;
    plan.stock = 120;
    plan.faults = {{Fault::Freeze, 200ms, 700ms}};
    LabReport report;
    for (int left = isOversold ? kMaxRuns : 1; left > 0 && report.counts.oversold == 0; --left) {
        report = run(plan, [&](const LabProgress &progress) {
            return progress.counts.oversold > 0 || int(progress.counts.skipped) == plan.workers;
        });
    }
    QCOMPARE(report.counts.oversold > 0, isOversold);
    QVERIFY(report.counts.freezes > 0);
    QVERIFY(report.counts.overlaps > 0); // two believed it
    QVERIFY(!report.hasBrokenPromise());
}

void TestLabRedis::onlyTheFenceRefusesAFrozenHolder_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<bool>("isFenced");
    QTest::addColumn<bool>("isRefused");
    QTest::newRow("SET NX PX") << LabWay::RedisSet << true << false;
    QTest::newRow("the engine, without the fence") << LabWay::RedisFair << false << false;
    QTest::newRow("the engine, with the fence") << LabWay::RedisFair << true << true;
}

void TestLabRedis::onlyTheFenceRefusesAFrozenHolder()
{
    QFETCH(LabWay, way);
    QFETCH(bool, isFenced);
    QFETCH(bool, isRefused);
    LabPlan plan;
    plan.way = way;
    plan.workers = 3;
    plan.hold = {LabTime::Shape::Fixed, 200ms};
    plan.ttl = 400ms;
    plan.duration = 12s;
    plan.isFenced = isFenced;
    plan.faults = {{Fault::Freeze, 500ms, 1s}};
    const auto harm = [](const LabCounts &counts) { return counts.lostUpdates + counts.staleWrites; };
    const LabReport report = run(plan, [&](const LabProgress &progress) {
        return harm(progress.counts) > 0 || progress.counts.refusedWrites > 0;
    });
    QCOMPARE(report.counts.refusedWrites > 0, isRefused);
    QCOMPARE(harm(report.counts) > 0, !isRefused);
}

/// Under killed, frozen and disconnected workers at once: the network is that to Redis, too.
void TestLabRedis::theEngineKeepsItsPromises()
{
    LabPlan plan;
    plan.way = LabWay::RedisFair;
    plan.workers = 4;
    plan.resources = 2;
    plan.hold = {LabTime::Shape::Uniform, 20ms};
    plan.ttl = 1s;
    plan.duration = 6s;
    plan.faults = {{Fault::Freeze, 500ms, 2s},
                   {Fault::Crash, 1s, 2s},
                   {Fault::KillSession, 300ms, 400ms},
                   {Fault::Cut, 800ms, 2s},
                   {Fault::Slow, 1500ms, 2s, 500ms}};
    const LabReport report = run(plan);
    QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
    QVERIFY2(!report.hasBrokenPromise(), qPrintable(labMarkdown({report})));
    QVERIFY(report.counts.granted > 0);
    QVERIFY(report.counts.crashes > 0);
    QVERIFY(report.counts.freezes > 0);
    QVERIFY(report.counts.networkFaults > 0);
}

void TestLabRedis::nodesThatForgetLetTwoHold_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<LabKeeping>("keeping");
    QTest::addColumn<bool>("areTwo");
    QTest::newRow("Redlock, in memory") << LabWay::Redlock << LabKeeping::Memory << true;
    QTest::newRow("Redlock, durable") << LabWay::Redlock << LabKeeping::Durable << false;
    QTest::newRow("one Redis, in memory") << LabWay::RedisSet << LabKeeping::Memory << true;
    QTest::newRow("one Redis, durable") << LabWay::RedisSet << LabKeeping::Durable << false;
}

/// One node after the other is killed and started again.
void TestLabRedis::nodesThatForgetLetTwoHold()
{
    QFETCH(LabWay, way);
    QFETCH(LabKeeping, keeping);
    QFETCH(bool, areTwo);
    LabPlan plan = labPlanFor(LabWay::Redlock);
    plan.way = way;
    plan.keeping = keeping;
    const LabReport report = run(plan, [&](const LabProgress &progress) { return progress.counts.violations > 0; });
    QCOMPARE(report.counts.violations > 0, areTwo);
    QVERIFY(report.counts.granted > 1);
    const QString nodes = way == LabWay::Redlock ? u"5 × Redis "_s : u", Redis "_s;
    QVERIFY2(report.server.contains(nodes), qPrintable(report.server));
}

void TestLabRedis::aScenarioShowsItsFaultAndItsCure_data()
{
    QTest::addColumn<bool>("isOfWrites");
    QTest::newRow("redlock-restart") << false;
    QTest::newRow("clock-jump") << true;
    QTest::newRow("redis-failover") << true;
}

/// With the numbers that it comes with: the first is harmed, the second is not.
void TestLabRedis::aScenarioShowsItsFaultAndItsCure()
{
    QFETCH(bool, isOfWrites);
    const auto load = labScenarioOf(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(load);
    const auto harm = [isOfWrites](const LabCounts &counts) {
        return isOfWrites ? counts.lostUpdates + counts.staleWrites : counts.violations;
    };
    const QList<LabPlan> plans = labSideBySide(*load, labComparisonOf(*load));
    QCOMPARE(plans.size(), 2);
    LabReport fault;
    for (int left = kMaxRuns; left > 0 && harm(fault.counts) == 0; --left)
        fault = run(plans[0], [&harm](const LabProgress &progress) { return harm(progress.counts) > 0; });
    QVERIFY2(harm(fault.counts) > 0, qPrintable(labMarkdown({fault})));
    const LabReport cure = run(plans[1]);
    QVERIFY2(!cure.partial, qPrintable(cure.partial.value_or(QString())));
    QVERIFY2(harm(cure.counts) == 0 && cure.counts.granted > 1, qPrintable(labMarkdown({cure})));
}

void TestLabRedis::clocksThatJumpLetTwoHold_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::newRow("one Redis") << LabWay::RedisSet;
    QTest::newRow("Redlock, the majority within a hold") << LabWay::Redlock;
}

/// Whatever they keep.
void TestLabRedis::clocksThatJumpLetTwoHold()
{
    QFETCH(LabWay, way);
    LabPlan plan = labPlanFor(LabWay::Redlock);
    plan.way = way;
    plan.keeping = LabKeeping::Durable;
    plan.faults = {{Fault::ClockJump, 1s, 300ms}};
    const LabReport report = run(plan, [&](const LabProgress &progress) { return progress.counts.violations > 0; });
    QVERIFY2(report.counts.violations > 0, qPrintable(report.partial.value_or(QString())));
}

void TestLabRedis::aFailoverLetsTwoHold_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<bool>("isHarmed");
    QTest::newRow("SET NX PX") << LabWay::RedisSet << true;
    QTest::newRow("the engine, with the fence") << LabWay::RedisFair << false;
}

/// The replica has not heard of the last grant, whatever the master wrote to its disk.
void TestLabRedis::aFailoverLetsTwoHold()
{
    QFETCH(LabWay, way);
    QFETCH(bool, isHarmed);
    LabPlan plan;
    plan.way = way;
    plan.keeping = LabKeeping::Durable;
    plan.workers = 4;
    plan.hold.mean = 600ms;
    plan.ttl = 1s;
    plan.duration = 5s;
    plan.faults = {{Fault::Failover, 500ms}};
    LabReport report;
    for (int left = isHarmed ? kMaxRuns : 1; left > 0 && report.counts.lostUpdates == 0; --left) {
        report = run(plan); // the failover may come when nobody holds
        QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
        QVERIFY(!report.hasBrokenPromise());
    }
    QCOMPARE(report.counts.lostUpdates > 0, isHarmed);
    QVERIFY(report.counts.violations > 0 || !isHarmed);
    QVERIFY(report.counts.granted > 1);
    QVERIFY(report.statementsPerGrant);
}

void TestLabRedis::theFenceHoldsWhereRedisForgets_data()
{
    QTest::addColumn<Fault>("fault");
    QTest::newRow("killed") << Fault::NodeForgets;
    QTest::newRow("ahead of its time") << Fault::ClockJump;
}

/// Two hold, and the first one's writes are refused: tokens grow with the clock, whatever Redis forgets.
void TestLabRedis::theFenceHoldsWhereRedisForgets()
{
    QFETCH(Fault, fault);
    LabPlan plan;
    plan.way = LabWay::RedisFair;
    plan.workers = 4;
    plan.hold.mean = 2s; // who waits looks again when the TTL should be over
    plan.ttl = 1s;
    plan.duration = 8s;
    plan.faults = {{fault, 500ms, 1s}};
    const LabReport report = run(plan);
    QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
    QCOMPARE(report.counts.lostUpdates + report.counts.staleWrites, 0u);
    QVERIFY(report.counts.violations + report.counts.overlaps > 0);
    QVERIFY(report.counts.refusedWrites > 0);
    QVERIFY(!report.hasBrokenPromise());
}

/// A restart and a failover in one run.
void TestLabRedis::whatKilledNodesUsedIsCounted()
{
    const auto nodes = startNodes({{Fault::Failover, 1s}});
    QVERIFY(nodes);
    constexpr int many = 100;
    for (int i = 0; i < many; ++i)
        QCOMPARE(ask(*nodes, {"EXISTS", "k"}), 0); // which no replica does as well
    QVERIFY(!nodes->restartNext());
    QVERIFY(nodes->use().commands >= many);
    QVERIFY(!nodes->failOver());
    QVERIFY2(nodes->use().commands >= many, qPrintable(QString::number(nodes->use().commands)));
}

/// The old master would come back under the address that leads to it.
void TestLabRedis::whoHasTakenOverIsLeftAlone()
{
    const auto nodes = startNodes({{Fault::Failover, 1s}, {Fault::ClockJump, 2s}});
    QVERIFY(nodes);
    QVERIFY(!nodes->failOver());
    QCOMPARE(ask(*nodes, {"INCR", "k"}), 1);
    QVERIFY(!nodes->restartNext());
    QVERIFY(!nodes->moveNextClock(1s));
    QCOMPARE(ask(*nodes, {"INCR", "k"}), 2);
}

void TestLabRedis::aPausedNodeGoesOn()
{
    const auto nodes = startNodes({});
    QVERIFY(nodes);
    nodes->pauseNext();
    std::jthread later([&nodes] {
        std::this_thread::sleep_for(300ms);
        nodes->resume();
    });
    const auto begun = std::chrono::steady_clock::now();
    QCOMPARE(ask(*nodes, {"INCR", "k"}), 1);
    QVERIFY(std::chrono::steady_clock::now() - begun >= 300ms);
}

void TestLabRedis::whoeverDoesNotReachTheMajorityIsNotGranted_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<bool>("goesOn");
    QTest::newRow("two of five") << LabWay::Redlock << 2 << true;
    QTest::newRow("three of five") << LabWay::Redlock << 3 << false;
    QTest::newRow("the only one") << LabWay::RedisFair << 1 << false;
}

/// Until the nodes are reached again.
void TestLabRedis::whoeverDoesNotReachTheMajorityIsNotGranted()
{
    QFETCH(LabWay, way);
    QFETCH(int, nodes);
    QFETCH(bool, goesOn);
    LabPlan plan;
    plan.way = way;
    plan.workers = 2;
    plan.hold.mean = 10ms;
    plan.ttl = 500ms;
    plan.wait = 10s;
    plan.duration = 9s;
    plan.faults = {{Fault::NodeCut, 1s, 0s, 4s, nodes}};
    quint64 begun = 0; // once what was under way has ended
    quint64 cut = 0;
    const LabReport report = run(plan, [&](const LabProgress &progress) {
        if (progress.elapsed < 3s)
            begun = progress.counts.granted;
        if (progress.elapsed < 4500ms)
            cut = progress.counts.granted;
        return false;
    });
    QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
    QVERIFY(begun > 0);
    QCOMPARE(cut > begun, goesOn);
    QVERIFY2(report.counts.granted > cut, qPrintable(labMarkdown({report})));
    QCOMPARE(report.counts.violations, 0u);
}

void TestLabRedis::nothingIsLeftBehind()
{
    LabPlan plan;
    plan.way = LabWay::Redlock;
    plan.duration = 300ms;
    const LabReport report = run(plan);
    QVERIFY(!report.server.isEmpty());
    const QString own = u"run-%1-*"_s.arg(QCoreApplication::applicationPid());
    QVERIFY(QDir(ProcessFolder::parent()).entryList({own}, QDir::Dirs).isEmpty());
}

QTEST_GUILESS_MAIN(TestLabRedis)
#include "tst_labredis.moc"
