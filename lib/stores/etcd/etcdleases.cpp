// SPDX-License-Identifier: MIT
#include "etcdleases.h"

#include "etcderror.h"

#include <algorithm>
#include <map>

namespace lockscope::detail {

namespace {

using namespace Qt::StringLiterals;

/// Somebody else may change a key at the same moment.
constexpr int kTries = 3;
/// Keys that are read at once, and values: a transaction may have 128 operations.
constexpr int kPage = 500;
constexpr qsizetype kPart = 100;
constexpr qsizetype kSessionDigits = 32;

ServerTime now()
{
    return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

EtcdEntry entryOf(const EtcdKey &key)
{
    return {key, etcdNoteOf(key.value), {}};
}

/// By resource, with how many wait for it, from keys without their values.
using Found = std::map<QByteArray, EtcdTaken>;

void collect(const EtcdUrl &server, const QList<EtcdKey> &keys, Found *found)
{
    for (const EtcdKey &key : keys) {
        const QByteArray resource = resourceOf(server, key);
        if (resource.isEmpty())
            continue;
        const auto [at, isNew] = found->try_emplace(resource, EtcdTaken{resource, {key}, 0});
        if (isNew)
            continue;
        ++at->second.waiters;
        if (key.created < at->second.holder.key.created)
            at->second.holder.key = key;
    }
}

/// All keys of one revision.
std::optional<LockError> readKeys(EtcdClient &client, const QByteArray &prefix, const std::stop_token &stop,
                                  Found *found)
{
    const EtcdUrl &server = client.config().server;
    const QByteArray begin = rootOf(server) + prefix;
    const QByteArray end = endOfPrefix(begin);
    QByteArray from = begin;
    QString revision;
    for (bool isMore = true; isMore && !stop.stop_requested();) {
        QJsonObject range = rangeOf(from, end);
        range[u"limit"_s] = QString::number(kPage);
        range[u"keys_only"_s] = true;
        if (!revision.isEmpty())
            range[u"revision"_s] = revision;
        const EtcdReply reply = client.call("kv/range", range);
        if (reply.error)
            return reply.error;
        if (revision.isEmpty())
            revision = reply.body["header"_L1].toObject()["revision"_L1].toString();
        const QList<EtcdKey> keys = keysIn(reply.body);
        collect(server, keys, found);
        isMore = reply.body["more"_L1].toBool() && !keys.isEmpty();
        if (isMore)
            from = keys.last().key + '\0';
    }
    return std::nullopt;
}

/// When a lease ends; none where it has ended.
std::optional<LockError> readEnd(EtcdClient &client, EtcdEntry *entry)
{
    const EtcdReply reply = client.call("lease/timetolive", {{u"ID"_s, QString::number(entry->key.lease)}});
    if (reply.error)
        return reply.error;
    const std::chrono::seconds left(etcdNumber(reply.body["TTL"_L1]));
    if (left.count() >= 0)
        entry->expiresAt = now() + left;
    return std::nullopt;
}

/// What holders say, and when they end; those that are gone by now are left out.
std::optional<LockError> readValues(EtcdClient &client, const QList<EtcdTaken> &part, QList<EtcdTaken> *read)
{
    QJsonArray reads;
    for (const EtcdTaken &taken : part)
        reads.append(readOp(rangeOf(taken.holder.key.key)));
    const EtcdReply reply = client.call("kv/txn", {{u"success"_s, reads}});
    if (reply.error)
        return reply.error;
    for (qsizetype i = 0; i < part.size(); ++i) {
        const EtcdKey key = keysRead(reply.body, int(i)).value(0);
        if (key.created != part[i].holder.key.created)
            continue;
        EtcdTaken taken = part[i];
        taken.holder = entryOf(key);
        if (auto error = readEnd(client, &taken.holder))
            return error;
        read->append(taken);
    }
    return std::nullopt;
}

LockError notOurs()
{
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message = u"The lock is held by another program, which cannot be asked."_s;
    return error;
}

/// Who holds it now; nobody: no key.
std::optional<LockError> readHolder(EtcdClient &client, const QByteArray &resource, EtcdEntry *holder)
{
    QList<EtcdEntry> queue;
    auto error = readQueue(client, resource, &queue);
    *holder = queue.value(0);
    return error;
}

bool isSession(const QByteArray &session)
{
    return session.size() == kSessionDigits && !session.contains('/');
}

} // namespace

std::optional<LockError> readTaken(EtcdClient &client, const QByteArray &prefix, const std::stop_token &stop,
                                   const TakeTaken &take)
{
    Found found;
    if (auto error = readKeys(client, prefix, stop, &found))
        return error;
    QList<EtcdTaken> all;
    for (const auto &[resource, taken] : found)
        all.append(taken);
    for (qsizetype first = 0; first < all.size() && !stop.stop_requested(); first += kPart) {
        QList<EtcdTaken> read;
        if (auto error = readValues(client, all.mid(first, kPart), &read))
            return error;
        take(read);
    }
    return std::nullopt;
}

std::optional<LockError> readQueue(EtcdClient &client, const QByteArray &resource, QList<EtcdEntry> *queue)
{
    const EtcdUrl &server = client.config().server;
    const QByteArray prefix = queuePrefix(server, resource);
    QJsonObject range = rangeOf(prefix, endOfPrefix(prefix));
    range[u"sort_order"_s] = u"ASCEND"_s;
    range[u"sort_target"_s] = u"CREATE"_s;
    const EtcdReply reply = client.call("kv/range", range);
    queue->clear();
    for (const EtcdKey &key : keysIn(reply.body)) {
        if (resourceOf(server, key) == resource)
            queue->append(entryOf(key));
    }
    return reply.error;
}

std::optional<LockError> readOne(EtcdClient &client, const QByteArray &resource, std::optional<EtcdTaken> *taken)
{
    taken->reset();
    QList<EtcdEntry> queue;
    if (auto error = readQueue(client, resource, &queue))
        return error;
    if (queue.isEmpty())
        return std::nullopt;
    *taken = EtcdTaken{resource, queue.first(), queue.size() - 1};
    return readEnd(client, &(*taken)->holder);
}

/// The reason is sent to the holder's process.
RequestResult askForRelease(EtcdClient &client, const QByteArray &resource, const QString &reason)
{
    for (int i = 0; i < kTries; ++i) {
        EtcdEntry holder;
        if (auto error = readHolder(client, resource, &holder))
            return {RequestOutcome::Failed, {}, error};
        if (holder.key.key.isEmpty())
            return {RequestOutcome::NotHeld, {}, {}};
        const Owner &owner = holder.note.owner;
        if (!holder.note.isOurs || !isSession(owner.session))
            return {RequestOutcome::Failed, owner, notOurs()};
        const QByteArray mail = mailKey(client.config().server, owner.session, quint64(holder.key.created));
        const EtcdReply read = client.call("kv/range", rangeOf(mail));
        if (read.error)
            return {RequestOutcome::Failed, {}, read.error};
        EtcdKey before = keysIn(read.body).value(0);
        before.key = mail; // also where there is none yet, which was modified at 0
        const QJsonObject told = putOp(mail, askedMail(before.value, reason), holder.key.lease);
        const EtcdReply reply = client.change(
            {{u"compare"_s,
              QJsonArray{compareModified(holder.key.key, holder.key.modified), compareModified(mail, before.modified)}},
             {u"success"_s, QJsonArray{told}}});
        if (reply.error && !isLeaseGone(*reply.error))
            return {RequestOutcome::Failed, {}, reply.error};
        if (!reply.error && reply.body["succeeded"_L1].toBool())
            return {RequestOutcome::Asked, owner, {}};
    }
    return {RequestOutcome::NotHeld, {}, {}}; // one holder after the other lets go
}

HeldLeases readHeldLeases(EtcdClient &client, const QByteArray &prefix, const std::stop_token &stop)
{
    HeldLeases held;
    held.error = readTaken(client, prefix, stop, [&held](const QList<EtcdTaken> &part) {
        for (const EtcdTaken &taken : part) {
            HeldLease entry;
            entry.resource = taken.resource;
            entry.token = quint64(taken.holder.key.created);
            entry.owner = taken.holder.note.owner;
            entry.note = taken.holder.note.note;
            entry.acquiredAt = taken.holder.note.since;
            entry.expiresAt = taken.holder.expiresAt;
            entry.isSessionAlive = true; // its key goes with its etcd lease
            held.leases.append(std::move(entry));
        }
    });
    return held;
}

/// Guarded by the key's revisions, which are its value's too. Its process is told, which other programs are not.
ForcedRelease endByForce(EtcdClient &client, const QByteArray &resource, quint64 token)
{
    using Ended = ForcedRelease::Outcome;
    for (int i = 0; i < kTries; ++i) {
        EtcdEntry holder;
        if (auto error = readHolder(client, resource, &holder))
            return {Ended::Failed, error};
        if (holder.key.key.isEmpty() || quint64(holder.key.created) != token)
            return {Ended::TargetChanged, {}};
        QJsonArray ending{deleteOp(holder.key.key)};
        const QByteArray &session = holder.note.owner.session;
        if (holder.note.isOurs && isSession(session)) {
            const QByteArray mail = mailKey(client.config().server, session, token);
            ending.append(putOp(mail, endedMail(), holder.key.lease));
        }
        const EtcdReply reply = client.change(
            {{u"compare"_s, QJsonArray{compareModified(holder.key.key, holder.key.modified)}}, {u"success"_s, ending}});
        if (reply.error && !isLeaseGone(*reply.error))
            return {Ended::Failed, reply.error};
        if (!reply.error && reply.body["succeeded"_L1].toBool())
            return {Ended::Released, {}};
    }
    return {Ended::TargetChanged, {}};
}

} // namespace lockscope::detail
