// SPDX-License-Identifier: MIT
#include "redissocket.h"

#include "rediserror.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QFile>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QSslSocket>

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope::detail {

namespace {

/// Without a thread it makes no notifiers: nothing happens on it but by calls, which then may come from any thread.
template<typename Socket>
std::unique_ptr<Socket> madeForNoThread()
{
    auto socket = std::make_unique<Socket>();
    socket->moveToThread(nullptr);
    socket->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
    return socket;
}

QString cannotReach(const RedisUrl &url)
{
    return QStringLiteral("Redis cannot be reached at %1. Is it running there?")
        .arg(url.socket.isEmpty() ? QStringLiteral("%1:%2").arg(url.host).arg(url.port) : url.socket);
}

/// Blocks for at most `timeout` while the server does not accept; -1 and errno.
int connectUnix(const QByteArray &path, std::chrono::milliseconds timeout)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (std::size_t(path.size()) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    std::memcpy(address.sun_path, path.constData(), std::size_t(path.size()));
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return -1;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    timeval bound = {};
    bound.tv_sec = seconds.count();
    bound.tv_usec = std::chrono::microseconds(timeout - seconds).count();
    ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &bound, sizeof bound);
    if (::connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
        return descriptor;
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    return -1;
}

std::unique_ptr<QTcpSocket> openUnix(const RedisUrl &url, std::chrono::milliseconds timeout, LockError *error)
{
    const int descriptor = connectUnix(QFile::encodeName(url.socket), timeout);
    if (descriptor < 0) {
        *error = redisUnavailable(cannotReach(url), QString::fromLocal8Bit(std::strerror(errno)));
        return nullptr;
    }
    auto socket = madeForNoThread<QTcpSocket>();
    if (socket->setSocketDescriptor(descriptor))
        return socket;
    ::close(descriptor);
    *error = redisUnavailable(cannotReach(url), socket->errorString());
    return nullptr;
}

std::unique_ptr<QTcpSocket> openTls(const RedisUrl &url, std::chrono::milliseconds timeout, LockError *error)
{
    auto socket = madeForNoThread<QSslSocket>();
    QSslConfiguration config = QSslConfiguration::defaultConfiguration();
    if (!url.caFile.isEmpty()) {
        const auto authorities =
            QSslCertificate::fromPath(url.caFile, QSsl::Pem, QSslCertificate::PatternSyntax::FixedString);
        if (authorities.isEmpty()) {
            *error = redisUnavailable(
                QStringLiteral("The file of the authority (ssl-ca) has no certificate: %1.").arg(url.caFile));
            return nullptr;
        }
        config.setCaCertificates(authorities);
    }
    config.setPeerVerifyMode(QSslSocket::VerifyPeer);
    socket->setSslConfiguration(config);
    const QDeadlineTimer deadline(timeout);
    socket->connectToHostEncrypted(url.host, quint16(url.port));
    if (!socket->waitForConnected(int(deadline.remainingTime()))) {
        *error = redisUnavailable(cannotReach(url), socket->errorString());
        return nullptr;
    }
    if (socket->waitForEncrypted(int(deadline.remainingTime())))
        return socket;
    *error = redisUnavailable(QStringLiteral("No TLS with a verified certificate to Redis at %1:%2. Name its authority "
                                             "(ssl-ca), or tls=off for a network that nobody else can read.")
                                  .arg(url.host)
                                  .arg(url.port),
                              socket->errorString());
    return nullptr;
}

std::unique_ptr<QTcpSocket> openTcp(const RedisUrl &url, std::chrono::milliseconds timeout, LockError *error)
{
    auto socket = madeForNoThread<QTcpSocket>();
    socket->connectToHost(url.host, quint16(url.port));
    if (socket->waitForConnected(int(timeout.count())))
        return socket;
    *error = redisUnavailable(cannotReach(url), socket->errorString());
    return nullptr;
}

} // namespace

std::unique_ptr<QTcpSocket> openRedisSocket(const RedisUrl &url, std::chrono::milliseconds timeout, LockError *error)
{
    if (!url.socket.isEmpty())
        return openUnix(url, timeout, error);
    auto socket = url.usesTls() ? openTls(url, timeout, error) : openTcp(url, timeout, error);
    if (socket) {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    }
    return socket;
}

} // namespace lockscope::detail
