// SPDX-License-Identifier: MIT
#include "serverrows.h"

#include "waits/metadatamodes.h"
#include "waits/userlocknames.h"

#include <algorithm>

namespace lockscope {

namespace {

QByteArray transactionName(quint64 id, const ServerWaits &waits)
{
    const ServerSession *session = waits.session(id);
    const quint64 number = id & ~kPreparedBit; // of a prepared transaction, or else the session's
    return "transaction " + QByteArray::number(session && session->transaction ? session->transaction->id : number);
}

LockKey keyOf(const HeldLock &held, const ServerWaits &waits)
{
    const ServerObject &object = held.lock.object;
    LockKey key;
    key.session = held.lock.session;
    if (object.kind == ServerLockKind::User) {
        key.kind = LockKind::User;
        key.resource = object.name;
        return key;
    }
    key.kind = held.isOfTransaction() ? LockKind::Transaction : LockKind::Metadata;
    key.resource = object == ServerObject() ? transactionName(key.session, waits) : object.toString().toUtf8();
    return key;
}

/// What tells it from others of its kind: whose row it is, who takes such names, the mode.
QByteArray noteOf(const HeldLock &held, const ServerWaits &waits, const QStringList &schemas)
{
    const ServerObject &object = held.lock.object;
    if (held.isOfTransaction())
        return object == ServerObject() ? QByteArray() : transactionName(held.lock.session, waits);
    if (object.kind == ServerLockKind::User)
        return userLockProgram(object.name, schemas).toUtf8();
    return held.lock.mode.toUtf8();
}

LockRow toRow(const HeldLock &held, const ServerWaits &waits, const QStringList &schemas)
{
    LockRow row;
    row.key = keyOf(held, waits);
    row.state = LockState::Held;
    const PreparedTransaction *prepared = waits.preparedTransaction(held.lock.session);
    row.sessionAlive = !prepared || prepared->isAttached;
    if (!prepared)
        row.connectionId = held.lock.session;
    row.waiters = int(held.queue.size());
    row.note = noteOf(held, waits, schemas);
    if (held.lock.age) {
        row.acquiredAt = held.lock.age->since;
        row.ageOf = held.lock.age->of;
    }
    if (const ServerSession *session = waits.session(held.lock.session))
        row.owner = session->asOwner();
    else if (prepared && prepared->isTold) // nobody else is there
        row.owner.service = QStringLiteral("XA ") + QString::fromLatin1(prepared->xids.first().toSql());
    else if (prepared)
        row.owner.service = QStringLiteral("XA");
    return row;
}

} // namespace

QList<HeldLock> withoutLeases(QList<HeldLock> locks, const QList<SharedLockRow> &leases)
{
    QSet<quint64> holders;
    for (const LockRow &row : leases) {
        if (row.key.kind == LockKind::Row && row.connectionId)
            holders.insert(*row.connectionId);
    }
    locks.removeIf(
        [&holders](const HeldLock &held) { return held.isOfTransaction() && holders.contains(held.lock.session); });
    return locks;
}

QList<LockRow> serverRows(const QList<HeldLock> &locks, const ServerWaits &waits)
{
    struct Place
    {
        qsizetype row;
        int strength;
    };
    QList<LockRow> rows;
    QHash<LockKey, Place> places;
    const QStringList schemas = schemasOf(waits);
    for (const HeldLock &held : locks) {
        LockRow row = toRow(held, waits, schemas);
        const int strength = strengthOf(held.lock.mode);
        const auto place = places.find(row.key);
        if (place == places.end()) {
            places.insert(row.key, {rows.size(), strength});
            rows.append(std::move(row));
            continue;
        }
        LockRow &told = rows[place->row]; // a session may hold one object in several modes
        const auto waiters = std::max(row.waiters, told.waiters);
        if (strength > place->strength) {
            place->strength = strength;
            told = std::move(row);
        }
        told.waiters = waiters;
    }
    std::sort(rows.begin(), rows.end(), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    return rows;
}

QList<Waiter> serverQueue(const QList<HeldLock> &locks, const ServerWaits &waits, const LockKey &key)
{
    QList<Waiter> queue;
    QSet<quint64> seen;
    for (const HeldLock &held : locks) {
        if (keyOf(held, waits) != key)
            continue;
        for (const WaitEdge &edge : held.queue) {
            if (seen.contains(edge.waiter))
                continue;
            seen.insert(edge.waiter);
            Waiter waiter;
            waiter.position = int(queue.size()) + 1;
            waiter.connectionId = edge.waiter;
            waiter.since = edge.since;
            if (const ServerSession *session = waits.session(edge.waiter)) {
                waiter.account = session->account();
                waiter.note = session->program.toUtf8();
            }
            queue.append(std::move(waiter));
        }
    }
    return queue;
}

} // namespace lockscope
