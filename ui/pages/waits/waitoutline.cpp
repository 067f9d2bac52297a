// SPDX-License-Identifier: MIT
#include "waitoutline.h"

#include "waits/equalwaiters.h"
#include "waits/userlocknames.h"

#include <algorithm>

namespace lockscope::ui {

std::shared_ptr<const WaitPicture> WaitPicture::of(const ServerWaitsPtr &waits)
{
    auto picture = std::make_shared<WaitPicture>();
    picture->waits = waits;
    picture->schemas = schemasOf(*waits);
    picture->graph = buildWaitGraph(*waits, waits->clock.server);
    for (int i = 0; i < picture->graph.nodes.size(); ++i) {
        if (!picture->graph.nodes[i].isCycle())
            picture->nodes.insert(picture->graph.nodes[i].session, i);
    }
    for (int i = 0; i < waits->edges.size(); ++i) {
        const WaitEdge &edge = waits->edges[i];
        picture->blocks[edge.blocker].append(i);
        picture->waitsFor[edge.waiter].append(i);
    }
    return picture;
}

const WaitNode *WaitPicture::node(quint64 session) const
{
    const auto found = nodes.constFind(session);
    return found == nodes.cend() ? nullptr : &graph.nodes[*found];
}

bool WaitPicture::isWaiting(quint64 session) const
{
    const WaitNode *found = node(session);
    return found && (found->cause || found->isLost || found->cycle >= 0);
}

std::optional<ServerTime> WaitPicture::waitsSince(quint64 session) const
{
    std::optional<ServerTime> first;
    const auto take = [&first](const std::optional<ServerTime> &since) {
        if (since && (!first || *since < *first))
            first = since;
    };
    for (const int edge : waitsFor.value(session))
        take(waits->edges[edge].since);
    for (const LostWaiter &lost : waits->lost) {
        if (lost.session == session)
            take(lost.since);
    }
    return first;
}

size_t qHash(const WaitKey &key, size_t seed) noexcept
{
    return qHashMulti(seed, int(key.kind), key.id);
}

namespace {

class OutlineBuilder
{
public:
    OutlineBuilder(const WaitPicture &picture, const QSet<WaitKey> &opened)
        : m_waits(*picture.waits)
        , m_graph(picture.graph)
        , m_opened(opened)
        , m_isShown(picture.graph.nodes.size(), true)
    {
    }

    WaitOutline build(const WaitOutline::Filter &filter);

private:
    bool markShown(int node, bool isParentMatching, const WaitOutline::Filter &filter);
    QList<int> addAll(const QList<int> &nodes, int parent, quint64 below, bool isRing);
    QList<int> addGroups(const QList<QList<int>> &groups, int parent, quint64 below, bool isRing);
    int addNode(int node, int parent, int place);
    int addEqual(const QList<int> &nodes, int parent, int place);
    int addRow(const WaitKey &key, int node, int parent, int place);
    void hide(int node, int row);
    WaitKey keyOf(const WaitNode &node) const;

    const ServerWaits &m_waits;
    const WaitGraph &m_graph;
    const QSet<WaitKey> &m_opened;
    QList<bool> m_isShown;
    WaitOutline m_outline;
};

WaitOutline OutlineBuilder::build(const WaitOutline::Filter &filter)
{
    if (filter) {
        for (const int root : m_graph.roots)
            markShown(root, false, filter);
    }
    m_outline.roots = addAll(m_graph.roots, -1, 0, false);
    return std::move(m_outline);
}

/// With its blockers, for the way down to it, and with those that it blocks.
bool OutlineBuilder::markShown(int node, bool isParentMatching, const WaitOutline::Filter &filter)
{
    const bool isMatching = isParentMatching || filter(m_graph.nodes[node]);
    bool isShown = isMatching;
    for (const int child : m_graph.nodes[node].children)
        isShown = markShown(child, isMatching, filter) || isShown;
    m_isShown[node] = isShown;
    return isShown;
}

WaitKey OutlineBuilder::keyOf(const WaitNode &node) const
{
    if (node.isCycle())
        return {WaitKey::Kind::Ring, m_graph.cycles[node.cycle].first()};
    return {WaitKey::Kind::Session, node.session};
}

int OutlineBuilder::addRow(const WaitKey &key, int node, int parent, int place)
{
    const int row = int(m_outline.rows.size());
    WaitRow added;
    added.key = key;
    added.node = node;
    added.parent = parent;
    added.place = place;
    m_outline.rows.append(added);
    if (key.kind == WaitKey::Kind::Session)
        m_outline.places.insert(key.id, row);
    return row;
}

QList<QList<int>> oneByOne(const QList<int> &nodes)
{
    QList<QList<int>> groups;
    for (const int node : nodes)
        groups.append(QList<int>{node});
    return groups;
}

QList<int> OutlineBuilder::addAll(const QList<int> &nodes, int parent, quint64 below, bool isRing)
{
    QList<int> shown;
    std::copy_if(nodes.cbegin(), nodes.cend(), std::back_inserter(shown), [this](int node) { return m_isShown[node]; });
    return addGroups(isRing ? oneByOne(shown) : equalWaiters(m_waits, m_graph, shown), parent, below, isRing);
}

/// The members of a ring are shown all: without one of them it is none.
QList<int> OutlineBuilder::addGroups(const QList<QList<int>> &groups, int parent, quint64 below, bool isRing)
{
    const WaitKey more{WaitKey::Kind::More, below};
    const bool isCut = !isRing && groups.size() > WaitOutline::MaxSiblings && !m_opened.contains(more);
    const qsizetype count = isCut ? WaitOutline::MaxSiblings : groups.size();
    QList<int> rows;
    for (int i = 0; i < count; ++i)
        rows.append(groups[i].size() == 1 ? addNode(groups[i].first(), parent, i) : addEqual(groups[i], parent, i));
    if (!isCut)
        return rows;
    const int row = addRow(more, -1, parent, int(count));
    rows.append(row);
    for (qsizetype i = count; i < groups.size(); ++i) {
        m_outline.rows[row].hidden += int(groups[i].size());
        for (const int node : groups[i])
            hide(node, row);
    }
    return rows;
}

int OutlineBuilder::addNode(int node, int parent, int place)
{
    const WaitNode &added = m_graph.nodes[node];
    const int row = addRow(keyOf(added), node, parent, place);
    const QList<int> children = addAll(added.children, row, added.session, added.isCycle());
    m_outline.rows[row].children = children;
    return row;
}

int OutlineBuilder::addEqual(const QList<int> &nodes, int parent, int place)
{
    const quint64 first = m_graph.nodes[nodes.first()].session;
    const WaitKey key{WaitKey::Kind::Equal, first};
    const int row = addRow(key, nodes.first(), parent, place);
    const QList<int> children = addGroups(oneByOne(nodes), row, first, false);
    m_outline.rows[row].children = children;
    m_outline.rows[row].isOpen = m_opened.contains(key);
    for (const int node : nodes)
        m_outline.rows[row].members.append(m_graph.nodes[node].session);
    return row;
}

void OutlineBuilder::hide(int node, int row)
{
    if (!m_graph.nodes[node].isCycle())
        m_outline.places.insert(m_graph.nodes[node].session, row);
    for (const int child : m_graph.nodes[node].children)
        hide(child, row);
}

} // namespace

WaitOutline WaitOutline::of(const WaitPicture &picture, const Filter &filter, const QSet<WaitKey> &opened)
{
    return OutlineBuilder(picture, opened).build(filter);
}

} // namespace lockscope::ui
