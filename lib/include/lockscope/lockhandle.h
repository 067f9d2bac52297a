// SPDX-License-Identifier: MIT
#pragma once

#include "lockerror.h"
#include "lockrequest.h"
#include "lockscope_export.h"
#include "outcomes.h"

#include <QtCore/QByteArray>

#include <functional>
#include <memory>
#include <optional>

class QSqlDatabase;

namespace lockscope {

namespace detail {
class Hold;
class JobRun;
} // namespace detail

/// A held lease. Move-only; releases in its destructor, which never throws and never waits for anybody else's
/// lock. An empty handle (default-constructed or moved from) holds nothing. A release that finds the server away, or
/// its row locked by another program's transaction, keeps trying for 10 s, but not past the lease's deadline.
///
/// Thread: any thread, one at a time. The engine may be destroyed first: then the handle holds nothing.
class LOCKSCOPE_EXPORT LockHandle
{
public:
    LockHandle();
    explicit LockHandle(std::shared_ptr<detail::Hold> hold);
    ~LockHandle();
    LockHandle(LockHandle &&) noexcept;
    LockHandle &operator=(LockHandle &&) noexcept;
    LockHandle(const LockHandle &) = delete;
    LockHandle &operator=(const LockHandle &) = delete;

    /// True while this handle's lease is known to be held: not released, not lost, deadline not passed.
    /// Asks nobody. Past the deadline nothing is known, so it is false; a call of inTransaction() that runs for longer
    /// than the TTL asks at its end, and if the session is still alive it is true again.
    bool isHeld() const;
    explicit operator bool() const { return isHeld(); }

    QByteArray resource() const;
    /// The fencing token; larger than that of every earlier grant of this resource. 0 for an empty handle, and for a
    /// row lock whose request did not want one.
    quint64 token() const;
    /// Time left on this process's monotonic clock; zero once lost; Forever for a TTL of Forever.
    Duration remaining() const;

    /// Gives the lease a new TTL from now. One round trip.
    RenewOutcome renew(Duration ttl);
    /// Frees the lease or hands it to the next waiter. Re-entrant grants only count down. Pessimistic: commits what
    /// inTransaction() wrote; the destructor undoes it.
    ReleaseOutcome release();
    /// Pessimistic mode: runs `work` on the lock's own connection, inside the transaction that holds the row, in that
    /// connection's thread, and waits for it. The session: READ COMMITTED, UTC, a strict sql_mode, and the server's own
    /// limits for waits and for how long a statement may take; what `work` changes there ends with the lock. Do not
    /// commit, roll back or send DDL in it: that frees the row, which is noticed afterwards and reported as a loss, as
    /// is a deadlock that the server ended by undoing this transaction. What `work` sends after that runs without the
    /// row lock and is undone; only what it commits by itself, or under an autocommit that it switches on, stays. Do
    /// not call RELEASE_ALL_LOCKS either: the engine knows its session by a user-level lock. An error: `work` did not
    /// run, or the lock was lost and its changes with it. No error: what it wrote is in the transaction, for release()
    /// to commit. One statement may take longer than the TTL; the time between two may not, because the server then
    /// ends the session. A call that runs past the deadline is reported as a loss only when its session has ended or
    /// cannot be asked about. What `work` throws passes through; the lock stays.
    std::optional<LockError> inTransaction(const std::function<void(QSqlDatabase &)> &work);
    /// Why the last renew or release failed.
    std::optional<LockError> lastError() const;

private:
    friend class detail::JobRun;

    ReleaseOutcome giveBack(bool keepsWork);

    std::shared_ptr<detail::Hold> m_hold;
    bool m_released = false; ///< this handle gave its share back; others of the same lease may not have
};

} // namespace lockscope
