// SPDX-License-Identifier: MIT
#include "recordeddeadlocks.h"

namespace lockscope {

using Kind = RecordedMark::Kind;

DeadlockInboxPtr RecordedDeadlocks::until(Recording &recording, ServerTime time)
{
    if (!m_told || time < m_until)
        startOver(recording);
    const auto marks =
        recording.marks(m_until + Microseconds(1), time, {Kind::Deadlock, Kind::DeadlocksMissed, Kind::DeadlockSight});
    for (const RecordedMark &mark : marks)
        take(mark);
    if (!m_told || !marks.isEmpty())
        m_told = std::make_shared<const DeadlockInbox>(m_inbox);
    m_until = time;
    return m_told;
}

/// What was before the recording is not in it: its first reading is of none. Since when something cannot be seen may be
/// older than the file goes back.
void RecordedDeadlocks::startOver(Recording &recording)
{
    m_inbox = {};
    m_inbox.take({});
    m_told.reset();
    m_until = {};
    m_refusal.clear();
    m_isCounted = true;
    if (const auto standing = recording.standingAt(recording.info().from); standing.deadlockSight())
        take(*standing.deadlockSight());
}

void RecordedDeadlocks::take(const RecordedMark &mark)
{
    DeadlockNews news;
    if (mark.kind == Kind::Deadlock)
        news.latest = deadlockOf(mark.body);
    if (mark.kind == Kind::DeadlocksMissed)
        news.notCaptured = quint64(mark.waiting);
    if (mark.kind == Kind::DeadlockSight) {
        m_refusal = QString::fromUtf8(mark.body);
        m_isCounted = DeadlockSight(mark.waiting) != DeadlockSight::NotHowMany;
    }
    if (!m_isCounted)
        news.notCaptured.reset();
    m_inbox.take(news);
}

} // namespace lockscope
