// SPDX-License-Identifier: MIT
// Ways on ZooKeeper when workers freeze and crash, and when its servers do: what only a fence stops, what a herd costs,
// and that nothing is forgotten.
#include "enginetest.h"
#include "lab/labnodes.h"
#include "lab/labrun.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using Fault = LabFault::Kind;

namespace {

constexpr int kMaxRuns = 4; ///< where nothing is promised a busy machine may hide a race: then it is tried again

quint64 harm(const LabCounts &counts)
{
    return counts.lostUpdates + counts.staleWrites;
}

} // namespace

class TestLabZooKeeper : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void aFrozenHolderSellsAgain_data();
    void aFrozenHolderSellsAgain();
    void onlyTheFenceRefusesAFrozenHolder_data();
    void onlyTheFenceRefusesAFrozenHolder();
    void theEngineKeepsItsPromises_data();
    void theEngineKeepsItsPromises();
    void killedServersForgetNothing_data();
    void killedServersForgetNothing();
    void anEnsembleOutlivesItsLeader();
    void theHerdAsksForEachGrant();
    void whatKilledServersDidIsCounted();

private:
    LabReport run(const LabPlan &plan, const std::function<bool(const LabProgress &)> &isSeen = {}) const;
};

/// To its end, or until that has been seen.
LabReport TestLabZooKeeper::run(const LabPlan &plan, const std::function<bool(const LabProgress &)> &isSeen) const
{
    LabPlace place;
    place.target = targetFor(*m_server);
    place.workerProgram = QStringLiteral(LOCKSCOPE_LOCKCTL);
    std::stop_source stop;
    const LabResult result = runLab(plan, place, stop.get_token(), [&](const LabProgress &progress) {
        if (isSeen && isSeen(progress))
            stop.request_stop();
    });
    if (result.error)
        qWarning("%s", qPrintable(result.error->toString()));
    return result.report;
}

void TestLabZooKeeper::aFrozenHolderSellsAgain_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<bool>("isFenced");
    QTest::addColumn<bool>("isOversold");
    QTest::newRow("the herd") << LabWay::ZooKeeperHerd << true << true;
    QTest::newRow("the engine, without the fence") << LabWay::ZooKeeper << false << true;
    QTest::newRow("the engine, with the fence") << LabWay::ZooKeeper << true << false;
}

/// Frozen past its session between looking and selling, it sells what the next one has sold. Until all is sold.
void TestLabZooKeeper::aFrozenHolderSellsAgain()
{
    QFETCH(LabWay, way);
    QFETCH(bool, isFenced);
    QFETCH(bool, isOversold);
    LabPlan plan;
    plan.way = way;
    plan.isFenced = isFenced;
    plan.workers = 4;
    plan.hold = {LabTime::Shape::Fixed, 100ms};
    plan.ttl = 1s;
    plan.duration = 20s;
    plan.job = LabJob::Sale;
    plan.stock = 150;
    plan.faults = {{Fault::Freeze, 500ms, 3s, 2500ms}};
    LabReport report;
    for (int left = isOversold ? kMaxRuns : 1; left > 0 && report.counts.oversold == 0; --left) {
        report = run(plan, [&](const LabProgress &progress) {
            return progress.counts.oversold > 0 || int(progress.counts.skipped) == plan.workers;
        });
    }
    QCOMPARE(report.counts.oversold > 0, isOversold);
    QVERIFY(report.counts.freezes > 0);
    QVERIFY(!report.hasBrokenPromise());
}

void TestLabZooKeeper::onlyTheFenceRefusesAFrozenHolder_data()
{
    QTest::addColumn<bool>("isFenced");
    QTest::newRow("without the fence") << false;
    QTest::newRow("with the fence") << true;
}

void TestLabZooKeeper::onlyTheFenceRefusesAFrozenHolder()
{
    QFETCH(bool, isFenced);
    LabPlan plan;
    plan.way = LabWay::ZooKeeper;
    plan.workers = 3;
    plan.hold = {LabTime::Shape::Fixed, 300ms};
    plan.ttl = 1s;
    plan.duration = 20s;
    plan.isFenced = isFenced;
    plan.faults = {{Fault::Freeze, 500ms, 4s, 2500ms}};
    const LabReport report = run(plan, [&](const LabProgress &progress) {
        return harm(progress.counts) > 0 || progress.counts.refusedWrites > 0;
    });
    QCOMPARE(report.counts.refusedWrites > 0, isFenced);
    QCOMPARE(harm(report.counts) > 0, !isFenced);
}

void TestLabZooKeeper::theEngineKeepsItsPromises_data()
{
    QTest::addColumn<int>("servers");
    QTest::newRow("one server") << 1;
    QTest::newRow("three") << 3;
}

/// Under killed, frozen and disconnected workers and servers at once.
void TestLabZooKeeper::theEngineKeepsItsPromises()
{
    QFETCH(int, servers);
    LabPlan plan;
    plan.way = LabWay::ZooKeeper;
    plan.servers = servers;
    plan.workers = 4;
    plan.resources = 2;
    plan.hold = {LabTime::Shape::Uniform, 20ms};
    plan.ttl = 2s;
    plan.duration = 12s;
    plan.faults = {{Fault::Freeze, 500ms, 4s}, {Fault::Crash, 1s, 3s},         {Fault::KillSession, 300ms, 700ms},
                   {Fault::Cut, 2s, 5s},       {Fault::Slow, 3s, 5s, 500ms},   {Fault::ServerPause, 4s, 5s, 600ms},
                   {Fault::NodeForgets, 6s},   {Fault::LeaderKill, 8s, 0s, 1s}};
    const LabReport report = run(plan);
    QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
    QVERIFY2(!report.hasBrokenPromise(), qPrintable(labMarkdown({report})));
    QVERIFY(report.counts.granted > 0);
    QVERIFY(report.counts.crashes > 0);
    QVERIFY(report.counts.freezes > 0);
    QVERIFY(report.counts.networkFaults > 0);
}

void TestLabZooKeeper::killedServersForgetNothing_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::newRow("the engine") << LabWay::ZooKeeper;
    QTest::newRow("the herd") << LabWay::ZooKeeperHerd;
}

/// What makes two hold on a Redis in memory.
void TestLabZooKeeper::killedServersForgetNothing()
{
    QFETCH(LabWay, way);
    LabPlan plan = labPlanFor(LabWay::Redlock);
    plan.way = way;
    plan.duration = 15s; // whoever could not give back blocks the rest for a TTL
    plan.faults = {{Fault::NodeForgets, 1s, 5s}};
    const LabReport report = run(plan);
    QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
    QCOMPARE(report.counts.violations, 0u);
    QVERIFY(report.counts.granted > 1);
    QVERIFY2(report.server.contains(u", ZooKeeper "_s), qPrintable(report.server));
}

void TestLabZooKeeper::anEnsembleOutlivesItsLeader()
{
    LabPlan plan;
    plan.way = LabWay::ZooKeeper;
    plan.servers = 3;
    plan.workers = 4;
    plan.hold.mean = 20ms;
    plan.ttl = 10s;
    plan.duration = 60s;
    plan.faults = {{Fault::LeaderKill, 1s, 0s, 59s}};
    quint64 before = 0;
    const LabReport report = run(plan, [&before](const LabProgress &progress) {
        if (progress.elapsed < 1s)
            before = progress.counts.granted;
        return progress.elapsed > 2s && progress.counts.granted > before + 100; // of two servers
    });
    QVERIFY(report.counts.granted > before + 100);
    QCOMPARE(report.counts.violations, 0u);
    QVERIFY2(report.server.contains(u", 3 × ZooKeeper "_s), qPrintable(report.server));
    QVERIFY(report.statementsPerGrant);
}

/// The more wait, the more it costs: each release wakes all of them.
void TestLabZooKeeper::theHerdAsksForEachGrant()
{
    LabPlan plan = labPlanFor(LabWay::ZooKeeperHerd);
    plan.job = LabJob::Nothing;
    plan.duration = 3s;
    const LabReport herd = run(plan);
    plan.way = LabWay::ZooKeeper;
    const LabReport queue = run(plan);
    QVERIFY(herd.statementsPerGrant && queue.statementsPerGrant);
    QVERIFY2(*herd.statementsPerGrant > 2 * *queue.statementsPerGrant, qPrintable(labMarkdown({herd, queue})));
    QVERIFY(queue.fairness > 0.9);
}

void TestLabZooKeeper::whatKilledServersDidIsCounted()
{
    LockError error;
    const auto nodes = LabNodes::start({.way = LabWay::ZooKeeper}, &error);
    QVERIFY2(nodes, qPrintable(error.toString()));
    const auto before = nodes->use().commands;
    QVERIFY(before > 0); // of the session that waited for it
    QVERIFY(!nodes->restartNext());
    QVERIFY(nodes->use().commands > before);
    nodes->killLeader();
    QVERIFY(nodes->use().commands >= before);
    QVERIFY(!nodes->startKilled());
    QVERIFY(nodes->use().commands > before);
}

QTEST_GUILESS_MAIN(TestLabZooKeeper)
#include "tst_labzookeeper.moc"
