// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/engineconfig.h"
#include "lockscope/versions.h"
#include "session/reconnectingsession.h"
#include "session/validation_p.h"

#include <memory>

namespace lockscope::detail {

/// One compare-and-swap. Lives on the stack of a commit.
struct VersionCommit
{
    const Snapshot &from;
    const ColumnValues &values;
    QByteArray id; ///< 8 random bytes
};

/// The rows that carry versions, in one kind of table: its statements and what their answers mean.
/// Thread: any, with a connection of the calling thread.
class VersionRows
{
public:
    /// What became of a commit whose answer was lost.
    enum class Fate {
        NotDone,     ///< and cannot be any more: the row is as it was read
        Done,        ///< the row says that it was ours
        Overtaken,   ///< the row says that it was somebody else's
        Undecidable, ///< the row changed and does not say by whom
        NoAnswer     ///< the server could not be asked
    };

    virtual ~VersionRows() = default;

    /// What is wrong with the table's description, before any I/O.
    virtual std::optional<LockError> validationError() const { return std::nullopt; }
    /// What is wrong with the columns to set, before any I/O.
    virtual std::optional<LockError> validate(const ColumnValues &values) const = 0;
    /// Looks at the table, unless it was found good before.
    virtual std::optional<LockError> prepare(ReconnectingSession &) { return std::nullopt; }
    /// What is wrong with a name that only this table refuses. After `prepare`.
    virtual std::optional<LockError> validate(const QByteArray &) const { return std::nullopt; }

    virtual ReadResult read(ReconnectingSession &link, const QByteArray &resource) = 0;
    /// One packet, whose only result is the number of changed rows.
    virtual Reply send(ReconnectingSession &link, const VersionCommit &commit) = 0;
    /// The row as a commit left it; `insertId` from the reply of `send`, 0 where that was lost.
    virtual Snapshot after(const VersionCommit &commit, quint64 insertId) const = 0;
    virtual Fate fateOf(ReconnectingSession &link, const VersionCommit &commit) = 0;
    /// Under which name `lock_attempt` counts a resource's commits.
    virtual QByteArray countedAs(const QByteArray &resource) const { return resource; }
};

/// Rows of `table`, as an engine with this configuration keeps them.
std::unique_ptr<VersionRows> versionRowsOf(const VersionedTable &table, const EngineConfig &config);

inline ServerTime serverTime(qint64 microseconds)
{
    return ServerTime(std::chrono::microseconds(microseconds));
}

} // namespace lockscope::detail
