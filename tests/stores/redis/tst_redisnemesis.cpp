// SPDX-License-Identifier: MIT
// Processes on Redis that are killed and frozen: see stores/common/nemesis.h.
#include "nemesistally.h"
#include "redisfixture.h"
#include "stores/common/nemesis.h"

#include <QtTest/QTest>

using namespace lockscope::test;

class TestRedisNemesis : public RedisTest
{
    Q_OBJECT

private Q_SLOTS:
    void noTwoHoldAndNobodyOvertakes();
};

void TestRedisNemesis::noTwoHoldAndNobodyOvertakes()
{
    runNemesis({QStringLiteral(LOCKSCOPE_REDISNEMESIS),
                {m_node->url().toString(), QString::number(NemesisTtl.count())},
                m_node->folder(),
                NemesisTtl + 200ms,
                100});
}

QTEST_GUILESS_MAIN(TestRedisNemesis)
#include "tst_redisnemesis.moc"
