// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/owner.h"
#include "session/servertime.h"
#include "xid.h"

#include <QtCore/QHash>
#include <QtCore/QList>
#include <QtCore/QSet>

#include <memory>

namespace lockscope {

/// Locks that the server itself keeps, whoever takes them.
enum class ServerLockKind {
    Record,   ///< of InnoDB, on rows or gaps between them
    Table,    ///< of InnoDB, on a whole table (LOCK TABLES, AUTO-INC); intentions are left out
    Metadata, ///< on the definition of a table, a schema, or on everything (FLUSH TABLES WITH READ LOCK)
    User      ///< GET_LOCK, also below a lease: see ServerObject::isLease()
};

/// What is locked. Equal objects are the same lock.
struct ServerObject
{
    ServerLockKind kind = ServerLockKind::Record;
    QString scope;     ///< of metadata: "TABLE", "FUNCTION", "SCHEMA", "GLOBAL", …; of a lease: "LEASE"; else empty
    QString schema;    ///< empty where there is none
    QByteArray name;   ///< of the table or the user-level lock, as the server says it
    QString index;     ///< of records
    QByteArray record; ///< of records: the columns of the key, see readableKey(); the index's end: EndOfIndex
    /// Only the gap before the record is asked for. The queue is the record's, so this does not make it another lock.
    bool isGap = false;

    static constexpr auto EndOfIndex = "supremum pseudo-record"; ///< the server's word: it has only a gap before it

    /// Of the engine's: its name is the resource, empty where the lock tables do not tell it.
    bool isLease() const { return kind == ServerLockKind::User && scope == QLatin1String("LEASE"); }
    /// Of metadata: of a table's or view's. Functions, events and others may be called as a table is.
    bool isOfTable() const { return kind == ServerLockKind::Metadata && scope == QLatin1String("TABLE"); }
    bool isAtEnd() const { return record == EndOfIndex; }
    bool operator==(const ServerObject &other) const;
    /// "shop.stock", "shop.stock PRIMARY (5)", "shop.stock PRIMARY, gap before (20)", "function shop.price", "the whole
    /// server (global)", or the lock's name.
    QString toString() const;
};
size_t qHash(const ServerObject &object, size_t seed = 0) noexcept;

/// What a time tells the age of. MySQL does not tell since when a metadata lock is held.
enum class AgeOf {
    Lock,
    Wait,
    Transaction,
    Statement,
    Session ///< how long it has been idle: it took the lock before that
};

/// How the age of a lock compares with such a time.
enum class AgeBound { Exact, AtMost, AtLeast };

constexpr AgeBound boundOf(AgeOf of)
{
    if (of == AgeOf::Session)
        return AgeBound::AtLeast;
    return of == AgeOf::Lock || of == AgeOf::Wait ? AgeBound::Exact : AgeBound::AtMost;
}

struct Age
{
    AgeOf of = AgeOf::Session;
    ServerTime since{};

    bool operator==(const Age &) const = default;
};

/// One lock of one session, held or waited for.
struct ServerLock
{
    ServerObject object;
    QString mode; ///< the server's word: "X,REC_NOT_GAP", "SHARED_WRITE", "EXCLUSIVE"
    bool isGranted = true;
    quint64 session = 0;
    std::optional<Age> age;
    /// At which it was asked for, counted by the performance schema for each session; none where it counts none.
    std::optional<quint64> event = {};

    bool operator==(const ServerLock &) const = default;
};

/// A session's open transaction.
struct Transaction
{
    quint64 id = 0;       ///< InnoDB's; unique for as long as the server runs
    QString state;        ///< "RUNNING", "LOCK WAIT", "ROLLING BACK"
    ServerTime started{}; ///< to the second
    std::optional<ServerTime> waitStarted;
    quint64 rowsLocked = 0;
    quint64 rowsChanged = 0;

    /// Some of the sessions' are prepared, and the server does not tell whether this is one of them.
    bool mayBePrepared = false;

    bool isRollingBack() const { return state.startsWith(QLatin1String("ROLLING BACK")); }
    bool operator==(const Transaction &) const = default;
};

/// A transaction that outlives its session: one that XA PREPARE has made so, or one that a crash has left. In edges and
/// locks it has a number of its own, which belongs to no session and which nothing can end.
struct PreparedTransaction
{
    Transaction transaction;
    quint64 session = 0;     ///< that prepared it, where it is told and still there
    bool isAttached = false; ///< only that session can end it, for as long as it is there
    /// Its name where `isTold`, else those that it may have. Empty where this user may not know them, or it has none.
    QList<Xid> xids = {};
    bool isTold = false;

    bool operator==(const PreparedTransaction &) const = default;
};

constexpr quint64 kPreparedBit = quint64(1) << 63;
/// What stands for a prepared transaction of this number of InnoDB.
constexpr quint64 preparedNumber(quint64 transaction)
{
    return kPreparedBit | transaction;
}
constexpr bool isPreparedNumber(quint64 number)
{
    return (number & kPreparedBit) != 0;
}

/// Who must not be ended, and why.
enum class Protection {
    None,
    Own,        ///< Lockscope's own connection
    System,     ///< a thread of the server
    Replication ///< sends or applies a binary log, or belongs to the cluster
};

/// What a session runs, or ran last.
struct Statement
{
    enum class Source {
        Running,         ///< now
        Last,            ///< the session is idle since
        None,            ///< it has run nothing yet
        NotAsked,        ///< idle, and its last statement was not read
        NotInstrumented, ///< idle, and the server keeps no last statement
        NotAllowed       ///< the monitor's user may not see it
    };
    Source source = Source::NotInstrumented;
    QByteArray text;       ///< cut at `MaxStatementBytes`; any bytes
    bool isFailed = false; ///< of a last one: the server refused it

    bool operator==(const Statement &) const = default;
};

/// One that a session has ended within its transaction.
struct PastStatement
{
    QByteArray text;       ///< cut at `ServerWaits::MaxStatementBytes`; any bytes
    bool tookLock = false; ///< that others wait for now; of none where that is not told of each such lock

    bool operator==(const PastStatement &) const = default;
};

/// One connection that holds or waits for something.
struct ServerSession
{
    quint64 id = 0; ///< the number that KILL takes
    QString user;
    QString host; ///< of the client, with its port where the server tells it; empty: not told
    QString schema;
    QString program;                        ///< as the client names itself; empty: not told
    qint64 osPid = 0;                       ///< of the client; 0: not told
    QString command;                        ///< "Sleep", "Query", …
    QString state;                          ///< of the statement, the server's word
    std::optional<ServerTime> commandSince; ///< since when it is idle or at its statement; see doneSince()
    Microseconds lastTook{};                ///< of an idle one: its last statement, where `commandSince` is its begin
    Statement statement;
    /// Of its transaction, the last ones in their order; only of those that others wait for, where the server keeps
    /// them.
    QList<PastStatement> history = {};
    std::optional<quint64> statementNumber; ///< the server's own, of what it runs or ran last; none: not told
    std::optional<quint64> statementEvent;  ///< of what it runs, as ServerLock::event; not recorded
    std::optional<Transaction> transaction;
    Owner owner; ///< where it is an engine's; else empty
    Protection protection = Protection::None;

    bool isIdle() const { return command == QLatin1String("Sleep"); }
    /// Since when it is idle or at its statement. MySQL counts an idle one from the begin of its last statement, which
    /// may have waited long.
    std::optional<ServerTime> doneSince() const
    {
        return commandSince ? std::optional(*commandSince + lastTook) : std::nullopt;
    }
    /// Without the port, which each connection has of its own.
    QString hostName() const;
    /// As the client names itself, else the service of the engine's owner.
    QString programName() const;
    /// Of the history, the one that took all that others wait for; null where it cannot be told, there are several, or
    /// it is the statement that it ran last.
    const PastStatement *culprit() const;
    /// "user@host".
    QString account() const;
    /// The same without the port.
    QString accountWithoutPort() const;
    /// What a person calls it: the engine's owner where it is one, else the program where it says its name, else the
    /// user.
    Owner asOwner() const;
    bool operator==(const ServerSession &) const = default;
};

/// The row locks of one transaction, one by one.
struct RowLocks
{
    static constexpr int MaxListed = 100;
    /// Of a transaction with more of them none are listed: the server would walk over all while nobody can lock.
    static constexpr quint64 MaxHeld = 1000;

    QList<ServerLock> locks; ///< an inserted row is not among them until somebody waits for it
    bool isCut = false;      ///< there are more than `MaxListed`

    bool operator==(const RowLocks &) const = default;
};

/// At which a lock was made, counted by the performance schema for each of its threads.
struct LockOrigin
{
    quint64 thread = 0; ///< its number there
    quint64 event = 0;

    bool operator==(const LockOrigin &) const = default;
};

/// `waiter` cannot go on before `blocker` lets go of `object`, or comes before it in its queue. The blocker may be a
/// prepared transaction: see preparedNumber().
struct WaitEdge
{
    quint64 waiter = 0;
    quint64 blocker = 0;
    ServerObject object;
    QString mode; ///< that is waited for
    std::optional<ServerTime> since;
    /// Not told by the server: by the statement's text, or because nobody else can be it.
    bool isInferred = false;
    std::optional<LockOrigin> origin = {}; ///< of the blocker's lock, where the server tells it

    bool operator==(const WaitEdge &) const = default;
};

/// Somebody who waits for what the server does not name, or for whom no session stands.
struct LostWaiter
{
    quint64 session = 0;
    ServerLockKind kind = ServerLockKind::Metadata;
    std::optional<ServerTime> since;
    bool mayBeBehindPrepared = false; ///< there are prepared transactions, which may be what holds it up

    bool operator==(const LostWaiter &) const = default;
};

/// Where knowledge comes from. Each can be missing without harm to the others.
enum class WaitSource { Sessions, Transactions, RowWaits, Metadata, UserLocks, Statements, Attributes };
constexpr int WaitSourceCount = 7;

/// What one source said at the last look.
struct SourceStatus
{
    WaitSource source = WaitSource::Sessions;
    enum class State {
        Complete,
        Partial, ///< something stands in for it: see `reason`
        Missing, ///< not there: see `reason`
        Failed,  ///< it broke off; its last data is not shown
        Off      ///< switched off by the person
    };
    State state = State::Complete;
    QString reason;     ///< one sentence, English
    QString remedy;     ///< the statement, grant or setting that would add it; empty: none
    bool isCut = false; ///< there was more than the cap
    int rows = 0;
    bool isOfFamily = false; ///< servers of this family tell no more, whatever is set or granted

    /// It says less than servers of its family can.
    bool isLimited() const { return isCut || !(state == State::Complete || (state == State::Partial && isOfFamily)); }
    bool operator==(const SourceStatus &) const = default;
};

/// What one look at the server's own locks saw. A value. The tables are not read at one moment: a session may be gone
/// by the time it is looked up; then it is in `edges` and `locks` and not in `sessions`.
struct ServerWaits
{
    static constexpr int MaxStatementBytes = 4096;
    static constexpr int MaxEdges = 25'000; ///< from one source

    SnapshotClock clock;
    Microseconds cost{};
    QString identity; ///< of this run of the server: a restart changes it
    QList<SourceStatus> sources;
    QHash<quint64, ServerSession> sessions;
    QSet<quint64> tracked;   ///< by number, whatever they do: whoever of these is not among the sessions had ended
    QList<ServerLock> locks; ///< by session; of a transaction's row locks only those that somebody waits for
    QList<WaitEdge> edges;
    QList<LostWaiter> lost;
    QHash<quint64, PreparedTransaction> prepared; ///< by preparedNumber()
    QHash<quint64, RowLocks> rows;                ///< by session, of those that were asked for; MySQL alone tells them

    const ServerSession *session(quint64 id) const;
    const PreparedTransaction *preparedTransaction(quint64 number) const;
    /// The one that this session has prepared.
    const PreparedTransaction *preparedBy(quint64 session) const;
    /// False: what tells of such locks was switched off.
    bool isAsked(ServerLockKind kind) const;
    /// Not to be seen may mean only that it neither held nor waited for anything.
    bool isKnownGone(quint64 id) const { return tracked.contains(id) && !sessions.contains(id); }
};

/// Shared, because it goes to several places.
using ServerWaitsPtr = std::shared_ptr<const ServerWaits>;

} // namespace lockscope
