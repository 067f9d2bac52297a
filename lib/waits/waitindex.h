// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"

#include <QtCore/QSet>

#include <vector>

namespace lockscope {

/// The edges of one look with sessions as numbers from 0: `blockers[w]` are the indexes in `edges` of what blocks
/// session `ids[w]`.
struct WaitIndex
{
    explicit WaitIndex(const ServerWaits &waits);

    int count() const { return int(ids.size()); }
    int waiterOf(int edge) const { return at.value(edges[edge].waiter); }
    int blockerOf(int edge) const { return at.value(edges[edge].blocker); }
    /// Whoever merely stands before somebody in the queue of a lock waits for it too, and holds nothing of it.
    bool waitsFor(int session, const ServerObject &object) const;
    bool isOfHolder(int edge) const { return !waitsFor(blockerOf(edge), edges[edge].object); }
    /// Since when a session waits, by the first of its edges that tells it.
    std::optional<ServerTime> since(int session) const;

    QList<WaitEdge> edges; ///< at most one of each pair
    QHash<quint64, int> at;
    std::vector<quint64> ids;
    std::vector<std::vector<int>> blockers;
    std::vector<std::vector<int>> waiters; ///< the other way round
    QSet<int> unseen;                      ///< these wait for somebody who is none of them, too

private:
    int indexOf(quint64 id);
};

} // namespace lockscope
