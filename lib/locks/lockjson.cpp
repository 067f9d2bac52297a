// SPDX-License-Identifier: MIT
#include "lockjson.h"

#include <QtCore/QJsonArray>

namespace lockscope {

using namespace Qt::StringLiterals;

QJsonValue toJson(const std::optional<ServerTime> &time)
{
    return time ? QJsonValue(toDateTime(*time).toUTC().toString(Qt::ISODateWithMs)) : QJsonValue();
}

QJsonValue milliseconds(const std::optional<Microseconds> &duration)
{
    if (!duration)
        return {};
    return qint64(std::chrono::floor<std::chrono::milliseconds>(*duration).count());
}

QJsonValue number(const std::optional<quint64> &value)
{
    return value ? QJsonValue(static_cast<qint64>(*value)) : QJsonValue();
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonObject toJson(const Owner &owner)
{
    return {{u"service"_s, owner.service},
            {u"host"_s, owner.host},
            {u"pid"_s, owner.pid},
            {u"thread"_s, owner.thread},
            {u"session"_s, QString::fromLatin1(owner.session)}};
}

void addResource(QJsonObject *object, const QByteArray &resource)
{
    object->insert(u"resource"_s, QString::fromUtf8(resource));
    object->insert(u"resourceHex"_s, QString::fromLatin1(resource.toHex()));
}

QString stateText(LockState state)
{
    switch (state) {
    case LockState::Held:
        return u"held"_s;
    case LockState::Orphan:
        return u"orphan"_s;
    case LockState::Expired:
        return u"expired"_s;
    case LockState::Kept:
        return u"kept"_s;
    case LockState::Open:
        return u"free"_s;
    case LockState::Unknown:
        break;
    }
    return u"unknown"_s;
}

QString modeText(LockKind kind)
{
    switch (kind) {
    case LockKind::Row:
        return u"pessimistic"_s;
    case LockKind::Version:
        return u"optimistic"_s;
    case LockKind::Transaction:
    case LockKind::Metadata:
    case LockKind::User:
        return u"server"_s;
    case LockKind::Table:
        return u"table"_s;
    case LockKind::RedisKey:
    case LockKind::ZooKeeperNode:
    case LockKind::EtcdKey:
        return u"key"_s;
    case LockKind::Lease:
        break;
    }
    return u"unique"_s;
}

QString kindText(LockKind kind)
{
    switch (kind) {
    case LockKind::Row:
        return u"row"_s;
    case LockKind::Version:
        return u"version"_s;
    case LockKind::Transaction:
        return u"row"_s;
    case LockKind::Metadata:
        return u"metadata"_s;
    case LockKind::User:
        return u"user"_s;
    case LockKind::Table:
        return u"table"_s;
    case LockKind::RedisKey:
        return u"redisKey"_s;
    case LockKind::ZooKeeperNode:
        return u"zooKeeperNode"_s;
    case LockKind::EtcdKey:
        return u"etcdKey"_s;
    case LockKind::Lease:
        break;
    }
    return u"lease"_s;
}

namespace {

void addAttempts(QJsonObject *object, const Attempts &attempts)
{
    const auto rate = attempts.total.conflictRate();
    object->insert(u"version"_s, number(attempts.version));
    object->insert(u"committedAt"_s, toJson(attempts.committedAt));
    object->insert(u"commits"_s, number(attempts.total.commits));
    object->insert(u"conflicts"_s, number(attempts.total.conflicts));
    object->insert(u"retries"_s, number(attempts.retries));
    object->insert(u"conflictRate"_s, rate ? QJsonValue(*rate) : QJsonValue());
    object->insert(u"countedSince"_s, toJson(attempts.since));
    object->insert(u"countedAt"_s, toJson(attempts.countedAt));
}

void addKeyLock(QJsonObject *object, const KeyLock &lock)
{
    QJsonArray holders;
    for (const KeyHolder &holder : lock.holders) {
        holders.append(QJsonObject{{u"holder"_s, holder.text},
                                   {u"guard"_s, QString::fromUtf8(holder.guard())},
                                   {u"since"_s, toJson(holder.since)},
                                   {u"until"_s, toJson(holder.until)}});
    }
    object->insert(u"convention"_s, lock.convention.id);
    object->insert(u"guess"_s, lock.convention.isGuess);
    object->insert(u"holders"_s, holders);
    object->insert(u"guard"_s, holders.first().toObject()[u"guard"_s]);
    object->insert(u"reason"_s, textOrNull(lock.convention.note));
    object->insert(u"sessionAlive"_s, QJsonValue()); // no server tells it
}

} // namespace

QJsonObject toJson(const TableLock &lock, ServerTime now)
{
    const TableProfile &profile = lock.table.profile;
    const QJsonValue left = lock.until ? milliseconds(*lock.until - now) : QJsonValue();
    const QJsonValue age = lock.since ? milliseconds(now - *lock.since) : QJsonValue();
    QJsonObject json{{u"kind"_s, kindText(LockKind::Table)},
                     {u"mode"_s, modeText(LockKind::Table)},
                     {u"profile"_s, profile.id},
                     {u"looksLike"_s, lock.table.isLookAlike},
                     {u"schema"_s, lock.table.schema},
                     {u"table"_s, lock.table.name},
                     {u"state"_s, stateText(lock.stateNow())},
                     {u"owner"_s, toJson(Owner())},
                     {u"holder"_s, textOrNull(QString::fromUtf8(lock.holder))},
                     {u"connectionId"_s, QJsonValue()},
                     {u"token"_s, number(lock.fingerprint())},
                     {u"note"_s, profileText(lock)},
                     {u"reason"_s, textOrNull(lock.reason)},
                     {u"clock"_s, profile.clock == TableClock::Database ? u"database"_s : u"application"_s},
                     {u"needsZone"_s, lock.needsZone},
                     {u"waiters"_s, QJsonValue()},
                     {u"sessionAlive"_s, QJsonValue()},
                     {u"acquiredAt"_s, toJson(lock.since)},
                     {u"ageMs"_s, age},
                     {u"expiresAt"_s, toJson(lock.until)},
                     {u"remainingMs"_s, left},
                     {u"ttlMs"_s, QJsonValue()}};
    addResource(&json, lock.name());
    return json;
}

QString profileText(const TableLock &lock)
{
    const QString &title = lock.table.profile.title;
    return lock.table.isLookAlike ? u"looks like "_s + title : title;
}

QString stateText(TableLockState state)
{
    switch (state) {
    case TableLockState::Held:
        return u"held"_s;
    case TableLockState::Free:
        return u"free"_s;
    case TableLockState::Expired:
        return u"expired"_s;
    case TableLockState::Unknown:
        break;
    }
    return u"unknown"_s;
}

QJsonObject toJson(const LockRow &row, ServerTime now)
{
    if (row.table)
        return toJson(*row.table, now);
    QJsonObject object{{u"kind"_s, kindText(row.key.kind)}, {u"mode"_s, modeText(row.key.kind)}};
    addResource(&object, row.key.resource);
    // For a program a lock that is kept for its minimum hold time is held: nobody else gets it.
    object.insert(u"state"_s, stateText(row.state == LockState::Kept ? LockState::Held : row.state));
    object.insert(u"owner"_s, toJson(row.owner));
    object.insert(u"connectionId"_s, number(row.connectionId));
    object.insert(u"token"_s, row.hasToken() ? number(row.token) : QJsonValue());
    object.insert(u"note"_s, QString::fromUtf8(row.note));
    object.insert(u"acquiredAt"_s, toJson(row.acquiredAt));
    object.insert(u"expiresAt"_s, toJson(row.expiresAt));
    object.insert(u"remainingMs"_s, milliseconds(row.remaining(now)));
    object.insert(u"ttlMs"_s, milliseconds(row.ttl));
    object.insert(u"waiters"_s, row.waiters ? QJsonValue(*row.waiters) : QJsonValue());
    object.insert(u"sessionAlive"_s, row.sessionAlive);
    if (row.attempts)
        addAttempts(&object, *row.attempts);
    if (row.keyLock)
        addKeyLock(&object, *row.keyLock);
    return object;
}

QJsonObject toJson(const Waiter &waiter, ServerTime now)
{
    std::optional<Microseconds> waited;
    if (waiter.since)
        waited = now - *waiter.since;
    return {{u"position"_s, waiter.position},
            {u"owner"_s, toJson(waiter.owner)},
            {u"connectionId"_s, number(waiter.connectionId)},
            {u"account"_s, textOrNull(waiter.account)},
            {u"note"_s, QString::fromUtf8(waiter.note)},
            {u"since"_s, toJson(waiter.since)},
            {u"waitedMs"_s, milliseconds(waited)},
            {u"ttlMs"_s, milliseconds(waiter.ttl)}};
}

} // namespace lockscope
