// SPDX-License-Identifier: MIT
#pragma once

#include "sources/locksource.h"

namespace lockscope::ctl {

/// Tells `source` by which conventions it knows other programs' locks. What is wrong with one of the user's goes to
/// standard error, and does not keep the others from being used.
void lookForKeys(LockSource &source, bool withGuesses = false);
/// What was left out, to standard error.
void warnAboutKeys(const KeyLocks &found);

} // namespace lockscope::ctl
