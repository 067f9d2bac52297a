// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <optional>

namespace lockscope {

/// What a process of this machine has used of the processor so far; none where it cannot be seen.
std::optional<Duration> cpuOfProcess(qint64 process);

} // namespace lockscope
