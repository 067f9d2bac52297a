// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

namespace lockscope {

/// How a server on this machine is reached whose account is trusted. I/O; seen at the moment, so ask just before
/// connecting.
struct TrustedWay
{
    bool isTrusted = false;
    QString socket; ///< what to connect to, of a socket
};
TrustedWay trustedWay(const ServerUrl &url);

} // namespace lockscope
