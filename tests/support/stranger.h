// SPDX-License-Identifier: MIT
#pragma once

#include "localport.h"

#include <QtCore/QByteArray>

namespace lockscope::test {

/// A server on a port of this machine that is not what it is taken for: greets each client, reads, and closes after a
/// second.
class Stranger
{
public:
    explicit Stranger(QByteArray greeting)
        : m_port([greeting = std::move(greeting)](int client) { greet(client, greeting); })
    {
    }

    int port() const { return m_port.number(); }

private:
    static void greet(int client, const QByteArray &greeting)
    {
        if (::send(client, greeting.constData(), std::size_t(greeting.size()), MSG_NOSIGNAL) < 0)
            return;
        const timeval second{1, 0};
        ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
        char part[4096];
        while (::recv(client, part, sizeof part, 0) > 0)
            continue;
    }

    const LocalPort m_port;
};

} // namespace lockscope::test
