// SPDX-License-Identifier: MIT
#pragma once

#include "lockctlrunner.h"
#include "storebench.h"

#include <QtCore/QObject>
#include <QtCore/QTemporaryDir>

namespace lockscope::test {

/// Ends a lockctl as `kill` does.
CtlResult end(QProcess &run);

/// lockctl where the locks are on a store of any kind.
class StoreCtlTest : public QObject
{
    Q_OBJECT

public:
    /// `guard` begins what a forced release says of the lease's token: "cZxid = 0x", which has this base.
    StoreCtlTest(StoreBench &bench, const QByteArray &guard, int base = 10)
        : m_bench(bench)
        , m_guard(guard)
        , m_base(base)
    {
    }

protected:
    /// Of the bench, once it has begun.
    virtual QString url() const = 0;

    /// A run that holds "nightly" until end().
    std::unique_ptr<QProcess> hold() const;
    QJsonArray locks() const { return m_ctl->run({QStringLiteral("list"), QStringLiteral("--json")}).array(); }

    StoreBench &m_bench;
    std::unique_ptr<CtlRunner> m_ctl;

protected Q_SLOTS:
    void init();

private:
    bool isHeld() const { return !m_engine->heldLeases({"nightly"}).leases.isEmpty(); }

    const QByteArray m_guard;
    const int m_base;
    const QTemporaryDir m_home;
    std::unique_ptr<LockEngine> m_engine;

private Q_SLOTS:
    void cleanup() { m_engine.reset(); }

    void aRunHoldsTheLeaseWhileItsCommandRuns();
    void aTakenLeaseIs75AndAWaitingRunIsNext();
    void aForceReleasedRunIs76();
    void theHolderIsAsked();
    void whoAsksForANameOfNobodyIsToldWhereToLook();
    void locksAndTheirQueueAreListed();
    // Their rows are each store's own.
    void whatTheStoreCannotDoIsRefused();
    void aWrongAddressIsToldBeforeAnythingIsRun();
};

} // namespace lockscope::test
