// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

namespace lockscope::ui {

/// What the window itself answers in a server's place.
inline LockError refusal(const QString &why)
{
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message = why;
    return error;
}

} // namespace lockscope::ui
