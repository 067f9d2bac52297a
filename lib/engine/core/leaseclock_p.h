// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <chrono>
#include <ctime>
#include <optional>

namespace lockscope::detail {

/// The clock that a holder's own deadline counts on. Like steady_clock, but it goes on while the machine sleeps:
/// a laptop that wakes up must not believe in a lease that others have taken over since.
struct LeaseClock
{
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<LeaseClock>;
    static constexpr bool is_steady = true;

    static time_point now()
    {
        timespec time{};
        clock_gettime(CLOCK_BOOTTIME, &time);
        return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
    }
};

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
