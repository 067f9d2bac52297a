// SPDX-License-Identifier: MIT
#pragma once

#include "process/supervisor.h"
#include "waitscommand.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace lockscope::ctl {

/// What one poll of `top` brought.
struct TopPoll
{
    std::optional<LockError> error; ///< then there is only the pace
    PollPace pace;
    SessionTarget target;
    Capabilities capabilities;
    ServerWaits waits;
};

/// Polls a server in a thread of its own: keys and signals are answered also while the server is not.
class TopPoller
{
public:
    /// `inbox` is woken after every poll.
    TopPoller(SessionTarget target, WaitOptions options, std::chrono::milliseconds interval, SignalInbox &inbox);
    /// Waits for the poll that is under way.
    ~TopPoller();
    TopPoller(const TopPoller &) = delete;
    TopPoller &operator=(const TopPoller &) = delete;

    /// Begins a poll. The first one asks for a password where one is needed.
    void poll();
    bool isPolling();
    /// What the last poll brought, once.
    std::optional<TopPoll> take();

private:
    void work();

    SessionTarget m_target;
    WaitsPoll m_poll;
    SignalInbox &m_inbox;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isWanted = false; ///< until the poll has ended
    bool m_isEnding = false;
    std::optional<TopPoll> m_last;
    std::thread m_thread;
};

} // namespace lockscope::ctl
