// SPDX-License-Identifier: MIT
#pragma once

#include "recordedmark.h"

#include <QtCore/QHash>
#include <QtCore/QSet>

namespace lockscope {

/// The marks whose word still holds at a moment: alarms that are up, why nothing is seen, and what can be seen of
/// deadlocks. Each is told once, however long it lasts. A value.
class StandingMarks
{
public:
    /// Of the marks that change it.
    static const QSet<RecordedMark::Kind> &kinds();

    /// In the order in which they were written.
    void take(const RecordedMark &mark);
    /// Those that stand, as they were: taken by another one they make it the same.
    QList<RecordedMark> marks() const;

    /// In the order in which they were raised.
    QList<RecordedMark> alarms() const;
    /// Since when nothing is seen, and why: Unreachable, Unwritten or Ended.
    const std::optional<RecordedMark> &unseen() const { return m_unseen; }
    const std::optional<RecordedMark> &deadlockSight() const { return m_deadlockSight; }

private:
    struct UpAlarm
    {
        quint64 order = 0; ///< in which they were raised
        RecordedMark mark;
    };

    void raise(const RecordedMark &mark);

    QHash<AlarmSubject, UpAlarm> m_alarms;
    quint64 m_raised = 0;
    std::optional<RecordedMark> m_unseen;
    std::optional<RecordedMark> m_deadlockSight;
};

} // namespace lockscope
