// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace lockscope::test {

/// A server on a port of this machine that is not what it is taken for: greets each client, reads, and closes after a
/// second.
class Stranger
{
public:
    explicit Stranger(QByteArray greeting)
        : m_greeting(std::move(greeting))
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
        m_thread = std::thread([this] { serve(); });
    }
    ~Stranger()
    {
        ::shutdown(m_listener, SHUT_RDWR);
        m_thread.join();
        ::close(m_listener);
    }
    Stranger(const Stranger &) = delete;
    Stranger &operator=(const Stranger &) = delete;

    int port() const { return m_port; }

private:
    void serve()
    {
        for (int client = 0; (client = ::accept(m_listener, nullptr, nullptr)) >= 0; ::close(client)) {
            if (::send(client, m_greeting.constData(), std::size_t(m_greeting.size()), MSG_NOSIGNAL) < 0)
                continue;
            const timeval second{1, 0};
            ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
            char part[4096];
            while (::recv(client, part, sizeof part, 0) > 0)
                continue;
        }
    }

    const QByteArray m_greeting;
    const int m_listener;
    int m_port = 0;
    std::thread m_thread;
};

} // namespace lockscope::test
