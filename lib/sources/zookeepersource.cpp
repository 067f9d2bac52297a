// SPDX-License-Identifier: MIT
#include "zookeepersource.h"

#include "keylockcollector.h"
#include "locks/keyrows.h"
#include "stores/quotedword.h"
#include "stores/zookeeper/zookeeperleases.h"
#include "stores/zookeeper/zookeeperrequest.h"
#include "zookeeperkeys.h"

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

LockRow rowOf(const ZooKeeperLease &lease)
{
    LockRow row;
    row.key.resource = lease.resource;
    row.token = lease.holder.token;
    row.owner = lease.holder.note.owner;
    row.note = lease.holder.note.note;
    row.acquiredAt = lease.holder.since;
    row.sessionAlive = true; // else its node were gone
    row.isOfSession = true;
    row.state = LockState::Held;
    row.waiters = int(lease.waiters);
    return row;
}

/// As zkCli.sh prints it.
QByteArray zxidText(quint64 zxid)
{
    return "0x" + QByteArray::number(zxid, 16);
}

} // namespace

class ZooKeeperSource::Private
{
public:
    using Work = std::function<std::optional<LockError>(ZooKeeperSession &session)>;

    std::optional<LockError> run(const Work &work);
    std::optional<LockError> walk(const QByteArray &prefix, const std::stop_token &stop, const Take &take);

    std::optional<LockError> oneKey(const QByteArray &path, std::optional<KeyLock> *lock);

    ZooKeeperConfig config;
    std::shared_ptr<ZooKeeperSession> session;
    std::unique_ptr<ZooKeeperKeys> keys; ///< none: it knows no conventions
};

std::optional<LockError> ZooKeeperSource::Private::oneKey(const QByteArray &path, std::optional<KeyLock> *lock)
{
    if (!keys)
        return std::nullopt;
    return run([&](ZooKeeperSession &open) { return keys->read(open, path, lock); });
}

std::optional<LockError> ZooKeeperSource::Private::run(const Work &work)
{
    LockError error;
    if (session && session->isOver())
        session.reset();
    if (!session)
        session = ZooKeeperSession::open(config, {[] {}, [](const QByteArray &, bool) {}}, &error);
    if (!session)
        return error;
    if (auto away = session->reach())
        return away;
    return work(*session);
}

std::optional<LockError> ZooKeeperSource::Private::walk(const QByteArray &prefix, const std::stop_token &stop,
                                                        const Take &take)
{
    return run([&](ZooKeeperSession &open) -> std::optional<LockError> {
        QByteArrayList resources;
        if (auto error = readResources(open, prefix, &resources))
            return error;
        for (qsizetype first = 0; first < resources.size() && !stop.stop_requested(); first += kMaxZooKeeperLeases) {
            QList<ZooKeeperLease> leases;
            if (auto error = readLeases(open, resources.mid(first, kMaxZooKeeperLeases), &leases))
                return error;
            QList<LockRow> rows;
            for (const ZooKeeperLease &lease : std::as_const(leases))
                rows.append(rowOf(lease));
            take(rows, clockNow());
        }
        return std::nullopt;
    });
}

ZooKeeperSource::ZooKeeperSource(const ZooKeeperConfig &config)
    : m_private(std::make_unique<Private>())
{
    m_private->config = config;
}

ZooKeeperSource::~ZooKeeperSource() = default;

std::optional<LockError> ZooKeeperSource::open()
{
    return m_private->run([](ZooKeeperSession & /*session*/) { return std::nullopt; });
}

QString ZooKeeperSource::server() const
{
    return m_private->config.server.toString();
}

QString ZooKeeperSource::account() const
{
    const QString &user = m_private->config.server.user;
    return user.isEmpty() ? QStringLiteral("anyone") : user; // as ZooKeeper calls it
}

std::optional<LockError> ZooKeeperSource::leases(const std::stop_token &stop, const Take &take)
{
    return m_private->walk({}, stop, take);
}

std::optional<LockError> ZooKeeperSource::heldLeases(const QByteArray &prefix, const std::stop_token &stop,
                                                     const Take &take)
{
    return m_private->walk(prefix, stop, take);
}

std::optional<LockError> ZooKeeperSource::others(int /*limit*/, LockSnapshot *others)
{
    *others = {};
    return std::nullopt;
}

std::optional<LockError> ZooKeeperSource::one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock)
{
    row->reset();
    if (key.kind == LockKind::ZooKeeperNode) {
        std::optional<KeyLock> lock;
        auto unread = m_private->oneKey(key.resource, &lock);
        *clock = clockNow();
        if (lock)
            *row = toRow(*lock);
        return unread;
    }
    if (key.kind != LockKind::Lease)
        return std::nullopt;
    return m_private->run([&](ZooKeeperSession &session) {
        QList<ZooKeeperLease> leases;
        auto error = readLeases(session, {key.resource}, &leases);
        *clock = clockNow();
        if (!error && !leases.isEmpty())
            *row = rowOf(leases.constFirst());
        return error;
    });
}

std::optional<LockError> ZooKeeperSource::waiters(const LockKey &key, QList<Waiter> *waiters)
{
    waiters->clear();
    if (key.kind == LockKind::ZooKeeperNode) {
        std::optional<KeyLock> lock;
        auto unread = m_private->oneKey(key.resource, &lock);
        if (lock)
            *waiters = waitersOf(*lock);
        return unread;
    }
    if (key.kind != LockKind::Lease)
        return std::nullopt;
    QList<QueueNode> queue;
    auto error = m_private->run([&](ZooKeeperSession &session) { return readQueue(session, key.resource, &queue); });
    for (qsizetype i = 1; i < queue.size(); ++i) { // the first one holds it
        Waiter waiter;
        waiter.position = int(i);
        waiter.owner = queue[i].note.owner;
        waiter.note = queue[i].note.note;
        waiter.since = queue[i].since;
        waiters->append(std::move(waiter));
    }
    return error;
}

void ZooKeeperSource::useConventions(const QList<KeyConvention> &conventions)
{
    m_private->keys = std::make_unique<ZooKeeperKeys>(conventions);
}

std::optional<LockError> ZooKeeperSource::keyLocks(const KeyWalk &walk, const std::stop_token &stop, KeyLocks *found)
{
    *found = {};
    if (!m_private->keys)
        return std::nullopt;
    ZooKeeperKeys &keys = *m_private->keys;
    KeyLockCollector collector(walk, stop);
    const QByteArray chroot = m_private->config.server.chroot.toUtf8();
    auto error = m_private->run([&](ZooKeeperSession &session) {
        return keys.walk(session, chroot.isEmpty() ? QByteArray("/") : chroot, collector.enough(),
                         [&collector](const QList<KeyLock> &locks) { collector.add(locks); });
    });
    found->clock = clockNow();
    found->unreadable = keys.unreadable();
    found->isCut = keys.isCut();
    collector.finish(found);
    return error;
}

QByteArray ZooKeeperSource::keyStatement(const KeyLock &lock, const KeyHolder &holder) const
{
    const QByteArray path = quotedWord(nodePath(lock, holder));
    return "sync " + path + "\nget -s " + path + ": where cZxid = " + zxidText(holder.part.token)
        + ", and V is dataVersion\ndelete -v V " + path;
}

ForcedRelease ZooKeeperSource::endKey(const KeyLock &lock, const KeyHolder &holder)
{
    ForcedRelease ended;
    ended.error = m_private->run([&](ZooKeeperSession &session) {
        ended = removeNode(session, nodePath(lock, holder), holder.part.token);
        return ended.error;
    });
    return ended;
}

QByteArray ZooKeeperSource::statement(const LeaseId &lease, const ReleaseNote & /*note*/) const
{
    const QByteArray folder = quotedWord(folderOf(m_private->config.server, lease.resource));
    return "ls " + folder + ": the first by number is NODE\nget -s NODE: where cZxid = " + zxidText(lease.token)
        + ", and V is dataVersion\ndelete -v V NODE";
}

ForcedRelease ZooKeeperSource::endLease(const LeaseId &lease, const ReleaseNote & /*note*/)
{
    ForcedRelease ended;
    ended.error = m_private->run([&](ZooKeeperSession &session) {
        ended = endByForce(session, lease.resource, lease.token);
        return ended.error;
    });
    return ended;
}

} // namespace lockscope
