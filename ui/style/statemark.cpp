// SPDX-License-Identifier: MIT
#include "statemark.h"

#include "paletteicon.h"
#include "theme.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

#include <array>
#include <cmath>
#include <numbers>

namespace lockscope::ui {

namespace {

struct MarkColors
{
    QRgb light, dark;
};

/// From Okabe and Ito's palette, in the order of Mark.
constexpr std::array<MarkColors, 10> kColors{{{0xff0072b2, 0xff56b4e9},
                                              {0xff8a5a00, 0xffe69f00},
                                              {0xffb34700, 0xfff0894a},
                                              {0xff6b6b6b, 0xffa8a8a8},
                                              {0xffa3006b, 0xffe78ac3},
                                              {0xffb34700, 0xfff0894a},
                                              {0xff00694c, 0xff2fc29a},
                                              {0xff6b6b6b, 0xffa8a8a8},
                                              {0xff00694c, 0xff2fc29a},
                                              {0xffb34700, 0xfff0894a}}};

/// With a corner at the right.
QPainterPath polygon(int corners, const QPointF &center, qreal radius)
{
    QPainterPath path;
    for (int i = 0; i < corners; ++i) {
        const qreal angle = i * 2 * std::numbers::pi / corners;
        const QPointF corner = center + QPointF(std::cos(angle), std::sin(angle)) * radius;
        i == 0 ? path.moveTo(corner) : path.lineTo(corner);
    }
    path.closeSubpath();
    return path;
}

void paintCheck(QPainter *painter, const QRectF &box, const QPen &pen)
{
    painter->setPen(pen);
    painter->drawPolyline(QPolygonF({{box.left(), box.top() + box.height() * 0.55},
                                     {box.left() + box.width() * 0.38, box.bottom() - box.height() * 0.08},
                                     {box.right(), box.top() + box.height() * 0.12}}));
}

void paintQuestion(QPainter *painter, const QRectF &box, const QColor &color)
{
    QFont font = painter->font();
    font.setBold(true);
    font.setPixelSize(qMax(1, qRound(box.height() * 1.2)));
    painter->setFont(font);
    painter->setPen(color);
    painter->drawText(box.adjusted(-box.width(), -box.height(), box.width(), box.height()), Qt::AlignCenter,
                      QStringLiteral("?"));
}

class MarkPainter : public IconPainter
{
public:
    explicit MarkPainter(Mark mark)
        : m_mark(mark)
    {
    }
    void paint(QPainter *painter, const QRectF &rect, const QPalette &palette, QPalette::ColorGroup group,
               bool) const override
    {
        const QColor color =
            group == QPalette::Disabled ? palette.color(group, QPalette::Text) : markColor(m_mark, palette);
        paintMark(painter, rect, m_mark, color);
    }

private:
    Mark m_mark;
};

} // namespace

Mark markOf(LockState state)
{
    switch (state) {
    case LockState::Held:
        return Mark::Held;
    case LockState::Orphan:
        return Mark::Orphan;
    case LockState::Expired:
        return Mark::Expired;
    case LockState::Kept:
        return Mark::Released;
    case LockState::Open:
        return Mark::Open;
    case LockState::Unknown:
        break;
    }
    return Mark::Unknown;
}

Mark markOf(Event::Kind kind)
{
    switch (kind) {
    case Event::Kind::Takeover:
        return Mark::Expired;
    case Event::Kind::Lost:
        return Mark::Orphan;
    case Event::Kind::ForceRelease:
    case Event::Kind::Kill:
    case Event::Kind::TableRelease:
        return Mark::Released;
    case Event::Kind::ReleaseFailed:
    case Event::Kind::ServerStart:
        return Mark::Violation;
    case Event::Kind::Other:
        break;
    }
    return Mark::Unknown;
}

QColor markColor(Mark mark, const QPalette &palette)
{
    const MarkColors &colors = kColors.at(std::size_t(mark));
    return isDark(palette) ? colors.dark : colors.light;
}

void paintMark(QPainter *painter, const QRectF &rect, Mark mark, const QColor &color)
{
    const qreal side = qMin(rect.width(), rect.height());
    QRectF box(0, 0, side * 0.72, side * 0.72);
    box.moveCenter(rect.center());
    const qreal line = qMax(1.5, side * 0.14);
    const QRectF ring = box.adjusted(line / 2, line / 2, -line / 2, -line / 2);
    QPen pen(color, line, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(Qt::NoBrush);
    switch (mark) {
    case Mark::Held:
        painter->setBrush(color);
        painter->drawEllipse(box);
        break;
    case Mark::Waiting:
        painter->setPen(pen);
        painter->drawEllipse(ring);
        break;
    case Mark::Orphan:
        painter->setBrush(color);
        painter->drawChord(box, 90 * 16, 180 * 16);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(pen);
        painter->drawEllipse(ring);
        break;
    case Mark::Expired:
        painter->setPen(pen);
        painter->drawArc(ring, 80 * 16, 280 * 16);
        break;
    case Mark::Violation:
        painter->setBrush(color);
        painter->drawPath(polygon(6, box.center(), box.width() / 2));
        break;
    case Mark::Alarm:
        painter->setBrush(color);
        painter->drawPolygon(QPolygonF({{box.center().x(), box.top()}, box.bottomRight(), box.bottomLeft()}));
        break;
    case Mark::Released:
        pen.setCapStyle(Qt::RoundCap);
        paintCheck(painter, ring, pen);
        break;
    case Mark::Unknown:
        paintQuestion(painter, box, color);
        break;
    case Mark::Open:
        painter->setPen(pen);
        painter->drawPath(polygon(4, ring.center(), ring.width() / 2));
        break;
    case Mark::Idle:
        painter->fillRect(QRectF(box.left() + box.width() * 0.1, box.top(), box.width() * 0.28, box.height()), color);
        painter->fillRect(QRectF(box.left() + box.width() * 0.62, box.top(), box.width() * 0.28, box.height()), color);
        break;
    }
    painter->restore();
}

QIcon markIcon(Mark mark)
{
    return paletteIcon(std::make_shared<MarkPainter>(mark));
}

} // namespace lockscope::ui
