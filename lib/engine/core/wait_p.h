// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace lockscope::detail {

/// Lets a waiting request be ended from outside: by its stop token, its budget or the engine's end; and woken.
/// Thread: any; one thread waits.
class Wait
{
public:
    using Clock = std::chrono::steady_clock;

    /// When a budget that begins now is over; a budget of Forever never is.
    static Clock::time_point endOf(Duration wait);

    explicit Wait(Clock::time_point budgetEnd)
        : m_budgetEnd(budgetEnd)
    {
    }
    virtual ~Wait() = default;
    Wait(const Wait &) = delete;
    Wait &operator=(const Wait &) = delete;

    /// Ends the wait for good.
    void cancel();
    bool isCancelled() const;
    /// When the wait ended, or will: at a cancel, or with the budget.
    Clock::time_point endsAt() const;
    bool isOver() const { return Clock::now() >= m_budgetEnd; }
    Clock::time_point budgetEnd() const { return m_budgetEnd; }

    /// Waits in this process until `until`, the budget's end, a cancel, or a `wake()` that finds `ready()` true.
    template<typename Ready>
    void sleepUntil(Clock::time_point until, Ready ready)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_until(lock, std::min(until, m_budgetEnd), [&] { return m_cancelledAt || ready(); });
    }
    void wake();

protected:
    /// At a cancel, with m_mutex held.
    virtual void interrupt() { }

    const Clock::time_point m_budgetEnd;
    mutable std::mutex m_mutex; // protects the members below, and those of a kind of wait
    std::condition_variable m_changed;
    std::optional<Clock::time_point> m_cancelledAt;
};

} // namespace lockscope::detail
