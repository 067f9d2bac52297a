// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/leaseclock.h"
#include "lockscope/lockrequest.h"

#include <chrono>
#include <optional>

namespace lockscope::detail {

/// NULL on the server stands for Forever.
inline std::optional<std::chrono::microseconds> ttlValue(Duration ttl)
{
    return ttl == Forever ? std::nullopt : std::optional(ttl);
}

/// `from` plus a duration that may be Forever.
inline LeaseClock::time_point deadlineFrom(LeaseClock::time_point from, Duration ttl)
{
    return ttl == Forever ? LeaseClock::time_point::max() : from + ttl;
}

} // namespace lockscope::detail
