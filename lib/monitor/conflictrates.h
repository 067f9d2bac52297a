#pragma once

#include "snapshot.h"

#include <QtCore/QHash>

#include <deque>

namespace lockscope {

/// What happened of late at resources whose counts only grow: compares each snapshot with those of the last minute.
/// Not thread safe. Cost: a minute of changes of each resource in the snapshot, at most one a second.
class ConflictRates
{
public:
    static constexpr std::chrono::seconds window{60};

    /// Fills in `recent` wherever there are attempts. Snapshots must come in the order they were taken.
    void fill(LockSnapshot *snapshot);

private:
    struct Sample
    {
        ServerTime at;
        AttemptCounts total;
    };
    using Samples = std::deque<Sample>;

    static void note(Samples *samples, const Sample &now);

    QHash<LockKey, Samples> m_samples; ///< of the resources in the last snapshot, oldest first
};

} // namespace lockscope
