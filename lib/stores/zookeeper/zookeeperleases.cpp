// SPDX-License-Identifier: MIT
#include "zookeeperleases.h"

#include "zookeepererror.h"
#include "zookeeperrequest.h"

#include <zookeeper/zookeeper.h>

#include <algorithm>

namespace lockscope::detail {

namespace {

/// Somebody else may change a node at the same moment.
constexpr int kTries = 3;
constexpr const char *kRead = "zookeeper/read";

QueueNode nodeOf(const QByteArray &path, const ZooKeeperReply &reply)
{
    return {path, noteOf(reply.text), quint64(reply.token), ServerTime(std::chrono::milliseconds(reply.madeAt)),
            reply.version};
}

std::optional<LockError> errorOf(int code)
{
    return code == ZOK || code == ZNONODE ? std::nullopt : std::optional(zooKeeperError(code, kRead));
}

/// The queue of one folder, which may not be there.
std::optional<LockError> readNames(ZooKeeperSession &session, const QByteArray &folder, QByteArrayList *queue)
{
    ZooKeeperFlight flight(session);
    flight.sync(folder);
    flight.children(folder);
    flight.wait();
    *queue = queueOf(flight[1].names);
    if (auto error = errorOf(flight[0].code))
        return error;
    return errorOf(flight[1].code);
}

/// Who holds it now; nobody: no node.
std::optional<LockError> readHolder(ZooKeeperSession &session, const QByteArray &resource,
                                    std::optional<QueueNode> *holder, QByteArray *data)
{
    holder->reset();
    const QByteArray folder = folderOf(session.config().server, resource);
    for (int i = 0; i < kTries; ++i) {
        QByteArrayList queue;
        if (auto error = readNames(session, folder, &queue))
            return error;
        if (queue.isEmpty())
            return std::nullopt;
        ZooKeeperFlight flight(session);
        flight.get(folder + '/' + queue.constFirst(), false);
        flight.wait();
        if (auto error = errorOf(flight[0].code))
            return error;
        if (flight[0].code == ZNONODE)
            continue; // the next one's by now
        *data = flight[0].text;
        *holder = nodeOf(folder + '/' + queue.constFirst(), flight[0]);
        return std::nullopt;
    }
    return std::nullopt;
}

LockError notOurs(const QueueNode &holder)
{
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message =
        QStringLiteral("The lock is held by another program%1, which cannot be asked.")
            .arg(holder.note.owner.host.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(holder.note.owner.host));
    return error;
}

} // namespace

std::optional<LockError> readResources(ZooKeeperSession &session, const QByteArray &prefix, QByteArrayList *resources)
{
    const QByteArray chroot = session.config().server.chroot.toUtf8();
    const QByteArray root = chroot.isEmpty() ? QByteArray("/") : chroot;
    ZooKeeperFlight flight(session);
    flight.sync(root);
    flight.children(root);
    flight.wait();
    resources->clear();
    for (const QByteArray &part : flight[1].names) {
        const auto resource = resourceOf(part);
        if (resource && resource->startsWith(prefix) && resource->size() <= MaxResourceBytes && part != "zookeeper")
            resources->append(*resource);
    }
    std::sort(resources->begin(), resources->end());
    if (auto error = errorOf(flight[0].code))
        return error;
    return errorOf(flight[1].code);
}

std::optional<LockError> readLeases(ZooKeeperSession &session, const QByteArrayList &resources,
                                    QList<ZooKeeperLease> *leases)
{
    leases->clear();
    ZooKeeperFlight folders(session);
    for (const QByteArray &resource : resources)
        folders.children(folderOf(session.config().server, resource));
    folders.wait();
    ZooKeeperFlight holders(session);
    QList<ZooKeeperLease> found;
    for (qsizetype i = 0; i < resources.size(); ++i) {
        const ZooKeeperReply &children = folders[std::size_t(i)];
        if (auto error = errorOf(children.code))
            return error;
        const QByteArrayList queue = queueOf(children.names);
        if (queue.isEmpty())
            continue;
        ZooKeeperLease lease{resources[i], {}, queue.size() - 1};
        lease.holder.path = folderOf(session.config().server, resources[i]) + '/' + queue.constFirst();
        holders.get(lease.holder.path, false);
        found.append(lease);
    }
    holders.wait();
    for (qsizetype i = 0; i < found.size(); ++i) {
        const ZooKeeperReply &holder = holders[std::size_t(i)];
        if (auto error = errorOf(holder.code))
            return error;
        if (holder.code == ZNONODE)
            continue; // released meanwhile
        found[i].holder = nodeOf(found[i].holder.path, holder);
        leases->append(found[i]);
    }
    return std::nullopt;
}

std::optional<LockError> readQueue(ZooKeeperSession &session, const QByteArray &resource, QList<QueueNode> *nodes)
{
    nodes->clear();
    const QByteArray folder = folderOf(session.config().server, resource);
    QByteArrayList queue;
    if (auto error = readNames(session, folder, &queue))
        return error;
    for (qsizetype first = 0; first < queue.size(); first += kMaxZooKeeperLeases) {
        const QByteArrayList part = queue.mid(first, kMaxZooKeeperLeases);
        ZooKeeperFlight flight(session);
        for (const QByteArray &name : part)
            flight.get(folder + '/' + name, false);
        flight.wait();
        for (qsizetype i = 0; i < part.size(); ++i) {
            const ZooKeeperReply &reply = flight[std::size_t(i)];
            if (auto error = errorOf(reply.code))
                return error;
            if (reply.code == ZOK)
                nodes->append(nodeOf(folder + '/' + part[i], reply));
        }
    }
    return std::nullopt;
}

/// The reason is written into the holder's node, which its process watches.
RequestResult askForRelease(ZooKeeperSession &session, const QByteArray &resource, const QString &reason)
{
    for (int i = 0; i < kTries; ++i) {
        std::optional<QueueNode> holder;
        QByteArray data;
        if (auto error = readHolder(session, resource, &holder, &data))
            return {RequestOutcome::Failed, {}, error};
        if (!holder)
            return {RequestOutcome::NotHeld, {}, {}};
        if (!holder->note.isOurs)
            return {RequestOutcome::Failed, holder->note.owner, notOurs(*holder)};
        ZooKeeperFlight flight(session);
        flight.set(holder->path, askedData(data, reason), holder->version);
        flight.wait();
        const int code = flight[0].code;
        if (code == ZOK)
            return {RequestOutcome::Asked, holder->note.owner, {}};
        if (code != ZBADVERSION && code != ZNONODE)
            return {RequestOutcome::Failed, {}, zooKeeperError(code, "zookeeper/ask")};
    }
    return {RequestOutcome::NotHeld, {}, {}}; // one holder after the other lets go
}

HeldLeases readHeldLeases(ZooKeeperSession &session, const QByteArray &prefix, const std::stop_token &stop)
{
    HeldLeases held;
    QByteArrayList resources;
    held.error = readResources(session, prefix, &resources);
    for (qsizetype first = 0; !held.error && first < resources.size() && !stop.stop_requested();
         first += kMaxZooKeeperLeases) {
        QList<ZooKeeperLease> leases;
        held.error = readLeases(session, resources.mid(first, kMaxZooKeeperLeases), &leases);
        for (const ZooKeeperLease &lease : leases) {
            HeldLease entry;
            entry.resource = lease.resource;
            entry.token = lease.holder.token;
            entry.owner = lease.holder.note.owner;
            entry.note = lease.holder.note.note;
            entry.acquiredAt = lease.holder.since;
            entry.isSessionAlive = true; // its node goes with the session
            held.leases.append(std::move(entry));
        }
    }
    return held;
}

/// The name of a node is its request's alone. Its version keeps a question from being lost that was asked meanwhile.
ForcedRelease endByForce(ZooKeeperSession &session, const QByteArray &resource, quint64 token)
{
    using Ended = ForcedRelease::Outcome;
    for (int i = 0; i < kTries; ++i) {
        std::optional<QueueNode> holder;
        QByteArray data;
        if (auto error = readHolder(session, resource, &holder, &data))
            return {Ended::Failed, error};
        if (!holder || holder->token != token)
            return {Ended::TargetChanged, {}};
        ZooKeeperFlight flight(session);
        flight.remove(holder->path, holder->version);
        flight.wait();
        const int code = flight[0].code;
        if (code == ZOK)
            return {Ended::Released, {}};
        if (code == ZNONODE)
            return {Ended::TargetChanged, {}};
        if (code != ZBADVERSION)
            return {Ended::Failed, zooKeeperError(code, "zookeeper/force")};
    }
    return {Ended::TargetChanged, {}};
}

} // namespace lockscope::detail
