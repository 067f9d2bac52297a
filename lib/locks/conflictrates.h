// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

#include <QtCore/QHash>

#include <deque>

namespace lockscope {

/// What happened lately at resources whose counts only grow: compares each snapshot with those of the last minute. Not
/// thread safe. Cost: a minute of changes of each resource seen within it, at most one a second.
class ConflictRates
{
public:
    static constexpr std::chrono::seconds Window{60};

    /// Fills in `recent` wherever there are attempts. Snapshots must come in the order they were taken.
    void fill(LockSnapshot *snapshot);

private:
    struct Sample
    {
        ServerTime at;
        AttemptCounts total;
    };
    using Samples = std::deque<Sample>;

    struct History
    {
        Samples samples; ///< oldest first
        ServerTime seen; ///< when it was last in a snapshot
    };

    static void note(Samples *samples, const Sample &now);

    /// Of the resources seen within the window. A row may be missing from one snapshot: the reading is uncommitted, and
    /// an update moves it in the index that is read.
    QHash<LockKey, History> m_histories;
};

} // namespace lockscope
