// SPDX-License-Identifier: MIT
// Processes on ZooKeeper that are killed and frozen: see stores/common/nemesis.h.
#include "stores/common/nemesis.h"
#include "zookeeperfixture.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestZooKeeperNemesis : public ZooKeeperTest
{
    Q_OBJECT

private Q_SLOTS:
    void noTwoHoldAndNobodyOvertakes();
};

void TestZooKeeperNemesis::noTwoHoldAndNobodyOvertakes()
{
    runNemesis({QStringLiteral(LOCKSCOPE_ZOOKEEPERNEMESIS),
                {m_url.toString(), QString::number(ZooKeeperNode::ShortestSession.count())},
                m_node->folder(),
                ZooKeeperNode::ShortestSession + 700ms});
}

QTEST_GUILESS_MAIN(TestZooKeeperNemesis)
#include "tst_zookeepernemesis.moc"
