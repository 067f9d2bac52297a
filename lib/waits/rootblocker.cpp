// SPDX-License-Identifier: MIT
#include "rootblocker.h"

namespace lockscope {

quint64 rootBlocker(const WaitGraph &graph, const WaitNode &waiter)
{
    const WaitNode *node = &waiter;
    while (node->parent >= 0)
        node = &graph.nodes[node->parent];
    return node->session == waiter.session ? 0 : node->session;
}

QString accountAndProgram(const ServerWaits &waits, quint64 session)
{
    const ServerSession *found = waits.session(session);
    if (!found)
        return {};
    const QString program = found->programName();
    return program.isEmpty() ? found->account() : QStringLiteral("%1 (%2)").arg(found->account(), program);
}

} // namespace lockscope
