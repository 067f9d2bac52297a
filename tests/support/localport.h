// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

#include <arpa/inet.h>
#include <functional>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace lockscope::test {

/// A port of this machine whose clients are served one after the other, in a thread of its own. Ends when they have
/// gone.
class LocalPort
{
public:
    /// Returns when a client, whose socket it gets, is to be left.
    using Serve = std::function<void(int client)>;

    explicit LocalPort(Serve serve)
        : m_serve(std::move(serve))
        , m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto *const any = reinterpret_cast<sockaddr *>(&address);
        if (::bind(m_listener, any, size) != 0 || ::listen(m_listener, 10) != 0
            || ::getsockname(m_listener, any, &size) != 0)
            qFatal("No port.");
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { run(); });
    }
    ~LocalPort()
    {
        ::shutdown(m_listener, SHUT_RDWR);
        m_thread.join();
        ::close(m_listener);
    }
    LocalPort(const LocalPort &) = delete;
    LocalPort &operator=(const LocalPort &) = delete;

    int number() const { return m_port; }

private:
    void run()
    {
        for (int client = 0; (client = ::accept(m_listener, nullptr, nullptr)) >= 0; ::close(client))
            m_serve(client);
    }

    const Serve m_serve;
    const int m_listener;
    int m_port = 0;
    std::thread m_thread;
};

} // namespace lockscope::test
