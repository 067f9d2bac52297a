// SPDX-License-Identifier: MIT
#pragma once

namespace lockscope {

/// How an acquire ended.
enum class Outcome {
    Granted,
    Busy,      ///< somebody else holds it and the request did not want to wait
    TimedOut,  ///< the wait budget ran out
    Cancelled, ///< the request's stop token was used, or the engine ended; nothing is held
    Unknown, ///< the connection broke and the server could not be asked; if it was granted, the TTL or the engine ends
             ///< it
    Failed,  ///< see `error`
    Deadlock ///< requests would wait for each other for ever, and this one gives up: release what is held, then retry
};

/// How a release, or a renewal by hand, ended.
enum class ReleaseOutcome {
    Released, ///< the lease is free or belongs to the next waiter
    NotHeld,  ///< nothing was held any more: lost, expired or already released
    Unknown,  ///< the connection broke and the server could not be asked; the TTL ends the lease
    Failed    ///< the server refused; the TTL ends the lease
};
enum class RenewOutcome {
    Renewed,
    NotHeld,
    Failed ///< not reached in time; still held until `remaining()` is zero
};

} // namespace lockscope
