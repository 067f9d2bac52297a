// SPDX-License-Identifier: MIT
#include "etcdkeys.h"

#include "stores/etcd/etcderror.h"
#include "stores/etcd/etcdnames.h"

#include <QtCore/QJsonArray>
#include <QtCore/QUuid>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

using namespace detail;

/// Keys that are read at once.
constexpr int kPage = 500;
/// What Kubernetes keeps there is its own, its Lease objects too.
constexpr QByteArrayView kKubernetes = "/registry/";
constexpr qsizetype kUuidBytes = 16;

/// A UUID in bytes as its text, for that is what programs write that keep no text.
QByteArray shownValue(const QByteArray &value)
{
    const bool isUuid = value.size() == kUuidBytes && QUuid::fromRfc4122(value).version() == QUuid::Time;
    return isUuid ? QUuid::fromRfc4122(value).toByteArray(QUuid::WithoutBraces) : value;
}

std::optional<LockError> readEnd(EtcdClient &client, qint64 lease, std::optional<ServerTime> *until)
{
    const EtcdReply reply = client.call("lease/timetolive", {{u"ID"_s, QString::number(lease)}});
    if (reply.error)
        return reply.error;
    const std::chrono::seconds left(etcdNumber(reply.body["TTL"_L1]));
    if (left.count() >= 0)
        *until = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now()) + left;
    return std::nullopt;
}

} // namespace

EtcdKeys::EtcdKeys(QList<KeyConvention> conventions)
    : m_conventions(std::move(conventions))
{
}

/// What all names of a convention begin with.
QByteArrayList EtcdKeys::prefixes() const
{
    QByteArrayList prefixes;
    for (const KeyConvention &convention : m_conventions) {
        for (const QString &name : convention.names)
            prefixes.append(name.section(u'*', 0, 0).toUtf8());
    }
    std::sort(prefixes.begin(), prefixes.end());
    QByteArrayList all;
    for (const QByteArray &prefix : std::as_const(prefixes)) {
        if (all.isEmpty() || !prefix.startsWith(all.last()))
            all.append(prefix);
    }
    return all;
}

std::optional<LockError> EtcdKeys::readLocks(EtcdClient &client, const QJsonObject &answer, QList<KeyLock> *locks) const
{
    for (const EtcdKey &key : keysIn(answer)) {
        const bool isAllowed =
            key.lease != 0 && !key.key.startsWith(kKubernetes) && key.key.startsWith(rootOf(client.config().server));
        if (!isAllowed || key.value.size() > kMaxPartBytes)
            continue;
        KeyFacts facts{key.key, KeyType::Key, {}, {}, 1};
        facts.parts.append({{}, shownValue(key.value), quint64(key.created), {}});
        auto lock = recognise(m_conventions, facts);
        if (!lock)
            continue;
        if (auto error = readEnd(client, key.lease, &lock->until))
            return error;
        locks->append(*std::move(lock));
    }
    return std::nullopt;
}

std::optional<LockError> EtcdKeys::walk(EtcdClient &client, const std::stop_token &stop, const Take &take)
{
    m_unreadable = 0;
    for (const QByteArray &prefix : prefixes()) {
        auto error = walk(client, prefix, stop, take);
        if (error && error->kind != LockError::Kind::NoPermission)
            return error;
        m_unreadable += error ? 1 : 0;
    }
    return std::nullopt;
}

std::optional<LockError> EtcdKeys::walk(EtcdClient &client, const QByteArray &prefix, const std::stop_token &stop,
                                        const Take &take) const
{
    QByteArray from = prefix;
    for (bool isMore = true; isMore && !stop.stop_requested();) {
        QJsonObject range = rangeOf(from, endOfPrefix(prefix));
        range[u"limit"_s] = QString::number(kPage);
        range[u"serializable"_s] = true; // it may be late
        const EtcdReply reply = client.call("kv/range", range);
        if (reply.error)
            return reply.error;
        QList<KeyLock> locks;
        if (auto error = readLocks(client, reply.body, &locks))
            return error;
        take(locks);
        const QList<EtcdKey> keys = keysIn(reply.body);
        isMore = reply.body["more"_L1].toBool() && !keys.isEmpty();
        if (isMore)
            from = keys.last().key + '\0';
    }
    return std::nullopt;
}

std::optional<LockError> EtcdKeys::read(EtcdClient &client, const QByteArray &name, std::optional<KeyLock> *lock) const
{
    lock->reset();
    const auto isNamed = [&name](const KeyConvention &each) { return each.isNamed(name); };
    if (name.isEmpty() || !std::any_of(m_conventions.cbegin(), m_conventions.cend(), isNamed))
        return std::nullopt;
    const EtcdReply reply = client.call("kv/range", rangeOf(name));
    if (reply.error)
        return reply.error;
    QList<KeyLock> locks;
    auto error = readLocks(client, reply.body, &locks);
    if (!error && !locks.isEmpty())
        *lock = locks.constFirst();
    return error;
}

ForcedRelease EtcdKeys::end(EtcdClient &client, const KeyLock &lock, const KeyHolder &holder)
{
    using Ended = ForcedRelease::Outcome;
    const QJsonArray compare{compareCreated(lock.name, qint64(holder.part.token))};
    const EtcdReply reply =
        client.call("kv/txn", {{u"compare"_s, compare}, {u"success"_s, QJsonArray{deleteOp(lock.name)}}});
    if (reply.error)
        return {Ended::Failed, reply.error};
    return {reply.body["succeeded"_L1].toBool() ? Ended::Released : Ended::TargetChanged, {}};
}

} // namespace lockscope
