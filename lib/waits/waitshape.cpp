// SPDX-License-Identifier: MIT
#include "waitshape.h"

#include "waitgraph.h"

#include <algorithm>
#include <tuple>

namespace lockscope {

namespace {

struct ShapeName
{
    WaitShape shape;
    const char *name;
};
constexpr ShapeName kShapes[] = {
    {WaitShape::Row, "row wait"},
    {WaitShape::Gap, "gap wait"},
    {WaitShape::Table, "table wait"},
    {WaitShape::Metadata, "metadata wait"},
    {WaitShape::UserLock, "user lock wait"},
    {WaitShape::Prepared, "prepared transaction"},
    {WaitShape::Deadlock, "deadlock"},
};

WaitShape shapeOf(ServerLockKind kind)
{
    switch (kind) {
    case ServerLockKind::Record:
        break;
    case ServerLockKind::Table:
        return WaitShape::Table;
    case ServerLockKind::Metadata:
        return WaitShape::Metadata;
    case ServerLockKind::User:
        return WaitShape::UserLock;
    }
    return WaitShape::Row;
}

/// The more telling one of two that a session waits for at the same time.
bool isBefore(const WaitEdge &a, const WaitEdge &b)
{
    const auto order = [](const WaitEdge &edge) {
        return std::tuple(!isPreparedNumber(edge.blocker), edge.since.value_or(ServerTime::max()), edge.waiter,
                          edge.blocker);
    };
    return order(a) < order(b);
}

const WaitEdge *firstOf(const ServerWaits &waits, quint64 WaitEdge::*end, quint64 session)
{
    const WaitEdge *first = nullptr;
    for (const WaitEdge &edge : waits.edges) {
        if (edge.*end == session && (!first || isBefore(edge, *first)))
            first = &edge;
    }
    return first;
}

} // namespace

QString toString(WaitShape shape)
{
    return QLatin1String(std::ranges::find(kShapes, shape, &ShapeName::shape)->name);
}

std::optional<WaitShape> waitShape(const QString &text)
{
    for (const ShapeName &each : kShapes) {
        if (text == QLatin1String(each.name))
            return each.shape;
    }
    return std::nullopt;
}

QStringList waitShapes()
{
    QStringList names;
    for (const ShapeName &each : kShapes)
        names += QLatin1String(each.name);
    return names;
}

WaitShape shapeOf(const WaitEdge &edge)
{
    if (isPreparedNumber(edge.blocker))
        return WaitShape::Prepared;
    const ServerObject &object = edge.object;
    const bool isGap = object.kind == ServerLockKind::Record && (object.isGap || object.isAtEnd());
    return isGap ? WaitShape::Gap : shapeOf(object.kind);
}

std::optional<WaitShape> shapeOf(const ServerWaits &waits, const WaitGraph &graph, quint64 session)
{
    const WaitNode *node = graph.nodeOf(session);
    if (node && node->cycle >= 0)
        return WaitShape::Deadlock;
    if (const WaitEdge *edge = firstOf(waits, &WaitEdge::waiter, session))
        return shapeOf(*edge);
    for (const LostWaiter &lost : waits.lost) {
        if (lost.session == session)
            return lost.mayBeBehindPrepared ? WaitShape::Prepared : shapeOf(lost.kind);
    }
    if (const WaitEdge *edge = firstOf(waits, &WaitEdge::blocker, session))
        return shapeOf(*edge);
    return std::nullopt;
}

} // namespace lockscope
