// SPDX-License-Identifier: MIT
#include "pendingroom.h"

namespace lockscope {

namespace {

using Kind = RecordedMark::Kind;

bool isOfCurve(Kind kind)
{
    return kind == Kind::Waiting || kind == Kind::Latency;
}

/// Others are few, or say from when to when something was so.
bool isOfWhatHappened(Kind kind)
{
    static const QSet<Kind> kinds{Kind::Deadlock,    Kind::DeadlocksMissed, Kind::Event,    Kind::Act,
                                  Kind::AlarmRaised, Kind::Unreachable,     Kind::Reachable};
    return kinds.contains(kind);
}

} // namespace

bool PendingRoom::take(const RecordedMark &mark)
{
    if (mark.kind == Kind::AlarmCleared)
        return m_lostAlarms.isEmpty() || !m_lostAlarms.remove(alarmOf(mark.body).subject);
    const bool isCurve = isOfCurve(mark.kind);
    if (!isCurve && !isOfWhatHappened(mark.kind))
        return true;
    Share &share = isCurve ? m_curves : m_happened;
    const bool hasRoom = !m_isBounded || share.kept < (isCurve ? MaxOfCurves : MaxHappened);
    ++(hasRoom ? share.kept : share.lost);
    if (!hasRoom && mark.kind == Kind::AlarmRaised)
        m_lostAlarms.insert(alarmOf(mark.body).subject);
    return hasRoom;
}

QString PendingRoom::lost() const
{
    if (m_curves.lost == 0 && m_happened.lost == 0)
        return {};
    return QStringLiteral("Not kept of this time: %1 deadlocks, events, acts or alarms, and %2 values of queues and "
                          "latencies.")
        .arg(m_happened.lost)
        .arg(m_curves.lost);
}

} // namespace lockscope
