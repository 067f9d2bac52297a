#pragma once

#include "forcerelease.h"
#include "server/link.h"

#include <functional>
#include <stop_token>

namespace lockscope {

/// Which leases to release: set one of the two.
struct ReleaseSelection
{
    QByteArray prefix = {};  ///< all whose names begin with these bytes: 1–255, any but NUL
    QByteArray session = {}; ///< all of one engine, which is one process: Owner::session, 32 hex digits
};

/// The leases that a selection meant at one time, each with its token. Only these are released, whatever comes later.
struct ReleasePlan
{
    QList<LockRow> locks; ///< by name
    SnapshotClock clock;
};

/// What became of a plan.
struct BulkReport
{
    qsizetype released = 0;
    qsizetype changed = 0; ///< held by nobody or with another token by then: left alone
    qsizetype failed = 0;  ///< see `firstError`
    qsizetype left = 0;    ///< not tried: stopped, or the server is away
    qsizetype unwoken = 0; ///< of the released: the next holder could not be woken and notices by itself
    std::optional<LockError> firstError;
    QString recordError; ///< why the local record lacks lines of what was done; empty: it has them all
};

/// Many force releases: first a plan, then each of it as ForceRelease does one, guarded by its token and on record with
/// the reason, here and on the server. Not one transaction: a lock that was released stays so when another fails.
/// Leases only: a row lock ends with its session. A lease that was released early and is kept for its minimum hold time
/// is not held and not planned.
/// Thread: that of `link`, which must outlive this.
class BulkRelease
{
public:
    using Progress = std::function<void(const ReleaseOrder &order, const ReleaseReport &report)>;

    explicit BulkRelease(Link &link);

    /// What is wrong with a selection, before any I/O.
    static std::optional<LockError> check(const ReleaseSelection &selection);

    /// Reads 500 rows at a time in the order of the primary key: those of the prefix, or all for a session. Stopped, it
    /// leaves the part that was read.
    std::optional<LockError> plan(const ReleaseSelection &selection, ReleasePlan *plan,
                                  const std::stop_token &stop = {});

    /// Releases what was planned, one by one, and tells `progress` of each. Once `stop` is requested, or the server is
    /// away, the rest is left.
    BulkReport act(const ReleasePlan &plan, const QString &operatorName, const QString &reason,
                   const std::stop_token &stop = {}, const Progress &progress = {});

private:
    ReleaseReport release(const ReleaseOrder &order);

    Link &m_link;
    AuditFile m_audit;
};

} // namespace lockscope
