// SPDX-License-Identifier: MIT
#pragma once

#include "waits/waitgraph.h"

#include <QtCore/QStringList>

namespace lockscope::ctl {

/// How the tree is drawn.
struct TreeStyle
{
    int columns = 80;
    bool isColoured = false;
    int waiters = 50; ///< of one session, more are counted
};

/// Why a node is below its parent, or for the member of a ring what it waits for there; null for a root.
const WaitEdge *causeOf(const WaitGraph &graph, const WaitNode &node);
/// How it waits for something that the server does not name, or that no session stands for; null where it does not.
const LostWaiter *lostOf(const ServerWaits &waits, const WaitNode &node);
/// What a node waits for; of a root what it holds that somebody waits for the longest. None where the server does not
/// tell.
std::optional<ServerObject> objectOf(const WaitGraph &graph, const WaitNode &node);

/// Who blocks whom as lines for a terminal, the worst first. No line is wider than `style.columns`.
QStringList blockingTree(const ServerWaits &waits, const WaitGraph &graph, ServerTime now, const TreeStyle &style);

} // namespace lockscope::ctl
