// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/etcdstore.h"
#include "lockscope/owner.h"
#include "stores/storenote.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>

#include <chrono>
#include <optional>

// What a lock looks like in etcd: /locks/orders/694d81e5f0b7c3a2. A key for each request, named after its etcd lease
// and gone with it; the one that was made first, by create_revision, holds the lock. These are the names and the order
// of Go's package concurrency. A resource may have slashes: the last one of a key ends it.
namespace lockscope::detail {

/// What all keys of locks begin with; may be empty.
QByteArray rootOf(const EtcdUrl &server);
/// Of a resource's requests, and of those of resources below it.
QByteArray queuePrefix(const EtcdUrl &server, const QByteArray &resource);
QByteArray requestKey(const EtcdUrl &server, const QByteArray &resource, qint64 lease);
/// Behind the last key that begins so; for an empty prefix: behind all.
QByteArray endOfPrefix(const QByteArray &prefix);

/// A key as it was read.
struct EtcdKey
{
    QByteArray key;
    QByteArray value;
    qint64 created = 0;  ///< create_revision
    qint64 modified = 0; ///< mod_revision
    qint64 lease = 0;    ///< 0: it has none
};
EtcdKey keyOf(const QJsonObject &kv);

/// Empty: it is no request's. What else lies there is left alone.
QByteArray resourceOf(const EtcdUrl &server, const EtcdKey &key);

/// Where a process is told what becomes of its leases: one key for each, which goes with the lease.
QByteArray mailPrefix(const EtcdUrl &server, const QByteArray &session);
QByteArray mailKey(const EtcdUrl &server, const QByteArray &session, quint64 token);

/// What a request says of itself.
struct EtcdNote
{
    Owner owner = {};
    QByteArray note = {};
    std::optional<ServerTime> since = {}; ///< when it came, by its own clock
    bool isOurs = false;                  ///< false: another program's; `owner` may have a service then
};
QByteArray noteValue(const QByteArray &ownerJson, const QByteArray &note, ServerTime now);
EtcdNote etcdNoteOf(const QByteArray &value);

/// What a process is told: somebody asks for the lease, after what it was told `before`, or has ended it.
QByteArray askedMail(const QByteArray &before, const QString &reason);
QByteArray endedMail();
/// None: it says something else.
std::optional<StoreAsks> askedIn(const QByteArray &mail);

// Parts of calls.
QJsonObject compareCreated(const QByteArray &key, qint64 revision);
QJsonObject compareModified(const QByteArray &key, qint64 revision);
/// Options of a range are added by the caller.
QJsonObject rangeOf(const QByteArray &key, const QByteArray &end = {});
QJsonObject readOp(const QJsonObject &range);
QJsonObject putOp(const QByteArray &key, const QByteArray &value, qint64 lease);
/// The key keeps its value.
QJsonObject moveOp(const QByteArray &key, qint64 lease);
QJsonObject deleteOp(const QByteArray &key);
/// The keys that the number-th operation of a transaction read.
QList<EtcdKey> keysRead(const QJsonObject &txn, int number);
QList<EtcdKey> keysIn(const QJsonObject &range);

} // namespace lockscope::detail
