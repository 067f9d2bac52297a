// SPDX-License-Identifier: MIT
#include "conflictrates.h"

namespace lockscope {

namespace {

constexpr std::chrono::seconds kBetweenSamples{1};

} // namespace

/// The first sample stays the last one before the window, for that is what there was when the window began.
void ConflictRates::note(Samples *samples, const Sample &now)
{
    const bool isFresh = !samples->empty()
        && (now.at < samples->back().at || now.total.commits < samples->back().total.commits
            || now.total.conflicts < samples->back().total.conflicts);
    if (isFresh) // the row was removed and made again, or the clock was set back
        samples->clear();
    if (samples->empty() || (now.total != samples->back().total && now.at - samples->back().at >= kBetweenSamples))
        samples->push_back(now);
    while (samples->size() > 1 && (*samples)[1].at <= now.at - Window)
        samples->pop_front();
}

void ConflictRates::fill(LockSnapshot *snapshot)
{
    const ServerTime now = snapshot->clock.server;
    m_histories.removeIf([now](const auto &entry) { return entry->seen > now || entry->seen <= now - Window; });
    for (SharedLockRow &shown : snapshot->rows) {
        if (!shown->attempts)
            continue;
        LockRow row = *shown;
        History &history = m_histories[row.key];
        history.seen = now;
        note(&history.samples, {now, row.attempts->total});
        const Sample &then = history.samples.front();
        const AttemptCounts recent{row.attempts->total.commits - then.total.commits,
                                   row.attempts->total.conflicts - then.total.conflicts};
        // Engines write every few seconds: no news since a moment ago says nothing.
        if (recent.attempts() > 0 || now - then.at >= Window)
            row.attempts->recent = recent;
        shown = std::move(row);
    }
}

} // namespace lockscope
