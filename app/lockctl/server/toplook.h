// SPDX-License-Identifier: MIT
#pragma once

#include "process/supervisor.h"
#include "waitscommand.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace lockscope::ctl {

/// What one look of `top` brought.
struct TopLook
{
    std::optional<LockError> error; ///< then there is only the pace
    PollPace pace;
    SessionTarget target;
    Capabilities capabilities;
    ServerWaits waits;
};

/// Looks at a server in a thread of its own: keys and signals are answered also while the server is not.
class TopLooker
{
public:
    /// `inbox` is woken after every look.
    TopLooker(SessionTarget target, WaitOptions options, std::chrono::milliseconds interval, SignalInbox &inbox);
    /// Waits for the look that is under way.
    ~TopLooker();
    TopLooker(const TopLooker &) = delete;
    TopLooker &operator=(const TopLooker &) = delete;

    /// Begins a look. The first one asks for a password where one is needed.
    void look();
    bool isLooking();
    /// What the last look brought, once.
    std::optional<TopLook> take();

private:
    void work();

    SessionTarget m_target;
    WaitsLook m_look;
    SignalInbox &m_inbox;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isWanted = false; ///< until the look has ended
    bool m_isEnding = false;
    std::optional<TopLook> m_last;
    std::thread m_thread;
};

} // namespace lockscope::ctl
