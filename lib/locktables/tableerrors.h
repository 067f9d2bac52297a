// SPDX-License-Identifier: MIT
// What an error means where the table is another program's: no advice of Lockscope's own tables is right there.
#pragma once

#include "lockscope/lockerror.h"

#include <optional>

namespace lockscope {

enum class TableUse { Read, Release };

LockError ofTable(LockError error, TableUse use);
/// Whether somebody was in the way for longer than the session waits.
bool isOfLock(const std::optional<LockError> &error);

} // namespace lockscope
