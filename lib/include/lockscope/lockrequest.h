// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope_export.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <stop_token>

namespace lockscope {

/// Durations of the API. Whole microseconds, as the server keeps them.
using Duration = std::chrono::microseconds;

/// A moment of the server's clock, UTC.
using ServerTime = std::chrono::sys_time<std::chrono::microseconds>;

/// As TTL: the lease never expires. As wait: no limit. As maxHold: no limit.
inline constexpr Duration Forever = Duration::max();

/// Bounds of a request, checked before any I/O.
inline constexpr int MaxResourceBytes = 255;
inline constexpr int MaxPrefixBytes = 64;
inline constexpr int MaxNoteBytes = 1024;
inline constexpr int MaxReasonCharacters = 1024;
inline constexpr int MaxOperatorCharacters = 255;
inline constexpr Duration MinTtl = std::chrono::milliseconds(10);
inline constexpr Duration MaxTtl = std::chrono::hours(24 * 366);

/// How the server is made to exclude others.
enum class Mode {
    Unique,     ///< a lease: a row with owner, TTL and fencing token; fair; survives a broken connection
    Pessimistic ///< a row locked with SELECT … FOR UPDATE in an open transaction: ends with its session
};

/// Why a lease is no longer held although nobody released it.
enum class LossReason {
    Expired,         ///< the deadline passed before a renewal reached the server
    TakenOver,       ///< the row says that the token is no longer ours: taken over or force-released
    MaxHoldReached,  ///< `maxHold` passed, renewals stopped, and then the TTL ran out
    SessionEnded,    ///< of a row lock, or in a store: its session was killed, cut off or idle for too long
    TransactionEnded ///< pessimistic: a statement of the caller's own committed, rolled back, or ran into a deadlock
};

/// What is asked for. A plain value; copy it freely.
struct LockRequest
{
    Mode mode = Mode::Unique;
    /// 1–255 bytes with EngineConfig::namePrefix (without it where `stripes` are used), any but NUL, compared byte for
    /// byte.
    QByteArray resource;
    /// How long the lease lives without renewal: MinTtl … MaxTtl, or Forever. Pessimistic: at least 1 s; the session
    /// may be idle this long (rounded up to whole seconds) before the server ends it; the engine keeps it from being
    /// idle.
    Duration ttl = std::chrono::seconds(30);
    /// How long to wait: 0 tries once; at most MaxTtl, or Forever for no limit. A try does not wait for a holder; one
    /// that meets a row or table that another program's transaction keeps locked is Busy after about a second. For a
    /// row lock a wait of up to 1 ms is such a try too, but answers TimedOut.
    Duration wait = Duration::zero();
    /// Shown beside the lease; at most MaxNoteBytes bytes.
    QByteArray note = {};
    /// Pessimistic: raise a fencing token, at the price of one more commit. A lease always has one. A re-entrant
    /// request cannot add it: the first one has to ask.
    bool wantsToken = false;
    /// Pessimistic: share this many rows among all names (1 = one central lock), for names that are not known
    /// beforehand. Unrelated names may then exclude each other. 0 = a row per name. The handle's resource() is the
    /// stripe's name.
    int stripes = 0;
    /// Unique: the lease stays taken at least this long (server clock) even if released earlier. At most `ttl`.
    Duration holdAtLeast = Duration::zero();
    /// The watchdog renews every TTL/3; false leaves renewing to the caller.
    bool autoRenew = true;
    /// At most MaxTtl, or Forever. The watchdog stops renewing this long after the grant, and calls onMaxHold at that
    /// moment, also without autoRenew. The lock is held until its TTL runs out.
    Duration maxHold = Forever;
    /// Re-entrancy key. Empty: the calling thread is the owner. An owner that holds the lock gets another handle of it;
    /// only mode, resource, stripes and this key of such a request count: TTL, note, callbacks, maxHold, holdAtLeast
    /// and autoRenew are those of the first. When several requests of one key want one lock at the same time (not
    /// acquireAny()), one asks the server. The others wait for it in the process, within their own budgets: they share
    /// what it is granted, or the next of them asks if it was granted nothing. A try is Busy meanwhile.
    QByteArray ownerKey = {};
    /// Cancels a waiting request from any thread. If it was used before the call, the answer is Cancelled in every
    /// mode, before any I/O and even if the owner already holds the lock. Only BadRequest, for a request that is wrong
    /// in itself, comes first.
    std::stop_token stop = {};
    /// Called once when the lock is lost. Runs on an engine thread: be quick, do not call the engine from it. All these
    /// functions may be destroyed on such a thread too, and later than the engine if the network hangs.
    std::function<void(LossReason)> onLost = {};
    /// Called once when `maxHold` has passed and the lock is still held. Runs like onLost.
    std::function<void()> onMaxHold = {};
    /// Called each time somebody asks for the lock (LockEngine::requestRelease). Runs like onLost.
    std::function<void(const QString &reason)> onReleaseRequested = {};
};

} // namespace lockscope
