// SPDX-License-Identifier: MIT
#pragma once

#include "console/polledsession.h"

#include <functional>

namespace lockscope::ctl {

/// Polls the server once, or each second without end, and prints after each poll that succeeded. An error ends it;
/// while it follows, one of a server that cannot be reached is said once instead. Returns the exit code.
int pollOrFollow(std::unique_ptr<ReconnectingSession> link, bool follow, const PolledSession::Step &read,
                 const std::function<void()> &printFound);

} // namespace lockscope::ctl
