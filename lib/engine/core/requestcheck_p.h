// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"
#include "lockscope/lockrequest.h"

#include <optional>

namespace lockscope::detail {

/// What is wrong with a request where names have `prefixBytes` in front of them, if anything.
std::optional<LockError> validate(const LockRequest &request, qsizetype prefixBytes);

} // namespace lockscope::detail
