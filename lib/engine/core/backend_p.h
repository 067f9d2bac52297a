// SPDX-License-Identifier: MIT
#pragma once

#include "leaseid_p.h"
#include "lockscope/measurement.h"
#include "lockscope/requestresult.h"

#include <optional>
#include <stop_token>

namespace lockscope {
struct AcquireResult; // whose handle knows the engine's core, which knows this
}

namespace lockscope::detail {

class MySqlServer;

/// What an engine's locks live on: its server, and all that only this kind of server needs. Holds, re-entrancy, the
/// watchdog, waits, callbacks and asynchronous calls are the engine's, whatever is behind this.
/// Resources are named as they are stored. Thread: any; calls block.
class Backend
{
public:
    Backend() = default;
    virtual ~Backend() = default;
    Backend(const Backend &) = delete;
    Backend &operator=(const Backend &) = delete;

    /// What is wrong with the configuration, before any I/O.
    virtual std::optional<LockError> validate() const = 0;
    /// Why this cannot be done here, before any I/O; the rest of the request is checked already.
    virtual std::optional<LockError> validate(const LockRequest &request) const = 0;
    /// Connects, and asks whether the server is fit. One thread at a time.
    virtual std::optional<LockError> check() = 0;
    /// From the first time that it is: what goes on by itself until the end.
    virtual void begin() = 0;

    /// A new hold of the calling owner, which is in the engine's table and watched then, or none.
    virtual AcquireResult acquire(const LockRequest &request, QByteArray owner) = 0;
    virtual RequestResult requestRelease(Mode mode, const QByteArray &resource, const QString &reason) = 0;
    /// Names without the engine's prefix.
    virtual HeldLeases heldLeases(const LeaseSelection &selection, const std::stop_token &stop) = 0;
    virtual ForcedRelease endLease(const LeaseId &lease, const ReleaseNote &note) = 0;
    /// Removes what is no longer needed.
    virtual std::optional<LockError> clean() = 0;
    /// Keeps a duration for those who look at this server.
    virtual void record(MeasuredMode mode, Ending ending, Duration duration) = 0;

    /// Nobody waits, calls or holds any more: writes what is left and gives its connections back.
    virtual void finish() = 0;
    /// After that, and once the engine's timer has stopped: its threads end.
    virtual void stop() = 0;

    /// What the parts of an engine on MySQL or MariaDB share; null: it is on something else.
    virtual MySqlServer *mysql() { return nullptr; }
};

} // namespace lockscope::detail
