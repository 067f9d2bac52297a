// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditlog.h"
#include "deadlocks/deadlock.h"
#include "latency/latencyreader.h"
#include "locks/thresholds.h"
#include "statementkeeping.h"
#include "waitqueues.h"

namespace lockscope {

/// What can be seen of a server's deadlocks. Written in files.
enum class DeadlockSight {
    All,
    NotHowMany, ///< the server does not count them
    Nothing     ///< the account may not read them, for example
};

/// Something that happened, beside what looks saw.
struct RecordedMark
{
    /// Written in files: never give one another meaning.
    enum class Kind {
        Begun = 1,       ///< of a recording
        Ended,           ///< as it was asked to
        Unreachable,     ///< nothing was seen from here on
        Reachable,       ///< … until here
        Unwritten,       ///< looks from here on could not be kept: a full disk
        Written,         ///< … until here
        Waiting,         ///< the moment of some seconds at which most waited, and `body`: the queues of these seconds
        Deadlock,        ///< `body`: see toBody()
        DeadlocksMissed, ///< `waiting` of them were not captured
        Event,           ///< of the engine's tables
        Act,             ///< a line of this machine's record of actions
        AlarmRaised,
        AlarmCleared,
        Latency,      ///< what was measured in a few seconds
        DeadlockSight ///< from here on: `waiting` is one, and `body` says why it is Nothing
    };

    ServerTime at{};
    Kind kind = Kind::Begun;
    int waiting = 0;        ///< sessions that waited
    Microseconds longest{}; ///< the longest of their waits
    QByteArray body = {};
};

/// Texts that a person reads are bodies as they are, in UTF-8. `keeper` decides what is kept of statements.
QByteArray toBody(Deadlock deadlock, StatementKeeper *keeper);
Deadlock deadlockOf(const QByteArray &body);
QByteArray toBody(Event event);
Event eventOf(const QByteArray &body);
QByteArray toBody(AuditLine act, StatementKeeper *keeper);
AuditLine actOf(const QByteArray &body);
QByteArray toBody(Alarm alarm);
Alarm alarmOf(const QByteArray &body);
QByteArray toBody(QList<WaitQueue> queues);
/// None: an older program wrote the mark.
QList<WaitQueue> queuesOf(const QByteArray &body);
/// Adds to what `series` has already.
QByteArray toBody(const LatencySeries &series);
void addLatency(const QByteArray &body, LatencySeries *series);

} // namespace lockscope
