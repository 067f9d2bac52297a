// SPDX-License-Identifier: MIT
#pragma once

#include "recordedmark.h"

#include <QtCore/QSet>

namespace lockscope {

/// For how many marks there is room until they can be written. On a full disk that may take a night: of curves (queues
/// and latencies) the beginning is kept then, which says how it came, and of what happened all that fits in memory.
/// What does not is counted.
class PendingRoom
{
public:
    static constexpr int MaxOfCurves = 1000;
    static constexpr int MaxHappened = 5000;

    /// False: there is no room for it.
    bool take(const RecordedMark &mark);
    /// From now on there are bounds: marks cannot be written.
    void bound() { m_isBounded = true; }
    /// All were written.
    void clear() { *this = {}; }
    /// A sentence for those there was no room for; empty: there were none.
    QString lost() const;

private:
    struct Share
    {
        int kept = 0;
        int lost = 0;
    };

    Share m_curves;
    Share m_happened;
    QSet<AlarmSubject> m_lostAlarms; ///< that are up: their end is not told either
    bool m_isBounded = false;
};

} // namespace lockscope
