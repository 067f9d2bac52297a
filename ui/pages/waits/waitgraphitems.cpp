// SPDX-License-Identifier: MIT
#include "waitgraphitems.h"

#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "waitsummary.h"
#include "waittext.h"

#include "console/duration.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>
#include <QtWidgets/QWidget>

#include <cmath>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kFrameInset = 12;
constexpr int kBoxWidth = 240;
constexpr int kLines = 3;
constexpr double kPadding = 8;
constexpr double kArrow = 9;

QPainterPath pointedFrame(const QRectF &rect)
{
    const double cut = rect.height() / 4;
    QPainterPath path(rect.topLeft() + QPointF(cut, 0));
    path.lineTo(rect.topRight() - QPointF(cut, 0));
    path.lineTo(rect.right(), rect.center().y());
    path.lineTo(rect.bottomRight() - QPointF(cut, 0));
    path.lineTo(rect.bottomLeft() + QPointF(cut, 0));
    path.lineTo(rect.left(), rect.center().y());
    path.closeSubpath();
    return path;
}

QPainterPath framePath(const QRectF &rect, Mark mark)
{
    if (mark == Mark::Violation)
        return pointedFrame(rect);
    QPainterPath path;
    const double radius = mark == Mark::Waiting ? rect.height() / 3 : 1;
    path.addRoundedRect(rect, radius, radius);
    return path;
}

} // namespace

QColor WaitGraphLook::text() const
{
    return isStale ? mutedText(widget->palette()) : widget->palette().color(QPalette::Text);
}

QSizeF WaitGraphLook::boxSize(const QFontMetrics &metrics)
{
    return QSizeF(forType(kBoxWidth), kLines * metrics.height() + 2 * kPadding);
}

WaitBox::WaitBox(const WaitGraphLook *look, const WaitRow &row)
    : m_look(look)
{
    setRow(row);
}

void WaitBox::setRow(const WaitRow &row)
{
    m_row = row;
    update();
}

bool WaitBox::isOf(quint64 session) const
{
    return m_row.key == WaitKey{WaitKey::Kind::Session, session} || m_row.members.contains(session);
}

QString WaitBox::title(const WaitNode &node) const
{
    return m_row.key.kind == WaitKey::Kind::Equal ? WaitText::equal(*m_look->picture, m_row.members)
                                                  : WaitText::session(*m_look->picture->waits, node.session);
}

QRectF WaitBox::frame() const
{
    const QSizeF size = WaitGraphLook::boxSize(m_look->widget->fontMetrics());
    return QRectF(QPointF(-size.width() / 2, -size.height() / 2), size);
}

QRectF WaitBox::boundingRect() const
{
    return frame().adjusted(-4, -4, 4, 4);
}

void WaitBox::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(m_look->widget->font());
    if (m_row.key.kind == WaitKey::Kind::More) {
        paintMore(painter);
        return;
    }
    const WaitNode &node = m_look->picture->graph.nodes[m_row.node];
    paintFrame(painter, node);
    paintWords(painter, node);
}

void WaitBox::paintMore(QPainter *painter) const
{
    painter->setPen(QPen(m_look->text(), 1.5, Qt::DashLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(frame(), 6, 6);
    painter->setFont(headingFont());
    painter->drawText(frame(), Qt::AlignCenter, WaitText::more(m_row.hidden));
}

void WaitBox::paintFrame(QPainter *painter, const WaitNode &node) const
{
    const QPalette &palette = m_look->widget->palette();
    const Mark mark = WaitText::mark(*m_look->picture, node);
    const bool isSelected = this->isSelected();
    const QPainterPath path = framePath(frame(), mark);
    QColor fill = markColor(mark, palette);
    fill.setAlphaF(mark == Mark::Waiting ? 0.0F : 0.14F);
    painter->setPen(Qt::NoPen);
    painter->fillPath(path, palette.color(QPalette::Base));
    painter->fillPath(path, isSelected ? palette.color(QPalette::Highlight) : fill);
    const QColor line = m_look->isStale ? m_look->text() : markColor(mark, palette);
    painter->setPen(QPen(line, mark == Mark::Waiting ? 1.5 : 3));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(path);
    if (isSelected) {
        painter->setPen(QPen(palette.color(QPalette::Text), 1.5));
        painter->drawPath(framePath(frame().adjusted(-3, -3, 3, 3), mark));
    }
}

void WaitBox::paintWords(QPainter *painter, const WaitNode &node) const
{
    const WaitPicture &picture = *m_look->picture;
    const QFontMetricsF metrics(m_look->widget->font());
    const double side = metrics.height();
    const Mark mark = WaitText::mark(picture, node);
    const double inset = mark == Mark::Violation ? frame().height() / 4 : kPadding;
    QRectF line = frame().adjusted(inset, kPadding, -inset, 0);
    line.setHeight(side);
    paintMark(painter, QRectF(line.topLeft(), QSizeF(side, side)), mark, markColor(mark, m_look->widget->palette()));
    const bool isSelected = this->isSelected();
    painter->setPen(isSelected ? m_look->widget->palette().color(QPalette::HighlightedText) : m_look->text());
    const auto draw = [&](const QRectF &rect, const QFont &font, const QString &text, Qt::TextElideMode elide) {
        painter->setFont(font);
        painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          QFontMetricsF(font).elidedText(text, elide, rect.width()));
    };
    draw(line.adjusted(side + 4, 0, 0, 0), headingFont(), title(node), Qt::ElideRight);
    line.translate(0, side);
    const QString age = WaitText::age(picture, node.session, m_look->clock->now());
    const bool isIdleBlocker = mark == Mark::Idle;
    draw(line, isIdleBlocker ? headingFont() : m_look->widget->font(),
         picture.isWaiting(node.session) ? age : WaitText::stateAndAge(picture, node.session, m_look->clock->now()),
         Qt::ElideRight);
    line.translate(0, side);
    const bool isBlocker = !picture.isWaiting(node.session);
    const QString frees = WaitSummary::frees(node);
    draw(line, m_look->widget->font(), isBlocker && !frees.isEmpty() ? frees : WaitText::lock(picture, node),
         Qt::ElideRight);
}

WaitArrow::WaitArrow(const WaitGraphLook *look, const QList<QPointF> &curve)
    : m_look(look)
    , m_curve(curve)
{
    setZValue(-1);
}

void WaitArrow::setKind(Kind kind)
{
    m_kind = kind;
    update();
}

QRectF WaitArrow::boundingRect() const
{
    return QPolygonF(m_curve).boundingRect().adjusted(-kArrow, -kArrow, kArrow, kArrow);
}

void WaitArrow::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    if (m_curve.size() < 4)
        return;
    QPainterPath path(m_curve.first());
    for (qsizetype i = 1; i + 2 < m_curve.size(); i += 3)
        path.cubicTo(m_curve[i], m_curve[i + 1], m_curve[i + 2]);
    const QPalette &palette = m_look->widget->palette();
    const bool isRing = m_kind == Kind::Ring;
    const QColor color = isRing ? markColor(Mark::Violation, palette) : mutedText(palette);
    QPen pen(color, isRing ? 3 : 1.5, m_kind == Kind::Inferred ? Qt::DashLine : Qt::SolidLine);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(path);
    const QPointF tip = m_curve.last();
    const QPointF back = m_curve[m_curve.size() - 2] - tip;
    const double length = std::hypot(back.x(), back.y());
    if (length <= 0)
        return;
    const QPointF along = back / length * kArrow;
    const QPointF across = QPointF(-along.y(), along.x()) * 0.45;
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawPolygon(QPolygonF({tip, tip + along + across, tip + along - across}));
}

WaitFrame::WaitFrame(const WaitGraphLook *look, const QRectF &rect, int sessions)
    : m_look(look)
    , m_rect(rect)
    , m_sessions(sessions)
{
    setZValue(-2);
}

QRectF WaitFrame::boundingRect() const
{
    return m_rect.adjusted(-2, -2, 2, 2);
}

void WaitFrame::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    const QColor color = markColor(Mark::Violation, m_look->widget->palette());
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 2, Qt::DashLine));
    QColor fill = color;
    fill.setAlphaF(0.06F);
    painter->setBrush(fill);
    painter->drawRoundedRect(m_rect, 10, 10);
    painter->setFont(headingFont());
    painter->setPen(color);
    painter->drawText(m_rect.adjusted(kFrameInset, 4, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine,
                      WaitText::ring(m_sessions));
}

} // namespace lockscope::ui
