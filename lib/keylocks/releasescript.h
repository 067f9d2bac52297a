// SPDX-License-Identifier: MIT
// The one script that ends another program's lock in Redis: it compares what was shown, and acts. Pure; any thread.
#pragma once

#include "keylock.h"

#include <QtCore/QByteArrayList>

namespace lockscope {

/// Answers 1: done; 0: it is not as it was shown, and nothing was done. KEYS[1] is the lock's key.
QByteArray releaseScript(const KeyConvention &convention);
/// Its ARGV: the value, or a member and the value behind it.
QByteArrayList releaseArguments(const KeyHolder &holder);

} // namespace lockscope
