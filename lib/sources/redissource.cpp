// SPDX-License-Identifier: MIT
#include "redissource.h"

#include "keylockcollector.h"
#include "keylocks/releasescript.h"
#include "locks/keyrows.h"
#include "locks/leaserow.h"
#include "rediskeys.h"
#include "stores/quotedword.h"
#include "stores/redis/redisleases.h"

#include <map>
#include <utility>

namespace lockscope {

namespace {

using namespace detail;

/// For CLIENT LIST. No engine's: those are lockscope:<session>.
constexpr const char *kConnectionName = "lockscope-console";

/// One is enough: a source has one thread.
RedisConfig forOneThread(RedisConfig config)
{
    config.maxConnections = 1;
    return config;
}

LockRow rowOf(const RedisLease &lease)
{
    LockRow row;
    row.key.resource = lease.lease.resource;
    if (!lease.isReadable)
        return row;
    row.token = lease.lease.token;
    row.owner = lease.lease.owner;
    row.note = lease.lease.note;
    row.acquiredAt = lease.lease.acquiredAt;
    row.expiresAt = lease.lease.expiresAt;
    row.ttl = lease.ttl;
    row.sessionAlive = lease.lease.isSessionAlive && !lease.isKept;
    row.state = leaseStateOf(lease.isKept, row.sessionAlive, false, true); // one that has ended is gone
    return row;
}

} // namespace

class RedisSource::Private
{
public:
    explicit Private(const RedisConfig &wanted)
        : config(wanted)
        , server(wanted.server)
        , pool(forOneThread(wanted))
        , scripts(pool)
    {
        pool.setName(kConnectionName);
    }

    using Queues = std::map<QByteArray, QList<RedisWaiter>>; ///< by resource

    std::optional<LockError> read(const QByteArrayList &names, QList<LockRow> *rows, Queues *queues,
                                  SnapshotClock *clock);
    std::optional<LockError> walk(RedisNames which, const QByteArray &prefix, const std::stop_token &stop,
                                  const Take &take);

    std::optional<LockError> oneKey(const QByteArray &name, std::optional<KeyLock> *lock, SnapshotClock *clock);
    std::optional<LockError> queueOf(const QByteArray &resource, QList<RedisWaiter> *queue);

    const RedisConfig config;
    const RedisUrl server;
    RedisPool pool;
    const RedisScripts scripts;
    std::unique_ptr<RedisKeys> keys; ///< none: it knows no conventions
    const Queues *told = nullptr;    ///< that were read already: of the part of a walk that is being told
};

std::optional<LockError> RedisSource::Private::oneKey(const QByteArray &name, std::optional<KeyLock> *lock,
                                                      SnapshotClock *clock)
{
    QList<KeyLock> locks;
    lock->reset();
    if (!keys)
        return std::nullopt;
    auto error = keys->read({name}, &locks);
    *clock = {keys->now(), std::chrono::steady_clock::now()};
    if (!error && !locks.isEmpty())
        *lock = locks.constFirst();
    return error;
}

/// With how many live in each queue.
std::optional<LockError> RedisSource::Private::read(const QByteArrayList &names, QList<LockRow> *rows, Queues *queues,
                                                    SnapshotClock *clock)
{
    QList<RedisLease> found;
    if (auto error = readLeases(scripts, names, &found, &clock->server))
        return error;
    clock->local = std::chrono::steady_clock::now();
    for (const RedisLease &lease : std::as_const(found)) {
        LockRow row = rowOf(lease);
        QList<RedisWaiter> &queue = (*queues)[row.key.resource];
        if (lease.requests > 0) {
            if (auto error = queueOf(row.key.resource, &queue))
                return error;
        }
        row.waiters = int(queue.size());
        rows->append(std::move(row));
    }
    return std::nullopt;
}

/// As it was read already, where it was.
std::optional<LockError> RedisSource::Private::queueOf(const QByteArray &resource, QList<RedisWaiter> *queue)
{
    if (!told || told->count(resource) == 0)
        return readQueue(scripts, resource, queue);
    *queue = told->at(resource);
    return std::nullopt;
}

std::optional<LockError> RedisSource::Private::walk(RedisNames which, const QByteArray &prefix,
                                                    const std::stop_token &stop, const Take &take)
{
    std::set<QByteArray> names;
    if (auto error = scanLeases(pool, which, prefix, stop, &names))
        return error;
    for (auto next = names.begin(); next != names.end() && !stop.stop_requested();) {
        QByteArrayList page;
        for (; next != names.end() && page.size() < kMaxRedisLeases; ++next)
            page.append(*next);
        QList<LockRow> rows;
        Queues queues;
        SnapshotClock clock;
        if (auto error = read(page, &rows, &queues, &clock))
            return error;
        if (which == RedisNames::Held)
            rows.removeIf([](const LockRow &row) { return row.state == LockState::Kept || row.token == 0; });
        told = &queues;
        take(rows, clock);
        told = nullptr;
    }
    return std::nullopt;
}

RedisSource::RedisSource(const RedisConfig &config)
    : m_private(std::make_unique<Private>(config))
{
}

RedisSource::~RedisSource() = default;

std::optional<LockError> RedisSource::open()
{
    return m_private->pool.runTwice({"PING"}, "redis/ping").error; // the server may have closed one that was idle
}

QString RedisSource::server() const
{
    return m_private->server.toString();
}

QString RedisSource::account() const
{
    return m_private->server.user.isEmpty() ? QStringLiteral("default") : m_private->server.user;
}

std::optional<LockError> RedisSource::leases(const std::stop_token &stop, const Take &take)
{
    return m_private->walk(RedisNames::Taken, {}, stop, take);
}

std::optional<LockError> RedisSource::heldLeases(const QByteArray &prefix, const std::stop_token &stop,
                                                 const Take &take)
{
    return m_private->walk(RedisNames::Held, prefix, stop, take);
}

std::optional<LockError> RedisSource::others(int /*limit*/, LockSnapshot *others)
{
    *others = {};
    return std::nullopt;
}

std::optional<LockError> RedisSource::one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock)
{
    row->reset();
    QList<LockRow> rows;
    Private::Queues queues;
    if (key.kind == LockKind::RedisKey) {
        std::optional<KeyLock> lock;
        auto unread = m_private->oneKey(key.resource, &lock, clock);
        if (lock)
            *row = toRow(*lock);
        return unread;
    }
    if (key.kind != LockKind::Lease)
        return std::nullopt;
    auto error = m_private->read({key.resource}, &rows, &queues, clock);
    if (!error && !rows.isEmpty())
        *row = rows.first();
    return error;
}

std::optional<LockError> RedisSource::waiters(const LockKey &key, QList<Waiter> *waiters)
{
    waiters->clear();
    QList<RedisWaiter> queue;
    if (key.kind == LockKind::RedisKey)
        return keyWaiters(key.resource, waiters);
    if (key.kind != LockKind::Lease)
        return std::nullopt;
    if (auto error = m_private->queueOf(key.resource, &queue))
        return error;
    for (RedisWaiter &entry : queue) {
        Waiter waiter;
        waiter.position = int(waiters->size()) + 1;
        waiter.owner = std::move(entry.owner);
        waiter.note = std::move(entry.note);
        waiter.since = entry.since;
        waiter.ttl = entry.ttl;
        waiters->append(std::move(waiter));
    }
    return std::nullopt;
}

std::optional<LockError> RedisSource::oneWithWaiters(const LockKey &key, std::optional<LockRow> *row,
                                                     QList<Waiter> *waiters, SnapshotClock *clock)
{
    if (key.kind != LockKind::Lease)
        return LockSource::oneWithWaiters(key, row, waiters, clock);
    Private::Queues queues;
    if (auto error = readQueue(m_private->scripts, key.resource, &queues[key.resource]))
        return error;
    m_private->told = &queues;
    auto error = LockSource::oneWithWaiters(key, row, waiters, clock);
    m_private->told = nullptr;
    return error;
}

std::optional<LockError> RedisSource::keyWaiters(const QByteArray &name, QList<Waiter> *waiters)
{
    std::optional<KeyLock> lock;
    SnapshotClock clock;
    QByteArrayList queue;
    auto error = m_private->oneKey(name, &lock, &clock);
    if (!error && lock)
        error = m_private->keys->readQueue(*lock, &queue);
    for (const QByteArray &entry : std::as_const(queue)) {
        Waiter waiter;
        waiter.position = int(waiters->size()) + 1;
        waiter.owner.service = QString::fromUtf8(entry);
        waiters->append(waiter);
    }
    return error;
}

void RedisSource::useConventions(const QList<KeyConvention> &conventions)
{
    m_private->keys = std::make_unique<RedisKeys>(m_private->config, kConnectionName, conventions);
}

std::optional<LockError> RedisSource::keyLocks(const KeyWalk &walk, const std::stop_token &stop, KeyLocks *found)
{
    *found = {};
    if (!m_private->keys)
        return std::nullopt;
    KeyLockCollector collector({walk.limit, false, walk.onStep},
                               stop); // a scan may come by a name twice, and rests anyway
    auto error =
        m_private->keys->scan(collector.enough(), [&collector](const QList<KeyLock> &locks) { collector.add(locks); });
    found->clock = {m_private->keys->now(), std::chrono::steady_clock::now()};
    found->unreadable = m_private->keys->unreadable();
    collector.finish(found);
    return error;
}

std::optional<QList<LockRow>> RedisSource::keysNow(const QByteArrayList &names)
{
    QList<KeyLock> locks;
    if (!m_private->keys || m_private->keys->read(names, &locks))
        return std::nullopt;
    QList<LockRow> rows;
    for (const KeyLock &lock : std::as_const(locks))
        rows.append(toRow(lock));
    return rows;
}

QByteArray RedisSource::keyStatement(const KeyLock &lock, const KeyHolder &holder) const
{
    QByteArray words = "EVAL <script> 1 " + quotedWord(lock.name);
    for (const QByteArray &argument : releaseArguments(holder))
        words += ' ' + quotedWord(argument);
    return words + "\n\n" + releaseScript(lock.convention);
}

/// Sent once more after a lost answer, it would find its own work done.
ForcedRelease RedisSource::endKey(const KeyLock &lock, const KeyHolder &holder)
{
    bool isDone = false;
    if (!m_private->keys)
        return LockSource::endKey(lock, holder);
    if (auto error = m_private->keys->end(lock, holder, &isDone))
        return {ForcedRelease::Outcome::Failed, error};
    return {isDone ? ForcedRelease::Outcome::Released : ForcedRelease::Outcome::TargetChanged, {}};
}

QByteArray RedisSource::statement(const LeaseId &lease, const ReleaseNote &note) const
{
    return forceStatement(lease.resource, lease.token, note.operatorName, note.reason);
}

QByteArray RedisSource::script() const
{
    return forceScript();
}

ForcedRelease RedisSource::endLease(const LeaseId &lease, const ReleaseNote &note)
{
    return endByForce(m_private->scripts, lease.resource, lease.token, note.operatorName, note.reason);
}

} // namespace lockscope
