// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

namespace lockscope::ctl {

/// What lockctl answers to a shell. `run` adds the command's own code, 126 and 127.
enum ExitCode {
    Done = 0,
    Failed = 1,        ///< the server, its settings or its tables do not allow it; the message says which
    NothingDone = 3,   ///< `release`, `kill`: the target changed or is gone, or must not be ended
    Usage = 64,        ///< EX_USAGE
    Unavailable = 69,  ///< EX_UNAVAILABLE: no server answers
    NotAcquired = 75,  ///< EX_TEMPFAIL: `run` did not get the lock in time
    Lost = 76,         ///< `run`: the lock was lost while the command ran
    NoPermission = 77, ///< EX_NOPERM: wrong user or password, or a privilege is missing
    Signalled = 128    ///< plus the number of the signal that ended it, as shells count
};

int exitCodeFor(const LockError &error);

} // namespace lockscope::ctl
