// SPDX-License-Identifier: MIT
#pragma once

#include "recording.h"

namespace lockscope {

/// Something in a recording that a person looks for.
struct Incident
{
    enum class Kind {
        Queue,    ///< somebody waited for long, or many did
        Deadlock, ///< of which the server kept a text
        Alarm     ///< something was too long: see AlarmLimits
    };

    Kind kind = Kind::Queue;
    ServerTime from{};
    ServerTime to{};        ///< an alarm that was up at the end of the stretch: that end
    ServerTime worst{};     ///< when to look: most waited, or it began
    int waiting = 0;        ///< of a queue, then
    Microseconds longest{}; ///< of a queue, the longest wait that was seen
    std::optional<Deadlock> deadlock = {};
    std::optional<Alarm> alarm = {};
};

/// In the order in which they began.
QList<Incident> incidentsOf(Recording &recording, ServerTime from, ServerTime to);
/// The one with the longest queue; null where there is none.
const Incident *longestQueue(const QList<Incident> &incidents);

} // namespace lockscope
