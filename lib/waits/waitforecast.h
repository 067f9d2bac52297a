// SPDX-License-Identifier: MIT
#pragma once

#include "waitindex.h"

namespace lockscope {

/// Who goes on once some sessions have ended, by the queues of the locks as they stand at the look. Which of several
/// equal waiters a server lets in first is its own choice: the number is what counts.
struct WaitForecast
{
    QList<quint64> atOnce; ///< nobody else holds what they wait for, or comes before them; the longest wait first
    QList<quint64> later;  ///< one after the other, if each of those before them commits
    QList<quint64> stay;   ///< wait for the ended ones, directly or over others, and for somebody who stays
    QList<quint64> kept;   ///< of these: wait, also over others, for what an ended statement leaves with its session
    Microseconds waited{}; ///< how long those that go on have waited, together
    bool isWhole = true;   ///< false: not all of who waits for whom was seen, so others may go on too

    QList<quint64> goesOn() const { return atOnce + later; }
    /// Of those that stay: whom somebody else blocks too.
    QList<quint64> blockedByOthers() const;
    bool isEmpty() const { return atOnce.isEmpty() && later.isEmpty() && stay.isEmpty(); }
    bool operator==(const WaitForecast &) const = default;
};

/// `ended` together, as one set: what two of them hold is free only when both have ended.
/// Pure; any thread.
WaitForecast forecast(const ServerWaits &waits, const QList<quint64> &ended);

/// The same as numbers of an index; those that go on at once come first.
struct FreedSessions
{
    std::vector<int> sessions;
    int atOnce = 0;
};
FreedSessions freedBy(const WaitIndex &index, const std::vector<int> &ended);

} // namespace lockscope
