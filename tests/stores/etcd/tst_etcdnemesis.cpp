// SPDX-License-Identifier: MIT
// Processes on etcd that are killed and frozen: see stores/common/nemesis.h.
#include "etcdbench.h"
#include "stores/common/nemesis.h"

#include <QtTest/QTest>

using namespace lockscope::test;

class TestEtcdNemesis : public EtcdTest
{
    Q_OBJECT

private Q_SLOTS:
    void noTwoHoldAndNobodyOvertakes();
};

void TestEtcdNemesis::noTwoHoldAndNobodyOvertakes()
{
    const std::chrono::milliseconds ttl = ShortTtl;
    runNemesis({QStringLiteral(LOCKSCOPE_ETCDNEMESIS),
                {m_bench.url().toString(), QString::number(ttl.count())},
                m_bench.node().folder(),
                ttl + 700ms}); // etcd looks twice a second
}

QTEST_GUILESS_MAIN(TestEtcdNemesis)
#include "tst_etcdnemesis.moc"
