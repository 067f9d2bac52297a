// SPDX-License-Identifier: MIT
#include "rowwaits.h"

#include "recordkey.h"

#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

namespace {

/// Columns of waits/transactions.
enum TransactionColumn {
    IdCol,
    SessionCol,
    StateCol,
    StartedCol,
    WaitStartedCol,
    LockedCol,
    ChangedCol,
    WantedCol,
    PlaceCol
};
/// Columns of waits/row_holders and, up to the lock, of waits/row_waits.
enum HolderColumn { RequestingCol, BlockingCol, RequestedCol, CountCol };
/// Columns of waits/row_waits of MySQL.
enum OriginColumn { ThreadCol = RequestedCol + 1, EventCol, RowWaitColumns };
/// Columns of waits/row_locks.
enum LockColumn { LockIdCol, TypeCol, SchemaCol, TableCol, IndexCol, ModeCol, DataCol, WaiterCol };

struct Wanted
{
    ServerObject object;
    QString mode;
};

/// 223 waiters of one row make as many; of more, only the edges are read without which the picture would be wrong.
constexpr qint64 kMaxEdges = ServerWaits::MaxEdges;

/// What the server tells, by the numbers of transactions and of locks.
struct RawWaits
{
    QList<QVariantList> edges; ///< who waits, for whom, at which lock
    QHash<QByteArray, Wanted> wanted;
    QSet<quint64> waiting; ///< those that wait by now, and some that do not
    bool isCut = false;
};

Wanted toWanted(const QVariantList &values)
{
    Wanted wanted;
    wanted.mode = values.value(ModeCol).toString();
    const bool isRecord = values.value(TypeCol).toString() == QLatin1String("RECORD");
    wanted.object.kind = isRecord ? ServerLockKind::Record : ServerLockKind::Table;
    if (values.value(SchemaCol).isNull()) {
        std::tie(wanted.object.schema, wanted.object.name) = splitTable(values.value(TableCol).toString());
    } else {
        wanted.object.schema = values.value(SchemaCol).toString();
        wanted.object.name = values.value(TableCol).toByteArray();
    }
    if (isRecord) {
        wanted.object.index = values.value(IndexCol).toString();
        wanted.object.record = readableKey(values.value(DataCol).toByteArray());
        wanted.object.isGap = isGapMode(wanted.mode);
    }
    return wanted;
}

/// The end of a quoted name that begins at `from`: the place after its closing quote.
qsizetype endOfName(const QString &text, qsizetype from)
{
    for (qsizetype i = from + 1; i < text.size(); ++i) {
        if (text.at(i) != u'`')
            continue;
        if (i + 1 < text.size() && text.at(i + 1) == u'`')
            ++i;
        else
            return i + 1;
    }
    return text.size();
}

QString unquoted(const QString &name)
{
    return name.mid(1, name.size() - 2).replace(QLatin1String("``"), QLatin1String("`"));
}

/// Adds the locks at which somebody waits, each once.
void addLocks(RowWaits *found)
{
    QSet<std::pair<quint64, ServerObject>> waiting;
    const auto addWaiting = [&](quint64 waiter, const ServerObject &object, const QString &mode, const auto &since) {
        if (waiting.contains({waiter, object}))
            return;
        waiting.insert({waiter, object});
        const auto age = since ? std::optional(Age{AgeOf::Wait, *since}) : std::nullopt;
        found->locks.append({object, mode, false, waiter, age});
    };
    for (const WaitEdge &edge : std::as_const(found->edges))
        addWaiting(edge.waiter, edge.object, edge.mode, edge.since);
    QSet<std::pair<quint64, ServerObject>> held;
    for (const WaitEdge &edge : std::as_const(found->edges)) {
        const std::pair key(edge.blocker, edge.object);
        if (waiting.contains(key) || held.contains(key))
            continue;
        held.insert(key);
        found->locks.append({edge.object, {}, true, edge.blocker, std::nullopt}); // its mode is not read
    }
}

void addTransactions(const QList<QVariantList> &rows, OpenTransactions *found)
{
    for (const QVariantList &values : rows) {
        const quint64 owner = values.value(SessionCol).toULongLong();
        Transaction one;
        one.id = values.value(IdCol).toULongLong();
        if (one.id == 0)
            found->unnumbered.insert(values.value(WantedCol).toByteArray(), owner);
        else
            found->sessions.insert(one.id, owner);
        one.state = values.value(StateCol).toString();
        one.started = toServerTime(values.value(StartedCol)).value_or(ServerTime{});
        one.waitStarted = toServerTime(values.value(WaitStartedCol));
        one.rowsLocked = values.value(LockedCol).toULongLong();
        one.rowsChanged = values.value(ChangedCol).toULongLong();
        if (owner != 0)
            found->transactions.insert(owner, one);
        else if (one.id != 0) // prepared, recovered from a crash, or of the server itself
            found->loose.insert(one.id, one);
    }
}

bool isWaiting(const Transaction &transaction)
{
    return transaction.state == QLatin1String("LOCK WAIT");
}

/// All edges where there can be no more than a look reads; else, of each waiter, the few that lead to whoever holds it
/// up.
std::optional<LockError> readEdges(Session &session, qint64 waiters, RawWaits *raw)
{
    const Params limit = Params().number("limit", kMaxEdges);
    if (waiters * (waiters + 1) / 2 <= kMaxEdges) {
        const Reply all = session.run("waits/row_waits", limit);
        raw->edges = all.set(-1).rows;
        if (all.error || raw->edges.size() < kMaxEdges) // a lock may have many holders
            return all.error;
    }
    const Reply few = session.run("waits/row_holders", limit);
    raw->edges = few.set(-1).rows;
    raw->isCut = raw->edges.size() >= kMaxEdges
        || std::any_of(raw->edges.cbegin(), raw->edges.cend(),
                       [](const QVariantList &values) { return values.value(CountCol).toInt() > 1; });
    return few.error;
}

std::optional<LockError> readWanted(Session &session, RawWaits *raw)
{
    const Reply locks = session.run("waits/row_locks", Params().number("limit", kMaxEdges));
    for (const QVariantList &values : locks.set(-1).rows) {
        raw->wanted.insert(values.value(LockIdCol).toByteArray(), toWanted(values));
        raw->waiting.insert(values.value(WaiterCol).toULongLong());
    }
    return locks.error;
}

/// MySQL tells the present each time, so what waits by then is told by the locks, which come last. MariaDB's tables
/// stay those of one moment while they are read every 0.1 s, and the edges of a long queue take longer.
std::optional<LockError> readRaw(Session &session, qint64 waiters, RawWaits *raw)
{
    if (session.info().family == Family::MariaDb) {
        const auto error = readWanted(session, raw);
        return error ? error : readEdges(session, waiters, raw);
    }
    const auto error = readEdges(session, waiters, raw);
    return error ? error : readWanted(session, raw);
}

/// Transactions to look up, by their own numbers and by those of their sessions.
struct Missing
{
    QList<quint64> transactions;
    QList<quint64> sessions;
};

std::optional<LockError> addMissing(Session &session, const Missing &missing, OpenTransactions *open)
{
    const Reply reply = session.run(
        "waits/blockers", Params().numberList("ids", missing.transactions).numberList("sessions", missing.sessions));
    addTransactions(reply.set(-1).rows, open);
    return reply.error;
}

/// Those that hold up a transaction that is there, and those that hold these up.
std::optional<LockError> addBlockers(Session &session, const QList<QVariantList> &edges, OpenTransactions *open)
{
    QSet<quint64> asked;
    for (;;) {
        QList<quint64> missing;
        for (const QVariantList &values : edges) {
            const quint64 waiter = values.value(RequestingCol).toULongLong();
            const quint64 blocker = values.value(BlockingCol).toULongLong();
            const bool isThere = waiter == 0 || open->sessions.contains(waiter);
            if (!isThere || blocker == 0 || open->sessions.contains(blocker) || asked.contains(blocker))
                continue;
            asked.insert(blocker);
            missing.append(blocker);
        }
        if (missing.isEmpty())
            return std::nullopt;
        if (auto error = addMissing(session, {missing, {}}, open))
            return error;
    }
}

/// Who waits by that edge. Those without a number are known by the lock that they want, which is the same for all at
/// one row.
QList<quint64> waitersOf(const QVariantList &edge, const OpenTransactions &open)
{
    const quint64 id = edge.value(RequestingCol).toULongLong();
    if (id == 0)
        return open.unnumbered.values(edge.value(RequestedCol).toByteArray());
    const quint64 session = open.sessions.value(id);
    return session == 0 ? QList<quint64>() : QList<quint64>{session}; // it ended between two statements
}

/// Whose edges name no transaction: of those without a number the only one that has locked something, if one is.
std::optional<quint64> unnumberedBlocker(const OpenTransactions &open)
{
    std::optional<quint64> only;
    for (const quint64 session : open.unnumbered) {
        if (open.transactions.value(session).rowsLocked == 0)
            continue;
        if (only || open.isCut)
            return std::nullopt;
        only = session;
    }
    return only;
}

/// Who holds it up; none where it cannot be told.
std::optional<quint64> blockerOf(quint64 id, const OpenTransactions &open, std::optional<quint64> unnumbered)
{
    if (id == 0)
        return unnumbered;
    if (open.loose.contains(id) || open.attached.contains(id))
        return preparedNumber(id);
    const auto session = open.sessions.constFind(id);
    return session == open.sessions.cend() ? std::nullopt : std::optional(*session);
}

std::optional<LockOrigin> originOf(const QVariantList &values)
{
    if (values.size() < RowWaitColumns || values.value(EventCol).isNull())
        return std::nullopt;
    return LockOrigin{values.value(ThreadCol).toULongLong(), values.value(EventCol).toULongLong()};
}

void addWaits(const RawWaits &raw, const OpenTransactions &open, RowWaits *found)
{
    QSet<std::pair<std::pair<quint64, quint64>, QByteArray>> known; // a blocker may have several locks that conflict
    const auto unnumbered = unnumberedBlocker(open);
    for (const QVariantList &values : raw.edges) {
        const quint64 id = values.value(BlockingCol).toULongLong();
        const QByteArray requested = values.value(RequestedCol).toByteArray();
        const std::pair edge(std::pair(values.value(RequestingCol).toULongLong(), id), requested);
        const auto blocker = blockerOf(id, open, unnumbered);
        if (!blocker || known.contains(edge))
            continue;
        known.insert(edge);
        const Wanted what = raw.wanted.value(requested);
        for (const quint64 waiter : waitersOf(values, open)) {
            const auto since = open.transactions.value(waiter).waitStarted;
            if (waiter != *blocker) // else another one, that cannot be told
                found->edges.append({waiter, *blocker, what.object, what.mode, since, id == 0, originOf(values)});
        }
    }
}

} // namespace

bool OpenTransactions::hasWaiters() const
{
    return std::any_of(transactions.cbegin(), transactions.cend(), isWaiting);
}

std::optional<LockError> readTransactions(Session &session, int limit, OpenTransactions *found)
{
    const Reply reply = session.run("waits/transactions", Params().number("limit", qint64(limit)));
    if (!reply)
        return reply.error;
    const auto &rows = reply.set(-1).rows;
    addTransactions(rows, found);
    found->isCut = std::any_of(rows.cbegin(), rows.cend(),
                               [limit](const QVariantList &values) { return values.value(PlaceCol).toInt() >= limit; });
    return std::nullopt;
}

std::optional<LockError> readTransactionsOf(Session &session, QList<quint64> sessions, OpenTransactions *open)
{
    sessions.removeIf([open](quint64 one) { return open->transactions.contains(one); });
    return sessions.isEmpty() ? std::nullopt : addMissing(session, {{}, sessions}, open);
}

std::optional<LockError> readRowWaits(Session &session, OpenTransactions *open, RowWaits *found)
{
    RawWaits raw;
    const auto waiters = std::count_if(open->transactions.cbegin(), open->transactions.cend(), isWaiting);
    if (auto error = readRaw(session, waiters, &raw))
        return error;
    if (auto error = addBlockers(session, raw.edges, open))
        return error;
    found->isCut = raw.isCut;
    addWaits(raw, *open, found);
    for (const QVariantList &values : std::as_const(raw.edges))
        raw.waiting.insert(values.value(RequestingCol).toULongLong());
    for (Transaction &transaction : open->transactions) {
        if (!isWaiting(transaction) || raw.waiting.contains(transaction.id))
            continue;
        transaction.state = QStringLiteral("RUNNING");
        transaction.waitStarted.reset();
    }
    addLocks(found);
    return std::nullopt;
}

std::optional<LockError> readRowLocks(Session &session, quint64 transaction, RowLocks *found)
{
    const Reply reply =
        session.run("waits/row_locks_of",
                    Params().number("transaction", transaction).number("limit", qint64(RowLocks::MaxListed) + 1));
    for (const QVariantList &values : reply.set(-1).rows) {
        const Wanted lock = toWanted(values);
        found->locks.append({lock.object, lock.mode, true, 0, std::nullopt});
    }
    found->isCut = found->locks.size() > RowLocks::MaxListed;
    found->locks = found->locks.mid(0, RowLocks::MaxListed);
    return reply.error;
}

QList<LostWaiter> lostRowWaiters(const OpenTransactions &open, const ServerWaits &waits)
{
    QSet<quint64> known;
    for (const WaitEdge &edge : waits.edges)
        known.insert(edge.waiter);
    for (const LostWaiter &waiter : waits.lost)
        known.insert(waiter.session);
    QList<LostWaiter> lost;
    for (auto it = open.transactions.cbegin(); it != open.transactions.cend(); ++it) {
        if (isWaiting(*it) && !known.contains(it.key()))
            lost.append({it.key(), ServerLockKind::Record, it->waitStarted});
    }
    return lost;
}

std::pair<QString, QByteArray> splitTable(const QString &text)
{
    if (!text.startsWith(u'`'))
        return {{}, text.toUtf8()};
    const qsizetype first = endOfName(text, 0);
    if (first >= text.size() || text.at(first) != u'.')
        return {{}, unquoted(text.left(first)).toUtf8()};
    const qsizetype second = endOfName(text, first + 1);
    return {unquoted(text.left(first)), unquoted(text.mid(first + 1, second - first - 1)).toUtf8()};
}

} // namespace lockscope
