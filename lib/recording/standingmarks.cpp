// SPDX-License-Identifier: MIT
#include "standingmarks.h"

#include <algorithm>

namespace lockscope {

using Kind = RecordedMark::Kind;

const QSet<Kind> &StandingMarks::kinds()
{
    static const QSet<Kind> all{Kind::Begun,         Kind::Ended,       Kind::Unreachable,
                                Kind::Reachable,     Kind::Unwritten,   Kind::Written,
                                Kind::DeadlockSight, Kind::AlarmRaised, Kind::AlarmCleared};
    return all;
}

void StandingMarks::take(const RecordedMark &mark)
{
    switch (mark.kind) {
    case Kind::Begun: // it knows nothing of the one before, and tells all of it anew
        *this = {};
        break;
    case Kind::Ended:
    case Kind::Unreachable:
    case Kind::Unwritten:
        if (!m_unseen)
            m_unseen = mark;
        break;
    case Kind::Reachable:
    case Kind::Written:
        m_unseen.reset();
        break;
    case Kind::DeadlockSight:
        m_deadlockSight = mark;
        break;
    case Kind::AlarmRaised:
        raise(mark);
        break;
    case Kind::AlarmCleared:
        m_alarms.remove(alarmOf(mark.body).subject);
        break;
    default:
        break;
    }
}

void StandingMarks::raise(const RecordedMark &mark)
{
    UpAlarm &up = m_alarms[alarmOf(mark.body).subject];
    if (up.order == 0)
        up = {++m_raised, mark};
}

QList<RecordedMark> StandingMarks::alarms() const
{
    QList<UpAlarm> up = m_alarms.values();
    std::ranges::sort(up, {}, &UpAlarm::order);
    QList<RecordedMark> marks;
    for (const UpAlarm &one : std::as_const(up))
        marks.append(one.mark);
    return marks;
}

QList<RecordedMark> StandingMarks::marks() const
{
    QList<RecordedMark> marks = alarms();
    for (const auto &mark : {m_unseen, m_deadlockSight}) {
        if (mark)
            marks.append(*mark);
    }
    return marks;
}

} // namespace lockscope
