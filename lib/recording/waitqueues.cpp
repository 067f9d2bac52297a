// SPDX-License-Identifier: MIT
#include "waitqueues.h"

#include "waits/rootblocker.h"

#include <algorithm>

namespace lockscope {

namespace {

/// How long each session has waited.
QHash<quint64, Microseconds> waitLengths(const ServerWaits &waits)
{
    QHash<quint64, Microseconds> lengths;
    const auto add = [&](quint64 session, const std::optional<ServerTime> &since) {
        Microseconds &length = lengths[session];
        if (since)
            length = std::max(length, waits.clock.server - *since);
    };
    for (const WaitEdge &edge : waits.edges)
        add(edge.waiter, edge.since);
    for (const LostWaiter &lost : waits.lost)
        add(lost.session, lost.since);
    return lengths;
}

/// What a session waits for; in a ring the picture names no cause.
std::optional<ServerObject> wantedBy(const WaitGraph &graph, const WaitNode &node)
{
    if (node.cause)
        return node.cause->object;
    const QList<ServerObject> wanted = graph.wanted.value(node.session);
    return wanted.isEmpty() ? std::nullopt : std::optional(wanted.constFirst());
}

QList<const WaitNode *> waitersOf(const WaitGraph &graph)
{
    QList<const WaitNode *> waiters;
    for (const WaitNode &node : graph.nodes) {
        if (!node.isCycle() && (node.parent >= 0 || node.isLost))
            waiters.append(&node);
    }
    return waiters;
}

/// Puts the sessions of one look into the queues that they are in.
class QueueCollector
{
public:
    QueueCollector(const ServerWaits &waits, const WaitGraph &graph, const EarlierLook &before)
        : m_graph(graph)
        , m_before(before)
        , m_at(waits.clock.server)
        , m_lengths(waitLengths(waits))
    {
    }

    void add(const WaitNode &waiter)
    {
        const quint64 blocker = rootBlocker(m_graph, waiter);
        const auto known = m_indexes.constFind(blocker);
        const qsizetype index = known == m_indexes.cend() ? begin(blocker) : *known;
        WaitQueue &queue = queues[index];
        ++queue.waiting;
        const Microseconds length = m_lengths.value(waiter.session);
        queue.longest = std::max(queue.longest, length);
        queue.from = std::min(queue.from, m_before.begunFor(blocker, waiter.session, m_at - length));
        const bool isDirect = waiter.parent < 0 || m_graph.nodes[waiter.parent].parent < 0 || blocker == 0;
        const auto object = isDirect ? wantedBy(m_graph, waiter) : std::nullopt;
        if (!object)
            return;
        if (const int count = ++m_wanted[index][*object]; count > m_most[index]) {
            m_most[index] = count;
            queue.object = object;
        }
        queue.locks = int(m_wanted[index].size());
    }

    QList<WaitQueue> queues;

private:
    qsizetype begin(quint64 blocker)
    {
        m_indexes.insert(blocker, queues.size());
        queues.append({blocker, m_at, m_at, m_at, m_at});
        m_wanted.append(QHash<ServerObject, int>());
        m_most.append(0);
        return queues.size() - 1;
    }

    const WaitGraph &m_graph;
    const EarlierLook &m_before;
    const ServerTime m_at;
    const QHash<quint64, Microseconds> m_lengths;
    QHash<quint64, qsizetype> m_indexes;      ///< by blocker
    QList<QHash<ServerObject, int>> m_wanted; ///< of each queue, by how many
    QList<int> m_most;                        ///< of these
};

} // namespace

void WaitQueue::join(const WaitQueue &later)
{
    from = std::min(from, later.from);
    to = std::max(to, later.to);
    longest = std::max(longest, later.longest);
    if (later.waiting <= waiting)
        return;
    worst = later.worst;
    waiting = later.waiting;
    object = later.object;
    blocker = later.blocker;
}

ServerTime EarlierLook::begunFor(quint64 blocker, quint64 waiter, ServerTime wait) const
{
    const ServerTime named = blocker == 0 ? inRings.value(waiter, at) : blocking.value(blocker, at);
    return std::max(wait, unnamed.value(waiter, named));
}

EarlierLook EarlierLook::followedBy(const ServerWaits &waits, const WaitGraph &graph) const
{
    EarlierLook look;
    look.at = waits.clock.server;
    for (const WaitEdge &edge : waits.edges) {
        const ServerTime begun = begunFor(edge.blocker, edge.waiter, edge.since.value_or(look.at));
        const auto known = look.blocking.find(edge.blocker);
        if (known == look.blocking.end())
            look.blocking.insert(edge.blocker, begun);
        else
            *known = std::min(*known, begun);
    }
    for (const WaitEdge &edge : waits.edges)
        look.blocking.remove(edge.waiter);
    if (waits.lost.isEmpty() && graph.cycles.isEmpty()) // then each has a named blocker
        return look;
    const auto lengths = waitLengths(waits);
    for (const WaitNode *waiter : waitersOf(graph)) {
        if (rootBlocker(graph, *waiter) != 0)
            continue;
        const ServerTime begun = begunFor(0, waiter->session, look.at - lengths.value(waiter->session));
        QHash<quint64, ServerTime> &these = waiter->isLost ? look.unnamed : look.inRings;
        these.insert(waiter->session, begun);
    }
    return look;
}

QList<WaitQueue> queuesOf(const ServerWaits &waits, const WaitGraph &graph, const EarlierLook &before)
{
    QueueCollector collector(waits, graph, before);
    for (const WaitNode *waiter : waitersOf(graph))
        collector.add(*waiter);
    return collector.queues;
}

void WaitQueues::take(const WaitQueue &queue)
{
    const auto last = m_last.constFind(queue.blocker);
    if (last != m_last.cend() && queue.seen - m_all[*last].to <= Same) {
        m_all[*last].join(queue);
        return;
    }
    m_last.insert(queue.blocker, m_all.size());
    m_all.append(queue);
}

} // namespace lockscope
