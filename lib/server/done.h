#pragma once

#include "briefspin.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace lockscope {

/// One thread waits until another is through with its work. The waiting thread owns this, and may destroy it as soon as
/// wait() has returned.
class Done
{
public:
    void tell()
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
