// SPDX-License-Identifier: MIT
#include "race.h"

#include <algorithm>

namespace lockscope::bench {

Race race(std::vector<Worker> &workers, std::chrono::steady_clock::duration length, const GrantedTurn &turn)
{
    using Clock = std::chrono::steady_clock;
    timePerTurn(workers, 1, turn);
    std::vector<std::future<std::vector<Clock::time_point>>> grants;
    const auto end = Clock::now() + length;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        grants.push_back(workers[i].post([&turn, i, end] {
            std::vector<Clock::time_point> moments;
            for (;;) {
                const auto granted = turn(i);
                if (Clock::now() > end)
                    return moments;
                moments.push_back(granted);
            }
        }));
    }
    Race result;
    std::vector<Clock::time_point> all;
    for (auto &grant : grants) {
        const auto moments = grant.get();
        result.grants.push_back(double(moments.size()));
        all.insert(all.end(), moments.begin(), moments.end());
    }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 1; i < all.size(); ++i)
        result.gaps.push_back(std::chrono::duration<double, std::micro>(all[i] - all[i - 1]).count());
    return result;
}

} // namespace lockscope::bench
