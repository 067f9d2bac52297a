// SPDX-License-Identifier: MIT
#include "waitgraph.h"

#include <QtCore/QSet>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

namespace lockscope {

namespace {

/// The edges as numbers from 0: `blockers[w]` are the indexes in `edges` of what blocks session `ids[w]`.
struct Edges
{
    explicit Edges(const ServerWaits &waits);

    int indexOf(quint64 id);
    int count() const { return int(ids.size()); }
    int blockerOf(int edge) const { return index.value(edges[edge].blocker); }
    bool waitsFor(int session, const ServerObject &object) const;

    QList<WaitEdge> edges; ///< at most one of each pair
    QHash<quint64, int> index;
    std::vector<quint64> ids;
    std::vector<std::vector<int>> blockers;
    std::vector<std::vector<int>> waiters; ///< the other way round
    QHash<int, ServerObject> unseen;       ///< what these wait for whose holder is none of them
};

Edges::Edges(const ServerWaits &waits)
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
        unseen.insert(indexOf(lost.session), lost.object);
}

int Edges::indexOf(quint64 id)
{
    const auto found = index.constFind(id);
    if (found != index.cend())
        return *found;
    index.insert(id, int(ids.size()));
    ids.push_back(id);
    blockers.emplace_back();
    waiters.emplace_back();
    return int(ids.size()) - 1;
}

bool Edges::waitsFor(int session, const ServerObject &object) const
{
    const auto &own = blockers[size_t(session)];
    const auto other = unseen.constFind(session);
    return (other != unseen.cend() && *other == object)
        || std::any_of(own.cbegin(), own.cend(), [&](int edge) { return edges[edge].object == object; });
}

/// Strongly connected components, by Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972)
/// without recursion. A component comes before all that wait for it.
class Components
{
public:
    explicit Components(const Edges &edges);

    const std::vector<std::vector<int>> &all() const { return m_all; }
    int of(int session) const { return m_of[size_t(session)]; }

private:
    struct Visit
    {
        int session;
        size_t next = 0; ///< of its edges
    };

    void visit(int first);
    void enter(int session);
    void close(int session);

    const Edges &m_edges;
    std::vector<int> m_number; ///< in the order of the first visit; -1: not visited
    std::vector<int> m_low;
    std::vector<int> m_of; ///< -1: not closed
    std::vector<int> m_open;
    std::vector<Visit> m_visits;
    std::vector<std::vector<int>> m_all;
    int m_next = 0;
};

Components::Components(const Edges &edges)
    : m_edges(edges)
    , m_number(size_t(edges.count()), -1)
    , m_low(size_t(edges.count()), 0)
    , m_of(size_t(edges.count()), -1)
{
    for (int session = 0; session < edges.count(); ++session) {
        if (m_number[size_t(session)] < 0)
            visit(session);
    }
}

void Components::enter(int session)
{
    m_number[size_t(session)] = m_low[size_t(session)] = m_next++;
    m_open.push_back(session);
    m_visits.push_back({session});
}

void Components::visit(int first)
{
    enter(first);
    while (!m_visits.empty()) {
        const int session = m_visits.back().session;
        const auto &own = m_edges.blockers[size_t(session)];
        if (m_visits.back().next < own.size()) {
            const int blocker = m_edges.blockerOf(own[m_visits.back().next++]);
            if (m_number[size_t(blocker)] < 0)
                enter(blocker);
            else if (m_of[size_t(blocker)] < 0)
                m_low[size_t(session)] = std::min(m_low[size_t(session)], m_number[size_t(blocker)]);
            continue;
        }
        m_visits.pop_back();
        if (!m_visits.empty()) {
            int &low = m_low[size_t(m_visits.back().session)];
            low = std::min(low, m_low[size_t(session)]);
        }
        if (m_low[size_t(session)] == m_number[size_t(session)])
            close(session);
    }
}

void Components::close(int session)
{
    std::vector<int> members;
    int member = -1;
    do {
        member = m_open.back();
        m_open.pop_back();
        m_of[size_t(member)] = int(m_all.size());
        members.push_back(member);
    } while (member != session);
    m_all.push_back(std::move(members));
}

/// The transitive reduction between components: an edge goes when another blocker leads there too.
QList<WaitEdge> reduced(const Edges &edges, const Components &components)
{
    const size_t count = components.all().size();
    std::vector<std::vector<bool>> reach(count, std::vector<bool>(count, false));
    QList<WaitEdge> links;
    for (size_t component = 0; component < count; ++component) { // blockers first
        std::vector<bool> behind(count, false);
        std::vector<int> outside;
        std::set<int, std::greater<>> targets; // those that come last first: they lead to others
        for (const int member : components.all()[component]) {
            for (const int edge : edges.blockers[size_t(member)]) {
                const int to = components.of(edges.blockerOf(edge));
                if (to == int(component)) {
                    links.append(edges.edges[edge]);
                    continue;
                }
                outside.push_back(edge);
                targets.insert(to);
            }
        }
        for (const int to : targets) {
            if (behind[size_t(to)]) // so is what it leads to
                continue;
            for (size_t i = 0; i < size_t(to); ++i)
                behind[i] = behind[i] || reach[size_t(to)][i];
        }
        reach[component] = behind;
        for (const int edge : outside) {
            const auto to = size_t(components.of(edges.blockerOf(edge)));
            if (!behind[to])
                links.append(edges.edges[edge]);
            reach[component][to] = true;
        }
    }
    return links;
}

/// Somebody goes on when all that block it have ended or go on. One edge of each that does.
std::vector<int> freed(const Edges &edges, std::vector<int> ended)
{
    QHash<int, qsizetype> left; // blockers that are still there
    std::vector<int> found;
    const QSet<int> first(ended.cbegin(), ended.cend());
    while (!ended.empty()) {
        const int session = ended.back();
        ended.pop_back();
        for (const int number : edges.waiters[size_t(session)]) {
            const int waiter = edges.index.value(edges.edges[number].waiter);
            auto &blockers = left[waiter];
            if (blockers == 0)
                blockers = qsizetype(edges.blockers[size_t(waiter)].size()) + edges.unseen.count(waiter);
            if (--blockers > 0 || first.contains(waiter))
                continue;
            found.push_back(number);
            ended.push_back(waiter);
        }
    }
    return found;
}

/// Puts the nodes below each other.
class TreeBuilder
{
public:
    TreeBuilder(const ServerWaits &waits, const Edges &edges, const Components &components, ServerTime now)
        : m_waits(waits)
        , m_edges(edges)
        , m_components(components)
        , m_now(now)
    {
    }

    WaitGraph build();

private:
    void addCycles();
    void place(int session);
    void countFreed(WaitNode *node);
    void sort();

    const ServerWaits &m_waits;
    const Edges &m_edges;
    const Components &m_components;
    const ServerTime m_now;
    WaitGraph m_graph;
};

/// Node n is session n of the edges; those that stand for cycles come behind.
WaitGraph TreeBuilder::build()
{
    m_graph.nodes.resize(m_edges.count());
    for (int i = 0; i < m_edges.count(); ++i)
        m_graph.nodes[i].session = m_edges.ids[size_t(i)];
    for (const LostWaiter &lost : m_waits.lost)
        m_graph.nodes[m_edges.index.value(lost.session)].isLost = true;
    addCycles();
    for (int i = 0; i < m_edges.count(); ++i) {
        if (m_graph.nodes[i].cycle < 0)
            place(i);
    }
    for (int i = 0; i < m_graph.nodes.size(); ++i) {
        WaitNode &node = m_graph.nodes[i];
        if (node.parent >= 0)
            m_graph.nodes[node.parent].children.append(i);
        else
            m_graph.roots.append(i);
    }
    for (WaitNode &node : m_graph.nodes)
        countFreed(&node);
    sort();
    return std::move(m_graph);
}

void TreeBuilder::addCycles()
{
    for (const auto &members : m_components.all()) {
        if (members.size() < 2)
            continue;
        QList<quint64> sessions;
        WaitNode ring;
        ring.cycle = int(m_graph.cycles.size());
        for (const int member : members) {
            sessions.append(m_edges.ids[size_t(member)]);
            m_graph.nodes[member].cycle = ring.cycle;
            m_graph.nodes[member].parent = int(m_graph.nodes.size());
        }
        std::sort(sessions.begin(), sessions.end());
        m_graph.cycles.append(sessions);
        m_graph.nodes.append(ring);
    }
}

/// Below who holds what it waits for, best somebody who waits for nobody; whoever merely stands before it in the same
/// queue is no better place than that. Where nobody holds it against this session (a reader behind a waiting ALTER),
/// below the one that it queues behind.
void TreeBuilder::place(int session)
{
    WaitNode &node = m_graph.nodes[session];
    std::optional<int> free;
    std::optional<int> waiting;
    std::optional<int> queued;
    for (const int number : m_edges.blockers[size_t(session)]) {
        const int blocker = m_edges.blockerOf(number);
        if (m_edges.waitsFor(blocker, m_edges.edges[number].object))
            queued = queued.value_or(number);
        else if (!m_edges.blockers[size_t(blocker)].empty())
            waiting = waiting.value_or(number);
        else if (!free)
            free = number;
        else
            node.alsoBlockedBy.append(m_edges.edges[number].blocker);
    }
    const auto best = free ? free : waiting ? waiting : queued;
    if (best) {
        node.cause = m_edges.edges[*best];
        node.parent = m_edges.blockerOf(*best);
    }
}

void TreeBuilder::countFreed(WaitNode *node)
{
    std::vector<int> ended;
    if (node->isCycle()) {
        for (const quint64 session : std::as_const(m_graph.cycles[node->cycle]))
            ended.push_back(m_edges.index.value(session));
    } else {
        ended.push_back(m_edges.index.value(node->session));
    }
    for (const int edge : freed(m_edges, ended)) {
        ++node->frees;
        if (const auto &since = m_edges.edges[edge].since)
            node->waited += std::max(Microseconds::zero(), m_now - *since);
    }
}

void TreeBuilder::sort()
{
    const auto &nodes = m_graph.nodes;
    const auto since = [&nodes](int i) {
        return nodes[i].cause && nodes[i].cause->since ? *nodes[i].cause->since : ServerTime::max();
    };
    for (WaitNode &node : m_graph.nodes) {
        std::sort(node.children.begin(), node.children.end(), [&](int a, int b) {
            return std::make_pair(since(a), nodes[a].session) < std::make_pair(since(b), nodes[b].session);
        });
    }
    std::sort(m_graph.roots.begin(), m_graph.roots.end(), [&nodes](int a, int b) {
        const auto weight = [&](int i) { return std::make_pair(-nodes[i].frees, -nodes[i].waited.count()); };
        return std::make_pair(weight(a), nodes[a].session) < std::make_pair(weight(b), nodes[b].session);
    });
}

} // namespace

int WaitGraph::waiting() const
{
    return int(std::count_if(nodes.cbegin(), nodes.cend(), [](const WaitNode &node) {
        return node.cause || node.isLost || (node.cycle >= 0 && !node.isCycle());
    }));
}

const WaitNode *WaitGraph::nodeOf(quint64 session) const
{
    const auto found =
        std::find_if(nodes.cbegin(), nodes.cend(), [session](const WaitNode &node) { return node.session == session; });
    return found == nodes.cend() || session == 0 ? nullptr : &*found;
}

QList<quint64> freedBy(const ServerWaits &waits, quint64 session)
{
    const Edges edges(waits);
    if (!edges.index.contains(session))
        return {};
    std::vector<int> found = freed(edges, {edges.index.value(session)});
    const auto since = [&edges](int edge) { return edges.edges[edge].since.value_or(ServerTime::max()); };
    std::sort(found.begin(), found.end(), [&](int a, int b) {
        return std::make_pair(since(a), edges.edges[a].waiter) < std::make_pair(since(b), edges.edges[b].waiter);
    });
    QList<quint64> sessions;
    for (const int edge : found)
        sessions.append(edges.edges[edge].waiter);
    return sessions;
}

WaitGraph buildWaitGraph(const ServerWaits &waits, ServerTime now)
{
    const Edges edges(waits);
    const Components components(edges);
    WaitGraph graph = TreeBuilder(waits, edges, components, now).build();
    graph.links = reduced(edges, components);
    return graph;
}

} // namespace lockscope
