// SPDX-License-Identifier: MIT
#pragma once

#include "lockerror.h"
#include "lockrequest.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QVariant>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <variant>

namespace lockscope {

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

/// Returns the columns to set beside the version, or nothing to stop. With the engine's own table: {}.
using VersionChange = std::function<std::optional<ColumnValues>(const Snapshot &)>;

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

} // namespace lockscope
