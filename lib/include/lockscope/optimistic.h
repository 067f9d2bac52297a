#pragma once

#include "lockengine.h"

#include <QtCore/QFuture>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QVariant>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <variant>

namespace lockscope {

namespace detail {
class OptimisticCore;
}

/// Where versions are kept. As it is: in the engine's own table. With a name: in a table of the application, where the
/// commit may set other columns of the same row. Names are 1–64 characters and may hold anything a server allows.
struct VersionedTable
{
    QString table = {};
    /// Holds the resource name; must be unique by itself. An integer, text or binary column.
    QString keyColumn = {};
    /// An integer column that grows by one with every commit. Either this …
    QString versionColumn = {};
    /// … or this: DATETIME(6) or TIMESTAMP(6), in UTC.
    QString timestampColumn = {};
    /// Empty: the engine's schema.
    QString schema = {};
    /// More columns of the row that `read` returns, in the same statement as the version.
    QStringList readColumns = {};

    bool operator==(const VersionedTable &) const = default;
};

/// What one resource was when it was read. A plain value.
struct Snapshot
{
    QByteArray resource = {};
    /// Grows with every commit. By timestamp: microseconds since 1970, UTC.
    qint64 version = 0;
    /// The last commit, or the making of the row. None in a table that has only a version column, and after a commit
    /// whose answer had to be asked for.
    std::optional<ServerTime> updatedAt = {};
    /// `VersionedTable::readColumns`, in their order.
    QVariantList values = {};
};

enum class ReadOutcome {
    Read,
    NotFound, ///< the application's table has no such row; the engine's own table makes it
    Failed    ///< see `error`
};

struct ReadResult
{
    ReadOutcome outcome = ReadOutcome::Failed;
    Snapshot snapshot;
    std::optional<LockError> error;
};

enum class CommitOutcome {
    Committed,
    Conflict, ///< the row is no longer as it was read; nothing was written. Read again
    Unknown,  ///< the connection broke, and it cannot be told whether the commit arrived; see `error`
    Failed    ///< nothing was written; see `error`
};

struct CommitResult
{
    CommitOutcome outcome = CommitOutcome::Failed;
    /// After Committed: the row as this commit left it, to go on from without reading; without `values`.
    Snapshot committed;
    std::optional<LockError> error;
};

/// What is written into a column: NULL, a number, text, or bytes for a binary column. Decimal numbers and times go as
/// text, which the server converts.
using ColumnValue = std::variant<std::monostate, qint64, quint64, QString, QByteArray>;
/// Column name → value.
using ColumnValues = std::map<QString, ColumnValue>;

/// How long `run` goes on. The delay before attempt n is drawn evenly from 0 … firstDelay · 2ⁿ⁻², at most maxDelay.
struct RetryPolicy
{
    int maxAttempts = 20; ///< at least 1
    /// No attempt begins later than this after the call; one that has begun may wait a second for a row lock.
    Duration timeLimit = std::chrono::seconds(10);
    Duration firstDelay = std::chrono::milliseconds(1);
    Duration maxDelay = std::chrono::milliseconds(250);
    std::stop_token stop = {};
};

enum class RunOutcome {
    Committed,
    Abandoned, ///< the function returned nothing
    GaveUp,    ///< the attempt limit was reached; the last attempt found a conflict
    TimedOut,
    Cancelled, ///< by the stop token
    NotFound,  ///< the application's table has no such row
    Unknown,   ///< as CommitOutcome::Unknown; never retried
    Failed     ///< see `error`
};

struct RunResult
{
    RunOutcome outcome = RunOutcome::Failed;
    int attempts = 0;   ///< commits that were tried
    Snapshot committed; ///< as CommitResult::committed
    std::optional<LockError> error;
};

/// What became of the commits of one resource.
struct CommitCounts
{
    quint64 attempts = 0;
    quint64 commits = 0;
    quint64 conflicts = 0;
    quint64 retries = 0;  ///< attempts of `run` after its first
    quint64 failures = 0; ///< Unknown and Failed
};

/// Counts since the store was made.
struct OptimisticStatistics
{
    std::map<QByteArray, CommitCounts> resources; ///< the first MaxCountedResources that were committed
    CommitCounts others;                          ///< the rest together
};

inline constexpr int MaxCountedResources = 1000;

/// Optimistic mode: read, work, and commit only if nobody else committed meanwhile. Nothing is held in between, so
/// nothing can be lost, left behind or waited for; under contention work is done again instead.
///
/// Reading and committing are one packet each. A row of the engine's own table that nobody committed for
/// `EngineConfig::idleRowsKept` may be removed; a snapshot from before then meets a conflict, and versions go on above
/// the old ones.
///
/// A commit whose answer was lost is looked up on the server before anything else is done. In the engine's own table
/// that is decided by a random id (unless 32 others committed since); in an application's table an unchanged row is
/// tried again, a changed one is Unknown.
///
/// Commits and conflicts of each resource are added to `lock_attempt` every 5 s (see EngineConfig::measuresLatency), of
/// up to MaxCountedResources names in ten minutes. A row of an application's table is named "table:key" there, or
/// "schema.table:key" in another schema; of more than 255 bytes the first 238, '~' and 16 digits of the name's SHA-256.
///
/// Thread: every function may be called from any thread; copies share table knowledge and counts. The engine must
/// outlive calls. A QCoreApplication must exist; no event loop is needed.
/// Errors: never throws; what a caller must expect is a value. One of kind Contention passes: try again, as run() does.
/// A table that cannot work (missing, no privilege, key not unique, timestamps coarser than microseconds) is a
/// BadRequest or NoPermission whose message says what to do; it is looked at before the first use and not again once it
/// was found good.
class LOCKSCOPE_EXPORT OptimisticStore
{
public:
    /// Returns the columns to set beside the version, or nothing to stop. With the engine's own table: {}.
    using Change = std::function<std::optional<ColumnValues>(const Snapshot &)>;

    /// Does no I/O.
    explicit OptimisticStore(const LockEngine &engine, const VersionedTable &table = {});

    /// What `resource` is now: 1–255 bytes (with EngineConfig::namePrefix, where the table is the engine's own), any
    /// but NUL. Data read elsewhere must be read after this.
    ReadResult read(const QByteArray &resource);

    /// Writes a new version, and `values` into the same row, if the version is still that of `from`. At most once.
    CommitResult commit(const Snapshot &from, const ColumnValues &values = {});

    /// Reads, calls `change`, commits; after a conflict again, as `policy` says. `change` runs in this thread and may
    /// use the engine; an exception of its own passes through.
    RunResult run(const QByteArray &resource, const Change &change, const RetryPolicy &policy = {});

    /// run() in a thread of the engine's own, where `change` runs as well; the future throws what it throws. Cancel
    /// through `policy.stop`. Finished at the latest when the engine has ended, which waits for an attempt that is
    /// under way but for no delay. Bound, and what may not be chained to the future: as LockEngine::acquireAsync().
    QFuture<RunResult> runAsync(const QByteArray &resource, const Change &change, const RetryPolicy &policy = {});

    OptimisticStatistics statistics() const;

private:
    std::shared_ptr<detail::OptimisticCore> m_core;
};

} // namespace lockscope
