// SPDX-License-Identifier: MIT
#include "labensembletest.h"

#include "lab/labnodes.h"

#include <QtTest/QTest>

#include <algorithm>

namespace lockscope::test {

using namespace Qt::StringLiterals;
using Fault = LabFault::Kind;

namespace {

constexpr int kMaxRuns = 4; ///< where nothing is promised a busy machine may hide a race: then it is tried again

quint64 harm(const LabCounts &counts)
{
    return counts.lostUpdates + counts.staleWrites;
}

} // namespace

QString LabEnsembleTest::store() const
{
    return labStoreName(traitsOf(m_way).store);
}

/// To its end, or until that has been seen.
LabReport LabEnsembleTest::run(const LabPlan &plan, const std::function<bool(const LabProgress &)> &isSeen) const
{
    LabPlace place;
    place.target = targetFor(*m_server);
    place.workerProgram = m_program;
    std::stop_source stop;
    const LabResult result = runLab(plan, place, stop.get_token(), [&](const LabProgress &progress) {
        if (isSeen && isSeen(progress))
            stop.request_stop();
    });
    if (result.error)
        qWarning("%s", qPrintable(result.error->toString()));
    return result.report;
}

void LabEnsembleTest::aFrozenHolderSellsAgain_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<bool>("isFenced");
    QTest::addColumn<bool>("isOversold");
    for (const LabWay way : m_textbooks)
        QTest::newRow(traitsOf(way).name) << way << true << true;
    QTest::newRow("the engine, without the fence") << m_way << false << true;
    QTest::newRow("the engine, with the fence") << m_way << true << false;
}

/// Frozen past its time between looking and selling, it sells what the next one has sold. Until all is sold.
void LabEnsembleTest::aFrozenHolderSellsAgain()
{
    QFETCH(LabWay, way);
    QFETCH(bool, isFenced);
    QFETCH(bool, isOversold);
    LabPlan plan;
    plan.way = way;
    plan.isFenced = isFenced;
    plan.workers = 4;
    plan.hold = {LabTime::Shape::Fixed, 100ms};
    plan.ttl = 2s;
    plan.duration = 25s;
    plan.job = LabJob::Sale;
    plan.stock = 150;
    plan.faults = {{Fault::Freeze, 500ms, 6s, 4s}};
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

void LabEnsembleTest::onlyTheFenceRefusesAFrozenHolder_data()
{
    QTest::addColumn<bool>("isFenced");
    QTest::newRow("without the fence") << false;
    QTest::newRow("with the fence") << true;
}

void LabEnsembleTest::onlyTheFenceRefusesAFrozenHolder()
{
    QFETCH(bool, isFenced);
    const auto scenario = labScenarioOf(u"frozen-holder"_s);
    QVERIFY(scenario);
    const QList<LabPlan> plans = labSideBySide(*scenario, labComparisonOf(*scenario));
    const auto plan =
        std::ranges::find_if(plans, [&](const LabPlan &one) { return one.way == m_way && one.isFenced == isFenced; });
    QVERIFY(plan != plans.end());
    const LabReport report = run(*plan, [&](const LabProgress &progress) {
        return harm(progress.counts) > 0 || progress.counts.refusedWrites > 0;
    });
    QCOMPARE(report.counts.refusedWrites > 0, isFenced);
    QCOMPARE(harm(report.counts) > 0, !isFenced);
}

/// Under killed, frozen and disconnected workers and servers at once.
void LabEnsembleTest::theEngineKeepsItsPromises()
{
    LabPlan plan;
    plan.way = m_way;
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

void LabEnsembleTest::killedServersForgetNothing_data()
{
    QTest::addColumn<LabWay>("way");
    for (const LabWay way : QList{m_way} + m_textbooks)
        QTest::newRow(traitsOf(way).name) << way;
}

/// What makes two hold on a Redis in memory.
void LabEnsembleTest::killedServersForgetNothing()
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
    QVERIFY2(report.server.contains(u", "_s + store()), qPrintable(report.server));
}

void LabEnsembleTest::anEnsembleOutlivesItsLeader()
{
    LabPlan plan;
    plan.way = m_way;
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
    QVERIFY2(report.server.contains(u", 3 × "_s + store()), qPrintable(report.server));
    QVERIFY(report.statementsPerGrant);
}

void LabEnsembleTest::whatKilledServersDidIsCounted()
{
    LockError error;
    const auto nodes = LabNodes::start({.way = m_way}, &error);
    QVERIFY2(nodes, qPrintable(error.toString()));
    const auto before = nodes->use().commands;
    QVERIFY(before > 0); // of whoever waited for it
    QVERIFY(!nodes->restartNext());
    QVERIFY(nodes->use().commands > before);
    nodes->killLeader();
    QVERIFY(nodes->use().commands >= before);
    QVERIFY(!nodes->startKilled());
    QVERIFY(nodes->use().commands > before);
}

} // namespace lockscope::test
