// SPDX-License-Identifier: MIT
#include "waitoutline.h"

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
    QSet<std::pair<quint64, ServerObject>> waitedFor;
    for (int i = 0; i < waits->edges.size(); ++i) {
        const WaitEdge &edge = waits->edges[i];
        picture->blocks[edge.blocker].append(i);
        picture->waitsFor[edge.waiter].append(i);
        waitedFor.insert({edge.waiter, edge.object});
    }
    QSet<std::pair<quint64, ServerObject>> known;
    for (const WaitEdge &edge : waits->edges) {
        const std::pair held(edge.blocker, edge.object);
        if (waitedFor.contains(held) || known.contains(held))
            continue;
        known.insert(held);
        picture->wanted[edge.blocker].append(edge.object);
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
    OutlineBuilder(const WaitGraph &graph, const QSet<WaitKey> &opened)
        : m_graph(graph)
        , m_opened(opened)
        , m_isShown(graph.nodes.size(), true)
    {
    }

    WaitOutline build(const WaitOutline::Filter &filter);

private:
    bool markShown(int node, bool isParentMatching, const WaitOutline::Filter &filter);
    QList<int> addAll(const QList<int> &nodes, int parent, quint64 below, bool isRing);
    int addRow(const WaitKey &key, int node, int parent, int place);
    void hide(int node, int row);
    WaitKey keyOf(const WaitNode &node) const;

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

/// The members of a ring are shown all: without one of them it is none.
QList<int> OutlineBuilder::addAll(const QList<int> &nodes, int parent, quint64 below, bool isRing)
{
    QList<int> shown;
    std::copy_if(nodes.cbegin(), nodes.cend(), std::back_inserter(shown), [this](int node) { return m_isShown[node]; });
    const WaitKey more{WaitKey::Kind::More, below};
    const bool isCut = !isRing && shown.size() > WaitOutline::MaxSiblings && !m_opened.contains(more);
    const qsizetype count = isCut ? WaitOutline::MaxSiblings : shown.size();
    QList<int> rows;
    for (int i = 0; i < count; ++i) {
        const WaitNode &node = m_graph.nodes[shown[i]];
        const int row = addRow(keyOf(node), shown[i], parent, i);
        rows.append(row);
        const QList<int> children = addAll(node.children, row, node.session, node.isCycle());
        m_outline.rows[row].children = children;
    }
    if (isCut) {
        const int row = addRow(more, -1, parent, int(count));
        m_outline.rows[row].hidden = int(shown.size() - count);
        rows.append(row);
        for (qsizetype i = count; i < shown.size(); ++i)
            hide(shown[i], row);
    }
    return rows;
}

void OutlineBuilder::hide(int node, int row)
{
    if (!m_graph.nodes[node].isCycle())
        m_outline.places.insert(m_graph.nodes[node].session, row);
    for (const int child : m_graph.nodes[node].children)
        hide(child, row);
}

} // namespace

WaitOutline WaitOutline::of(const WaitGraph &graph, const Filter &filter, const QSet<WaitKey> &opened)
{
    return OutlineBuilder(graph, opened).build(filter);
}

} // namespace lockscope::ui
