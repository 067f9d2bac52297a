// SPDX-License-Identifier: MIT
#pragma once

#include "redisscripts.h"

#include "lockscope/heldleases.h"
#include "lockscope/requestresult.h"

#include <set>
#include <stop_token>

// Leases that others hold: for LockStore, and for consoles.
namespace lockscope::detail {

/// A lease that is taken.
struct RedisLease
{
    HeldLease lease;
    std::optional<Duration> ttl = {}; ///< as it was asked for; none: without end
    bool isKept = false;              ///< nobody holds it: it is taken until its minimum time is over
    bool isReadable = true;           ///< false: what has its name is no lease, and only `resource` is known
    qint64 requests = 0;              ///< in its queue, also of processes that have gone
};

/// A request in a queue whose process lives.
struct RedisWaiter
{
    Owner owner;
    QByteArray note;
    ServerTime since{};
    std::optional<Duration> ttl; ///< none: without end
};

/// Which leases to look for.
enum class RedisNames { Held, Taken }; ///< Taken: also those that are kept

/// Names that begin with `prefix`, sorted, of leases that may be taken. Goes through our own index, some hundred at a
/// time, and never through the server's other keys: there may be millions.
std::optional<LockError> scanLeases(RedisPool &pool, RedisNames which, const QByteArray &prefix,
                                    const std::stop_token &stop, std::set<QByteArray> *names);
/// At most kMaxRedisLeases of them, those that are taken; `*now` is the server's time.
std::optional<LockError> readLeases(const RedisScripts &scripts, const QByteArrayList &names, QList<RedisLease> *leases,
                                    ServerTime *now);
inline constexpr qsizetype kMaxRedisLeases = 100; ///< that one script reads: others wait meanwhile
/// Next one first.
std::optional<LockError> readQueue(const RedisScripts &scripts, const QByteArray &resource,
                                   QList<RedisWaiter> *waiters);

RequestResult askForRelease(const RedisScripts &scripts, const QByteArray &resource, const QString &reason);
HeldLeases readHeldLeases(RedisPool &pool, const RedisScripts &scripts, const QByteArray &prefix,
                          const std::stop_token &stop);
ForcedRelease endByForce(const RedisScripts &scripts, const QByteArray &resource, quint64 token,
                         const QString &operatorName, const QString &reason);
/// What endByForce() sends, and the script that it names.
QByteArray forceStatement(const QByteArray &resource, quint64 token, const QString &operatorName,
                          const QString &reason);
QByteArray forceScript();

} // namespace lockscope::detail
