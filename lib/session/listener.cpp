// SPDX-License-Identifier: MIT
#include "listener.h"

#include "trustedsocket.h"

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// Where the client library looks for "localhost", whatever the port.
QString defaultSocket()
{
    return qEnvironmentVariable("MYSQL_UNIX_PORT", u"/run/mysqld/mysqld.sock"_s);
}

} // namespace

TrustedWay trustedWay(const ServerUrl &url)
{
    const uid_t own = ::geteuid();
    if (url.socket.isEmpty() && url.host != "localhost"_L1)
        return {url.isLocal() && listenerAt(url.host, url.port) == LoopbackListener::Trusted, {}};
    const QString socket = trustedSocket(url.socket.isEmpty() ? defaultSocket() : url.socket, own);
    return {!socket.isEmpty(), socket};
}

} // namespace lockscope
