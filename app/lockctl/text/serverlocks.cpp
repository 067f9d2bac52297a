// SPDX-License-Identifier: MIT
#include "serverlocks.h"

#include "console/duration.h"
#include "preparedtext.h"
#include "terminal/columns.h"
#include "terminal/output.h"
#include "waits/userlocknames.h"
#include "waitsjson.h"
#include "waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// Of a statement; what of it does not fit the terminal is cut there.
constexpr int kStatementColumns = 100;

/// The rows of a transaction have no name while nobody waits for one.
bool hasName(const ServerLock &lock)
{
    return !(lock.object == ServerObject());
}

const Transaction *transactionOf(const ServerWaits &waits, quint64 holder)
{
    if (const PreparedTransaction *prepared = waits.preparedTransaction(holder))
        return &prepared->transaction;
    const ServerSession *session = waits.session(holder);
    return session && session->transaction ? &*session->transaction : nullptr;
}

QString rowsText(const Transaction *known)
{
    if (!known)
        return {};
    const Transaction &transaction = *known;
    if (transaction.rowsLocked == 0 && transaction.rowsChanged == 0)
        return {};
    return u"%1 locked, %2 changed"_s.arg(counted(qint64(transaction.rowsLocked), u"row"_s, u"rows"_s))
        .arg(transaction.rowsChanged);
}

QString nameText(const ServerLock &lock, const Transaction *transaction)
{
    if (hasName(lock))
        return printable(lock.object.kind == ServerLockKind::User ? lock.object.name : lock.object.toString().toUtf8());
    return transaction ? u"transaction %1"_s.arg(transaction->id) : u"transaction"_s;
}

/// For few locks the server tells since when they are held; for the others, since when at the earliest or at the
/// latest.
QString heldText(const ServerLock &lock, ServerTime now)
{
    if (!lock.age)
        return u"-"_s;
    const QString time = formatDuration(now - lock.age->since);
    switch (boundOf(lock.age->of)) {
    case AgeBound::AtMost:
        return u"< "_s + time;
    case AgeBound::AtLeast:
        return u"> "_s + time;
    case AgeBound::Exact:
        break;
    }
    return time;
}

/// Who takes such names, the mode of a lock that has one of many, how much its transaction holds, and what it runs.
QString noteText(const ServerLock &lock, const ServerWaits &waits, const QStringList &schemas)
{
    const ServerSession *session = waits.session(lock.session);
    QStringList parts;
    if (lock.object.kind == ServerLockKind::User)
        parts.append(printable(userLockProgram(lock.object.name, schemas)));
    else if (lock.object.kind == ServerLockKind::Metadata)
        parts.append(lock.mode);
    parts.append(rowsText(transactionOf(waits, lock.session)));
    if (session)
        parts.append(statementText(session->statement, kStatementColumns));
    if (const PreparedTransaction *prepared = waits.preparedTransaction(lock.session))
        parts.append(preparedEndText(*prepared));
    parts.removeAll(QString());
    return parts.join(u"; "_s);
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

QJsonObject toJson(const HeldLock &held, const ServerWaits &waits, const QStringList &schemas, ServerTime now)
{
    const ServerLock &lock = held.lock;
    const ServerSession *session = waits.session(lock.session);
    const PreparedTransaction *prepared = waits.preparedTransaction(lock.session);
    const bool isUser = lock.object.kind == ServerLockKind::User;
    const bool isExact = lock.age && lock.age->of == AgeOf::Lock;
    QJsonObject json{{u"kind"_s, kindText(lock.object.kind)},
                     {u"mode"_s, lock.mode},
                     {u"state"_s, u"held"_s},
                     {u"owner"_s, ctl::toJson(session ? session->asOwner() : Owner())},
                     {u"connectionId"_s, prepared ? QJsonValue() : number(lock.session)},
                     {u"prepared"_s, preparedToJson(prepared)},
                     {u"note"_s, u""_s},
                     {u"waiters"_s, int(held.queue.size())},
                     {u"sessionAlive"_s, session != nullptr},
                     {u"session"_s, sessionToJson(waits, lock.session)}};
    if (isUser)
        addResource(&json, lock.object.name);
    else
        addResource(&json,
                    hasName(lock) ? lock.object.toString().toUtf8()
                                  : nameText(lock, transactionOf(waits, lock.session)).toUtf8());
    json.insert(u"takenBy"_s, textOrNull(isUser ? userLockProgram(lock.object.name, schemas) : QString()));
    for (const QString &never : {u"token"_s, u"expiresAt"_s, u"remainingMs"_s, u"ttlMs"_s})
        json.insert(never, QJsonValue());
    json.insert(u"acquiredAt"_s, isExact ? ctl::toJson(std::optional(lock.age->since)) : QJsonValue());
    json.insert(u"ageOf"_s, lock.age ? QJsonValue(ageName(lock.age->of)) : QJsonValue());
    json.insert(u"ageMs"_s, lock.age ? milliseconds(now - lock.age->since) : QJsonValue());
    return json;
}

} // namespace

QList<QStringList> serverLockCells(const QList<HeldLock> &locks, const ServerWaits &waits, ServerTime now, int columns)
{
    const QStringList schemas = schemasOf(waits);
    QList<QStringList> rows;
    for (const HeldLock &held : locks) {
        const ServerLock &lock = held.lock;
        const PreparedTransaction *prepared = waits.preparedTransaction(lock.session);
        const QString mode = kindText(lock.object.kind);
        rows.append({nameText(lock, transactionOf(waits, lock.session)), mode, u"held"_s, u"-"_s, heldText(lock, now),
                     u"-"_s, QString::number(held.queue.size()),
                     prepared ? preparedText(*prepared)
                              : u"%1 %2"_s.arg(lock.session).arg(accountText(waits, lock.session, isWide(columns))),
                     noteText(lock, waits, schemas)});
    }
    return rows;
}

QJsonArray serverLocksToJson(const QList<HeldLock> &locks, const ServerWaits &waits, ServerTime now)
{
    const QStringList schemas = schemasOf(waits);
    QJsonArray array;
    for (const HeldLock &held : locks)
        array.append(toJson(held, waits, schemas, now));
    return array;
}

} // namespace lockscope::ctl
