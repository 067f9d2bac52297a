// SPDX-License-Identifier: MIT
#pragma once

#include "heldleases.h"
#include "leaseclock.h"
#include "lockerror.h"
#include "lockrequest.h"
#include "lockscope_export.h"
#include "outcomes.h"
#include "owner.h"
#include "requestresult.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace lockscope {

namespace detail {
class Wait;
}

/// The wait of one request, as a LockStore sees it. Thread: any; one thread sleeps.
class LOCKSCOPE_EXPORT StoreWait
{
public:
    using Clock = std::chrono::steady_clock;

    /// The engine makes it. `isTry`: the request does not want to wait for a holder.
    StoreWait(std::shared_ptr<detail::Wait> wait, bool isTry);
    ~StoreWait();
    StoreWait(const StoreWait &) = delete;
    StoreWait &operator=(const StoreWait &) = delete;

    bool isTry() const { return m_isTry; }
    /// The budget's end; time_point::max() = none.
    Clock::time_point end() const;
    /// By its stop token, or because the engine ends.
    bool isCancelled() const;
    /// Cancelled, or the budget is over.
    bool isOver() const;
    /// Sleeps until `until`, until isOver(), or until a wake() that finds `ready()` true. `ready` is called with a
    /// mutex held and must be quick.
    void sleepUntil(Clock::time_point until, const std::function<bool()> &ready);
    void wake();

private:
    const std::shared_ptr<detail::Wait> m_wait;
    const bool m_isTry;
};

/// Where an engine's leases live in place of MySQL: EngineConfig::store. What is the same everywhere is the engine's,
/// not a store's: who may enter again, when to renew, callbacks, handles, asynchronous requests, measuring.
///
/// Resources are bytes as they are stored, with the engine's prefix. Calls block; they come from any thread, several at
/// a time. Each answers by a value, never by an exception, within seconds of the wait's end even if the server is away.
class LOCKSCOPE_EXPORT LockStore
{
public:
    /// What a store cannot do is refused before any I/O.
    struct Traits
    {
        QString name; ///< "Redis", for errors
        /// A shorter TTL is refused, and one that is no multiple of the step: rounded up by the store would be a lie.
        Duration shortestTtl = MinTtl;
        Duration ttlStep = Duration(1);
        /// For how long a holder may believe in a grant or a renewal. A longer TTL is accepted, and renewed as often as
        /// one of this; then the TTL bounds how long a dead holder blocks others.
        Duration longestBelief = Forever;
        bool hasForever = true;     ///< a lease may have no end
        bool hasMinimumHold = true; ///< LockRequest::holdAtLeast
        bool hasToken = true;       ///< else every token is 0, and nothing can be fenced
    };

    /// A request, once the engine has checked it.
    struct Ask
    {
        QByteArray resource;
        QByteArray owner; ///< Owner::toJson()
        QByteArray note;
        Duration ttl; ///< or Forever
    };

    /// One lease, and no later one of the same name.
    struct Lease
    {
        QByteArray resource;
        quint64 token = 0; ///< larger than that of every earlier grant
        QByteArray place;  ///< the store's own: a node, a key, a random value

        bool operator==(const Lease &) const = default;
    };

    /// How an acquire ended. Unless it is Granted or Unknown, nothing of it is left behind.
    struct Grant
    {
        Outcome outcome = Outcome::Failed;
        Lease lease = {};
        /// Until when the holder may believe in it: counted from before the request, or what confirmed it, was sent.
        LeaseClock::time_point deadline = {};
        std::optional<LockError> error = {};
    };

    /// How a renewal ended.
    struct Renewal
    {
        RenewOutcome outcome = RenewOutcome::Failed; ///< Failed: no answer; the deadline stays
        LeaseClock::time_point deadline = {};
        std::optional<LockError> error = {};
    };

    /// How a release ended.
    struct Release
    {
        ReleaseOutcome outcome = ReleaseOutcome::Failed;
        std::optional<LockError> error = {};
    };

    /// Who is told what the store learns by itself, in a thread of the store's.
    struct Listener
    {
        std::function<void(const Lease &lease, LossReason reason)> onLost;
        std::function<void(const Lease &lease, const QString &reason)> onAsked;
    };

    LockStore();
    virtual ~LockStore();
    LockStore(const LockStore &) = delete;
    LockStore &operator=(const LockStore &) = delete;

    virtual Traits traits() const = 0;
    /// What is wrong with how it was set up, before any I/O.
    virtual std::optional<LockError> validate() const = 0;
    /// Connects, and asks whether the server is safe for locks. Called until it succeeds, by one thread at a time and
    /// always with the same owner; a store has one engine.
    virtual std::optional<LockError> connect(const Owner &owner, const Listener &listener) = 0;
    /// The engine has ended and holds nothing: closes connections and ends threads. Nothing is called after it.
    virtual void close() = 0;

    virtual Grant acquire(const Ask &ask, StoreWait &wait) = 0;
    virtual Renewal renew(const Lease &lease, Duration ttl) = 0;
    /// Passes it on, or frees it. `keptFor`: it stays taken for so long all the same.
    virtual Release release(const Lease &lease, Duration keptFor) = 0;

    /// Asks whoever holds it to release.
    virtual RequestResult requestRelease(const QByteArray &resource, const QString &reason) = 0;
    /// Leases whose names begin with `prefix`, by name. The engine selects among them.
    virtual HeldLeases heldLeases(const QByteArray &prefix, const std::stop_token &stop) = 0;
    /// Ends somebody's lease if it is still this one, with a record of who did it and why where the store keeps one.
    virtual ForcedRelease forceRelease(const QByteArray &resource, quint64 token, const QString &operatorName,
                                       const QString &reason) = 0;
};

} // namespace lockscope
