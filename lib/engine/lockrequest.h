#pragma once

#include "lockscope_export.h"

#include <QtCore/QByteArray>

#include <chrono>
#include <functional>
#include <stop_token>

namespace lockscope {

/// Durations of the API. Whole microseconds, as the server keeps them.
using Duration = std::chrono::microseconds;

/// As TTL: the lease never expires. As wait: no limit. As maxHold: no limit.
inline constexpr Duration Forever = Duration::max();

/// Bounds of a request, checked before any I/O.
inline constexpr int MaxResourceBytes = 255;
inline constexpr int MaxNoteBytes = 1024;
inline constexpr Duration MinTtl = std::chrono::milliseconds(10);
inline constexpr Duration MaxTtl = std::chrono::hours(24 * 366);

/// Why a held lease is held no more although nobody released it.
enum class LossReason {
    Expired,       ///< the deadline passed before a renewal reached the server
    TakenOver,     ///< the row says that the token is no longer ours: taken over or force-released
    MaxHoldReached ///< `maxHold` passed, renewals stopped, and then the TTL ran out
};

/// What is asked for. A plain value; copy it freely.
struct LockRequest
{
    /// 1–255 bytes, any but NUL, compared byte for byte.
    QByteArray resource;
    /// How long the lease lives without renewal: MinTtl … MaxTtl, or Forever.
    Duration ttl = std::chrono::seconds(30);
    /// How long to wait: 0 tries once, Forever waits without limit.
    Duration wait = Duration::zero();
    /// Shown beside the lease; at most MaxNoteBytes bytes.
    QByteArray note = {};
    /// The lease stays taken at least this long (server clock) although released earlier. At most `ttl`.
    Duration holdAtLeast = Duration::zero();
    /// The watchdog renews every TTL/3; false leaves renewing to the caller.
    bool autoRenew = true;
    /// The watchdog stops renewing this long after the grant.
    Duration maxHold = Forever;
    /// Re-entrancy key. Empty: the calling thread is the owner.
    QByteArray ownerKey = {};
    /// Cancels a waiting request from any thread.
    std::stop_token stop = {};
    /// Told once when the lease is lost. Runs on an engine thread: be quick, do not call the engine from it.
    std::function<void(LossReason)> onLost = {};
};

} // namespace lockscope
