// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>

namespace lockscope {

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

} // namespace lockscope
