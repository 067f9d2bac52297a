// SPDX-License-Identifier: MIT
#pragma once

#include "waitgraph.h"

namespace lockscope {

/// So many and more are shown as one.
constexpr int MinEqualWaiters = 3;

/// The same siblings in their order, equal waiters together at the place of their first; fewer than `MinEqualWaiters`
/// stand alone. Equal are those who wait for the same lock in the same mode behind the same sessions, with nobody below
/// them, and have account, program and statement but for its values in common.
/// Pure; any thread.
QList<QList<int>> equalWaiters(const ServerWaits &waits, const WaitGraph &graph, const QList<int> &siblings);

/// A statement with "?" for each literal and one space for white space.
QByteArray statementShape(const QByteArray &statement);

} // namespace lockscope
