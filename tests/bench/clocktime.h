// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace lockscope::bench {

/// What that clock shows.
inline double milliseconds(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

} // namespace lockscope::bench
