// SPDX-License-Identifier: MIT
#include "etcdsource.h"

#include "etcdkeys.h"
#include "keylockcollector.h"
#include "locks/keyrows.h"
#include "stores/etcd/etcdleases.h"
#include "stores/quotedword.h"

#include <utility>

namespace lockscope {

namespace {

using namespace detail;

SnapshotClock clockNow()
{
    SnapshotClock clock;
    clock.server = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
    clock.local = std::chrono::steady_clock::now();
    return clock;
}

LockRow rowOf(const EtcdTaken &taken)
{
    const EtcdEntry &holder = taken.holder;
    LockRow row;
    row.key.resource = taken.resource;
    row.token = quint64(holder.key.created);
    row.owner = holder.note.owner;
    row.note = holder.note.note;
    row.acquiredAt = holder.note.since;
    row.expiresAt = holder.expiresAt;
    row.sessionAlive = true; // else its key were gone
    row.state = LockState::Held;
    row.waiters = int(taken.waiters);
    return row;
}

} // namespace

class EtcdSource::Private
{
public:
    explicit Private(const EtcdConfig &config)
        : client(config)
    {
    }

    std::optional<LockError> walk(const QByteArray &prefix, const std::stop_token &stop, const Take &take);

    std::optional<LockError> oneKey(const QByteArray &name, std::optional<KeyLock> *lock)
    {
        return keys ? keys->read(client, name, lock) : std::nullopt;
    }

    EtcdClient client;
    std::unique_ptr<EtcdKeys> keys; ///< none: it knows no conventions
};

std::optional<LockError> EtcdSource::Private::walk(const QByteArray &prefix, const std::stop_token &stop,
                                                   const Take &take)
{
    return readTaken(client, prefix, stop, [&take](const QList<EtcdTaken> &part) {
        QList<LockRow> rows;
        for (const EtcdTaken &taken : part)
            rows.append(rowOf(taken));
        take(rows, clockNow());
    });
}

EtcdSource::EtcdSource(const EtcdConfig &config)
    : m_private(std::make_unique<Private>(config))
{
}

EtcdSource::~EtcdSource() = default;

/// Reads nothing of anybody's, and finds out whether it may.
std::optional<LockError> EtcdSource::open()
{
    QList<EtcdEntry> ignored;
    return readQueue(m_private->client, "lockscope", &ignored);
}

QString EtcdSource::server() const
{
    return m_private->client.config().server.toString();
}

QString EtcdSource::account() const
{
    const QString &user = m_private->client.config().server.user;
    return user.isEmpty() ? QStringLiteral("anyone") : user;
}

std::optional<LockError> EtcdSource::leases(const std::stop_token &stop, const Take &take)
{
    return m_private->walk({}, stop, take);
}

std::optional<LockError> EtcdSource::heldLeases(const QByteArray &prefix, const std::stop_token &stop, const Take &take)
{
    return m_private->walk(prefix, stop, take);
}

std::optional<LockError> EtcdSource::others(int /*limit*/, LockSnapshot *others)
{
    *others = {};
    return std::nullopt;
}

std::optional<LockError> EtcdSource::one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock)
{
    row->reset();
    if (key.kind == LockKind::EtcdKey) {
        std::optional<KeyLock> lock;
        auto unread = m_private->oneKey(key.resource, &lock);
        *clock = clockNow();
        if (lock)
            *row = toRow(*lock);
        return unread;
    }
    if (key.kind != LockKind::Lease)
        return std::nullopt;
    std::optional<EtcdTaken> taken;
    auto error = readOne(m_private->client, key.resource, &taken);
    *clock = clockNow();
    if (!error && taken)
        *row = rowOf(*taken);
    return error;
}

std::optional<LockError> EtcdSource::waiters(const LockKey &key, QList<Waiter> *waiters)
{
    waiters->clear();
    if (key.kind != LockKind::Lease)
        return std::nullopt;
    QList<EtcdEntry> queue;
    auto error = readQueue(m_private->client, key.resource, &queue);
    for (qsizetype i = 1; i < queue.size(); ++i) { // the first one holds it
        Waiter waiter;
        waiter.position = int(i);
        waiter.owner = queue[i].note.owner;
        waiter.note = queue[i].note.note;
        waiter.since = queue[i].note.since;
        waiters->append(std::move(waiter));
    }
    return error;
}

void EtcdSource::useConventions(const QList<KeyConvention> &conventions)
{
    m_private->keys = std::make_unique<EtcdKeys>(conventions);
}

std::optional<LockError> EtcdSource::keyLocks(const KeyWalk &walk, const std::stop_token &stop, KeyLocks *found)
{
    *found = {};
    if (!m_private->keys)
        return std::nullopt;
    KeyLockCollector collector(walk, stop);
    auto error = m_private->keys->walk(m_private->client, collector.enough(),
                                       [&collector](const QList<KeyLock> &locks) { collector.add(locks); });
    found->clock = clockNow();
    found->unreadable = m_private->keys->unreadable();
    collector.finish(found);
    return error;
}

QByteArray EtcdSource::keyStatement(const KeyLock &lock, const KeyHolder &holder) const
{
    const QByteArray name = quotedWord(lock.name);
    return "txn if create(" + name + ") = " + quotedWord(holder.guard()) + " then del " + name;
}

ForcedRelease EtcdSource::endKey(const KeyLock &lock, const KeyHolder &holder)
{
    return EtcdKeys::end(m_private->client, lock, holder);
}

QByteArray EtcdSource::statement(const LeaseId &lease, const ReleaseNote & /*note*/) const
{
    const QByteArray queue = quotedWord(queuePrefix(m_private->client.config().server, lease.resource));
    return "get --prefix " + queue
        + ": the first is KEY, where create(KEY) = " + quotedWord(QByteArray::number(lease.token))
        + ", and R is mod(KEY)\ntxn if mod(KEY) = R then del KEY, put what tells its holder";
}

ForcedRelease EtcdSource::endLease(const LeaseId &lease, const ReleaseNote & /*note*/)
{
    return endByForce(m_private->client, lease.resource, lease.token);
}

} // namespace lockscope
