// SPDX-License-Identifier: MIT
#pragma once

#include "zookeepernames.h"
#include "zookeepersession.h"

#include "lockscope/heldleases.h"
#include "lockscope/requestresult.h"

#include <stop_token>

// Leases that others hold: for LockStore, and for consoles. All reads begin behind what the ensemble has agreed on.
namespace lockscope::detail {

/// One request's node, as it was read.
struct QueueNode
{
    QByteArray path;
    ZooKeeperNote note;
    quint64 token = 0;
    ServerTime since{}; ///< when it was made: when the request came, not when it was granted
    int version = 0;
};

/// A lock that is taken.
struct ZooKeeperLease
{
    QByteArray resource;
    QueueNode holder;
    qsizetype waiters = 0;
};

/// The resources that begin with `prefix` and have a folder, by name. Folders that no resource has are left out.
std::optional<LockError> readResources(ZooKeeperSession &session, const QByteArray &prefix, QByteArrayList *resources);
/// Of at most kMaxZooKeeperLeases resources, those that somebody holds.
std::optional<LockError> readLeases(ZooKeeperSession &session, const QByteArrayList &resources,
                                    QList<ZooKeeperLease> *leases);
inline constexpr qsizetype kMaxZooKeeperLeases = 100; ///< that are asked for at once
/// Holder and waiters, next one first.
std::optional<LockError> readQueue(ZooKeeperSession &session, const QByteArray &resource, QList<QueueNode> *nodes);

RequestResult askForRelease(ZooKeeperSession &session, const QByteArray &resource, const QString &reason);
HeldLeases readHeldLeases(ZooKeeperSession &session, const QByteArray &prefix, const std::stop_token &stop);
ForcedRelease endByForce(ZooKeeperSession &session, const QByteArray &resource, quint64 token);

} // namespace lockscope::detail
