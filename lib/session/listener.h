// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <vector>

#include <sys/types.h>

class QIODevice;

namespace lockscope {

/// Whether what an account runs may be shown a password: root, an account of the system or `own`. Anybody else may
/// listen at an address of this machine in place of a server.
bool isTrustedAccount(uid_t account, uid_t own);

/// The accounts of all who listen where a connection to the loopback address `host` may arrive. `tcp` and `tcp6` are
/// open files like /proc/net/tcp and tcp6, in which those who listen come first: no more is read.
std::vector<uid_t> accountsListening(QIODevice &tcp, QIODevice &tcp6, const QString &host, int port);

/// The socket's path without links, if only accounts that `own` trusts can have put it there; else an empty one. I/O.
QString trustedSocket(const QString &path, uid_t own);

/// How a server on this machine is reached whose account is trusted. I/O; seen at the moment, so ask just before
/// connecting.
struct TrustedWay
{
    bool isTrusted = false;
    QString socket; ///< what to connect to, of a socket
};
TrustedWay trustedWay(const ServerUrl &url);

} // namespace lockscope
