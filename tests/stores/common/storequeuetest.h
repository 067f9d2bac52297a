// SPDX-License-Identifier: MIT
#pragma once

#include "storebench.h"

#include <QtCore/QObject>

namespace lockscope::test {

/// Those who wait for a lease, on any store: their order, and the dead among them.
class StoreQueueTest : public QObject
{
    Q_OBJECT

public:
    explicit StoreQueueTest(StoreBench &bench)
        : m_bench(bench)
    {
    }

protected:
    StoreBench &m_bench;
    std::unique_ptr<LockEngine> m_engine;
    std::unique_ptr<LockEngine> m_other;

private Q_SLOTS:
    void init();
    void cleanup();

    void waitersAreServedInTheOrderOfTheirArrival_data();
    void waitersAreServedInTheOrderOfTheirArrival();
    void aNewcomerOvertakesNobody();
    void manyThreadsHoldItOneByOne();
    void aCancelledWaiterLeaves();
    void aWaiterLeavesWhenItsTimeIsOver();
    void aWaiterThatLeavesInTheMiddleLosesNobody();
    void anEnginesEndCancelsItsWaiters();
    void aDeadWaiterIsPassedOver();
    void aWaiterThatFrozeAtItsGrantDoesNotBelieveInIt();
    void aWaiterOutlivesTheOneBeforeItAndItsHolder();

private:
    QByteArray orderToAcquire(Duration wait) const;
};

} // namespace lockscope::test
