// SPDX-License-Identifier: MIT
#pragma once

#include "engine/mysql/mysqlserver_p.h"

namespace lockscope::detail {

/// The connection of a held row, lent by the pool for as long as the lock lives, with the open transaction that locked
/// the row.
/// Thread: the connection's own for everything that touches the connection.
struct RowLock
{
    std::shared_ptr<ConnectionThread> thread;
    QByteArray row;                         ///< name in lock_row: the resource, or its stripe
    quint64 connection = 0;                 ///< as the server numbers it
    quint64 session = 0;                    ///< Session::number()
    bool hasWork = false;                   ///< the caller ran statements in the transaction: a release commits them
    std::atomic<bool> isChecking = false;   ///< a check on its own connection is under way
    std::atomic<bool> isAskedAbout = false; ///< a question over another connection is under way
    std::atomic<bool> isWorking = false;    ///< a call of inTransaction() runs, and no check gets past it
};

/// A held row of pessimistic mode. Its session is kept from being idle for too long, and asked whether it is still the
/// transaction that locked the row.
class RowHold : public Hold
{
public:
    RowHold(const std::shared_ptr<EngineCore> &core, const LockRequest &request, QByteArray ownerJson);

    /// Null once it was given back.
    std::shared_ptr<RowLock> row() const;
    void setRow(std::shared_ptr<RowLock> row);

    quint64 number() const override;
    ReleaseOutcome release(EngineCore &core, bool keepsWork) override;
    /// A new idle limit for the session.
    RenewOutcome renew(const std::shared_ptr<EngineCore> &core, Duration ttl) override;
    /// Finds out whether the statements ended the transaction.
    std::optional<LockError> runInTransaction(const std::shared_ptr<EngineCore> &core, const Work &work) override;
    bool isInOwnWork() const override;
    Duration keepInterval() const override;
    void keep(const std::shared_ptr<EngineCore> &core) override;
    bool goesOnPastDeadline(const std::shared_ptr<EngineCore> &core) override;
    void letGo(EngineCore &core, LossReason reason) override;

private:
    std::shared_ptr<RowLock> m_row; // protected by m_mutex
};

/// An answer that is due and does not come for this long is waited for no longer: the connection was cut without a
/// word, or the server cannot commit.
inline constexpr Duration kLongestPatience = std::chrono::seconds(10);

/// The idle limit of a session that stands for `ttl`: whole seconds, as the server knows them.
qint64 idleSeconds(Duration ttl);

} // namespace lockscope::detail
