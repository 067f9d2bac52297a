// SPDX-License-Identifier: MIT
#include "incidents.h"

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using Kind = RecordedMark::Kind;

/// A queue is told every five seconds while it lasts; one that is not for longer than this is over.
constexpr Microseconds kSameQueue = 15s;
/// Shorter waits of fewer sessions are how locks are meant to work.
constexpr Microseconds kLongWait = 2s;
constexpr int kLongQueue = 5;

class Collector
{
public:
    explicit Collector(ServerTime end)
        : m_end(end)
    {
    }

    void take(const RecordedMark &mark);
    QList<Incident> incidents();

private:
    Incident &add(Incident::Kind kind, ServerTime from, ServerTime to);
    void takeWaiting(const RecordedMark &mark);
    void endQueue();
    void endAlarm(const RecordedMark &mark);

    const ServerTime m_end;
    QList<Incident> m_found;
    std::optional<Incident> m_queue;
};

void Collector::take(const RecordedMark &mark)
{
    switch (mark.kind) {
    case Kind::Waiting:
        takeWaiting(mark);
        break;
    case Kind::Deadlock:
        add(Incident::Kind::Deadlock, mark.at, mark.at).deadlock = deadlockOf(mark.body);
        break;
    case Kind::AlarmRaised:
        add(Incident::Kind::Alarm, mark.at, m_end).alarm = alarmOf(mark.body);
        break;
    case Kind::AlarmCleared:
        endAlarm(mark);
        break;
    default:
        break;
    }
}

Incident &Collector::add(Incident::Kind kind, ServerTime from, ServerTime to)
{
    m_found.resize(m_found.size() + 1);
    Incident &added = m_found.last();
    added.kind = kind;
    added.from = from;
    added.to = to;
    added.worst = from;
    return added;
}

void Collector::takeWaiting(const RecordedMark &mark)
{
    if (m_queue && mark.at - m_queue->to > kSameQueue)
        endQueue();
    if (!m_queue)
        m_queue = Incident{Incident::Kind::Queue, mark.at - mark.longest, mark.at, mark.at};
    m_queue->to = mark.at;
    m_queue->longest = std::max(m_queue->longest, mark.longest);
    if (mark.waiting >= m_queue->waiting) {
        m_queue->waiting = mark.waiting;
        m_queue->worst = mark.at;
    }
}

void Collector::endQueue()
{
    if (m_queue && (m_queue->longest >= kLongWait || m_queue->waiting >= kLongQueue))
        m_found.append(*m_queue);
    m_queue.reset();
}

void Collector::endAlarm(const RecordedMark &mark)
{
    const AlarmSubject subject = alarmOf(mark.body).subject;
    const auto raised = std::find_if(m_found.rbegin(), m_found.rend(), [&](const Incident &one) {
        return one.alarm && one.to == m_end && one.alarm->subject == subject;
    });
    if (raised != m_found.rend())
        raised->to = mark.at;
}

QList<Incident> Collector::incidents()
{
    endQueue();
    std::stable_sort(m_found.begin(), m_found.end(),
                     [](const Incident &a, const Incident &b) { return a.from < b.from; });
    return m_found;
}

} // namespace

QList<Incident> incidentsOf(Recording &recording, ServerTime from, ServerTime to)
{
    Collector collector(to);
    const auto marks =
        recording.marks(from, to, {Kind::Waiting, Kind::Deadlock, Kind::AlarmRaised, Kind::AlarmCleared});
    for (const RecordedMark &mark : marks)
        collector.take(mark);
    return collector.incidents();
}

const Incident *longestQueue(const QList<Incident> &incidents)
{
    const Incident *longest = nullptr;
    for (const Incident &one : incidents) {
        if (one.kind == Incident::Kind::Queue && (!longest || one.waiting > longest->waiting))
            longest = &one;
    }
    return longest;
}

} // namespace lockscope
