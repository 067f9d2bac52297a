// SPDX-License-Identifier: MIT
#pragma once

#include "etcdclient.h"
#include "etcdnames.h"

#include "lockscope/heldleases.h"
#include "lockscope/requestresult.h"

#include <functional>
#include <stop_token>

// Leases that others hold: for LockStore, and for consoles. All reads are of what most members have agreed on.
namespace lockscope::detail {

/// One request's key, as it was read.
struct EtcdEntry
{
    EtcdKey key;
    EtcdNote note = {};
    /// When its etcd lease ends if nobody renews it, by this machine's clock and in whole seconds; none: it did not
    /// say.
    std::optional<ServerTime> expiresAt = {};
};

/// A lock that is taken.
struct EtcdTaken
{
    QByteArray resource;
    EtcdEntry holder;
    qsizetype waiters = 0;
};

/// Gets a part of them, by name.
using TakeTaken = std::function<void(const QList<EtcdTaken> &part)>;
/// All whose names begin with `prefix`.
std::optional<LockError> readTaken(EtcdClient &client, const QByteArray &prefix, const std::stop_token &stop,
                                   const TakeTaken &take);
/// Holder and waiters, next one first. Their ends are not read.
std::optional<LockError> readQueue(EtcdClient &client, const QByteArray &resource, QList<EtcdEntry> *queue);
/// One lock; none: nobody holds it.
std::optional<LockError> readOne(EtcdClient &client, const QByteArray &resource, std::optional<EtcdTaken> *taken);

RequestResult askForRelease(EtcdClient &client, const QByteArray &resource, const QString &reason);
HeldLeases readHeldLeases(EtcdClient &client, const QByteArray &prefix, const std::stop_token &stop);
ForcedRelease endByForce(EtcdClient &client, const QByteArray &resource, quint64 token);

} // namespace lockscope::detail
