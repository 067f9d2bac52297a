// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/versions.h"
#include "session/reconnectingsession.h"

#include <chrono>
#include <map>
#include <mutex>
#include <vector>

namespace lockscope::detail {

/// How the optimistic commits of an engine end, by resource, on their way into `lock_attempt`.
///
/// It remembers MaxCountedResources names at a time; a name that was not used for ten minutes makes room for another,
/// and what finds no room is not counted. Counts whose answer was lost are taken for written: they are never added
/// twice, but those of one statement may be missing. Anything else that could not be written goes with a later flush.
/// Thread: `count` any; `flush` one at a time (the service thread).
class AttemptLog
{
public:
    /// Unknown and Failed are not counted: nobody can tell what became of them, or nothing was tried.
    void count(const QByteArray &resource, CommitOutcome outcome, bool isRetry);

    /// Adds what was counted to the table, a few hundred resources a statement. Nothing is sent when there is nothing.
    std::optional<LockError> flush(ReconnectingSession &link);

private:
    using Clock = std::chrono::steady_clock;

    struct Counts
    {
        quint64 commits = 0;
        quint64 conflicts = 0;
        quint64 retries = 0;
        Clock::time_point usedAt = {}; ///< at the last flush that had something to write

        bool isEmpty() const { return commits == 0 && conflicts == 0 && retries == 0; }
    };
    using Entry = std::pair<QByteArray, Counts>;

    std::vector<Entry> collect();
    void settle(const Entry *first, const Entry *last);

    std::mutex m_mutex;                    // protects the member below
    std::map<QByteArray, Counts> m_counts; // not yet written
};

} // namespace lockscope::detail
