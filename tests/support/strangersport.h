// SPDX-License-Identifier: MIT
#pragma once

#include "localport.h"

#include <atomic>

#include <sys/fsuid.h>

namespace lockscope::test {

/// A port of this machine at which another person's account listens; it leaves its clients at once, and counts them.
class StrangersPort
{
public:
    /// Only root can give a port away.
    static bool isPossible()
    {
        const int own = ::setfsuid(kStranger);
        return ::setfsuid(uid_t(own)) == int(kStranger);
    }

    int number() const { return m_port.number(); }
    int clients() const { return m_clients; }

private:
    static constexpr uid_t kStranger = 1001;

    /// The account that opens files and sockets is the stranger's meanwhile.
    struct Disguise
    {
        const int own = ::setfsuid(kStranger);
        void end() const { ::setfsuid(uid_t(own)); }
    };

    std::atomic<int> m_clients = 0;
    const Disguise m_disguise;
    const LocalPort m_port{[this](int /*client*/) { ++m_clients; }};
    const bool m_isOver = (m_disguise.end(), true);
};

} // namespace lockscope::test
