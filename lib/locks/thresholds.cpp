// SPDX-License-Identifier: MIT
#include "thresholds.h"

#include "waits/rootblocker.h"

#include <QtCore/QSet>

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// Nothing is known of what lies between readings further apart: what was about to settle starts over.
constexpr auto kLongestGap = 30s;
/// On a server whose list is always cut an alarm would otherwise stay for ever.
constexpr auto kLongestUnseen = 300s;
/// A server that computes since when somebody waits is not exact.
constexpr Microseconds kSinceTolerance = 2s;
/// More alarms than a person reads: when a hundred thousand sessions die at once, a window has to go on.
constexpr qsizetype kMostTracks = 1000;

/// Four fifths of the limit: what goes up and down around the limit is one alarm.
bool isClearlyBelow(qint64 value, qint64 limit)
{
    return value * 5 <= limit * 4;
}

/// As `lockctl check` counts them: of other programs' tables only what is certain.
bool isHeld(const LockRow &row)
{
    if (row.table)
        return row.state == LockState::Held && !row.table->table.isLookAlike;
    return row.state == LockState::Held || row.state == LockState::Unknown;
}

/// A long list of held metadata or user-level locks may be cut: whoever waits comes first in it.
bool showsAllWaits(const ServerWaits &waits)
{
    return std::none_of(waits.sources.cbegin(), waits.sources.cend(), [](const SourceStatus &status) {
        const bool isOfRows = status.source == WaitSource::RowWaits || status.source == WaitSource::Transactions;
        return status.state == SourceStatus::State::Failed || (status.isCut && isOfRows);
    });
}

/// Whom to look at first.
void nameBlocker(const ServerWaits &waits, const WaitGraph &graph, quint64 waiter, Alarm *alarm)
{
    const WaitNode *node = graph.nodeOf(waiter);
    alarm->blocker = node ? rootBlocker(graph, *node) : 0;
    alarm->blockerIs = accountAndProgram(waits, alarm->blocker);
}

} // namespace

bool QuietHours::contains(QTime time) const
{
    return from <= to ? time >= from && time < to : time >= from || time < to;
}

bool AlarmLimits::has(AlarmKind kind) const
{
    switch (kind) {
    case AlarmKind::Blocked:
        return blocked.has_value();
    case AlarmKind::Queue:
        return queue.has_value();
    case AlarmKind::Held:
        return held.has_value();
    case AlarmKind::Orphan:
        break;
    }
    return orphan.has_value();
}

size_t qHash(const AlarmSubject &subject, size_t seed) noexcept
{
    seed = qHashMulti(seed, int(subject.kind), subject.session);
    if (subject.object)
        seed = qHash(*subject.object, seed);
    return subject.lock ? qHash(*subject.lock, seed) : seed;
}

Thresholds::Thresholds(const AlarmLimits &limits)
    : m_limits(limits)
{
}

void Thresholds::setLimits(const AlarmLimits &limits)
{
    m_limits = limits;
    m_tracks.removeIf([&](const auto &entry) { return !limits.has(entry.key().kind); });
}

AlarmChanges Thresholds::update(const ServerWaits &waits, const WaitGraph &graph, QTime timeOfDay)
{
    Reading reading = begin(Waits, {{0, waits.clock}}, !showsAllWaits(waits), timeOfDay);
    if (waits.identity != m_identity) { // another run of the server: its numbers start over
        for (auto it = m_tracks.begin(); it != m_tracks.end();) {
            if (it->isUp && it->source == Waits)
                reading.changes.cleared.append(it->alarm);
            it = it->source == Waits ? m_tracks.erase(it) : std::next(it);
        }
        m_identity = waits.identity;
    }
    if (m_limits.blocked)
        seeBlocked(&reading, waits, graph);
    if (m_limits.queue)
        seeQueues(&reading, waits, graph);
    return end(std::move(reading));
}

AlarmChanges Thresholds::update(const LeaseReading &leases, QTime timeOfDay)
{
    QMap<int, SnapshotClock> clocks = leases.further;
    clocks.insert(0, leases.clock);
    Reading reading = begin(Leases, clocks, leases.isPartial, timeOfDay);
    m_leaseClocks.note(leases.clock, leases.further);
    m_isFull = false;
    const LeaseSieve sieve(m_limits, m_leaseClocks);
    for (const LockRow &row : leases.rows) {
        if (sieve.holds(row))
            seeLease(&reading, row);
    }
    return end(std::move(reading));
}

LeaseSieve Thresholds::sieveFor(const SnapshotClock &clock, const QMap<int, SnapshotClock> &further) const
{
    LeaseClocks clocks = m_leaseClocks;
    clocks.note(clock, further);
    return {m_limits, clocks};
}

QList<Alarm> Thresholds::alarms() const
{
    QList<Alarm> up;
    for (const Track &track : m_tracks) {
        if (track.isUp)
            up.append(track.alarm);
    }
    const auto order = [](const Alarm &alarm) {
        const AlarmSubject &subject = alarm.subject;
        return std::tuple(subject.kind, -alarm.length.count(), -alarm.waiting, subject.session,
                          subject.lock.value_or(LockKey()), subject.object ? subject.object->toString() : QString());
    };
    std::sort(up.begin(), up.end(), [&order](const Alarm &a, const Alarm &b) { return order(a) < order(b); });
    return up;
}

void Thresholds::clear()
{
    m_tracks.clear();
    m_identity.clear();
    m_leaseClocks = {};
    for (auto &last : m_lastReading)
        last.clear();
}

Thresholds::Reading Thresholds::begin(Source source, const QMap<int, SnapshotClock> &clocks, bool isPartial,
                                      QTime timeOfDay)
{
    Reading reading{source, clocks, isPartial, m_limits.quiet && m_limits.quiet->contains(timeOfDay), {}};
    QMap<int, TimePoint> &lasts = m_lastReading[source];
    for (Track &track : m_tracks) {
        if (track.source != source)
            continue;
        track.isSeen = false;
        const auto last = lasts.constFind(track.alarm.subject.server());
        if (last == lasts.constEnd())
            continue;
        const TimePoint now = reading.at(track.alarm.subject);
        const bool isEarlier = now < *last;
        if (now - *last > kLongestGap || isEarlier) {
            track.aboveSince.reset();
            track.belowSince.reset();
        }
        if (isEarlier) { // what was measured stays, and goes on from here
            track.seen = now;
            track.lengthThen = track.alarm.length;
        }
    }
    lasts.clear();
    for (auto clock = clocks.cbegin(); clock != clocks.cend(); ++clock)
        lasts.insert(clock.key(), clock->local);
    return reading;
}

AlarmChanges Thresholds::end(Reading reading)
{
    for (auto it = m_tracks.begin(); it != m_tracks.end();) {
        const bool isRead = it->source == reading.source;
        const bool hasLeft = isRead && !reading.clocks.contains(it->alarm.subject.server());
        const bool isAbsent = isRead && !it->isSeen;
        const bool wasUp = it->isUp;
        const TimePoint now = reading.at(it->alarm.subject);
        if (isRead && it->isSeen)
            it->lastSeen = now;
        const bool isCertain = !reading.isPartial || now - it->lastSeen > kLongestUnseen;
        if (hasLeft && wasUp)
            reading.changes.cleared.append(it->alarm);
        else if (isAbsent && wasUp && isCertain)
            settleBelow(&reading, &*it);
        const bool isOver = hasLeft || (wasUp ? !it->isUp : isAbsent);
        it = isOver ? m_tracks.erase(it) : std::next(it);
    }
    return reading.changes;
}

void Thresholds::seeBlocked(Reading *reading, const ServerWaits &waits, const WaitGraph &graph)
{
    QHash<quint64, std::optional<ServerTime>> waiting;
    for (const WaitEdge &edge : waits.edges) {
        if (graph.ofRuns.contains(edge.waiter))
            continue;
        auto &since = waiting[edge.waiter];
        since = since && edge.since ? std::min(*since, *edge.since) : (since ? since : edge.since);
    }
    for (const LostWaiter &lost : waits.lost)
        waiting.insert(lost.session, lost.since);
    for (auto it = waiting.cbegin(); it != waiting.cend(); ++it) {
        Alarm alarm;
        alarm.subject = {AlarmKind::Blocked, it.key(), {}, {}};
        Track *track = see(*reading, alarm);
        age(*reading, track, *it);
        if (track->alarm.length >= *m_limits.blocked || track->isUp)
            nameBlocker(waits, graph, it.key(), &track->alarm);
        if (const ServerSession *session = waits.session(it.key()))
            track->alarm.account = session->account();
        judge(reading, track, track->alarm.length.count(), m_limits.blocked->count());
    }
}

void Thresholds::seeQueues(Reading *reading, const ServerWaits &waits, const WaitGraph &graph)
{
    QHash<ServerObject, QSet<quint64>> queues;
    for (const WaitEdge &edge : waits.edges) {
        if (!graph.ofRuns.contains(edge.waiter))
            queues[edge.object].insert(edge.waiter);
    }
    for (auto it = queues.cbegin(); it != queues.cend(); ++it) {
        Alarm alarm;
        alarm.subject = {AlarmKind::Queue, 0, it.key(), {}};
        alarm.waiting = int(it->size());
        if (it->size() > *m_limits.queue)
            nameBlocker(waits, graph, *std::min_element(it->cbegin(), it->cend()), &alarm);
        judge(reading, see(*reading, alarm), it->size(), *m_limits.queue);
    }
}

bool Thresholds::mayTrack(const AlarmSubject &subject)
{
    const bool isKnown = m_tracks.size() < kMostTracks || m_tracks.contains(subject);
    m_isFull = m_isFull || !isKnown;
    return isKnown;
}

/// A locked row's queue is among the waits of the server.
void Thresholds::seeLease(Reading *reading, const LockRow &row)
{
    const auto alarmOf = [&row](AlarmKind kind) {
        Alarm alarm;
        alarm.subject = {kind, 0, {}, row.key};
        alarm.owner = row.owner;
        return alarm;
    };
    if (row.table && !row.table->unread.isEmpty()) { // nothing new is known of it
        if (const auto track = m_tracks.find({AlarmKind::Held, 0, {}, row.key}); track != m_tracks.end())
            track->isSeen = track->isUp;
        return;
    }
    if (m_limits.held && isHeld(row) && row.acquiredAt && mayTrack({AlarmKind::Held, 0, {}, row.key})) {
        Track *track = see(*reading, alarmOf(AlarmKind::Held));
        age(*reading, track, row.acquiredAt);
        judge(reading, track, track->alarm.length.count(), m_limits.held->count());
    }
    if (m_limits.orphan && row.state == LockState::Orphan && mayTrack({AlarmKind::Orphan, 0, {}, row.key})) {
        Track *track = see(*reading, alarmOf(AlarmKind::Orphan));
        age(*reading, track, {});
        judge(reading, track, track->alarm.length.count(), m_limits.orphan->count());
    }
    if (m_limits.queue && row.key.kind == LockKind::Lease && row.waiters > 0
        && mayTrack({AlarmKind::Queue, 0, {}, row.key})) {
        Alarm alarm = alarmOf(AlarmKind::Queue);
        alarm.waiting = *row.waiters;
        judge(reading, see(*reading, alarm), alarm.waiting, *m_limits.queue);
    }
}

Thresholds::Track *Thresholds::see(const Reading &reading, const Alarm &alarm)
{
    Track &track = m_tracks[alarm.subject];
    const Alarm before = track.alarm;
    track.alarm = alarm;
    track.alarm.length = before.length;
    track.alarm.isQuiet = before.isQuiet;
    track.source = reading.source;
    track.isSeen = true;
    return &track;
}

/// `since` is believed once, and again when it says something else: that is another wait or another grant.
void Thresholds::age(const Reading &reading, Track *track, const std::optional<ServerTime> &since)
{
    const TimePoint now = reading.at(track->alarm.subject);
    const bool isNew = track->seen == TimePoint();
    const bool isAnother = since && (!track->since || std::chrono::abs(*since - *track->since) > kSinceTolerance);
    if (isNew || isAnother) {
        track->since = since;
        track->seen = now;
        track->lengthThen = since
            ? (track->source == Leases ? m_leaseClocks.ageOf(track->alarm.subject.server(), *since)
                                       : std::max(Microseconds::zero(), reading.clocks.value(0).server - *since))
            : Microseconds::zero();
    }
    track->alarm.length = track->lengthThen + std::chrono::duration_cast<Microseconds>(now - track->seen);
}

void Thresholds::judge(Reading *reading, Track *track, qint64 value, qint64 limit)
{
    if (value <= limit) {
        track->aboveSince.reset();
        if (isClearlyBelow(value, limit))
            settleBelow(reading, track);
        else
            track->belowSince.reset();
        return;
    }
    track->belowSince.reset();
    if (track->isUp)
        return;
    const TimePoint now = reading->at(track->alarm.subject);
    if (!track->aboveSince)
        track->aboveSince = now;
    if (now - *track->aboveSince < m_limits.settle)
        return;
    track->isUp = true;
    track->alarm.isQuiet = reading->isQuiet;
    reading->changes.raised.append(track->alarm);
}

void Thresholds::settleBelow(Reading *reading, Track *track)
{
    if (!track->isUp)
        return;
    const TimePoint now = reading->at(track->alarm.subject);
    if (!track->belowSince)
        track->belowSince = now;
    if (now - *track->belowSince < m_limits.settle)
        return;
    track->isUp = false;
    track->aboveSince.reset();
    reading->changes.cleared.append(track->alarm);
}

} // namespace lockscope
