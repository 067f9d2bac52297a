// SPDX-License-Identifier: MIT
#pragma once

#include "lockrequest.h"
#include "lockscope_export.h"

#include <QtCore/QByteArray>

namespace lockscope {

/// The first ones are those of `Mode`, in its order.
enum class MeasuredMode { Unique, Pessimistic, Optimistic };

constexpr MeasuredMode measuredMode(Mode mode)
{
    return MeasuredMode(int(mode));
}

/// What a measured duration belongs to. The first ones are those of `Outcome`, in its order: how an acquire ended.
enum class Ending {
    Granted,
    Busy,
    TimedOut,
    Cancelled,
    Unknown,
    Failed,
    Deadlock,
    Committed, ///< an optimistic commit
    Conflict,  ///< … that met another
    Held       ///< a hold that is over, released or lost
};

/// As the lock tables spell them: "unique", "timed_out"; "" for Held.
LOCKSCOPE_EXPORT const char *nameOf(MeasuredMode mode);
LOCKSCOPE_EXPORT const char *nameOf(Ending ending);

/// One thing that was measured, for EngineConfig::onMeasured.
struct Measurement
{
    MeasuredMode mode = MeasuredMode::Unique;
    Ending ending = Ending::Granted;
    QByteArray resource; ///< as the application names it
    Duration duration = Duration::zero();
};

} // namespace lockscope
