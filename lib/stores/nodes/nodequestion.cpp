// SPDX-License-Identifier: MIT
#include "nodequestion.h"

#include <QtCore/QFile>

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope {

namespace {

constexpr timeval kAnswerWithin{2, 0};

bool connectTo(int socket, const sockaddr *address, std::size_t size)
{
    return ::connect(socket, address, socklen_t(size)) == 0;
}

int connectedTo(const QString &address)
{
    const bool isPath = address.startsWith(u'/');
    const int socket = ::socket(isPath ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &kAnswerWithin, sizeof kAnswerWithin);
    sockaddr_un path = {};
    sockaddr_in port = {};
    path.sun_family = AF_UNIX;
    port.sin_family = AF_INET;
    const QByteArray name = QFile::encodeName(address);
    std::memcpy(path.sun_path, name.constData(), std::min(std::size_t(name.size()), sizeof path.sun_path - 1));
    port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    port.sin_port = htons(quint16(address.section(u':', -1).toInt()));
    if (isPath ? connectTo(socket, reinterpret_cast<const sockaddr *>(&path), sizeof path)
               : connectTo(socket, reinterpret_cast<const sockaddr *>(&port), sizeof port))
        return socket;
    ::close(socket);
    return -1;
}

} // namespace

QByteArray answerOfNode(const QString &address, const QByteArray &question)
{
    const int socket = connectedTo(address);
    if (socket < 0)
        return {};
    QByteArray answer;
    if (::send(socket, question.constData(), std::size_t(question.size()), MSG_NOSIGNAL) == question.size()) {
        char part[4096];
        for (ssize_t got = 0; (got = ::recv(socket, part, sizeof part, 0)) > 0;)
            answer.append(part, qsizetype(got));
    }
    ::close(socket);
    return answer;
}

} // namespace lockscope
