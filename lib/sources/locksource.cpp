// SPDX-License-Identifier: MIT
#include "locksource.h"

namespace lockscope {

LockSource::LockSource() = default;
LockSource::~LockSource() = default;

} // namespace lockscope
