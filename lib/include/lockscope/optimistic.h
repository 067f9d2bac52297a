// SPDX-License-Identifier: MIT
#pragma once

#include "lockengine.h"
#include "versions.h"

#include <QtCore/QFuture>

#include <functional>
#include <memory>
#include <optional>

namespace lockscope {

namespace detail {
class OptimisticCore;
}

/// Optimistic mode: read, work, and commit only if nobody else committed meanwhile. Nothing is held in between, so
/// nothing can be lost, left behind or waited for; under contention work is done again instead.
///
/// Reading and committing are one packet each. A row of the engine's own table that nobody has committed for
/// `EngineConfig::idleRowsKept` may be removed; a snapshot read earlier then meets a conflict, and versions go on above
/// the old ones.
///
/// A commit whose answer was lost is looked up on the server before anything else is done. In the engine's own table
/// that is decided by a random id (unless 32 others committed since); in an application's table an unchanged row is
/// tried again, a changed one is Unknown.
///
/// Commits and conflicts of each resource are added to `lock_attempt` every 5 s (see EngineConfig::measuresLatency), of
/// up to MaxCountedResources names in ten minutes. A row of an application's table is named "table:key" there, or
/// "schema.table:key" in another schema; a longer name than 255 bytes is its first 238, '~' and 16 digits of its
/// SHA-256.
///
/// Thread: every function may be called from any thread; copies share table knowledge and counts. The engine must
/// outlive calls. A QCoreApplication must exist; no event loop is needed.
/// Errors: never throws; what a caller must expect is a value. One of kind Contention is transient: try again, as run()
/// does. A table that cannot work (missing, no privilege, key not unique, timestamps coarser than microseconds) is a
/// BadRequest or NoPermission whose message says what to do; the table is checked before the first use, and not again
/// once it was found good.
class LOCKSCOPE_EXPORT OptimisticStore
{
public:
    using Change = VersionChange;

    /// Does no I/O.
    explicit OptimisticStore(const LockEngine &engine, const VersionedTable &table = {});

    /// What `resource` is now: 1–255 bytes (with EngineConfig::namePrefix, where the table is the engine's own), any
    /// but NUL. Data read elsewhere must be read after this.
    ReadResult read(const QByteArray &resource);

    /// Writes a new version, and `values` into the same row, if the version is still that of `from`. At most once.
    CommitResult commit(const Snapshot &from, const ColumnValues &values = {});

    /// Reads, calls `change` and commits; after a conflict it does so again, as `policy` says. `change` runs in this
    /// thread and may use the engine; an exception of its own passes through.
    RunResult run(const QByteArray &resource, const Change &change, const RetryPolicy &policy = {});

    /// run() in a thread of the engine's own, where `change` runs as well; the future throws what it throws. Cancel
    /// through `policy.stop`. Finished at the latest when the engine has ended, which waits for an attempt that is
    /// under way but not for a delay. The bound, and what may not be chained to the future, are those of
    /// LockEngine::acquireAsync().
    QFuture<RunResult> runAsync(const QByteArray &resource, const Change &change, const RetryPolicy &policy = {});

    OptimisticStatistics statistics() const;

private:
    std::shared_ptr<detail::OptimisticCore> m_core;
};

} // namespace lockscope
