// SPDX-License-Identifier: MIT
#pragma once

#include "briefspin.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace lockscope {

/// One thread waits until another is through with its work. Copies are the same one: the waiting thread and the one
/// that tells may each have theirs, and destroy it when they are through.
class Done
{
public:
    void tell() const
    {
        const auto state = m_state; // the waiter may be gone as soon as it can see the end
        {
            const std::lock_guard lock(state->mutex);
            state->isDone = true;
        }
        state->told.notify_one(); // not under the lock: the waiter would wake up only to wait for it
    }
    void wait()
    {
        std::unique_lock lock(m_state->mutex);
        m_state->told.wait(lock, [this] { return m_state->isDone.load(); });
    }
    /// As wait(), for work that mostly ends at once.
    void wait(BriefSpin &spin)
    {
        if (!spin.until([this] { return m_state->isDone.load(); }))
            wait();
    }
    /// The same, but for no longer than `end`; false then.
    bool waitUntil(std::chrono::steady_clock::time_point end, BriefSpin &spin)
    {
        const auto isDone = [this] { return m_state->isDone.load(); };
        if (spin.until(isDone))
            return true;
        std::unique_lock lock(m_state->mutex);
        return m_state->told.wait_until(lock, end, isDone);
    }

private:
    struct State
    {
        std::mutex mutex;
        std::condition_variable told;
        std::atomic<bool> isDone = false;
    };

    const std::shared_ptr<State> m_state = std::make_shared<State>();
};

} // namespace lockscope
