// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace lockscope {

/// Looks for something that mostly comes within a fraction of a millisecond, before the thread goes to sleep for it: to
/// be woken costs as much as a short packet to a server on this machine. Gives the processor to whoever wants it, looks
/// in no more threads than there are processors, and seldom where it was in vain.
/// Thread: any.
class BriefSpin
{
public:
    /// `longest`: what it takes mostly, and a little more.
    explicit BriefSpin(std::chrono::microseconds longest)
        : m_longest(longest)
    {
    }

    /// True as soon as `isReady()` is; false when the thread should go to sleep.
    template<typename Ready>
    bool until(Ready isReady)
    {
        if (isReady())
            return true;
        if (m_skips.load(std::memory_order_relaxed) > 0) {
            m_skips.fetch_sub(1, std::memory_order_relaxed);
            return false;
        }
        const Turn turn;
        if (!turn.isOurs)
            return false;
        const auto end = std::chrono::steady_clock::now() + m_longest;
        do {
            std::this_thread::yield();
            if (isReady()) {
                m_failures.store(0, std::memory_order_relaxed);
                return true;
            }
        } while (std::chrono::steady_clock::now() < end);
        const int failures = std::min(m_failures.load(std::memory_order_relaxed) + 1, kMaxFailures);
        m_failures.store(failures, std::memory_order_relaxed);
        m_skips.store((1 << failures) - 1, std::memory_order_relaxed);
        return false;
    }

private:
    static constexpr int kMaxFailures = 7;

    /// One of the process's places for threads that spin.
    struct Turn
    {
        Turn();
        ~Turn();
        Turn(const Turn &) = delete;
        Turn &operator=(const Turn &) = delete;
        bool isOurs;
    };

    const std::chrono::microseconds m_longest;
    std::atomic<int> m_failures = 0; ///< in a row
    std::atomic<int> m_skips = 0;    ///< calls that are not worth a try
};

} // namespace lockscope
