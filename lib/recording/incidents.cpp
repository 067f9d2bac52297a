// SPDX-License-Identifier: MIT
#include "incidents.h"

#include "waits/rootblocker.h"

#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using Kind = RecordedMark::Kind;

/// A queue is told every five seconds while it lasts; one that is not for longer than this is over. So is a group of
/// alarms.
constexpr Microseconds kSameQueue = 15s;
/// Shorter waits of fewer sessions are how locks are meant to work.
constexpr Microseconds kLongWait = 2s;
constexpr int kLongQueue = 5;
/// A look is read for each that is named: more than a person reads.
constexpr qsizetype kMaxNamed = 200;

/// What alarms of one blocked group have in common: who is at the head of it, else the lock.
AlarmSubject causeOf(const Alarm &alarm)
{
    const AlarmSubject &subject = alarm.subject;
    if (subject.lock)
        return {AlarmKind::Held, 0, {}, subject.lock};
    if (alarm.blocker != 0 || !subject.object)
        return {AlarmKind::Blocked, alarm.blocker, {}, {}};
    return {AlarmKind::Queue, 0, subject.object, {}};
}

bool isOfWaits(const Alarm &alarm)
{
    return !alarm.subject.lock;
}

/// Alarms of one cause, from the first that was raised to the last that was cleared.
struct AlarmGroup
{
    AlarmSubject cause;
    Incident incident;
    ServerTime began{}; ///< the first of the waits
    QSet<AlarmSubject> all;
    QSet<AlarmSubject> up;

    void raise(const Alarm &alarm, ServerTime at)
    {
        all.insert(alarm.subject);
        up.insert(alarm.subject);
        incident.alarms = int(all.size());
        const auto blocked = std::count_if(
            up.cbegin(), up.cend(), [](const AlarmSubject &subject) { return subject.kind == AlarmKind::Blocked; });
        if (const int waiting = std::max(int(blocked), alarm.waiting); waiting > incident.waiting) {
            incident.waiting = waiting;
            incident.worst = at;
        }
        if (!isOfWaits(alarm))
            return;
        incident.longest = std::max(incident.longest, alarm.length);
        began = std::min(began, at - alarm.length);
    }

    void clear(const Alarm &alarm, ServerTime at)
    {
        if (!up.remove(alarm.subject))
            return;
        if (isOfWaits(alarm))
            incident.longest = std::max(incident.longest, alarm.length);
        if (up.isEmpty())
            incident.to = at;
    }

    /// Nobody looked any more: what was up may have been over just then.
    void end(ServerTime lastLook)
    {
        if (up.isEmpty())
            return;
        up.clear();
        incident.to = std::max(lastLook, incident.from);
        if (isOfWaits(*incident.alarm))
            incident.longest = std::max(incident.longest, incident.to - began);
    }
};

class Collector
{
public:
    explicit Collector(ServerTime from)
        : m_from(from)
    {
    }

    void take(const RecordedMark &mark);
    /// Alarms that are up are not known from here on, until they are raised anew.
    void endAlarms(ServerTime lastLook);
    QList<Incident> incidents();

private:
    void takeWaiting(const RecordedMark &mark);
    void endQueue();
    void raise(const Alarm &alarm, ServerTime at);
    void clear(const Alarm &alarm, ServerTime at);
    void joinAlarms(Incident *queue);

    const ServerTime m_from;
    ServerTime m_marked{}; ///< so far: on a full disk there are marks of moments, and no looks
    QList<Incident> m_found;
    QList<AlarmGroup> m_groups;
    std::optional<Incident> m_queue;
};

void Collector::take(const RecordedMark &mark)
{
    m_marked = std::max(m_marked, mark.at);
    switch (mark.kind) {
    case Kind::Waiting:
        takeWaiting(mark);
        break;
    case Kind::Deadlock:
        m_found.append({Incident::Kind::Deadlock, mark.at, mark.at, mark.at, 0, {}, deadlockOf(mark.body)});
        break;
    case Kind::AlarmRaised:
        raise(alarmOf(mark.body), mark.at);
        break;
    case Kind::AlarmCleared:
        clear(alarmOf(mark.body), mark.at);
        break;
    default:
        break;
    }
}

void Collector::takeWaiting(const RecordedMark &mark)
{
    if (m_queue && mark.at - m_queue->to > kSameQueue)
        endQueue();
    if (!m_queue)
        m_queue = Incident{Incident::Kind::Queue, mark.at - mark.longest, mark.at, mark.at};
    m_queue->to = mark.at;
    m_queue->longest = std::max(m_queue->longest, mark.longest);
    if (mark.waiting > m_queue->waiting) {
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

void Collector::raise(const Alarm &alarm, ServerTime at)
{
    const AlarmSubject cause = causeOf(alarm);
    const auto same = std::find_if(m_groups.rbegin(), m_groups.rend(), [&](const AlarmGroup &one) {
        return one.cause == cause && (!one.up.isEmpty() || at - one.incident.to <= kSameQueue);
    });
    if (same == m_groups.rend()) {
        AlarmGroup group{cause, {Incident::Kind::Alarm, at, at, at}, at, {}, {}};
        group.incident.alarm = alarm;
        group.incident.blocker = alarm.blocker;
        group.incident.blockerIs = alarm.blockerIs;
        group.incident.object = alarm.subject.object;
        group.raise(alarm, at);
        m_groups.append(group);
        return;
    }
    same->raise(alarm, at);
}

void Collector::clear(const Alarm &alarm, ServerTime at)
{
    for (AlarmGroup &group : m_groups)
        group.clear(alarm, at);
}

void Collector::endAlarms(ServerTime lastLook)
{
    for (AlarmGroup &group : m_groups)
        group.end(std::max(lastLook, m_marked));
}

/// A queue and the alarms of most of those in it, for most of its time, are one thing.
void Collector::joinAlarms(Incident *queue)
{
    auto most = m_groups.cend();
    for (auto group = m_groups.cbegin(); group != m_groups.cend(); ++group) {
        const Incident &alarms = group->incident;
        const bool isBeside = isOfWaits(*alarms.alarm) && group->began <= queue->to && alarms.to >= queue->from;
        if (isBeside && (most == m_groups.cend() || alarms.waiting > most->incident.waiting))
            most = group;
    }
    const bool isMost = most != m_groups.cend() && most->incident.waiting * 2 > queue->waiting
        && (most->incident.to - most->began) * 2 >= queue->to - queue->from;
    if (!isMost)
        return;
    queue->alarms = most->incident.alarms;
    queue->blocker = most->incident.blocker;
    queue->blockerIs = most->incident.blockerIs;
    m_groups.erase(most);
}

QList<Incident> Collector::incidents()
{
    endQueue();
    m_groups.removeIf([this](const AlarmGroup &group) { return group.incident.to < m_from; });
    for (AlarmGroup &group : m_groups)
        group.incident.worst = std::max(group.incident.worst, m_from);
    for (Incident &one : m_found) {
        if (one.kind == Incident::Kind::Queue)
            joinAlarms(&one);
    }
    for (const AlarmGroup &group : std::as_const(m_groups))
        m_found.append(group.incident);
    std::stable_sort(m_found.begin(), m_found.end(),
                     [](const Incident &a, const Incident &b) { return a.from < b.from; });
    return m_found;
}

/// For what most wait because of this one; 0: because of anybody.
std::optional<ServerObject> wantedMost(const WaitGraph &graph, quint64 blocker)
{
    QHash<ServerObject, int> waiting;
    std::optional<ServerObject> most;
    for (const WaitNode &node : graph.nodes) {
        if (!node.cause || (blocker != 0 && rootBlocker(graph, node) != blocker))
            continue;
        if (const int count = ++waiting[node.cause->object]; !most || count > waiting.value(*most))
            most = node.cause->object;
    }
    return most;
}

/// Marks say how many waited, the look of that moment for what and for whom.
void nameLock(Recording &recording, Incident *incident)
{
    if (incident->deadlock || (incident->alarm && !isOfWaits(*incident->alarm)))
        return;
    const auto moment = recording.at(incident->worst);
    if (!moment)
        return;
    const ServerWaits &waits = moment->look.waits;
    const WaitGraph graph = buildWaitGraph(waits, moment->at);
    if (incident->blocker == 0 && !incident->alarm && !graph.roots.isEmpty())
        incident->blocker = graph.nodes[graph.roots.first()].session;
    if (const QString who = accountAndProgram(waits, incident->blocker); !who.isEmpty())
        incident->blockerIs = who;
    if (const auto object = wantedMost(graph, incident->blocker))
        incident->object = object;
}

} // namespace

QList<Incident> incidentsOf(Recording &recording, ServerTime from, ServerTime to)
{
    Collector collector(from);
    for (const RecordedMark &mark : recording.standingAt(from).alarms())
        collector.take(mark);
    const auto marks =
        recording.marks(from, to, {Kind::Begun, Kind::Waiting, Kind::Deadlock, Kind::AlarmRaised, Kind::AlarmCleared});
    for (const RecordedMark &mark : marks) {
        if (mark.kind == Kind::Begun)
            collector.endAlarms(recording.lookUntil(mark.at - 1us).value_or(mark.at));
        else
            collector.take(mark);
    }
    collector.endAlarms(recording.lookUntil(to).value_or(to));
    QList<Incident> found = collector.incidents();
    for (qsizetype i = 0; i < std::min(found.size(), kMaxNamed); ++i)
        nameLock(recording, &found[i]);
    return found;
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
