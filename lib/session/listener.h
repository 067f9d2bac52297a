// SPDX-License-Identifier: MIT
#pragma once

#include "listeningaccounts.h"
#include "lockscope/serverurl.h"

namespace lockscope {

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
