// SPDX-License-Identifier: MIT
#include "redisserver.h"

namespace lockscope::detail {

namespace {

constexpr int kOldestVersion = 6; // scripts with effects, ACLs

LockError unsafe(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::UnsafeServer;
    error.message = message;
    return error;
}

} // namespace

RedisInfo RedisInfo::from(const QByteArray &text)
{
    RedisInfo info;
    for (const QByteArray &line : text.split('\n')) {
        const auto colon = line.indexOf(':');
        if (colon > 0)
            info.m_values.insert(line.left(colon), line.mid(colon + 1).trimmed());
    }
    return info;
}

std::optional<LockError> validateServer(const RedisInfo &info)
{
    const QByteArray version = info.value("redis_version");
    if (version.isEmpty())
        return unsafe(QStringLiteral("What answers there does not say that it is a Redis. Is the address right?"));
    if (version.split('.').constFirst().toInt() < kOldestVersion) {
        return unsafe(QStringLiteral("Redis %1 is too old for locks: it must be %2 or newer.")
                          .arg(QString::fromUtf8(version))
                          .arg(kOldestVersion));
    }
    if (info.value("cluster_enabled") == "1")
        return unsafe(QStringLiteral("This Redis is part of a cluster, which is not supported. Use a single one."));
    if (info.value("role") != "master") {
        return unsafe(QStringLiteral("This Redis is a replica of %1, where locks would be lost. Connect to its master.")
                          .arg(QString::fromUtf8(info.value("master_host") + ':' + info.value("master_port"))));
    }
    const QByteArray policy = info.value("maxmemory_policy");
    if (policy != "noeviction") {
        return unsafe(QStringLiteral("Redis may throw leases away when its memory is full (maxmemory-policy %1). Set "
                                     "maxmemory-policy noeviction, or use a Redis that is no cache.")
                          .arg(QString::fromUtf8(policy)));
    }
    return std::nullopt;
}

QStringList risksOf(const RedisInfo &info, const QByteArray &appendfsync)
{
    QStringList risks;
    if (info.value("loading") == "1") // and says of its log that there is none, as long as it reads it
        return risks;
    if (info.value("aof_enabled") == "0")
        risks.append(QStringLiteral("Redis keeps no log of its writes (appendonly no): a restart forgets all leases."));
    else if (!appendfsync.isEmpty() && appendfsync != "always")
        risks.append(QStringLiteral("Redis writes its log later (appendfsync %1): a crash forgets up to a second of "
                                    "leases.")
                         .arg(QString::fromUtf8(appendfsync)));
    if (info.value("connected_slaves").toInt() > 0 && info.value("min_slaves_good_slaves").isEmpty())
        risks.append(
            QStringLiteral("Redis does not wait for its replicas (min-replicas-to-write 0): a failover forgets "
                           "leases."));
    return risks;
}

} // namespace lockscope::detail
