// SPDX-License-Identifier: MIT
#include "incidents.h"

#include "waits/rootblocker.h"

#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using Kind = RecordedMark::Kind;

/// Shorter waits of fewer sessions are how locks are meant to work.
constexpr Microseconds kLongWait = 2s;
constexpr int kLongQueue = 5;
/// From the last look at the queue of one who held it for long to the first wait for the next one.
constexpr Microseconds kHandOver = 2s;
/// A look is read for each that is named: more than a person reads.
constexpr qsizetype kMaxNamed = 200;

/// What alarms of one thing have in common: the lock that is held, or who is at the head of those who wait.
AlarmSubject causeOf(const Alarm &alarm)
{
    if (alarm.subject.lock)
        return {AlarmKind::Held, 0, {}, alarm.subject.lock};
    return {AlarmKind::Blocked, alarm.blocker, {}, {}};
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
    bool isCutOff = false; ///< some were up when nobody looked any more

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
        isCutOff = true;
        incident.to = std::max(lastLook, incident.from);
        if (isOfWaits(*incident.alarm))
            incident.longest = std::max(incident.longest, incident.to - began);
    }
};

/// Of sessions that were waited for one after the other.
struct FoundQueue
{
    WaitQueue queue;
    QSet<quint64> blockers;
    bool isBrief = false; ///< each of them was waited for briefly

    /// Who held it briefly is not the cause of a long wait before, however many came meanwhile.
    bool isContinuedBy(const WaitQueue &later) const
    {
        if (isBrief)
            return later.from - queue.to <= WaitQueues::Same;
        return later.from - queue.to <= kHandOver && later.waiting <= queue.waiting;
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
    QList<FoundQueue> foundQueues() const;
    void addQueue(const FoundQueue &found);
    void raise(const Alarm &alarm, ServerTime at);
    void clear(const Alarm &alarm, ServerTime at);
    void joinAlarms(const FoundQueue &found, Incident *incident);
    void leaveOutAlarmsOfBefore();

    const ServerTime m_from;
    ServerTime m_marked{}; ///< so far: on a full disk there are marks of moments, and no looks
    QList<Incident> m_found;
    QList<AlarmGroup> m_groups;
    WaitQueues m_queues;
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
    QList<WaitQueue> queues = queuesOf(mark.body);
    if (queues.isEmpty())
        queues = {{0, mark.at - mark.longest, mark.at, mark.at, mark.at, mark.waiting, {}, mark.longest}};
    for (const WaitQueue &queue : std::as_const(queues))
        m_queues.take(queue);
}

/// Who gets a lock that many wait for is waited for in turn: unless that takes long, it is one queue.
QList<FoundQueue> Collector::foundQueues() const
{
    QList<FoundQueue> found;
    QHash<ServerObject, qsizetype> last;
    for (const WaitQueue &queue : m_queues.all()) {
        const bool isBrief = queue.object && queue.to - queue.from <= WaitQueues::Same;
        const qsizetype before = isBrief ? last.value(*queue.object, -1) : -1;
        if (before >= 0 && found[before].isContinuedBy(queue)) {
            found[before].queue.join(queue);
            found[before].blockers.insert(queue.blocker);
            continue;
        }
        if (queue.object)
            last.insert(*queue.object, found.size());
        found.append({queue, {queue.blocker}, isBrief});
    }
    return found;
}

void Collector::addQueue(const FoundQueue &found)
{
    const WaitQueue &queue = found.queue;
    const Microseconds longest = std::min(queue.longest, queue.to - queue.from);
    if (queue.to < m_from || (longest < kLongWait && queue.waiting < kLongQueue))
        return;
    Incident incident{Incident::Kind::Queue, queue.from, queue.to, std::max(queue.worst, m_from)};
    incident.waiting = queue.waiting;
    incident.longest = longest;
    incident.object = queue.object;
    incident.blocker = queue.blocker;
    joinAlarms(found, &incident);
    m_found.append(incident);
}

void Collector::raise(const Alarm &alarm, ServerTime at)
{
    const AlarmSubject cause = causeOf(alarm);
    const auto same = std::find_if(m_groups.rbegin(), m_groups.rend(), [&](const AlarmGroup &one) {
        return one.cause == cause && (!one.up.isEmpty() || at - one.incident.to <= WaitQueues::Same);
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

/// A queue and the alarms of those in it are one thing. They may be up for longer: until they settle, or because of a
/// holder who came later.
void Collector::joinAlarms(const FoundQueue &found, Incident *incident)
{
    m_groups.removeIf([&](const AlarmGroup &group) {
        const Incident &alarms = group.incident;
        const bool isOfQueue = isOfWaits(*alarms.alarm) && found.blockers.contains(alarms.blocker)
            && group.began <= incident->to && alarms.to >= incident->from;
        if (!isOfQueue)
            return false;
        incident->alarms += alarms.alarms;
        if (alarms.blocker == incident->blocker)
            incident->blockerIs = alarms.blockerIs;
        if (group.isCutOff && alarms.to - incident->to <= WaitQueues::Same) { // and so were marks
            incident->to = std::max(incident->to, alarms.to);
            incident->longest = std::min(std::max(incident->longest, alarms.longest), incident->to - incident->from);
        }
        return true;
    });
}

/// Who has blocked somebody in the stretch has a queue in it, unless an older program wrote it; an alarm that was
/// raised before it may name one who does not any more.
void Collector::leaveOutAlarmsOfBefore()
{
    const auto &queues = m_queues.all();
    const bool isNamed =
        std::any_of(queues.cbegin(), queues.cend(), [](const WaitQueue &one) { return one.blocker != 0; });
    if (!isNamed)
        return;
    m_groups.removeIf(
        [this](const AlarmGroup &group) { return isOfWaits(*group.incident.alarm) && group.incident.from < m_from; });
}

QList<Incident> Collector::incidents()
{
    m_groups.removeIf([this](const AlarmGroup &group) { return group.incident.to < m_from; });
    for (AlarmGroup &group : m_groups)
        group.incident.worst = std::max(group.incident.worst, m_from);
    for (const FoundQueue &queue : foundQueues())
        addQueue(queue);
    leaveOutAlarmsOfBefore();
    for (const AlarmGroup &group : std::as_const(m_groups))
        m_found.append(group.incident);
    std::stable_sort(m_found.begin(), m_found.end(),
                     [](const Incident &a, const Incident &b) { return a.from < b.from; });
    return m_found;
}

/// The look of the worst moment has who the blocker is, and of alarms without their queue what it is about.
void nameLock(Recording &recording, Incident *incident)
{
    if (incident->deadlock || (incident->alarm && !isOfWaits(*incident->alarm)))
        return;
    const auto moment = recording.at(incident->worst);
    if (!moment)
        return;
    const ServerWaits &waits = moment->look.waits;
    if (const QString who = accountAndProgram(waits, incident->blocker); !who.isEmpty())
        incident->blockerIs = who;
    for (const WaitQueue &queue : queuesOf(waits, buildWaitGraph(waits, moment->at))) {
        if (queue.blocker != incident->blocker)
            continue;
        incident->locks = queue.locks;
        if (!incident->object)
            incident->object = queue.object;
    }
}

} // namespace

QList<Incident> incidentsOf(Recording &recording, ServerTime from, ServerTime to)
{
    Collector collector(from);
    for (const RecordedMark &mark : recording.standingAt(from).alarms())
        collector.take(mark);
    for (const RecordedMark &mark : recording.marks(from - WaitQueues::WrittenEvery, from - 1us, {Kind::Waiting}))
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
