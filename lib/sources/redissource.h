// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/redisstore.h"
#include "sources/locksource.h"

namespace lockscope {

/// The engine's leases on a Redis. Reads its own keys alone, a bounded number at a time, and what it lists has no
/// connection numbers: a Redis tells who is subscribed, not by which connection.
class RedisSource : public LockSource
{
public:
    explicit RedisSource(const RedisConfig &config);
    ~RedisSource() override;

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
    /// Reads the queue, which the lease counts, once.
    std::optional<LockError> oneWithWaiters(const LockKey &key, std::optional<LockRow> *row, QList<Waiter> *waiters,
                                            SnapshotClock *clock) override;

    void useConventions(const QList<KeyConvention> &conventions) override;
    std::optional<LockKind> keyKind() const override { return LockKind::RedisKey; }
    std::optional<LockError> keyLocks(const KeyWalk &walk, const std::stop_token &stop, KeyLocks *found) override;
    std::optional<QList<LockRow>> keysNow(const QByteArrayList &names) override;
    QByteArray keyStatement(const KeyLock &lock, const KeyHolder &holder) const override;
    ForcedRelease endKey(const KeyLock &lock, const KeyHolder &holder) override;

    QByteArray statement(const detail::LeaseId &lease, const detail::ReleaseNote &note) const override;
    QByteArray script() const override;
    ForcedRelease endLease(const detail::LeaseId &lease, const detail::ReleaseNote &note) override;

private:
    std::optional<LockError> keyWaiters(const QByteArray &name, QList<Waiter> *waiters);

    class Private;
    const std::unique_ptr<Private> m_private;
};

} // namespace lockscope
