// SPDX-License-Identifier: MIT
#include "blockingtree.h"

#include "console/duration.h"
#include "preparedtext.h"
#include "terminal/columns.h"
#include "terminal/output.h"
#include "waits/equalwaiters.h"
#include "waits/userlocknames.h"
#include "waitstext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kIndent = 3;
constexpr int kLeastStatementColumns = 30; ///< a shorter one tells nothing: it gets a line of its own

enum class Style { Plain, Strong, Warning, Faint };

struct Piece
{
    QString text;
    Style style = Style::Plain;
};

QString coloured(const Piece &piece, bool isColoured)
{
    if (!isColoured || piece.style == Style::Plain)
        return piece.text;
    const QString code = piece.style == Style::Strong ? u"1"_s : piece.style == Style::Warning ? u"33"_s : u"2"_s;
    return u"\x1b["_s + code + u'm' + piece.text + u"\x1b[0m"_s;
}

/// What its end gives, and who waits behind it; empty where nobody does.
QString consequenceText(const WaitNode &node)
{
    const QString waited = formatCoarseDuration(node.waited) + u" of waiting"_s;
    const int later = node.frees - node.atOnce;
    if (node.behind > 0 && node.direct == 0 && !node.isCycle())
        return counted(node.behind, u"queues"_s, u"queue"_s) + u" behind it"_s;
    if (node.frees > 0 && later == 0)
        return u"frees %1, %2"_s.arg(counted(node.frees, u"waiter"_s, u"waiters"_s), waited);
    if (node.frees > 0)
        return u"frees %1 at once, up to %2 later, %3"_s.arg(QString::number(node.atOnce), QString::number(later),
                                                             waited);
    return node.behind > 0 ? u"blocks %1 whom others block too"_s.arg(node.behind) : QString();
}

/// Draws one reading of the server.
class Drawing
{
public:
    Drawing(const ServerWaits &waits, const WaitGraph &graph, ServerTime now, const TreeStyle &style)
        : m_waits(waits)
        , m_graph(graph)
        , m_now(now)
        , m_style(style)
        , m_schemas(schemasOf(waits))
    {
    }

    QStringList draw();

private:
    void drawNode(int index, const QString &first, const QString &rest);
    void drawChildren(const WaitNode &node, const QString &rest);
    QList<Piece> piecesOf(const WaitNode &node) const;
    void addPrepared(const PreparedTransaction &prepared, const WaitNode &node, QList<Piece> *pieces) const;
    QString blockedText(const WaitNode &node) const;
    void addWait(const WaitNode &node, const QString &verb, QList<Piece> *pieces) const;
    void drawEqual(const QList<int> &nodes, const QString &first, const QString &rest);
    void flow(const QList<Piece> &pieces, const QString &statement, const QString &first, const QString &rest);

    const ServerWaits &m_waits;
    const WaitGraph &m_graph;
    const ServerTime m_now;
    const TreeStyle m_style;
    const QStringList m_schemas;
    QStringList m_lines;
};

QStringList Drawing::draw()
{
    for (const int root : m_graph.roots)
        drawNode(root, {}, {});
    return m_lines;
}

void Drawing::drawNode(int index, const QString &first, const QString &rest)
{
    const WaitNode &node = m_graph.nodes[index];
    const ServerSession *session = node.isCycle() ? nullptr : m_waits.session(node.session);
    const QString below = rest + (node.children.isEmpty() ? u"   "_s : u"│  "_s);
    const QString statement = session ? statementText(session->statement, m_style.columns) : QString();
    flow(piecesOf(node), statement, first, below);
    if (const PastStatement *culprit = session ? session->culprit() : nullptr)
        m_lines.append(below + shortened(culpritText(*culprit, m_style.columns), m_style.columns - columnsOf(below)));
    drawChildren(node, rest);
}

void Drawing::drawChildren(const WaitNode &node, const QString &rest)
{
    const QList<QList<int>> groups = equalWaiters(m_waits, m_graph, node.children);
    const auto count = groups.size();
    const auto shown = count > m_style.waiters ? qsizetype(m_style.waiters) : count;
    // A chain that is deeper than the screen is wide goes on at the same place.
    const bool isDeep = columnsOf(rest) + kIndent > m_style.columns / 2;
    const QString base = isDeep ? rest.left(rest.size() - kIndent) : rest;
    for (qsizetype i = 0; i < shown; ++i) {
        const bool isLast = i + 1 == count;
        const QString first = base + (isLast ? u"└─ "_s : u"├─ "_s);
        const QString below = base + (isLast ? u"   "_s : u"│  "_s);
        if (groups[i].size() == 1)
            drawNode(groups[i].first(), first, below);
        else
            drawEqual(groups[i], first, below);
    }
    qsizetype hidden = 0;
    for (qsizetype i = shown; i < count; ++i)
        hidden += groups[i].size();
    if (hidden > 0)
        m_lines.append(base + u"└─ and %1 more"_s.arg(counted(hidden, u"waiter"_s, u"waiters"_s)));
}

/// As one, the longest wait told, with their numbers as far as they fit on a line.
void Drawing::drawEqual(const QList<int> &nodes, const QString &first, const QString &rest)
{
    const WaitNode &node = m_graph.nodes[nodes.first()];
    const ServerSession &session = *m_waits.session(node.session);
    QList<Piece> pieces{{u"×%1"_s.arg(nodes.size()), Style::Strong}, {groupText(session)}};
    addWait(node, u"wait up to"_s, &pieces);
    flow(pieces, statementText(session.statement, m_style.columns), first, rest + u"   "_s);
    QStringList numbers;
    for (const int one : nodes)
        numbers.append(QString::number(m_graph.nodes[one].session));
    m_lines.append(shortened(rest + u"   "_s + numbers.join(u' '), m_style.columns));
}

QList<Piece> Drawing::piecesOf(const WaitNode &node) const
{
    QList<Piece> pieces;
    if (node.isCycle()) {
        const auto members = m_graph.cycles[node.cycle].size();
        pieces.append({u"ring of %1 that wait for each other"_s.arg(members), Style::Warning});
    } else if (const PreparedTransaction *prepared = m_waits.preparedTransaction(node.session)) {
        addPrepared(*prepared, node, &pieces);
    } else {
        const ServerSession *session = m_waits.session(node.session);
        pieces.append({QString::number(node.session), Style::Strong});
        pieces.append({accountText(m_waits, node.session, isWide(m_style.columns))});
        if (session && session->protection != Protection::None)
            pieces.append({protectionWord(session->protection), Style::Warning});
        addWait(node, u"waits"_s, &pieces);
        if (session && (node.parent < 0 || session->isIdle()))
            pieces.append({doingText(*session, m_now)});
        if (session && node.parent < 0 && session->transaction && session->transaction->rowsChanged > 0)
            pieces.append({counted(qint64(session->transaction->rowsChanged), u"row"_s, u"rows"_s) + u" changed"_s});
    }
    if (const QString text = consequenceText(node); !text.isEmpty())
        pieces.append({text, Style::Warning});
    return pieces;
}

void Drawing::addPrepared(const PreparedTransaction &prepared, const WaitNode &node, QList<Piece> *pieces) const
{
    pieces->append({holderText(node.session), Style::Strong});
    pieces->append({preparedText(prepared)});
    if (prepared.session != 0)
        pieces->append({u"of session %1 %2"_s.arg(prepared.session).arg(accountText(m_waits, prepared.session))});
    addWait(node, u"waits"_s, pieces);
    pieces->append({u"open for "_s + formatCoarseDuration(m_now - prepared.transaction.started)});
    pieces->append({preparedEndText(prepared), Style::Warning});
}

/// Empty where the server does not tell it.
QString Drawing::blockedText(const WaitNode &node) const
{
    const QList<ServerObject> own = m_graph.wanted.value(node.session);
    if (own.isEmpty())
        return {};
    const QString text = u"blocks "_s + objectText(own.first(), m_schemas);
    return own.size() == 1 ? text : text + u" and "_s + counted(own.size() - 1, u"lock more"_s, u"locks more"_s);
}

void Drawing::addWait(const WaitNode &node, const QString &verb, QList<Piece> *pieces) const
{
    if (const WaitEdge *edge = causeOf(m_graph, node)) {
        const QString time = edge->since ? formatCoarseDuration(m_now - *edge->since) + u' ' : QString();
        pieces->append({u"%1 %2for %3"_s.arg(verb, time, objectText(edge->object, m_schemas))});
        if (!edge->mode.isEmpty())
            pieces->append({printable(edge->mode), Style::Faint});
        if (edge->isInferred)
            pieces->append({u"by its statement"_s, Style::Faint});
    } else if (node.isLost) {
        const LostWaiter *lost = lostOf(m_waits, node);
        const QString what = lost ? u"waits for a %1 lock"_s.arg(kindText(lost->kind)) : u"waits"_s;
        const bool isAsked = !lost || m_waits.isAsked(lost->kind);
        pieces->append(
            {what + (isAsked ? u" whose holder the server does not name"_s : u"; these were not looked at"_s)});
    } else if (const QString text = blockedText(node); !text.isEmpty()) {
        pieces->append({text});
    }
    if (const LostWaiter *lost = lostOf(m_waits, node); lost && lost->mayBeBehindPrepared)
        pieces->append({preparedHint(m_waits), Style::Warning});
    if (!node.alsoBlockedBy.isEmpty()) {
        QStringList others;
        for (const quint64 other : node.alsoBlockedBy)
            others.append(holderText(other));
        pieces->append({u"also blocked by "_s + others.join(u", "_s)});
    }
}

/// Pieces side by side for as long as they fit, then the next line.
void Drawing::flow(const QList<Piece> &pieces, const QString &statement, const QString &first, const QString &rest)
{
    QString line = first;
    int used = columnsOf(first);
    bool isFresh = true;
    const auto breakLine = [&] {
        m_lines.append(line);
        line = rest;
        used = columnsOf(rest);
        isFresh = true;
    };
    const auto add = [&](Piece piece) {
        const int gap = isFresh ? 0 : 2;
        if (!isFresh && used + gap + columnsOf(piece.text) > m_style.columns)
            breakLine();
        piece.text = shortened(piece.text, m_style.columns - used - (isFresh ? 0 : gap));
        line += QString(isFresh ? 0 : gap, u' ') + coloured(piece, m_style.isColoured);
        used += (isFresh ? 0 : gap) + columnsOf(piece.text);
        isFresh = false;
    };
    for (const Piece &piece : pieces)
        add(piece);
    if (!statement.isEmpty()) {
        const int left = m_style.columns - used - 2;
        if (left < qMin(columnsOf(statement), kLeastStatementColumns))
            breakLine();
        const int columns = m_style.columns - used - (isFresh ? 0 : 2);
        add({shortened(statement, columns), Style::Faint});
    }
    m_lines.append(line);
}

} // namespace

const WaitEdge *causeOf(const WaitGraph &graph, const WaitNode &node)
{
    if (node.cause)
        return &*node.cause;
    if (node.isCycle() || node.cycle < 0)
        return nullptr;
    const QList<quint64> &members = graph.cycles[node.cycle];
    const auto found = std::find_if(graph.links.cbegin(), graph.links.cend(), [&](const WaitEdge &edge) {
        return edge.waiter == node.session && members.contains(edge.blocker);
    });
    return found == graph.links.cend() ? nullptr : &*found;
}

const LostWaiter *lostOf(const ServerWaits &waits, const WaitNode &node)
{
    const auto found = std::find_if(waits.lost.cbegin(), waits.lost.cend(),
                                    [&](const LostWaiter &waiter) { return waiter.session == node.session; });
    return node.isLost && found != waits.lost.cend() ? &*found : nullptr;
}

std::optional<ServerObject> objectOf(const WaitGraph &graph, const WaitNode &node)
{
    if (const WaitEdge *edge = causeOf(graph, node))
        return edge->object;
    const QList<ServerObject> own = graph.wanted.value(node.session);
    return own.isEmpty() ? std::nullopt : std::optional(own.first());
}

QStringList blockingTree(const ServerWaits &waits, const WaitGraph &graph, ServerTime now, const TreeStyle &style)
{
    return Drawing(waits, graph, now, style).draw();
}

} // namespace lockscope::ctl
