// SPDX-License-Identifier: MIT
#include "waitgraph.h"

#include "heldlocks.h"
#include "runwaits.h"
#include "waitforecast.h"
#include "waitindex.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

namespace lockscope {

namespace {

/// Strongly connected components, by Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972)
/// without recursion. A component comes before all that wait for it.
class Components
{
public:
    explicit Components(const WaitIndex &edges);

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

    const WaitIndex &m_edges;
    std::vector<int> m_number; ///< in the order of the first visit; -1: not visited
    std::vector<int> m_low;
    std::vector<int> m_of; ///< -1: not closed
    std::vector<int> m_open;
    std::vector<Visit> m_visits;
    std::vector<std::vector<int>> m_all;
    int m_next = 0;
};

Components::Components(const WaitIndex &edges)
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

/// For each component those that it waits for, directly or over others.
using Reach = std::vector<std::vector<bool>>;

/// By the edges that are `used`.
Reach reachOf(const WaitIndex &edges, const Components &components, const std::vector<bool> &used)
{
    const size_t count = components.all().size();
    Reach reach(count, std::vector<bool>(count, false));
    for (size_t component = 0; component < count; ++component) { // blockers first
        std::set<size_t, std::greater<>> targets;                // those that come last first: they lead to others
        for (const int member : components.all()[component]) {
            for (const int edge : edges.blockers[size_t(member)]) {
                if (const auto to = size_t(components.of(edges.blockerOf(edge))); used[size_t(edge)] && to != component)
                    targets.insert(to);
            }
        }
        auto &own = reach[component];
        for (const size_t to : targets) {
            if (own[to]) // so is what it leads to
                continue;
            own[to] = true;
            for (size_t i = 0; i < to; ++i)
                own[i] = own[i] || reach[to][i];
        }
    }
    return reach;
}

/// How many sessions of others lead to each component.
std::vector<int> sessionsBehind(const Components &components, const Reach &reach)
{
    std::vector<int> behind(reach.size(), 0);
    for (size_t component = 0; component < reach.size(); ++component) {
        for (size_t i = 0; i < component; ++i)
            behind[i] += reach[component][i] ? int(components.all()[component].size()) : 0;
    }
    return behind;
}

/// Those of holders, and all of a session that waits for no holder: whoever merely stands before another one is not to
/// blame.
std::vector<bool> blamingEdges(const WaitIndex &edges, const Components &components)
{
    std::vector<bool> blaming(size_t(edges.edges.size()), false);
    for (int session = 0; session < edges.count(); ++session) {
        const auto &own = edges.blockers[size_t(session)];
        const auto isOfHolder = [&edges](int edge) { return edges.isOfHolder(edge); };
        const bool hasHolder = std::any_of(own.begin(), own.end(), isOfHolder);
        for (const int edge : own) {
            const bool isOfRing = components.of(session) == components.of(edges.blockerOf(edge));
            blaming[size_t(edge)] = isOfRing || !hasHolder || isOfHolder(edge);
        }
    }
    return blaming;
}

/// The transitive reduction between components: an edge goes when another blocker leads there too.
QList<WaitEdge> linksOf(const WaitIndex &edges, const Components &components)
{
    const std::vector<bool> blaming = blamingEdges(edges, components);
    const Reach reach = reachOf(edges, components, blaming);
    QList<WaitEdge> links;
    for (size_t component = 0; component < reach.size(); ++component) {
        std::vector<int> outside;
        std::set<size_t> targets;
        for (const int member : components.all()[component]) {
            for (const int edge : edges.blockers[size_t(member)]) {
                if (!blaming[size_t(edge)])
                    continue;
                if (const auto to = size_t(components.of(edges.blockerOf(edge))); to != component) {
                    outside.push_back(edge);
                    targets.insert(to);
                } else {
                    links.append(edges.edges[edge]);
                }
            }
        }
        for (const int edge : outside) {
            const auto to = size_t(components.of(edges.blockerOf(edge)));
            if (std::none_of(targets.begin(), targets.end(), [&](size_t other) { return reach[other][to]; }))
                links.append(edges.edges[edge]);
        }
    }
    return links;
}

/// Puts the nodes below each other.
class TreeBuilder
{
public:
    TreeBuilder(const ServerWaits &waits, const WaitIndex &edges, const Components &components, ServerTime now)
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
    bool waitsForSession(int waiter, int blocker) const;
    void countBehind();
    void countFreed(WaitNode *node);
    void sort();

    const ServerWaits &m_waits;
    const WaitIndex &m_edges;
    const Components &m_components;
    const ServerTime m_now;
    WaitGraph m_graph;
};

/// Node n is session n of the edges; those that stand for cycles follow.
WaitGraph TreeBuilder::build()
{
    m_graph.nodes.resize(m_edges.count());
    for (int i = 0; i < m_edges.count(); ++i)
        m_graph.nodes[i].session = m_edges.ids[size_t(i)];
    for (const LostWaiter &lost : m_waits.lost)
        m_graph.nodes[m_edges.at.value(lost.session)].isLost = true;
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
    countBehind();
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

/// Below whoever holds what it waits for, preferably somebody who waits for nobody; whoever merely stands before it in
/// the same queue comes after these. Where nobody holds it against this session (a reader behind a waiting ALTER),
/// below the one that it queues behind. Among equals below the one with the smallest number, at every look.
void TreeBuilder::place(int session)
{
    enum Rank { Free, Waiting, Queued };
    struct Place
    {
        Rank rank;
        quint64 blocker;
        int edge;
        bool operator<(const Place &other) const
        {
            return std::make_pair(rank, blocker) < std::make_pair(other.rank, other.blocker);
        }
    };
    std::vector<Place> places;
    for (const int edge : m_edges.blockers[size_t(session)]) {
        const bool isFree = m_edges.blockers[size_t(m_edges.blockerOf(edge))].empty();
        places.push_back({!m_edges.isOfHolder(edge) ? Queued
                              : isFree              ? Free
                                                    : Waiting,
                          m_edges.edges[edge].blocker, edge});
    }
    if (places.empty())
        return;
    std::sort(places.begin(), places.end());
    WaitNode &node = m_graph.nodes[session];
    node.cause = m_edges.edges[places.front().edge];
    node.parent = m_edges.blockerOf(places.front().edge);
    for (size_t i = 1; i < places.size(); ++i) {
        if (places[i].rank != Queued && !waitsForSession(m_edges.blockerOf(places[i].edge), node.parent))
            node.alsoBlockedBy.append(places[i].blocker);
    }
    std::sort(node.alsoBlockedBy.begin(), node.alsoBlockedBy.end());
}

bool TreeBuilder::waitsForSession(int waiter, int blocker) const
{
    const auto &own = m_edges.blockers[size_t(waiter)];
    return std::any_of(own.cbegin(), own.cend(), [&](int edge) { return m_edges.blockerOf(edge) == blocker; });
}

void TreeBuilder::countBehind()
{
    const std::vector<bool> all(size_t(m_edges.edges.size()), true);
    const std::vector<int> behind = sessionsBehind(m_components, reachOf(m_edges, m_components, all));
    for (int i = 0; i < m_edges.count(); ++i) {
        WaitNode &node = m_graph.nodes[i];
        const auto component = size_t(m_components.of(i));
        node.behind = behind[component] + int(m_components.all()[component].size()) - 1;
        if (node.cycle >= 0)
            m_graph.nodes[node.parent].behind = behind[component];
        const auto &waiters = m_edges.waiters[size_t(i)];
        node.direct =
            int(std::count_if(waiters.cbegin(), waiters.cend(), [this](int edge) { return m_edges.isOfHolder(edge); }));
    }
}

void TreeBuilder::countFreed(WaitNode *node)
{
    std::vector<int> ended;
    if (node->isCycle()) {
        for (const quint64 session : std::as_const(m_graph.cycles[node->cycle]))
            ended.push_back(m_edges.at.value(session));
    } else {
        ended.push_back(m_edges.at.value(node->session));
    }
    const FreedSessions freed = freedBy(m_edges, ended);
    node->frees = int(freed.sessions.size());
    node->atOnce = freed.atOnce;
    for (const int session : freed.sessions) {
        if (const auto since = m_edges.since(session))
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
        const auto weight = [&](int i) {
            return std::make_tuple(-nodes[i].frees, -nodes[i].behind, -nodes[i].waited.count(), nodes[i].session);
        };
        return weight(a) < weight(b);
    });
}

bool isWaiting(const WaitNode &node)
{
    return node.cause || node.isLost || (node.cycle >= 0 && !node.isCycle());
}

} // namespace

int WaitGraph::waiting() const
{
    return int(std::count_if(nodes.cbegin(), nodes.cend(), isWaiting));
}

int WaitGraph::waitingOfRuns() const
{
    return int(std::count_if(nodes.cbegin(), nodes.cend(),
                             [this](const WaitNode &node) { return isWaiting(node) && isOfRun(node); }));
}

bool WaitGraph::isOfRun(const WaitNode &node) const
{
    return ofRuns.contains(node.isCycle() ? cycles[node.cycle].constFirst() : node.session);
}

const WaitNode *WaitGraph::nodeOf(quint64 session) const
{
    const auto found =
        std::find_if(nodes.cbegin(), nodes.cend(), [session](const WaitNode &node) { return node.session == session; });
    return found == nodes.cend() || session == 0 ? nullptr : &*found;
}

WaitGraph buildWaitGraph(const ServerWaits &waits, ServerTime now)
{
    const WaitIndex edges(waits);
    const Components components(edges);
    WaitGraph graph = TreeBuilder(waits, edges, components, now).build();
    graph.links = linksOf(edges, components);
    graph.wanted = wantedLocks(waits);
    graph.ofRuns = sessionsOfRuns(waits);
    return graph;
}

} // namespace lockscope
