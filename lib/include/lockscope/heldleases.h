// SPDX-License-Identifier: MIT
#pragma once

#include "lockerror.h"
#include "lockrequest.h"
#include "owner.h"

#include <QtCore/QList>

#include <functional>
#include <optional>

namespace lockscope {

/// Which leases are meant: set one of the two.
struct LeaseSelection
{
    QByteArray prefix = {};  ///< all whose names begin with these bytes: 1–255, any but NUL
    QByteArray session = {}; ///< all of one engine, which is one process: Owner::session, 32 hex digits
};

/// A lease that somebody held when it was read, though its time may be up. A plain value.
struct HeldLease
{
    QByteArray resource;
    quint64 token = 0; ///< distinguishes it from every later lease of the same name
    Owner owner = {};
    QByteArray note = {};
    std::optional<ServerTime> acquiredAt = {};
    std::optional<ServerTime> expiresAt = {}; ///< none = never
    bool isExpired = false;                   ///< by the server's clock; nobody has taken it since
    bool isSessionAlive = false;              ///< false: its process has no connection now, and may be gone
};

/// What LockEngine::heldLeases() found, by name. With an `error`: what was read before it.
struct HeldLeases
{
    QList<HeldLease> leases;
    std::optional<LockError> error = {};
};

/// How the forced release of one lease ended.
struct ForcedRelease
{
    enum class Outcome {
        Released,      ///< the lease is free or belongs to the next waiter; an event is written
        TargetChanged, ///< another token or nobody holds it: nothing was done
        Failed         ///< see `error`; of kind ConnectionLost: it may have been done
    };
    Outcome outcome = Outcome::Failed;
    std::optional<LockError> error = {};
    /// False: it is known that the next holder was not woken; it notices by itself within seconds.
    bool isNextNotified = true;
};

/// How many of several forced releases ended which way.
struct ForcedReleases
{
    qsizetype released = 0;
    qsizetype changed = 0;     ///< held by nobody or with another token by then: left alone
    qsizetype failed = 0;      ///< see `firstError`
    qsizetype left = 0;        ///< not tried: refused, stopped, or the server is away
    qsizetype notNotified = 0; ///< of the released: see ForcedRelease::isNextNotified
    std::optional<LockError> firstError = {};
};

/// Called for each lease once it is settled.
using ForcedProgress = std::function<void(const HeldLease &lease, const ForcedRelease &release)>;

} // namespace lockscope
