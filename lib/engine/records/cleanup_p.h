// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"
#include "session/reconnectingsession.h"

#include <deque>
#include <functional>
#include <optional>

namespace lockscope {
struct EngineConfig;
}

namespace lockscope::detail {

/// What a batch did.
struct Cleaned
{
    bool isMore = false; ///< another batch may find more
    std::optional<LockError> error = {};
};

/// One round of cleaning: idle rows, dead waits, and records that are older than the configuration keeps them. It
/// goes in steps of one small batch, so that a renewal on the same connection never waits for more than that.
class CleaningRound
{
public:
    explicit CleaningRound(const EngineConfig &config);

    /// One batch. False: the round is over, by its end or by an error.
    bool step(ReconnectingSession &link);
    const std::optional<LockError> &error() const { return m_error; }

private:
    /// `cursor` is empty before the first batch, and its own afterwards.
    using Batch = std::function<Cleaned(ReconnectingSession &link, QByteArray *cursor)>;

    std::deque<Batch> m_batches; // of which the first is at work
    QByteArray m_cursor;
    std::optional<LockError> m_error;
};

/// A batch of optimistic mode's rows that nobody committed for that long.
Cleaned cleanVersions(ReconnectingSession &link, Duration idleRowsKept, QByteArray *cursor);
/// … of pessimistic mode's rows that were made that long ago and that nobody holds.
Cleaned cleanRows(ReconnectingSession &link, Duration kept, QByteArray *cursor);

/// Removes the events that are older than `kept`, in small batches, and says how many. Needs SELECT and DELETE there.
std::optional<LockError> removeOldEvents(ReconnectingSession &link, Duration kept, qint64 *removed);

/// No error for one that does not matter to a cleaner: a user without the privilege does not use that mode or keeps
/// its records, and another cleaner at the same rows does the work for both.
inline Cleaned unlessNoMatter(const LockError &error)
{
    const bool isNoMatter = error.kind == LockError::Kind::NoPermission || error.kind == LockError::Kind::Contention;
    return {false, isNoMatter ? std::nullopt : std::optional(error)};
}

} // namespace lockscope::detail
