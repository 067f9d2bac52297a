// SPDX-License-Identifier: MIT
#pragma once

#include "waitsbench.h"

#include <map>
#include <mutex>
#include <thread>

namespace lockscope::bench {

/// How long the threads of a server wait for a processor, which is no time of the server's own: each is looked at every
/// millisecond, as the kernel has it, by a thread that goes before all others where that is allowed.
class CpuWaits
{
public:
    CpuWaits();
    ~CpuWaits();
    CpuWaits(const CpuWaits &) = delete;
    CpuWaits &operator=(const CpuWaits &) = delete;

    /// Those of sessions that were opened behind this one are looked at from here on. Call it again for further ones.
    void follow(Session &session, const test::TestServer &server);
    void stop();
    /// Times of a session's thread from one moment to another, in milliseconds.
    struct Times
    {
        double running = 0;
        double ready = 0; ///< there was no processor
    };
    /// Moments are in milliseconds since 1970. Nothing is known of a session that was not followed.
    Times between(quint64 connection, double begin, double end) const;
    /// The longest time between two looks: so long nothing at all ran here, or not even this thread.
    double longestGap() const { return m_longestGap; }

private:
    struct Look
    {
        double at = 0;
        Times soFar;
    };
    struct Followed
    {
        int file = -1;
        std::vector<Look> looks; ///< of which each differs from the one before
    };

    void run(const std::stop_token &stop);
    void lookAt(Followed *thread, double now) const;

    mutable std::mutex m_mutex;
    std::map<quint64, Followed> m_threads; ///< by their connections
    double m_longestGap = 0;
    std::jthread m_thread;
};

} // namespace lockscope::bench
