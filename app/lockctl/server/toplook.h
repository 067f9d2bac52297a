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
    std::optional<LockError> error; ///< then there is nothing else
    SessionTarget target;
    Capabilities capabilities;
    ServerWaits waits;
};

/// Looks at a server in a thread of its own: keys and signals are answered also while the server is not.
class TopLooker
{
public:
    /// `inbox` is woken after every look.
    TopLooker(SessionTarget target, WaitOptions options, SignalInbox &inbox);
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

    const SessionTarget m_target;
    const WaitOptions m_options;
    SignalInbox &m_inbox;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isWanted = false; ///< until the look has ended
    bool m_isEnding = false;
    std::optional<TopLook> m_last;
    std::thread m_thread;
};

/// When to look: never more often than every `least`, and asking takes at most a tenth of the time, as by PollPace;
/// after a failure again with growing pauses.
class TopPace
{
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds least{200};

    explicit TopPace(Duration interval)
        : m_interval(interval)
    {
    }
    void begin() { m_began = Clock::now(); }
    void end(bool isSeen);
    /// As soon as it is allowed.
    void hurry() { m_next = m_soonest; }

    Clock::time_point began() const { return m_began; }
    Clock::time_point next() const { return m_next; }

private:
    const Duration m_interval;
    Clock::time_point m_began;
    Clock::time_point m_soonest;
    Clock::time_point m_next;
    int m_failures = 0;
};

} // namespace lockscope::ctl
