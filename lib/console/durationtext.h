// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <optional>
#include <string_view>

namespace lockscope::ctl {

/// "400ms", "30s", "5m", "2h", or a bare "0". None for anything else, including what does not fit.
std::optional<Duration> parseDuration(std::string_view text);

/// The same, or "forever".
std::optional<Duration> parseDurationOrForever(std::string_view text);

} // namespace lockscope::ctl
