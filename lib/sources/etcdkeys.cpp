// SPDX-License-Identifier: MIT
#include "etcdkeys.h"

#include "stores/etcd/etcderror.h"

#include <QtCore/QJsonArray>
#include <QtCore/QUuid>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

using namespace detail;

/// Keys whose names are read at once.
constexpr int kPage = 500;
/// Of a transaction; etcd takes 128.
constexpr qsizetype kMostReads = 100;
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

/// All that names of conventions begin with, as far as it lies below `root`, without what is Kubernetes' own.
QList<EtcdKeys::Range> EtcdKeys::ranges(const QByteArray &root) const
{
    QByteArrayList prefixes;
    for (const KeyConvention &convention : m_conventions) {
        for (const QString &name : convention.names) {
            const QByteArray prefix = name.section(u'*', 0, 0).toUtf8();
            if (prefix.startsWith(root))
                prefixes.append(prefix);
            else if (!prefix.isEmpty() && root.startsWith(prefix))
                prefixes.append(root);
        }
    }
    std::sort(prefixes.begin(), prefixes.end());
    QList<Range> all;
    QByteArray last;
    for (const QByteArray &prefix : std::as_const(prefixes)) {
        const bool isCovered = !last.isEmpty() && prefix.startsWith(last);
        if (prefix.isEmpty() || isCovered || prefix.startsWith(kKubernetes))
            continue;
        last = prefix;
        all.append({prefix, endOfPrefix(prefix)});
        if (kKubernetes.startsWith(prefix)) {
            const QByteArray end = std::exchange(all.last().end, kKubernetes.toByteArray());
            all.append({endOfPrefix(kKubernetes.toByteArray()), end});
        }
    }
    return all;
}

/// By what is known before its value.
bool EtcdKeys::mayBeRead(const EtcdClient &client, const EtcdKey &key) const
{
    const auto isNamed = [&key](const KeyConvention &each) { return each.isNamed(key.key); };
    return key.lease != 0 && !key.key.startsWith(kKubernetes) && key.key.startsWith(rootOf(client.config().server))
        && std::any_of(m_conventions.cbegin(), m_conventions.cend(), isNamed);
}

std::optional<LockError> EtcdKeys::readLocks(EtcdClient &client, const QByteArrayList &names,
                                             QList<KeyLock> *locks) const
{
    QJsonArray reads;
    for (const QByteArray &name : names) {
        QJsonObject range = rangeOf(name);
        range[u"serializable"_s] = true; // it may be late
        reads.append(readOp(range));
    }
    const EtcdReply reply = client.call("kv/txn", {{u"success"_s, reads}});
    if (reply.error)
        return reply.error;
    for (int i = 0; i < int(names.size()); ++i) {
        for (const EtcdKey &key : keysRead(reply.body, i)) {
            if (auto error = readLock(client, key, locks))
                return error;
        }
    }
    return std::nullopt;
}

/// Adds it, if it is one.
std::optional<LockError> EtcdKeys::readLock(EtcdClient &client, const EtcdKey &key, QList<KeyLock> *locks) const
{
    if (!mayBeRead(client, key) || key.value.size() > kMaxPartBytes)
        return std::nullopt;
    KeyFacts facts{key.key, KeyType::Key, {}, {}, 1};
    facts.parts.append({{}, shownValue(key.value), quint64(key.created), {}});
    auto lock = recognise(m_conventions, facts);
    if (!lock)
        return std::nullopt;
    auto error = readEnd(client, key.lease, &lock->until);
    if (!error)
        locks->append(*std::move(lock));
    return error;
}

std::optional<LockError> EtcdKeys::walk(EtcdClient &client, const std::stop_token &stop, const Take &take)
{
    m_unreadable = 0;
    for (const Range &range : ranges(rootOf(client.config().server))) {
        auto error = walk(client, range, stop, take);
        if (error && error->kind != LockError::Kind::NoPermission)
            return error;
        m_unreadable += error ? 1 : 0;
    }
    return std::nullopt;
}

/// Names first: values may be large, and are nobody's business unless a convention knows the name.
std::optional<LockError> EtcdKeys::walk(EtcdClient &client, const Range &whole, const std::stop_token &stop,
                                        const Take &take) const
{
    QByteArray from = whole.from;
    for (bool isMore = true; isMore && !stop.stop_requested();) {
        QJsonObject range = rangeOf(from, whole.end);
        range[u"limit"_s] = QString::number(kPage);
        range[u"serializable"_s] = true;
        range[u"keys_only"_s] = true;
        const EtcdReply reply = client.call("kv/range", range);
        if (reply.error)
            return reply.error;
        const QList<EtcdKey> keys = keysIn(reply.body);
        QByteArrayList names;
        for (const EtcdKey &key : keys) {
            if (mayBeRead(client, key))
                names.append(key.key);
        }
        for (qsizetype first = 0; first < names.size() && !stop.stop_requested(); first += kMostReads) {
            QList<KeyLock> locks;
            if (auto error = readLocks(client, names.mid(first, kMostReads), &locks))
                return error;
            take(locks);
        }
        if (names.isEmpty())
            take({}); // a step all the same
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
    std::optional<LockError> error;
    for (const EtcdKey &key : keysIn(reply.body))
        error = readLock(client, key, &locks);
    if (!error && !locks.isEmpty())
        *lock = locks.constFirst();
    return error;
}

ForcedRelease EtcdKeys::end(EtcdClient &client, const KeyLock &lock, const KeyHolder &holder)
{
    using Ended = ForcedRelease::Outcome;
    const QJsonArray compare{compareCreated(lock.name, qint64(holder.part.token))};
    const EtcdReply reply = client.change({{u"compare"_s, compare}, {u"success"_s, QJsonArray{deleteOp(lock.name)}}});
    if (reply.error)
        return {Ended::Failed, reply.error};
    return {reply.body["succeeded"_L1].toBool() ? Ended::Released : Ended::TargetChanged, {}};
}

} // namespace lockscope
