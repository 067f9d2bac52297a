#pragma once

#include "engine/owner.h"

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QList>
#include <QtCore/QString>

#include <chrono>
#include <optional>

namespace lockscope {

using Microseconds = std::chrono::microseconds;
/// A moment on the server's clock, UTC.
using ServerTime = std::chrono::sys_time<Microseconds>;

/// The same moment for display and for ISO 8601 (milliseconds, UTC).
QDateTime toDateTime(ServerTime time);

/// What kind of lock a row is. More kinds (metadata, user-level, foreign tables) join later.
enum class LockKind {
    Lease, ///< unique mode
    Row    ///< pessimistic mode: held by a transaction, without end and token
};

/// What can be said about a lock that is not free.
enum class LockState {
    Held,    ///< its session is alive, its time is not up
    Orphan,  ///< its session is gone, its time is not up
    Expired, ///< its time is up and nobody has taken it yet
    Kept,    ///< released early, but it stays taken for its minimum hold time
    Unknown  ///< the server cannot tell whether the session lives (a read-only server may be a replica)
};

/// What makes two rows the same lock from one snapshot to the next.
struct LockKey
{
    LockKind kind = LockKind::Lease;
    QByteArray resource; ///< raw bytes, compared byte for byte
    int slot = 0;

    bool operator==(const LockKey &) const = default;
    /// By bytes, then kind, then slot.
    friend bool operator<(const LockKey &a, const LockKey &b);
};
size_t qHash(const LockKey &key, size_t seed = 0) noexcept;

/// One lock that is not free. Equality leaves out nothing: two equal rows look the same at the same moment.
struct LockRow
{
    LockKey key;
    LockState state = LockState::Unknown;
    Owner owner;
    std::optional<quint64> connectionId; ///< the holder's connection; none when its session is gone
    quint64 token = 0;
    QByteArray note;
    std::optional<ServerTime> acquiredAt;
    std::optional<ServerTime> expiresAt; ///< none = never
    std::optional<Microseconds> ttl;     ///< none = forever
    int waiters = 0;
    bool sessionAlive = false;

    /// Time left at `now`; negative after the end, none = forever.
    std::optional<Microseconds> remaining(ServerTime now) const;
    /// Time since the grant, never negative.
    std::optional<Microseconds> heldFor(ServerTime now) const;

    bool operator==(const LockRow &) const = default;
};

/// One live request in the queue of a lock.
struct Waiter
{
    int position = 0; ///< 1 = next
    Owner owner;
    QByteArray note;
    std::optional<quint64> connectionId;
    std::optional<ServerTime> since;
    std::optional<Microseconds> ttl;

    bool operator==(const Waiter &) const = default;
};

/// One line of the audit.
struct Event
{
    enum class Kind { Takeover, Lost, ForceRelease, ReleaseFailed, Other };

    quint64 id = 0;
    ServerTime at{};
    Kind kind = Kind::Other;
    QByteArray kindName; ///< as stored, e.g. "force_release"
    LockKey key;
    quint64 token = 0;
    Owner owner; ///< whose lease it was
    QString operatorName;
    QString reason;

    bool operator==(const Event &) const = default;
};

/// How many locks there are on the server, shown or not.
struct LockCounts
{
    qint64 held = 0;
    qint64 orphan = 0;
    qint64 expired = 0;
    qint64 kept = 0;
    qint64 unknown = 0;
    qint64 waiting = 0; ///< live requests in all queues

    qint64 total() const { return held + orphan + expired + kept + unknown; }
    void add(LockState state, qint64 n = 1);
    bool operator==(const LockCounts &) const = default;
};

/// Carries the server's clock between two polls on this process's monotonic clock.
struct SnapshotClock
{
    ServerTime server{};
    std::chrono::steady_clock::time_point local{};

    /// The server's time at `at`.
    ServerTime at(std::chrono::steady_clock::time_point at) const;
    ServerTime now() const { return at(std::chrono::steady_clock::now()); }
};

/// What one poll saw. A value.
struct LockSnapshot
{
    SnapshotClock clock;
    Microseconds cost{}; ///< what the poll took, send to answer
    QList<LockRow> rows; ///< sorted by key; may be cut, see `isCut()`
    LockCounts counts;   ///< of all that match, shown or not
    QByteArray contains; ///< what was asked for: only locks with these bytes; empty = all

    bool isCut() const { return counts.total() > rows.size(); }
};

} // namespace lockscope
