// SPDX-License-Identifier: MIT
// Ways on ZooKeeper when workers and servers fail, and what a herd costs.
#include "labensembletest.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestLabZooKeeper : public LabEnsembleTest
{
    Q_OBJECT

public:
    TestLabZooKeeper()
        : LabEnsembleTest(LabWay::ZooKeeper, {LabWay::ZooKeeperHerd}, QStringLiteral(LOCKSCOPE_LOCKCTL))
    {
    }

private Q_SLOTS:
    void theHerdAsksForEachGrant();
};

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

QTEST_GUILESS_MAIN(TestLabZooKeeper)
#include "tst_labzookeeper.moc"
