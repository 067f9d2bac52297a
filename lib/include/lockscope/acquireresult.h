// SPDX-License-Identifier: MIT
#pragma once

#include "lockerror.h"
#include "lockhandle.h"
#include "outcomes.h"

#include <optional>

namespace lockscope {

/// The answer to an acquire. `handle` holds only when `outcome` is Granted; `error` is set for Failed and Unknown.
struct AcquireResult
{
    Outcome outcome = Outcome::Failed;
    LockHandle handle;
    std::optional<LockError> error;
};

} // namespace lockscope
