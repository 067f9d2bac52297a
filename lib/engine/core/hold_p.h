// SPDX-License-Identifier: MIT
#pragma once

#include "leaseclock_p.h"
#include "lockscope/lockerror.h"
#include "lockscope/lockrequest.h"
#include "lockscope/outcomes.h"
#include "session/connectionthread.h"
#include "session/forkguard.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

class QSqlDatabase;

namespace lockscope::detail {

class EngineCore;

/// One lock that this process holds: a lease of unique mode or a row of pessimistic mode. Shared by its handles (a
/// re-entrant grant adds one), the engine's table of holds and the watchdog.
/// Thread: any.
class Hold : public std::enable_shared_from_this<Hold>
{
public:
    enum class State { Held, Released, Lost };
    using Work = std::function<void(QSqlDatabase &)>;

    /// `sizeOfPrefix`: of the part of the resource's name that the engine put in front.
    Hold(std::weak_ptr<EngineCore> core, qsizetype sizeOfPrefix, const LockRequest &request, QByteArray ownerJson);
    virtual ~Hold();

    /// By which the server knows it: a lease's token, a row lock's connection.
    virtual quint64 number() const = 0;
    /// Ends it on the server. `keepsWork`: commits what the caller wrote in the lock's transaction; otherwise that is
    /// undone.
    virtual ReleaseOutcome release(EngineCore &core, bool keepsWork) = 0;
    /// One renewal by hand.
    virtual RenewOutcome renew(const std::shared_ptr<EngineCore> &core, Duration ttl) = 0;
    /// Runs the caller's statements in the lock's transaction; refuses where it has none.
    virtual std::optional<LockError> runInTransaction(const std::shared_ptr<EngineCore> &core, const Work &work);
    /// True in a call of inTransaction() of this very lock.
    virtual bool isInOwnWork() const { return false; }

    // The watchdog's, in the timer's thread:
    /// How long after a grant or a renewal keep() is due; Forever: not at all.
    virtual Duration keepInterval() const = 0;
    /// Lets it live on, and plans the next time.
    virtual void keep(const std::shared_ptr<EngineCore> &core) = 0;
    /// Asked at the deadline. False: it is lost. True: it finds out by itself what becomes of it.
    virtual bool goesOnPastDeadline(const std::shared_ptr<EngineCore> & /*core*/) { return false; }
    /// It is lost: gives back what it has of the engine.
    virtual void letGo(EngineCore &core, LossReason reason) = 0;

    bool isHeld() const;
    Duration remaining() const;
    State state() const { return m_state.load(); }
    /// Held → `state`; true for the one caller that made the change. EngineCore::endHold() counts it.
    bool leaveHeld(State state);

    /// The holder's own deadline; time_point::max() = never.
    LeaseClock::time_point deadline() const;
    void setDeadline(LeaseClock::time_point deadline, Duration ttl);
    /// Not later than `deadline`. Returns the one before. The watchdog's bringForward() plans for it, too.
    LeaseClock::time_point endBy(LeaseClock::time_point deadline);
    Duration ttl() const;

    bool isPastMaxHold() const;
    /// Tells that `maxHold` is over, the first time that it is. The watchdog's.
    void notifyMaxHold();
    /// When the watchdog has to look at the latest: at the deadline, or when maxHold is to be told; Forever = never.
    Duration untilNews() const;
    /// Why a hold whose deadline has passed is lost.
    LossReason reasonOfEnd() const;

    /// Plans the watchdog's next look, and returns the one before for cancelling. One look plans at a time: the new one
    /// may begin at once, and plan another.
    ConnectionThread::Timed exchangeWatch(const std::function<ConnectionThread::Timed()> &plan);

    std::optional<LockError> lastError() const;
    void setLastError(std::optional<LockError> error);

    /// What a child of fork() has is a copy: it holds nothing.
    const ForkGuard process;
    const std::weak_ptr<EngineCore> engine;
    const Mode mode;
    const QByteArray resource; ///< as it is stored
    const qsizetype prefixSize;
    const QByteArray owner; ///< as stored: JSON
    const QByteArray ownerKey;
    const std::function<void(LossReason)> onLost;
    const std::function<void()> onMaxHold;
    const std::function<void(const QString &)> onReleaseRequested;
    const Duration maxHold;
    const bool autoRenew;

    // Set once by the grant, before anybody else sees the hold.
    quint64 token = 0;
    LeaseClock::time_point grantedAt;

    int handles = 1; ///< guarded by the engine's table of holds

protected:
    mutable std::mutex m_mutex; // protects the members below, and those of each mode that say so

private:
    LeaseClock::time_point m_deadline;
    Duration m_ttl;
    ConnectionThread::Timed m_watch;
    std::optional<LockError> m_lastError;
    std::atomic<State> m_state = State::Held;
    std::atomic<bool> m_hasNotifiedMaxHold = false;
};

} // namespace lockscope::detail
