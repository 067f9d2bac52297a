// SPDX-License-Identifier: MIT
#pragma once

#include "labplan.h"
#include "labtally.h"

#include <QtCore/QList>
#include <QtCore/QString>

namespace lockscope {

/// One thing to be said of a run.
struct LabFinding
{
    enum class Kind {
        Oversold,           ///< pieces sold that were not in stock
        Duplicates,         ///< jobs done again
        LostUpdates,        ///< of LabCounts::writes
        StaleWrites,        ///< accepted from somebody whose lock had ended
        Violations,         ///< two held one resource at one time
        HarmlessViolations, ///< … and of what the earlier one wrote nothing was accepted
        Stalled,            ///< after a crash, for so many milliseconds
        Deadlocks,          ///< requests that the server ended
        TimedOut,           ///< requests that gave up
        NoHarm,             ///< none of the first five, in this many grants
        Nothing,            ///< nobody was granted anything
        HarmlessOverlaps,   ///< somebody worked on past its time, and nothing that it wrote late was accepted
        Overlaps            ///< … beside whom nothing was guarded
    };

    Kind kind = Kind::Nothing;
    quint64 count = 0;
    bool operator==(const LabFinding &) const = default;
};

/// What a run came to so far: the worst first, then what it cost, then what looks bad and is not.
QList<LabFinding> labFindings(const LabPlan &plan, const LabCounts &counts);
/// The same as a sentence for paper and terminal: "92 pieces sold that were not in stock."
QString labVerdict(const LabPlan &plan, const LabCounts &counts);

} // namespace lockscope
