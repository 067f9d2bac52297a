#include "serverlocks.h"

#include "monitor/duration.h"
#include "output.h"
#include "waits/userlocknames.h"
#include "waitsjson.h"
#include "waitstext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kStatementColumns = 60;

/// A row that somebody waits for, of those that `session` holds; none is known where nobody does.
std::optional<ServerObject> waitedRow(const ServerWaits &waits, quint64 session)
{
    const auto isOwn = [&](const WaitEdge &edge) {
        // Who merely stands before somebody in a queue holds nothing.
        return edge.blocker == session && edge.object.kind == ServerLockKind::Record
            && std::none_of(waits.edges.cbegin(), waits.edges.cend(), [&](const WaitEdge &other) {
                   return other.waiter == session && other.object == edge.object;
               });
    };
    const auto found = std::find_if(waits.edges.cbegin(), waits.edges.cend(), isOwn);
    return found == waits.edges.cend() ? std::nullopt : std::optional(found->object);
}

bool hasRows(const ServerSession &session)
{
    if (!session.transaction)
        return false;
    const quint64 waited = session.transaction->waitStarted ? 1 : 0; // counted as locked
    return session.transaction->rowsLocked > waited || session.transaction->rowsChanged > 0;
}

std::optional<ServerLock> rowsOf(const ServerWaits &waits, const ServerSession &session)
{
    const auto row = waitedRow(waits, session.id);
    if (!row && !hasRows(session))
        return std::nullopt;
    ServerLock lock;
    lock.session = session.id;
    lock.object = row.value_or(ServerObject());
    if (session.transaction)
        lock.age = {AgeOf::Transaction, session.transaction->started};
    return lock;
}

bool isOwn(const ServerWaits &waits, quint64 id)
{
    const ServerSession *session = waits.session(id);
    return session && session->protection == Protection::Own;
}

int waitersOf(const ServerWaits &waits, const ServerLock &lock)
{
    QSet<quint64> waiters;
    for (const WaitEdge &edge : waits.edges) {
        const bool isSame = lock.object.kind == ServerLockKind::Record ? edge.object.kind == ServerLockKind::Record
                                                                       : edge.object == lock.object;
        if (edge.blocker == lock.session && isSame)
            waiters.insert(edge.waiter);
    }
    return int(waiters.size());
}

/// The rows of a transaction have no name while nobody waits for one.
bool hasName(const ServerLock &lock)
{
    return !(lock.object == ServerObject());
}

QString rowsText(const ServerSession *session)
{
    if (!session || !session->transaction)
        return {};
    return u"%1 locked, %2 changed"_s.arg(counted(qint64(session->transaction->rowsLocked), u"row"_s, u"rows"_s))
        .arg(session->transaction->rowsChanged);
}

QString nameText(const ServerLock &lock, const ServerSession *session)
{
    if (hasName(lock))
        return printable(lock.object.kind == ServerLockKind::User ? lock.object.name : lock.object.toString().toUtf8());
    return session && session->transaction ? u"transaction %1"_s.arg(session->transaction->id) : u"transaction"_s;
}

/// The server tells of few locks since when they are held; of the others, since when at the earliest.
QString heldText(const ServerLock &lock, ServerTime now)
{
    if (!lock.age)
        return u"-"_s;
    const QString time = formatDuration(now - lock.age->since);
    return lock.age->of == AgeOf::Lock ? time : u"< "_s + time;
}

QString noteText(const ServerLock &lock, const ServerSession *session, const QStringList &schemas)
{
    if (lock.object.kind == ServerLockKind::User)
        return printable(userLockProgram(lock.object.name, schemas).toUtf8());
    if (lock.object.kind == ServerLockKind::Record)
        return rowsText(session);
    return session ? statementText(session->statement, kStatementColumns) : QString();
}

QString ageName(AgeOf of)
{
    switch (of) {
    case AgeOf::Lock:
        return u"lock"_s;
    case AgeOf::Wait:
        return u"wait"_s;
    case AgeOf::Transaction:
        return u"transaction"_s;
    case AgeOf::Statement:
        return u"statement"_s;
    case AgeOf::Session:
        break;
    }
    return u"session"_s;
}

Owner ownerOf(const ServerSession *session)
{
    if (!session)
        return {};
    if (!(session->owner == Owner()))
        return session->owner;
    Owner owner;
    owner.service = session->program.isEmpty() ? session->user : session->program;
    owner.host = session->host;
    owner.pid = session->osPid;
    return owner;
}

QJsonObject toJson(const ServerLock &lock, const ServerWaits &waits, const QStringList &schemas, ServerTime now)
{
    const ServerSession *session = waits.session(lock.session);
    const bool isUser = lock.object.kind == ServerLockKind::User;
    const bool isExact = lock.age && lock.age->of == AgeOf::Lock;
    QJsonObject json{{u"kind"_s, kindText(lock.object.kind)},
                     {u"mode"_s, lock.mode},
                     {u"state"_s, u"held"_s},
                     {u"owner"_s, ctl::toJson(ownerOf(session))},
                     {u"connectionId"_s, number(lock.session)},
                     {u"note"_s, u""_s},
                     {u"waiters"_s, waitersOf(waits, lock)},
                     {u"sessionAlive"_s, session != nullptr},
                     {u"session"_s, sessionToJson(waits, lock.session)}};
    if (isUser)
        addResource(&json, lock.object.name);
    else
        addResource(&json, hasName(lock) ? lock.object.toString().toUtf8() : nameText(lock, session).toUtf8());
    json.insert(u"takenBy"_s, isUser ? QJsonValue(userLockProgram(lock.object.name, schemas)) : QJsonValue());
    for (const QString &never : {u"token"_s, u"expiresAt"_s, u"remainingMs"_s, u"ttlMs"_s})
        json.insert(never, QJsonValue());
    json.insert(u"acquiredAt"_s, isExact ? ctl::toJson(std::optional(lock.age->since)) : QJsonValue());
    json.insert(u"ageOf"_s, lock.age ? QJsonValue(ageName(lock.age->of)) : QJsonValue());
    json.insert(u"ageMs"_s, lock.age ? milliseconds(now - lock.age->since) : QJsonValue());
    return json;
}

} // namespace

QList<ServerLock> heldServerLocks(const ServerWaits &waits, const QSet<quint64> &known)
{
    QList<ServerLock> held;
    QList<quint64> ids = waits.sessions.keys();
    std::sort(ids.begin(), ids.end());
    for (const quint64 id : std::as_const(ids)) {
        const auto rows = known.contains(id) ? std::nullopt : rowsOf(waits, *waits.session(id));
        if (rows && !isOwn(waits, id))
            held.append(*rows);
    }
    for (const ServerLock &lock : waits.locks) {
        if (lock.isGranted && lock.object.kind != ServerLockKind::Record && !isOwn(waits, lock.session))
            held.append(lock);
    }
    return held;
}

QList<QStringList> serverLockCells(const QList<ServerLock> &locks, const ServerWaits &waits, ServerTime now)
{
    const QStringList schemas = schemasOf(waits);
    QList<QStringList> rows;
    for (const ServerLock &lock : locks) {
        const ServerSession *session = waits.session(lock.session);
        const QString mode = kindText(lock.object.kind);
        rows.append({nameText(lock, session), mode, u"held"_s, u"-"_s, heldText(lock, now), u"-"_s,
                     QString::number(waitersOf(waits, lock)), u"%1 %2"_s.arg(lock.session).arg(accountText(session)),
                     noteText(lock, session, schemas)});
    }
    return rows;
}

QJsonArray serverLocksToJson(const QList<ServerLock> &locks, const ServerWaits &waits, ServerTime now)
{
    const QStringList schemas = schemasOf(waits);
    QJsonArray array;
    for (const ServerLock &lock : locks)
        array.append(toJson(lock, waits, schemas, now));
    return array;
}

} // namespace lockscope::ctl
