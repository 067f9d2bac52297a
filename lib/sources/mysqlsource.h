// SPDX-License-Identifier: MIT
#pragma once

#include "locksource.h"
#include "session/reconnectingsession.h"

namespace lockscope {

/// The engine's tables on MySQL or MariaDB. Thread: that of `link`, which must outlive it.
class MySqlSource : public LockSource
{
public:
    explicit MySqlSource(ReconnectingSession &link)
        : m_link(link)
    {
    }

    std::optional<LockError> open() override;
    QString server() const override { return m_link.server(); }
    QString account() const override { return m_link.account(); }
    Family family() const override { return m_link.family(); }
    QString ownName() const override { return m_link.ownName(); }

    std::optional<LockError> leases(const std::stop_token &stop, const Take &take) override;
    std::optional<LockError> heldLeases(const QByteArray &prefix, const std::stop_token &stop,
                                        const Take &take) override;
    std::optional<LockError> others(int limit, LockSnapshot *others) override;
    std::optional<LockError> one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock) override;
    std::optional<LockError> waiters(const LockKey &key, QList<Waiter> *waiters) override;

    QByteArray statement(const detail::LeaseId &lease, const detail::ReleaseNote &note) const override;
    ForcedRelease endLease(const detail::LeaseId &lease, const detail::ReleaseNote &note) override;

private:
    std::optional<LockError> read(const std::function<std::optional<LockError>(Session &)> &step);

    ReconnectingSession &m_link;
};

/// The same with a session of its own, for a program that does it beside its work.
std::unique_ptr<LockSource> makeMySqlSource(const SessionTarget &target, SourceUse use);

} // namespace lockscope
