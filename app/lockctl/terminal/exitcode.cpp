// SPDX-License-Identifier: MIT
#include "exitcode.h"

namespace lockscope::ctl {

int exitCodeFor(const LockError &error)
{
    switch (error.kind) {
    case LockError::Kind::BadRequest:
        return Usage;
    case LockError::Kind::Unavailable:
    case LockError::Kind::ConnectionLost:
        return Unavailable;
    case LockError::Kind::AccessDenied:
    case LockError::Kind::NoPermission:
        return NoPermission;
    default:
        return Failed;
    }
}

} // namespace lockscope::ctl
