// SPDX-License-Identifier: MIT
#pragma once

#include "leasesieve.h"
#include "waits/waitgraph.h"

#include <QtCore/QTime>

namespace lockscope {

/// What can be too long.
enum class AlarmKind {
    Blocked, ///< a session waits
    Queue,   ///< many wait for one lock
    Held,    ///< a lease, or a row of pessimistic mode
    Orphan   ///< a lease whose session is gone
};

/// From when to when nobody is to be disturbed, in local time; over midnight where `from` is the later one.
struct QuietHours
{
    QTime from{22, 0};
    QTime to{7, 0};

    bool contains(QTime time) const;
    bool operator==(const QuietHours &) const = default;
};

/// When something is too long. None: that kind is off.
struct AlarmLimits
{
    std::optional<Microseconds> blocked = std::chrono::seconds(30);
    std::optional<int> queue = 10; ///< more than this many
    std::optional<Microseconds> held = std::chrono::hours(1);
    std::optional<Microseconds> orphan = std::chrono::seconds(10);
    /// How long something has to be past its limit before it is told, and clearly within it, or gone, before it is not.
    Microseconds settle = std::chrono::seconds(3);
    std::optional<QuietHours> quiet;

    bool has(AlarmKind kind) const;
    bool operator==(const AlarmLimits &) const = default;
};

/// What an alarm is about; one alarm for each. A queue is that of a server's lock or that of a lease.
struct AlarmSubject
{
    AlarmKind kind = AlarmKind::Blocked;
    quint64 session = 0;
    std::optional<ServerObject> object;
    std::optional<LockKey> lock;

    /// As LockKey::server.
    int server() const { return lock ? lock->server : 0; }
    bool operator==(const AlarmSubject &) const = default;
};
size_t qHash(const AlarmSubject &subject, size_t seed = 0) noexcept;

/// Something that is too long, as of the last reading that saw it.
struct Alarm
{
    AlarmSubject subject;
    Microseconds length{}; ///< blocked, held, or an orphan for this long
    int waiting = 0;       ///< of a queue
    quint64 blocker = 0;   ///< who is waited for in the end; 0: not known, or a ring
    QString account;       ///< of a blocked session
    QString blockerIs;     ///< "billing@10.0.0.5 (billing-worker)"; empty: not looked up
    Owner owner;           ///< of a lease
    bool isQuiet = false;  ///< raised within quiet hours: not to be announced

    bool operator==(const Alarm &) const = default;
};

/// What one reading changed.
struct AlarmChanges
{
    QList<Alarm> raised;
    QList<Alarm> cleared;
};

/// One reading of the leases, of one server or of several.
struct LeaseReading
{
    SnapshotClock clock; ///< of server 0
    QList<SharedLockRow> rows;
    bool isPartial = false;                ///< there are more: one that is not among `rows` need not be gone
    QMap<int, SnapshotClock> further = {}; ///< clocks of the others, by their numbers
};

/// Turns readings into alarms: one for each thing for as long as it is so, however often it is looked at. Lengths of
/// time run on this machine's monotonic clock once they were seen: a server's clock that is set raises and clears
/// nothing. Sessions that are busy with a run of a lesson or of the lab (WaitGraph::ofRuns) raise none. Pure; not
/// thread safe.
class Thresholds
{
public:
    explicit Thresholds(const AlarmLimits &limits = {});

    const AlarmLimits &limits() const { return m_limits; }
    /// Alarms of kinds that are off now are gone at once, others change with the next reading.
    void setLimits(const AlarmLimits &limits);
    /// `graph` is that of `waits`; `timeOfDay` is local.
    AlarmChanges update(const ServerWaits &waits, const WaitGraph &graph, QTime timeOfDay);
    /// `leases` may have been through the sieve for their clocks. Alarms of a server that has left are gone at once.
    AlarmChanges update(const LeaseReading &leases, QTime timeOfDay);
    /// Of the next reading of leases, whose clocks these are.
    LeaseSieve sieveFor(const SnapshotClock &clock, const QMap<int, SnapshotClock> &further = {}) const;
    /// So many leases are near a limit that the last reading left some out.
    bool isFull() const { return m_isFull; }
    /// Those that are up, by kind, the longest first.
    QList<Alarm> alarms() const;
    /// For another server.
    void clear();

private:
    using TimePoint = std::chrono::steady_clock::time_point;
    enum Source { Waits, Leases, SourceCount };

    struct Track
    {
        Alarm alarm;
        Source source = Waits;
        std::optional<ServerTime> since;
        TimePoint seen{};          ///< when it was seen first
        Microseconds lengthThen{}; ///< what its length was then
        TimePoint lastSeen{};
        std::optional<TimePoint> aboveSince;
        std::optional<TimePoint> belowSince; ///< of those that are up
        bool isUp = false;
        bool isSeen = false; ///< by this reading
    };
    struct Reading
    {
        Source source;
        QMap<int, SnapshotClock> clocks; ///< by the numbers of their servers
        bool isPartial;
        bool isQuiet;
        AlarmChanges changes;

        /// When it was read where that is.
        TimePoint at(const AlarmSubject &subject) const { return clocks.value(subject.server()).local; }
    };

    Reading begin(Source source, const QMap<int, SnapshotClock> &clocks, bool isPartial, QTime timeOfDay);
    AlarmChanges end(Reading reading);
    void seeBlocked(Reading *reading, const ServerWaits &waits, const WaitGraph &graph);
    void seeQueues(Reading *reading, const ServerWaits &waits, const WaitGraph &graph);
    void seeLease(Reading *reading, const LockRow &row);
    bool mayTrack(const AlarmSubject &subject);
    Track *see(const Reading &reading, const Alarm &alarm);
    void age(const Reading &reading, Track *track, const std::optional<ServerTime> &since);
    void judge(Reading *reading, Track *track, qint64 value, qint64 limit);
    void settleBelow(Reading *reading, Track *track);

    AlarmLimits m_limits;
    QHash<AlarmSubject, Track> m_tracks;
    QMap<int, TimePoint> m_lastReading[SourceCount]; ///< by the numbers of their servers
    QString m_identity;
    LeaseClocks m_leaseClocks;
    bool m_isFull = false;
};

} // namespace lockscope
