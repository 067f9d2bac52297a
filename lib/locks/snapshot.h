// SPDX-License-Identifier: MIT
#pragma once

#include "keylocks/keylock.h"
#include "lockscope/owner.h"
#include "locktables/tablelock.h"
#include "session/servertime.h"
#include "waits/serverwaits.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>

#include <memory>
#include <optional>
#include <utility>

namespace lockscope {

/// What kind of lock a row is.
enum class LockKind {
    Lease,         ///< unique mode
    Row,           ///< pessimistic mode: held by a transaction
    Version,       ///< optimistic mode: held by nobody, its attempts are counted
    Transaction,   ///< the server's own: all rows of a transaction that is no engine's
    Metadata,      ///< … on the definition of a table, a schema or everything
    User,          ///< … GET_LOCK
    Table,         ///< another program's, in a table of that program
    RedisKey,      ///< … in a key of Redis
    ZooKeeperNode, ///< … in nodes of ZooKeeper
    EtcdKey        ///< … in a key of etcd
};

/// What locks of one kind have and what can be done to them. Whoever treats kinds differently asks here.
struct LockTraits
{
    bool hasHolder;    ///< an owner, since a moment
    bool hasSession;   ///< whose session is known while it lives
    bool hasToken;     ///< a fencing token; a key of Redis may have one, see LockRow::hasToken()
    bool hasEnd;       ///< a TTL
    bool hasQueue;     ///< somebody may wait for it
    bool hasAttempts;  ///< LockRow::attempts
    bool isReleasable; ///< by itself, without an end of its session
    bool isServers;    ///< the server's own: it ends with its session
};

constexpr LockTraits traitsOf(LockKind kind)
{
    switch (kind) {
    case LockKind::Row:
        return {true, true, false, false, true, false, false, false};
    case LockKind::Version:
        return {false, false, false, false, false, true, false, false};
    case LockKind::Table:
        return {true, false, false, true, false, false, true, false};
    case LockKind::RedisKey:
        return {true, false, false, true, true, false, true, false};
    case LockKind::ZooKeeperNode:
        return {true, false, true, false, true, false, true, false};
    case LockKind::EtcdKey:
        return {true, false, true, true, false, false, true, false};
    case LockKind::Transaction:
    case LockKind::Metadata:
    case LockKind::User:
        return {true, true, false, false, true, false, false, true};
    case LockKind::Lease:
        break;
    }
    return {true, true, true, true, true, false, true, false};
}

/// What can be said about a lock that is not free.
enum class LockState {
    Held,    ///< its session is alive, its time is not up
    Orphan,  ///< its session is gone, its time is not up
    Expired, ///< its time is up and nobody has taken it yet
    Kept,    ///< released early, but it stays taken for its minimum hold time
    Open,    ///< of a kind that is never held
    Unknown  ///< the server cannot tell whether the session lives (a read-only server may be a replica)
};

/// What makes two rows the same lock from one snapshot to the next.
struct LockKey
{
    LockKind kind = LockKind::Lease;
    QByteArray resource; ///< raw bytes, compared byte for byte
    int slot = 0;
    quint64 session = 0; ///< of a kind that several sessions may hold at once: whose
    int server = 0;      ///< of a list of several servers: which one's, as the list numbers them

    bool operator==(const LockKey &) const = default;
    /// By bytes, then kind, then slot, then session, then server.
    friend bool operator<(const LockKey &a, const LockKey &b);
};
size_t qHash(const LockKey &key, size_t seed = 0) noexcept;

/// How attempts to commit ended.
struct AttemptCounts
{
    quint64 commits = 0;
    quint64 conflicts = 0;

    quint64 attempts() const { return commits + conflicts; }
    /// The share of attempts that met a conflict, 0…1; none without attempts.
    std::optional<double> conflictRate() const;
    bool operator==(const AttemptCounts &) const = default;
};

/// What is known of a resource of optimistic mode. Engines add their counts every few seconds.
struct Attempts
{
    std::optional<quint64> version;        ///< none in an application's own table
    std::optional<ServerTime> committedAt; ///< the same
    AttemptCounts total;                   ///< since `since`
    quint64 retries = 0;                   ///< attempts after the first of a call that tries again
    std::optional<ServerTime> since;
    std::optional<ServerTime> countedAt; ///< when an engine last added to it
    std::optional<AttemptCounts> recent; ///< within ConflictRates::Window; none = not watched for long enough

    /// The recent rate, or the total one while that is not known.
    std::optional<double> conflictRate() const { return (recent ? *recent : total).conflictRate(); }
    bool operator==(const Attempts &) const = default;
};

/// A value that does not change any more: whoever passes lists of them on copies a pointer for each. Reads as its
/// value, and is equal to what has an equal one.
template<typename Value>
class Shared
{
public:
    Shared() = default; ///< none: may only be assigned to, compared, and asked whether it has one
    Shared(Value value) // NOLINT: a value is one
        : m_value(std::make_shared<const Value>(std::move(value)))
    {
    }
    explicit operator bool() const { return m_value != nullptr; }
    operator const Value &() const { return *m_value; } // NOLINT: and it is a value
    const Value &operator*() const { return *m_value; }
    const Value *operator->() const { return m_value.get(); }

    friend bool operator==(const Shared &a, const Shared &b)
    {
        return a.m_value == b.m_value || (a.m_value && b.m_value && *a.m_value == *b.m_value);
    }

private:
    std::shared_ptr<const Value> m_value;
};

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
    AgeOf ageOf = AgeOf::Lock;           ///< what `acquiredAt` is the beginning of; see boundOf()
    std::optional<ServerTime> expiresAt; ///< none = never
    std::optional<Microseconds> ttl;     ///< none = forever
    std::optional<int> waiters = 0;      ///< none = the server does not tell this user
    bool sessionAlive = false;
    bool isOfSession = false;         ///< it ends with its holder's session alone, of which no end can be told
    std::optional<Attempts> attempts; ///< see LockTraits::hasAttempts
    Shared<TableLock> table;          ///< what the row of another program's table says; none in other kinds
    Shared<KeyLock> keyLock;          ///< the same of another program's key or node

    /// The session whose end is the only end that a person can give it; none: it can be released, or nobody holds it.
    std::optional<quint64> endsWith() const;
    bool hasToken() const { return traitsOf(key.kind).hasToken || token > 0; }
    /// Time left at `now`; negative after the end, none = forever.
    std::optional<Microseconds> remaining(ServerTime now) const;
    /// Time since the grant, never negative.
    std::optional<Microseconds> heldFor(ServerTime now) const;

    bool operator==(const LockRow &) const = default;
};

using SharedLockRow = Shared<LockRow>;

QList<SharedLockRow> shared(QList<LockRow> rows);

/// One live request in the queue of a lock.
struct Waiter
{
    int position = 0; ///< 1 = next
    Owner owner;
    QByteArray note;
    std::optional<quint64> connectionId;
    QString account; ///< "user@host", where only the connection is known and no owner
    std::optional<ServerTime> since;
    std::optional<Microseconds> ttl;

    bool operator==(const Waiter &) const = default;
};

/// One line of the audit.
struct Event
{
    enum class Kind { Takeover, Lost, ForceRelease, ReleaseFailed, Kill, ServerStart, Other, TableRelease };

    quint64 id = 0;
    ServerTime at{};
    /// ServerStart is what a watcher saw, TableRelease what a record tells: no server stores them.
    Kind kind = Kind::Other;
    QByteArray kindName; ///< as stored, e.g. "force_release"
    LockKey key;
    quint64 token = 0;
    Owner owner;          ///< whose lease it was
    QString operatorName; ///< who claims to have acted
    QString reason;
    QString account; ///< that wrote it, as the server says; empty in tables of before version 6

    /// "ada@laptop (ops@10.0.%)"; empty where nobody claims to have acted.
    QString actor() const;
    bool operator==(const Event &) const = default;
};

/// How many locks there are on the server, shown or not.
struct LockCounts
{
    qint64 held = 0;
    qint64 orphan = 0;
    qint64 expired = 0;
    qint64 kept = 0;
    qint64 open = 0;
    qint64 unknown = 0;
    qint64 unknownTables = 0;   ///< those among them that other programs keep in tables
    qint64 unread = 0;          ///< nobody has looked at them: in which state they are is not known
    qint64 waiting = 0;         ///< live requests in all queues
    bool isWaitingKnown = true; ///< false: there are locks whose waiters are not known
    bool isAtLeast = false;     ///< there are more that other programs keep in tables: nobody has counted them

    qint64 total() const { return held + orphan + expired + kept + open + unknown + unread; }
    void add(LockState state, qint64 n = 1);
    LockCounts &operator+=(const LockCounts &other);
    bool operator==(const LockCounts &) const = default;
};

/// How the walks stand that look for locks of other programs in all the keys or nodes that a server has.
struct KeyPasses
{
    std::optional<std::chrono::steady_clock::time_point> endedAt; ///< of the last one; none: the first goes on
    qint64 unreadable = 0;                                        ///< keys or folders that the account may not read
    bool isCut = false;                                           ///< there are more locks, or keys, than it went for
    QString failure = {};                                         ///< why there has been none since; empty: there was
    QStringList faultyConventions = {};                           ///< of the user's, each with line and reason

    bool operator==(const KeyPasses &) const = default;
};

/// What one poll saw. A value.
struct LockSnapshot
{
    SnapshotClock clock;
    QMap<int, SnapshotClock> clocks; ///< the same of servers that have a number, see LockKey::server
    Microseconds cost{};             ///< what the poll took, send to answer
    QList<SharedLockRow> rows;       ///< sorted by key; may be cut, see `isCut()`
    LockCounts counts;               ///< of all that match, shown or not
    QByteArray contains;             ///< what was asked for: only locks with these bytes; empty = all
    QMap<int, KeyPasses> keyPasses;  ///< by the number of the server; none: it has no keys, or none are looked for
    bool isFilling = false;          ///< it is read for the first time, and more comes at once
    bool isReplayed = false;         ///< a moment of a recording: what the one before had did not end at this one

    bool isCut() const { return counts.total() > rows.size(); }
    /// The time of a server when it was read.
    ServerTime timeOf(int server) const { return server == 0 ? clock.server : clocks.value(server).server; }
};

} // namespace lockscope
