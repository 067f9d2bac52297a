// SPDX-License-Identifier: MIT
// What else would change when a row of another program's table does.
#pragma once

#include "lockscope/lockerror.h"
#include "tablelock.h"

namespace lockscope {

class Session;

/// `*why` is why its rows should not be changed by others than the program: triggers, foreign keys that hand the change
/// on, or that this account may not see all of it. Empty: nothing was found. English. Thread: that of `session`.
std::optional<LockError> lookUpEffects(Session &session, const LockTable &table, QString *why);

} // namespace lockscope
