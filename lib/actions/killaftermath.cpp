// SPDX-License-Identifier: MIT
#include "killaftermath.h"

#include "waits/waitgraph.h"

#include <algorithm>

namespace lockscope {

namespace {

bool tellsWhoWaits(const ServerWaits &waits)
{
    return std::none_of(waits.sources.cbegin(), waits.sources.cend(), [](const SourceStatus &status) {
        const bool isNeeded = status.source == WaitSource::Transactions || status.source == WaitSource::RowWaits
            || status.source == WaitSource::Metadata;
        return isNeeded && status.state == SourceStatus::State::Failed;
    });
}

/// Who waits for nobody above this node; of a ring all its sessions.
QList<quint64> rootsOf(const WaitGraph &graph, const WaitNode &waiter)
{
    const WaitNode *node = &waiter;
    QList<quint64> found;
    while (node->parent >= 0) {
        found += node->alsoBlockedBy;
        node = &graph.nodes[node->parent];
    }
    found.removeIf([&graph](quint64 session) {
        const WaitNode *one = graph.nodeOf(session);
        return one && one->parent >= 0;
    });
    if (node->isCycle())
        return found + graph.cycles[node->cycle];
    return node == &waiter ? found : found << node->session;
}

} // namespace

std::optional<KillAftermath> aftermathOf(const WaitForecast &expected, const ServerWaits &after)
{
    if (!tellsWhoWaits(after))
        return std::nullopt;
    const WaitGraph graph = buildWaitGraph(after, after.clock.server);
    KillAftermath result;
    QHash<quint64, int> held;
    for (const quint64 session : expected.goesOn() + expected.stay) {
        const WaitNode *node = graph.nodeOf(session);
        if (!node || !(node->cause || node->isLost || node->cycle >= 0)) {
            ++result.wentOn;
            continue;
        }
        ++result.waiting;
        const QList<quint64> roots = rootsOf(graph, *node);
        for (const quint64 root : QSet<quint64>(roots.cbegin(), roots.cend()))
            ++held[root];
    }
    result.blockedBy = held.keys();
    std::sort(result.blockedBy.begin(), result.blockedBy.end(),
              [&held](quint64 a, quint64 b) { return std::make_pair(-held[a], a) < std::make_pair(-held[b], b); });
    return result;
}

} // namespace lockscope
