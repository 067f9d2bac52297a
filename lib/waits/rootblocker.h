// SPDX-License-Identifier: MIT
#pragma once

#include "waitgraph.h"

namespace lockscope {

/// Whom a session waits for in the end; 0: nobody, or a ring.
quint64 rootBlocker(const WaitGraph &graph, const WaitNode &waiter);
/// "billing@10.0.0.5 (billing-worker)"; empty: it was not looked up.
QString accountAndProgram(const ServerWaits &waits, quint64 session);

} // namespace lockscope
