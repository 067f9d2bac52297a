// SPDX-License-Identifier: MIT
#pragma once

#include "forcerelease.h"

#include <functional>
#include <stop_token>

namespace lockscope {

/// The leases that a selection matched at one moment, each with its token. Only these are released, whatever comes
/// later.
struct ReleasePlan
{
    QList<LockRow> locks; ///< by name
    SnapshotClock clock;
};

/// What became of a plan.
struct BulkReport : ForcedReleases
{
    QString recordError; ///< why the local record lacks lines of what was done; empty: it has them all
};

/// LockEngine::heldLeases() and forceRelease() for an operator: with all that a list shows of a lease, and recorded on
/// this machine too. Thread: that of `source`, which must outlive this.
class BulkRelease
{
public:
    using Progress = std::function<void(const ReleaseOrder &order, const ForcedRelease &release)>;

    explicit BulkRelease(LockSource &source);

    /// What is wrong with a selection, before any I/O.
    static std::optional<LockError> check(const LeaseSelection &selection);

    /// Reads a bounded number at a time, by name: those of the prefix, or all for a session. Stopped, it leaves the
    /// part that was read.
    std::optional<LockError> plan(const LeaseSelection &selection, ReleasePlan *plan, const std::stop_token &stop = {});

    /// Releases what was planned, one by one, unless `access` refuses, and tells `progress` of each. Once `stop` is
    /// requested, or the server is away, the rest is left. The local record gets the lines of a hundred at once, and
    /// those of what was done at the latest with the first act that ends a second later.
    BulkReport act(const ReleasePlan &plan, const ServerAccess &access, const QString &operatorName,
                   const QString &reason, const std::stop_token &stop = {}, const Progress &progress = {});

private:
    LockSource &m_source;
    AuditFile m_audit;
};

} // namespace lockscope
