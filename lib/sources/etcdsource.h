// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/etcdstore.h"
#include "sources/locksource.h"

namespace lockscope {

/// Leases on an etcd: the engine's, and all others that Go's package concurrency and `etcdctl lock` name. Ends are
/// those of etcd's leases, in whole seconds; what it lists counts from when the holder asked, by its own clock, which
/// other programs do not tell. Times are compared with this machine's clock: an etcd does not tell its own.
class EtcdSource : public LockSource
{
public:
    explicit EtcdSource(const EtcdConfig &config);
    ~EtcdSource() override;

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
    std::optional<LockKind> keyKind() const override { return LockKind::EtcdKey; }
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
