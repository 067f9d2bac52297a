// SPDX-License-Identifier: MIT
#pragma once

#include "recording.h"

namespace lockscope {

/// Something in a recording that a person looks for.
struct Incident
{
    enum class Kind {
        Queue,    ///< somebody waited for long behind one session, or many did
        Deadlock, ///< of which the server kept a text
        Alarm     ///< something was too long: see AlarmLimits; of waits only where their queue is not known
    };

    Kind kind = Kind::Queue;
    ServerTime from{};      ///< of an alarm that was up at the beginning of the stretch, before that
    ServerTime to{};        ///< of an alarm that was up when nobody looked any more: the last look
    ServerTime worst{};     ///< when to look: the first moment of the stretch at which most waited
    int waiting = 0;        ///< of a queue, then; of alarms of sessions that wait, those that were up then
    Microseconds longest{}; ///< of a queue, the longest wait that was seen, as far as it was for its blocker
    std::optional<Deadlock> deadlock = {};
    std::optional<Alarm> alarm = {}; ///< of an alarm: the first
    /// Of one blocked group, which has the same session at its head; of a queue, those of all who waited in it.
    int alarms = 0;
    /// Of a queue, the lock of its blocker's for which most waited directly at the worst moment.
    std::optional<ServerObject> object = {};
    int locks = 1;          ///< for how many of its blocker's they waited then; known as `blockerIs` is
    quint64 blocker = 0;    ///< who was waited for in the end; 0: nobody that can be told
    QString blockerIs = {}; ///< as Alarm::blockerIs
};

/// In the order in which they began.
QList<Incident> incidentsOf(Recording &recording, ServerTime from, ServerTime to);
/// The one with the longest queue, of several that are equal the first; null where there is none.
const Incident *longestQueue(const QList<Incident> &incidents);

} // namespace lockscope
