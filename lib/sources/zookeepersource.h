// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/zookeeperstore.h"
#include "sources/locksource.h"

namespace lockscope {

/// Leases on a ZooKeeper: the engine's, and all others that Curator's InterProcessMutex names. What it lists has no
/// ends, for those are the sessions', and counts from when the holder asked. Times are compared with this machine's
/// clock: a ZooKeeper does not tell its own.
class ZooKeeperSource : public LockSource
{
public:
    explicit ZooKeeperSource(const ZooKeeperConfig &config);
    ~ZooKeeperSource() override;

    std::optional<LockError> open() override;
    QString server() const override;
    QString account() const override;

    std::optional<LockError> leases(const std::stop_token &stop, const Take &take) override;
    std::optional<LockError> heldLeases(const QByteArray &prefix, const std::stop_token &stop,
                                        const Take &take) override;
    /// Nothing: what else engines have needs transactions of MySQL.
    std::optional<LockError> others(int limit, LockSnapshot *others) override;
    std::optional<LockError> one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock) override;
    std::optional<LockError> waiters(const LockKey &key, QList<Waiter> *waiters) override;

    void useConventions(const QList<KeyConvention> &conventions) override;
    std::optional<LockKind> keyKind() const override { return LockKind::ZooKeeperNode; }
    std::optional<LockError> keyLocks(const KeyWalk &walk, const std::stop_token &stop, KeyLocks *found) override;
    QByteArray keyStatement(const KeyLock &lock, const KeyHolder &holder) const override;
    ForcedRelease endKey(const KeyLock &lock, const KeyHolder &holder) override;

    QByteArray statement(const detail::LeaseId &lease, const detail::ReleaseNote &note) const override;
    ForcedRelease endLease(const detail::LeaseId &lease, const detail::ReleaseNote &note) override;

private:
    class Private;
    const std::unique_ptr<Private> m_private;
};

} // namespace lockscope
