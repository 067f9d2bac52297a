// SPDX-License-Identifier: MIT
#pragma once

#include "storebench.h"

#include <QtCore/QObject>

namespace lockscope::test {

/// One lease, from its grant to its end, on any store.
class StoreLeaseTest : public QObject
{
    Q_OBJECT

public:
    explicit StoreLeaseTest(StoreBench &bench)
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

    void aFreeLeaseIsTakenAndReleased();
    void aTriedLeaseThatIsHeldIsBusy();
    void onlyItsOwnerEntersAgain();
    void tokensGrow();
    void theWatchdogRenews();
    void aLeaseThatNobodyRenewsEnds();
    void anyNameIsItsOwnLock_data();
    void anyNameIsItsOwnLock();
    void aWrongNameIsRefused_data();
    void aWrongNameIsRefused();
    void theHolderIsAskedForIt();
    void leasesAreListedWithAllThatTheirHoldersSaid();
    void manyLeasesAreReadInParts();
    void aForcedReleaseTellsTheHolder();
    void aForcedReleaseOfAnotherLeaseDoesNothing();
};

} // namespace lockscope::test
