// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

namespace lockscope {

LockKind kindOf(KeyStore store);
/// A lock of another program's, as a row; its first holder is the row's.
LockRow toRow(const KeyLock &lock);

} // namespace lockscope
