// SPDX-License-Identifier: MIT
#pragma once

#include "waitgraph.h"

namespace lockscope {

/// This many and more are shown as one.
constexpr int MinEqualWaiters = 3;

/// The same siblings in their order, equal waiters together at the place of their first; fewer than `MinEqualWaiters`
/// stand alone. Waiters are equal when they wait for the same lock in the same mode behind the same sessions, have
/// nobody below them, and share account, program and, but for its values, statement. Pure; any thread.
QList<QList<int>> equalWaiters(const ServerWaits &waits, const WaitGraph &graph, const QList<int> &siblings);

} // namespace lockscope
