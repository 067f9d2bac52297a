// SPDX-License-Identifier: MIT
#include "deadlockdrawing.h"

#include "deadlocktext.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>
#include <QtGui/QTextLayout>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBoxWidth = 230;
constexpr int kLabelWidth = 230;
constexpr int kBetween = 170;     ///< boxes of a small ring
constexpr int kBetweenMany = 260; ///< and of a large one, where labels come between them
constexpr double kFlatness = 0.8; ///< of the ring: windows are wider than high
constexpr int kBend = 64;         ///< from the straight line to the label's middle
constexpr int kBoxLines = 4;      ///< two of them the statement
constexpr double kPadding = 8;
constexpr double kArrow = 10;
constexpr qsizetype kMaxLabelLines = 6; ///< two for each lock that one waits for from another

/// The sides in the order of the cycle, as far as there is one.
QList<int> ringOf(const Deadlock &deadlock, const QList<DeadlockEdge> &edges)
{
    QList<int> ring;
    const auto follow = [&](int side) {
        while (side > 0 && !ring.contains(side) && ring.size() < DeadlockDrawing::MaxSides) {
            ring += side;
            const auto next = std::ranges::find_if(
                edges, [&](const DeadlockEdge &edge) { return edge.waiter == side && !ring.contains(edge.holder); });
            side = next == edges.end() ? 0 : next->holder;
        }
    };
    for (const DeadlockSide &side : deadlock.sides)
        follow(side.number);
    return ring;
}

/// Where the line from the middle of `rect` towards `to` leaves it.
QPointF borderTowards(const QRectF &rect, const QPointF &to)
{
    const QPointF way = to - rect.center();
    const double across = std::abs(way.x()) > 0 ? rect.width() / 2 / std::abs(way.x()) : 1e9;
    const double along = std::abs(way.y()) > 0 ? rect.height() / 2 / std::abs(way.y()) : 1e9;
    return rect.center() + way * std::min({across, along, 1.0});
}

} // namespace

DeadlockDrawing::DeadlockDrawing(const Deadlock &deadlock, const QFont &font)
    : m_font(font)
{
    placeBoxes(deadlock);
    if (m_boxes.isEmpty())
        return;
    addArrows(deadlock, edgesOf(deadlock));
    bendArrows();
    if (const qsizetype more = deadlock.sides.size() - m_boxes.size(); more > 0)
        m_more = DeadlockText::tr("%n more transaction(s) are not drawn.", nullptr, int(more));
    moveToOrigin();
}

void DeadlockDrawing::placeBoxes(const Deadlock &deadlock)
{
    const QList<int> ring = ringOf(deadlock, edgesOf(deadlock));
    const QFontMetricsF metrics(m_font);
    const QSizeF size(forType(kBoxWidth), kBoxLines * metrics.height() + 2 * kPadding);
    const double step = 2 * std::numbers::pi / double(std::max<qsizetype>(ring.size(), 1));
    const double between = size.width() + forType(ring.size() > 4 ? kBetweenMany : kBetween);
    const double radius = ring.size() < 2 ? 0 : between / (2 * std::sin(step / 2));
    const double first = ring.size() == 2 ? -std::numbers::pi : -std::numbers::pi / 2; // two stand side by side
    for (qsizetype i = 0; i < ring.size(); ++i) {
        const DeadlockSide &side = *deadlock.side(ring[i]);
        const double angle = first + step * double(i);
        Box box{.side = side.number,
                .rect = QRectF(QPointF(), size),
                .name = DeadlockText::nameInFull(side),
                .statement = DeadlockText::statement(side).simplified(),
                .isVictim = side.number == deadlock.victim};
        box.rect.moveCenter(QPointF(std::cos(angle), std::sin(angle) * kFlatness) * radius);
        m_boxes += box;
    }
}

/// One for each pair: what it waits for from the other stands at it.
void DeadlockDrawing::addArrows(const Deadlock &deadlock, const QList<DeadlockEdge> &edges)
{
    for (const DeadlockEdge &edge : edges) {
        if (boxOf(edge.waiter).isEmpty() || boxOf(edge.holder).isEmpty())
            continue;
        auto arrow = std::ranges::find_if(
            m_arrows, [&](const Arrow &other) { return other.waiter == edge.waiter && other.holder == edge.holder; });
        if (arrow == m_arrows.end())
            arrow = m_arrows.insert(m_arrows.end(), {.waiter = edge.waiter, .holder = edge.holder});
        if (arrow->lines.size() >= kMaxLabelLines)
            continue;
        arrow->lines += DeadlockText::wanted(deadlock, edge.lock);
        arrow->lines += DeadlockText::mode(edge.lock);
    }
}

/// Outwards, so that two that go to and fro are two, and nothing stands on a box.
void DeadlockDrawing::bendArrows()
{
    const QFontMetricsF metrics(m_font);
    for (Arrow &arrow : m_arrows) {
        const QRectF from = boxOf(arrow.waiter);
        const QRectF to = boxOf(arrow.holder);
        const QPointF middle = (from.center() + to.center()) / 2;
        QPointF outwards(to.center().y() - from.center().y(), from.center().x() - to.center().x());
        outwards /= std::max(1.0, std::hypot(outwards.x(), outwards.y()));
        const double bend = forType(kBend) + metrics.height() * double(arrow.lines.size() - 2) / 2;
        arrow.bend = middle + outwards * 2 * bend; // a curve goes half the way
        arrow.from = borderTowards(from, arrow.bend);
        arrow.to = borderTowards(to, arrow.bend);
        double width = 0;
        for (const QString &line : std::as_const(arrow.lines))
            width = std::max(width, metrics.horizontalAdvance(line));
        arrow.label = QRectF(0, 0, std::min(width, double(forType(kLabelWidth))) + 2 * kSpaceInGroup,
                             metrics.height() * double(arrow.lines.size()) + kSpaceInGroup);
        arrow.label.moveCenter((arrow.from + 2 * arrow.bend + arrow.to) / 4);
    }
}

void DeadlockDrawing::moveToOrigin()
{
    QRectF all;
    for (const Box &box : std::as_const(m_boxes))
        all |= box.rect;
    for (const Arrow &arrow : std::as_const(m_arrows))
        all |= arrow.label;
    all.adjust(-kSpaceSection, -kSpaceSection, kSpaceSection, kSpaceSection);
    for (Box &box : m_boxes)
        box.rect.translate(-all.topLeft());
    for (Arrow &arrow : m_arrows) {
        for (QPointF *point : {&arrow.from, &arrow.bend, &arrow.to})
            *point -= all.topLeft();
        arrow.label.translate(-all.topLeft());
    }
    m_size = all.size() + QSizeF(0, m_more.isEmpty() ? 0 : QFontMetricsF(m_font).height());
}

QRectF DeadlockDrawing::boxOf(int side) const
{
    const auto found = std::ranges::find(m_boxes, side, &Box::side);
    return found == m_boxes.end() ? QRectF() : found->rect;
}

QList<QRectF> DeadlockDrawing::labels() const
{
    QList<QRectF> rects;
    for (const Arrow &arrow : m_arrows)
        rects += arrow.label;
    return rects;
}

void DeadlockDrawing::paint(QPainter *painter, const QPalette &palette) const
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(m_font);
    for (const Arrow &arrow : m_arrows)
        paintArrow(painter, palette, arrow);
    for (const Box &box : m_boxes)
        paintBox(painter, palette, box);
    for (const Arrow &arrow : m_arrows)
        paintLabel(painter, palette, arrow);
    painter->setPen(mutedText(palette));
    painter->drawText(QRectF(QPointF(), m_size), Qt::AlignHCenter | Qt::AlignBottom, m_more);
}

/// The statement's beginning that fits into a line, and what is left of it.
std::pair<QString, QString> DeadlockDrawing::firstLine(const QString &statement, const QFont &font, double width)
{
    QTextLayout layout(statement, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    if (line.isValid())
        line.setLineWidth(width);
    layout.endLayout();
    const int length = line.isValid() ? line.textLength() : 0;
    return {statement.left(length).trimmed(), statement.mid(length).trimmed()};
}

void DeadlockDrawing::paintBox(QPainter *painter, const QPalette &palette, const Box &box) const
{
    const QColor color = box.isVictim ? markColor(Mark::Violation, palette) : mutedText(palette);
    QColor fill = color;
    fill.setAlphaF(box.isVictim ? 0.12F : 0.0F);
    painter->setPen(QPen(color, box.isVictim ? 2.5 : 1.5));
    painter->setBrush(palette.color(QPalette::Base));
    painter->drawRoundedRect(box.rect, 6, 6);
    painter->setBrush(fill);
    painter->drawRoundedRect(box.rect, 6, 6);

    QRectF line = box.rect.adjusted(kPadding, kPadding, -kPadding, 0);
    line.setHeight(QFontMetricsF(m_font).height());
    const auto draw = [&](const QFont &font, const QColor &pen, const QRectF &rect, const QString &text) {
        painter->setFont(font);
        painter->setPen(pen);
        painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width()));
    };
    QFont bold = m_font;
    bold.setBold(true);
    QFont fixed = fixedFont();
    fixed.setPointSizeF(m_font.pointSizeF());
    const QColor text = palette.color(QPalette::Text);
    draw(bold, text, line, box.name);
    line.translate(0, line.height());
    const auto [first, second] = firstLine(box.statement, fixed, line.width());
    for (const QString &part : {first, second}) {
        draw(fixed, text, line, part);
        line.translate(0, line.height());
    }
    if (box.isVictim) {
        paintMark(painter, QRectF(line.topLeft(), QSizeF(line.height(), line.height())), Mark::Violation, color);
        draw(bold, color, line.adjusted(line.height() + kSpaceInGroup, 0, 0, 0), DeadlockText::rolledBack());
    }
    painter->setFont(m_font);
}

void DeadlockDrawing::paintArrow(QPainter *painter, const QPalette &palette, const Arrow &arrow) const
{
    const QColor color = mutedText(palette);
    QPainterPath path(arrow.from);
    path.quadTo(arrow.bend, arrow.to);
    painter->setPen(QPen(color, 1.5));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(path);
    QPointF back = arrow.bend - arrow.to;
    back *= kArrow / std::max(1.0, std::hypot(back.x(), back.y()));
    const QPointF across = QPointF(-back.y(), back.x()) * 0.45;
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawPolygon(QPolygonF({arrow.to, arrow.to + back + across, arrow.to + back - across}));
}

void DeadlockDrawing::paintLabel(QPainter *painter, const QPalette &palette, const Arrow &arrow) const
{
    painter->fillRect(arrow.label, palette.color(QPalette::Base));
    const QFontMetricsF metrics(m_font);
    QRectF line = arrow.label.adjusted(kSpaceInGroup, kSpaceInGroup / 2.0, -kSpaceInGroup, 0);
    line.setHeight(metrics.height());
    for (qsizetype i = 0; i < arrow.lines.size(); ++i) {
        painter->setPen(i % 2 == 0 ? palette.color(QPalette::Text) : mutedText(palette));
        painter->drawText(line, Qt::AlignCenter | Qt::TextSingleLine,
                          metrics.elidedText(arrow.lines[i], Qt::ElideMiddle, line.width()));
        line.translate(0, line.height());
    }
}

} // namespace lockscope::ui
