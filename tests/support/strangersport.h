// SPDX-License-Identifier: MIT
#pragma once

#include "localport.h"

#include <atomic>
#include <optional>

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

    StrangersPort()
    {
        const Disguise stranger;
        m_port.emplace([this](int /*client*/) { ++m_clients; });
    }

    int number() const { return m_port->number(); }
    int clients() const { return m_clients; }

private:
    static constexpr uid_t kStranger = 1001;

    /// The account that opens files and sockets is the stranger's meanwhile.
    class Disguise
    {
    public:
        Disguise() = default;
        ~Disguise() { ::setfsuid(m_own); }
        Q_DISABLE_COPY_MOVE(Disguise)

    private:
        const uid_t m_own = uid_t(::setfsuid(kStranger));
    };

    std::atomic<int> m_clients = 0;
    std::optional<LocalPort> m_port;
};

} // namespace lockscope::test
