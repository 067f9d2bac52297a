// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"
#include "lockscope/zookeeperstore.h"

#include <optional>

namespace lockscope::detail {

/// Which of the servers is something else. The client library believes what it is sent, and ends the whole program over
/// some of it: so each is asked first what it is, in a connection of its own. One that does not answer in time is not
/// judged, for it may be away or busy. Blocks for at most a second, or `limit` if that is shorter.
std::optional<LockError> findStranger(const ZooKeeperUrl &server, std::chrono::milliseconds limit);

} // namespace lockscope::detail
