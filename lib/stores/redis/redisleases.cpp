// SPDX-License-Identifier: MIT
#include "redisleases.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

/// Names that one step of a scan looks at, and requests that one script reads: others wait meanwhile.
constexpr int kScanCount = 500;
constexpr qint64 kPageRequests = 500;

constexpr const char *kHeldIndex = "lockscope:held";
constexpr const char *kKeptIndex = "lockscope:kept";

ServerTime timeOf(qint64 microseconds)
{
    return ServerTime(std::chrono::microseconds(microseconds));
}

/// Of milliseconds as a script writes them; 0: without end.
std::optional<Duration> ttlOf(const RedisValue &value)
{
    const qint64 ttl = value.number();
    return ttl > 0 ? std::optional<Duration>(std::chrono::milliseconds(ttl)) : std::nullopt;
}

/// Another program may have put anything there.
bool isName(const QByteArray &name, const QByteArray &prefix)
{
    return !name.isEmpty() && name.size() <= MaxResourceBytes && name.startsWith(prefix);
}

std::optional<LockError> scanIndex(RedisPool &pool, const char *index, const QByteArray &prefix,
                                   const std::stop_token &stop, std::set<QByteArray> *names)
{
    QByteArray cursor = "0";
    do {
        const RedisReply reply =
            pool.runTwice({"ZSCAN", index, cursor, "COUNT", QByteArray::number(kScanCount)}, "redis/scan");
        if (reply.error)
            return reply.error;
        cursor = reply.value.items.value(0).bytes;
        const QList<RedisValue> found = reply.value.items.value(1).items; // name, score, name, …
        for (qsizetype i = 0; i < found.size(); i += 2) {
            if (isName(found[i].bytes, prefix))
                names->insert(found[i].bytes);
        }
    } while (cursor != "0" && !cursor.isEmpty() && !stop.stop_requested());
    return std::nullopt;
}

/// A row of leases.lua, read at `now`.
RedisLease leaseOf(const QByteArray &name, const QList<RedisValue> &row, ServerTime now)
{
    enum Column {
        NumberCol,
        TokenCol,
        OwnerCol,
        NoteCol,
        SinceCol,
        LeftCol,
        SubscribersCol,
        TtlCol,
        KeptCol,
        RequestsCol,
        Columns
    };
    RedisLease lease;
    lease.lease.resource = name;
    lease.isReadable = row.size() == Columns;
    if (!lease.isReadable)
        return lease;
    lease.lease.token = row[TokenCol].bytes.toULongLong();
    lease.lease.owner = Owner::fromJson(row[OwnerCol].bytes);
    lease.lease.note = row[NoteCol].bytes;
    if (const qint64 since = row[SinceCol].number(); since > 0)
        lease.lease.acquiredAt = timeOf(since);
    if (const qint64 left = row[LeftCol].number(); left >= 0)
        lease.lease.expiresAt = now + std::chrono::milliseconds(left);
    lease.lease.isSessionAlive = row[SubscribersCol].number() > 0;
    lease.ttl = ttlOf(row[TtlCol]);
    lease.isKept = row[KeptCol].bytes == "1";
    lease.requests = row[RequestsCol].number();
    return lease;
}

QByteArrayList forceArguments(quint64 token, const QString &operatorName, const QString &reason)
{
    return {QByteArray::number(token), operatorName.toUtf8(), reason.toUtf8()};
}

} // namespace

std::optional<LockError> scanLeases(RedisPool &pool, RedisNames which, const QByteArray &prefix,
                                    const std::stop_token &stop, std::set<QByteArray> *names)
{
    auto error = scanIndex(pool, kHeldIndex, prefix, stop, names);
    if (!error && which == RedisNames::Taken)
        error = scanIndex(pool, kKeptIndex, prefix, stop, names);
    return error;
}

std::optional<LockError> readLeases(const RedisScripts &scripts, const QByteArrayList &names, QList<RedisLease> *leases,
                                    ServerTime *now)
{
    QByteArrayList keys;
    for (const QByteArray &name : names)
        keys << leaseKey(name) << queueKey(name);
    const RedisAnswer answer = scripts.runOn("leases", keys);
    if (!answer)
        return answer.error;
    *now = timeOf(answer.number(0));
    leases->clear();
    for (qsizetype i = 1; i < answer.values.size(); ++i) {
        const QList<RedisValue> &row = answer.values[i].items;
        leases->append(leaseOf(names.value(row.value(0).number()), row, *now));
    }
    return std::nullopt;
}

std::optional<LockError> readQueue(const RedisScripts &scripts, const QByteArray &resource, QList<RedisWaiter> *waiters)
{
    enum Column { RequestCol, TicketCol, SubscribersCol, TtlCol, OwnerCol, NoteCol };
    waiters->clear();
    std::set<QByteArray> seen; // the queue moves on between two parts
    for (qint64 first = 0;; first += kPageRequests) {
        const RedisAnswer answer = scripts.runTwice(
            "queue", resource, {QByteArray::number(first), QByteArray::number(first + kPageRequests - 1)});
        if (!answer)
            return answer.error;
        for (qsizetype i = 1; i < answer.values.size(); ++i) {
            const QList<RedisValue> &row = answer.values[i].items;
            const bool isAlive = row.value(SubscribersCol).number() > 0; // the dead delay nobody
            if (!seen.insert(row.value(RequestCol).bytes).second || !isAlive)
                continue;
            waiters->append({Owner::fromJson(row.value(OwnerCol).bytes), row.value(NoteCol).bytes,
                             timeOf(row.value(TicketCol).number()), ttlOf(row.value(TtlCol))});
        }
        if (answer.number(0) < kPageRequests)
            return std::nullopt;
    }
}

RequestResult askForRelease(const RedisScripts &scripts, const QByteArray &resource, const QString &reason)
{
    const RedisAnswer answer = scripts.runTwice("ask", resource, {reason.toUtf8()});
    if (!answer)
        return {RequestOutcome::Failed, {}, answer.error};
    if (answer.code == 0)
        return {RequestOutcome::NotHeld, {}, {}};
    return {RequestOutcome::Asked, Owner::fromJson(answer.bytes(0)), {}};
}

HeldLeases readHeldLeases(RedisPool &pool, const RedisScripts &scripts, const QByteArray &prefix,
                          const std::stop_token &stop)
{
    HeldLeases held;
    std::set<QByteArray> names;
    held.error = scanLeases(pool, RedisNames::Held, prefix, stop, &names);
    for (auto next = names.begin(); !held.error && next != names.end() && !stop.stop_requested();) {
        QByteArrayList page;
        for (; next != names.end() && page.size() < kMaxRedisLeases; ++next)
            page.append(*next);
        QList<RedisLease> leases;
        ServerTime now;
        held.error = readLeases(scripts, page, &leases, &now);
        for (RedisLease &lease : leases) {
            if (lease.isReadable && !lease.isKept)
                held.leases.append(std::move(lease.lease));
        }
    }
    return held;
}

/// Sent once more after a lost answer, it would find its own work done: then it is not known who did it.
ForcedRelease endByForce(const RedisScripts &scripts, const QByteArray &resource, quint64 token,
                         const QString &operatorName, const QString &reason)
{
    const RedisAnswer answer = scripts.run("force", resource, forceArguments(token, operatorName, reason));
    if (!answer)
        return {ForcedRelease::Outcome::Failed, answer.error};
    return {answer.code == 1 ? ForcedRelease::Outcome::Released : ForcedRelease::Outcome::TargetChanged, {}};
}

QByteArray forceStatement(const QByteArray &resource, quint64 token, const QString &operatorName, const QString &reason)
{
    return RedisScripts::statement("force", resource, forceArguments(token, operatorName, reason));
}

QByteArray forceScript()
{
    return RedisScripts::text("force");
}

} // namespace lockscope::detail
