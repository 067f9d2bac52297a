// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"

namespace lockscope {

/// One session's place in the picture of who blocks whom.
struct WaitNode
{
    quint64 session = 0;           ///< 0: stands for a cycle, whose members are its children
    int parent = -1;               ///< index of the node that it is shown below; -1: a root
    std::optional<WaitEdge> cause; ///< why it is below its parent; none of roots and of members of a cycle
    QList<int> children;           ///< indexes, in the order in which they came
    int cycle = -1;                ///< index in WaitGraph::cycles of a member, or of what stands for it
    bool isLost = false;           ///< waits for what the server does not name
    int direct = 0;                ///< sessions that wait for a lock that this one holds
    int behind = 0;                ///< all that wait for it, also over others or only in the queue behind it
    /// Sessions that go on once this one has ended and they end one after the other; not those that somebody else
    /// blocks too.
    int frees = 0;
    int atOnce = 0;               ///< of these, those that need nobody else to end: see WaitForecast
    Microseconds waited{};        ///< how long these have waited by now, together
    QList<quint64> alsoBlockedBy; ///< further holders, by number; not those that wait for its parent themselves

    bool isCycle() const { return session == 0; }
};

/// Who blocks whom, the worst first.
struct WaitGraph
{
    QList<WaitNode> nodes;
    QList<int> roots; ///< by how many each frees, then by how many wait for it, then by how long they do
    /// Sessions that wait for each other in a ring. It may lead over several kinds of locks; then no server notices it.
    QList<QList<quint64>> cycles;
    /// As few edges as say who holds whom up: n waiters of one row have n * (n + 1) / 2, of which the n to its holder
    /// are left; a session that waits for no holder keeps those to whom it queues behind, and a cycle keeps all.
    QList<WaitEdge> links;
    QHash<quint64, QList<ServerObject>> wanted; ///< see wantedLocks()
    QSet<quint64> ofRuns;                       ///< see sessionsOfRuns()

    int waiting() const;       ///< sessions that wait
    int waitingOfRuns() const; ///< those of them that nobody is to be called for
    /// Of a cycle too.
    bool isOfRun(const WaitNode &node) const;
    const WaitNode *nodeOf(quint64 session) const;
};

/// Pure; any thread. Cost: 25,000 edges of 2,000 sessions in some milliseconds (tests/bench says how many).
WaitGraph buildWaitGraph(const ServerWaits &waits, ServerTime now);

} // namespace lockscope
