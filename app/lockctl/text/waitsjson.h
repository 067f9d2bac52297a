// SPDX-License-Identifier: MIT
#pragma once

#include "waits/waitgraph.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonObject>

namespace lockscope::ctl {

/// What is known of a session: account, program, statement, transaction. Empty fields for one that is gone.
QJsonObject sessionToJson(const ServerWaits &waits, quint64 id);
/// The blocking tree: an array of roots, each {connectionId, kind, resource, frees, waitedMs, waiters: [the same]} and
/// what more is known. `waitedMs` is how long a waiter has waited; of a root, how long those that it frees have,
/// together. A ring of sessions that wait for each other is a node without connectionId.
QJsonArray blockersToJson(const ServerWaits &waits, const WaitGraph &graph, ServerTime now);

} // namespace lockscope::ctl
