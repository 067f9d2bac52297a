// SPDX-License-Identifier: MIT
#pragma once

#include "lablock.h"

#include <chrono>

namespace lockscope {

/// Tries, and tries again, until it is ours, the budget is spent or `stop` says so. `tryOnce(bool *isOurs)` returns the
/// error that ends it; `rest()` lets some time pass.
template<typename Try, typename Rest>
LabLock::Entry pollForLock(Duration wait, const std::stop_token &stop, Try tryOnce, Rest rest)
{
    const auto end = std::chrono::steady_clock::now() + wait;
    for (;;) {
        bool isOurs = false;
        if (const std::optional<LockError> error = tryOnce(&isOurs))
            return {Outcome::Failed, 0, error->message};
        if (isOurs)
            return {Outcome::Granted};
        if (stop.stop_requested())
            return {Outcome::Cancelled};
        if (wait == Duration::zero())
            return {Outcome::Busy};
        if (std::chrono::steady_clock::now() >= end)
            return {Outcome::TimedOut};
        rest();
    }
}

} // namespace lockscope
