// SPDX-License-Identifier: MIT
#pragma once

#include "lockerror.h"
#include "owner.h"

#include <optional>

namespace lockscope {

/// How a request to release ended.
enum class RequestOutcome {
    Asked,   ///< on its way: a living holder is told within ten seconds
    NotHeld, ///< nobody holds it
    Failed   ///< see `error`
};

struct RequestResult
{
    RequestOutcome outcome = RequestOutcome::Failed;
    Owner holder; ///< who was asked
    std::optional<LockError> error;
};

} // namespace lockscope
