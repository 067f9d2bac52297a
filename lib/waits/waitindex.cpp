// SPDX-License-Identifier: MIT
#include "waitindex.h"

#include <algorithm>

namespace lockscope {

WaitIndex::WaitIndex(const ServerWaits &waits)
{
    QSet<std::pair<quint64, quint64>> known;
    for (const WaitEdge &edge : waits.edges) {
        const std::pair pair(edge.waiter, edge.blocker);
        if (edge.waiter == edge.blocker || known.contains(pair))
            continue;
        known.insert(pair);
        const int waiter = indexOf(edge.waiter);
        const int blocker = indexOf(edge.blocker);
        blockers[size_t(waiter)].push_back(int(edges.size()));
        waiters[size_t(blocker)].push_back(int(edges.size()));
        edges.append(edge);
    }
    for (const LostWaiter &lost : waits.lost)
        unseen.insert(indexOf(lost.session));
}

int WaitIndex::indexOf(quint64 id)
{
    const auto found = at.constFind(id);
    if (found != at.cend())
        return *found;
    at.insert(id, int(ids.size()));
    ids.push_back(id);
    blockers.emplace_back();
    waiters.emplace_back();
    return int(ids.size()) - 1;
}

bool WaitIndex::waitsFor(int session, const ServerObject &object) const
{
    const auto &own = blockers[size_t(session)];
    return std::any_of(own.cbegin(), own.cend(), [&](int edge) { return edges[edge].object == object; });
}

std::optional<ServerTime> WaitIndex::since(int session) const
{
    for (const int edge : blockers[size_t(session)]) {
        if (edges[edge].since)
            return edges[edge].since;
    }
    return std::nullopt;
}

} // namespace lockscope
