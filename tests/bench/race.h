// SPDX-License-Identifier: MIT
#pragma once

#include "statistics.h"
#include "worker.h"

#include <chrono>

namespace lockscope::bench {

/// What contenders did in the same stretch of time.
struct Race
{
    Values grants; ///< of each
    Values gaps;   ///< microseconds between one grant and the next, whoever got them
};

/// One lock and release; when it was granted.
using GrantedTurn = std::function<std::chrono::steady_clock::time_point(std::size_t)>;

/// It begins when all have had a turn.
Race race(std::vector<Worker> &workers, std::chrono::steady_clock::duration length, const GrantedTurn &turn);

} // namespace lockscope::bench
