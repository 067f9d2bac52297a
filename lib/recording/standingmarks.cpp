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
        clear(mark);
        break;
    default:
        break;
    }
}

void StandingMarks::raise(const RecordedMark &mark)
{
    const AlarmSubject subject = alarmOf(mark.body).subject;
    const auto isSame = [&subject](const UpAlarm &one) { return one.subject == subject; };
    if (std::none_of(m_alarms.cbegin(), m_alarms.cend(), isSame))
        m_alarms.append({subject, mark});
}

void StandingMarks::clear(const RecordedMark &mark)
{
    const AlarmSubject subject = alarmOf(mark.body).subject;
    m_alarms.removeIf([&subject](const UpAlarm &one) { return one.subject == subject; });
}

QList<RecordedMark> StandingMarks::alarms() const
{
    QList<RecordedMark> marks;
    for (const UpAlarm &one : m_alarms)
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
