// SPDX-License-Identifier: MIT
// The engine on etcd in the lab, when workers and members fail.
#include "labensembletest.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestLabEtcd : public LabEnsembleTest
{
    Q_OBJECT

public:
    TestLabEtcd()
        : LabEnsembleTest(LabWay::Etcd, {}, QStringLiteral(LOCKSCOPE_LOCKCTL))
    {
    }
};

QTEST_GUILESS_MAIN(TestLabEtcd)
#include "tst_labetcd.moc"
