// SPDX-License-Identifier: MIT
#pragma once

#include "keylocks/conventionlibrary.h"
#include "locksource.h"

namespace lockscope {

/// Tells `source` by which conventions it knows other programs' locks: those of Lockscope and of the user, with guesses
/// or without. Those of the user that are wrong are left out, and come back. Thread: that of `source`.
QList<ConventionFile> useAllConventions(LockSource &source, bool withGuesses);

} // namespace lockscope
