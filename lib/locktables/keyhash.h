// SPDX-License-Identifier: MIT
#pragma once

#include "tableprofile.h"

namespace lockscope {

/// What the program stores for a lock of this name. Uuid3 is Java's UUID.nameUUIDFromBytes(), as Spring Integration
/// uses it: a name that is a UUID stays as it is.
QByteArray hashedKey(KeyHash hash, const QByteArray &name);

} // namespace lockscope
