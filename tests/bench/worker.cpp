// SPDX-License-Identifier: MIT
#include "worker.h"

#include "benchmark.h"

namespace lockscope::bench {

double timePerTurn(std::vector<Worker> &workers, int count, const Turn &turn)
{
    std::vector<std::future<void>> ends;
    const auto start = Clock::now();
    for (std::size_t i = 0; i < workers.size(); ++i) {
        ends.push_back(workers[i].post([&turn, i, count] {
            for (int n = 0; n < count; ++n)
                turn(i);
        }));
    }
    for (auto &end : ends)
        end.get();
    return microseconds(Clock::now() - start) / (double(workers.size()) * count);
}

} // namespace lockscope::bench
