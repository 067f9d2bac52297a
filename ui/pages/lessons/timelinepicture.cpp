// SPDX-License-Identifier: MIT
#include "timelinepicture.h"

#include "lessontext.h"
#include "sessioncolor.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtGui/QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kHead = 4;    ///< of an arrow
constexpr double kBesides = 7; ///< arrows of one column

QColor translucent(QColor color, float alpha)
{
    color.setAlphaF(alpha);
    return color;
}

} // namespace

TimelinePicture::TimelinePicture(const Timeline &line, const QFont &font, const QPalette &palette)
    : m_line(line)
    , m_font(font)
    , m_metrics(font)
    , m_palette(palette)
    , m_scale(m_metrics.lineSpacing() + kSpace)
    , m_box(m_metrics.lineSpacing() + kSpaceInGroup)
    , m_lane(m_box + m_metrics.lineSpacing() + kSpace + kSpaceInGroup)
    , m_column(m_metrics.horizontalAdvance(u"COMMIT"_s))
{
    for (const QString &lane : line.lanes)
        m_names = std::max(m_names, m_metrics.horizontalAdvance(LessonText::session(lane)));
    const int most = m_metrics.horizontalAdvance(u"RELEASE_LOCK"_s);
    for (const Timeline::Note &note : line.notes)
        m_column = std::max({m_column, std::min(most, m_metrics.horizontalAdvance(note.word)),
                             std::min(most, m_metrics.horizontalAdvance(note.answer))});
    m_names += 2 * kSpace;
    m_column += 2 * kSpace;
}

QSize TimelinePicture::size() const
{
    return {m_names + int(m_line.columns()) * m_column + kSpace, m_scale + int(m_line.lanes.size()) * m_lane + kSpace};
}

QRectF TimelinePicture::columnRect(qsizetype column) const
{
    return QRectF(m_names + double(column) * m_column, 0, m_column, size().height() - 1);
}

QRectF TimelinePicture::stepRect(qsizetype column) const
{
    QRectF rect = columnRect(column);
    const auto note = std::find_if(m_line.notes.cbegin(), m_line.notes.cend(),
                                   [column](const Timeline::Note &each) { return each.column == column; });
    rect.setTop(note == m_line.notes.cend() ? 0 : boxTop(note->lane));
    rect.setHeight(m_lane);
    return rect;
}

qsizetype TimelinePicture::columnAt(const QPointF &position) const
{
    const auto column = qsizetype(std::floor((position.x() - m_names) / m_column));
    return column >= 0 && column < m_line.columns() ? column : -1;
}

double TimelinePicture::boxTop(qsizetype lane) const
{
    return m_scale + double(lane) * m_lane + kSpaceInGroup;
}

QColor TimelinePicture::colorOf(qsizetype lane) const
{
    return sessionColor(m_line.lanes.at(lane), m_line.sessions, m_palette);
}

void TimelinePicture::paint(QPainter *painter, qsizetype position, int left) const
{
    painter->setFont(m_font);
    paintScale(painter, position);
    paintLines(painter);
    for (const Timeline::Stretch &stretch : m_line.stretches)
        paintStretch(painter, stretch);
    for (qsizetype i = 0; i < m_line.arrows.size(); ++i)
        paintArrow(painter, m_line.arrows[i], xOf(i));
    for (const Timeline::Note &note : m_line.notes)
        paintNote(painter, note);
    paintNames(painter, left);
}

/// Those of one column stand beside each other: a longer one passes by what a shorter one points at.
double TimelinePicture::xOf(qsizetype arrow) const
{
    const auto lengthOf = [](const Timeline::Arrow &of) { return std::abs(of.to - of.from); };
    const Timeline::Arrow &of = m_line.arrows[arrow];
    qsizetype before = 0;
    for (qsizetype i = 0; i < m_line.arrows.size(); ++i) {
        const Timeline::Arrow &other = m_line.arrows[i];
        const bool isShorter = lengthOf(other) < lengthOf(of) || (lengthOf(other) == lengthOf(of) && i < arrow);
        before += other.column == of.column && isShorter ? 1 : 0;
    }
    return middleOf(of.column) + double(before) * kBesides;
}

/// Where one is, and how far the lesson was played.
void TimelinePicture::paintScale(QPainter *painter, qsizetype position) const
{
    const double base = m_scale - 2;
    if (position >= 0 && position < m_line.columns()) {
        painter->fillRect(columnRect(position), translucent(m_palette.color(QPalette::Highlight), 0.6F));
        painter->fillRect(columnRect(position).intersected(QRectF(0, base - 2, size().width(), 5)),
                          m_palette.color(QPalette::Link));
    }
    painter->setPen(QPen(mutedText(m_palette), 1, Qt::DotLine));
    painter->drawLine(QPointF(m_names, base), QPointF(columnRect(m_line.columns()).left(), base));
    painter->setPen(QPen(m_palette.color(QPalette::Text), 2));
    painter->drawLine(QPointF(m_names, base), QPointF(columnRect(m_line.played).left(), base));
    for (qsizetype column = 0; column < m_line.columns(); ++column) {
        painter->setPen(column < m_line.played ? m_palette.color(QPalette::Text) : mutedText(m_palette));
        QRectF room = columnRect(column);
        room.setHeight(base);
        painter->drawText(room, Qt::AlignCenter, QString::number(column + 1));
    }
}

/// Over what is scrolled below them.
void TimelinePicture::paintNames(QPainter *painter, int left) const
{
    painter->fillRect(QRect(left, 0, m_names - 2, size().height()), m_palette.color(QPalette::Base));
    painter->setPen(m_palette.color(QPalette::Text));
    for (qsizetype lane = 0; lane < m_line.lanes.size(); ++lane)
        painter->drawText(QRectF(left + kSpace, boxTop(lane), m_names - kSpace, m_box),
                          Qt::AlignLeft | Qt::AlignVCenter, LessonText::session(m_line.lanes.at(lane)));
}

void TimelinePicture::paintLines(QPainter *painter) const
{
    painter->setPen(lineColor(m_palette));
    for (qsizetype lane = 0; lane < m_line.lanes.size(); ++lane) {
        const double bottom = boxTop(lane) + m_lane - kSpaceInGroup;
        painter->drawLine(QPointF(0, bottom), QPointF(size().width(), bottom));
    }
}

/// Told apart by thickness and dashes as well: idle is thin, a transaction thick, waiting a dashed frame.
void TimelinePicture::paintStretch(QPainter *painter, const Timeline::Stretch &stretch) const
{
    const QColor color = colorOf(stretch.lane);
    const double y = boxMiddle(stretch.lane);
    const double left = middleOf(stretch.from);
    const double right = middleOf(stretch.to);
    painter->setBrush(Qt::NoBrush);
    switch (stretch.line) {
    case Timeline::Line::Idle:
        painter->setPen(QPen(mutedText(m_palette), 1));
        painter->drawLine(QPointF(left, y), QPointF(right, y));
        return;
    case Timeline::Line::Transaction:
        painter->fillRect(QRectF(left, y - 2, right - left, 4), color);
        return;
    case Timeline::Line::Waiting:
        painter->setPen(QPen(color, 1.5, Qt::DashLine));
        painter->setBrush(translucent(color, 0.12F));
        painter->drawRect(QRectF(left, y - m_box / 4.0, right - left, m_box / 2.0));
        return;
    }
}

void TimelinePicture::paintNote(QPainter *painter, const Timeline::Note &note) const
{
    using Look = Timeline::Look;
    const bool isError = note.look == Look::Error;
    const bool isMuted = note.look == Look::Ahead || note.look == Look::NotSent || note.look == Look::Event;
    const QColor color = isError ? markColor(Mark::Alarm, m_palette) : colorOf(note.lane);
    QRectF box(columnRect(note.column).left() + kSpaceInGroup, boxTop(note.lane), m_column - 2 * kSpaceInGroup, m_box);
    painter->setPen(QPen(color, 1.5, note.look == Look::Waits ? Qt::DashLine : Qt::SolidLine));
    painter->setBrush(m_palette.color(QPalette::Base)); // over the lines
    if (note.word.isEmpty()) {
        const double side = m_box * 0.55;
        const QRectF dot(box.center().x() - side / 2, box.center().y() - side / 2, side, side);
        painter->setBrush(color);
        painter->drawEllipse(dot);
    } else if (!isMuted) {
        painter->drawRoundedRect(box, 3, 3);
        if (note.look == Look::Done) {
            painter->setBrush(translucent(color, 0.25F));
            painter->drawRoundedRect(box, 3, 3);
        }
    }
    if (note.look == Look::Event) // over a line that ends or goes on here
        painter->fillRect(box, m_palette.color(QPalette::Base));
    painter->setPen(isMuted ? mutedText(m_palette) : m_palette.color(QPalette::Text));
    painter->drawText(box, Qt::AlignCenter, m_metrics.elidedText(note.word, Qt::ElideRight, int(box.width())));
    if (note.answer.isEmpty())
        return;
    const QString answer = m_metrics.elidedText(note.answer, Qt::ElideRight, m_column - 2);
    const QRectF below(columnRect(note.column).left(), box.bottom() + 2, m_column, m_metrics.lineSpacing());
    painter->setPen(isError ? color : m_palette.color(QPalette::Text));
    painter->drawText(below, Qt::AlignCenter, answer);
}

/// Between the lines of two lanes, without what is written below a box. Who waits points at whom with a dashed line;
/// who frees with a whole one.
void TimelinePicture::paintArrow(QPainter *painter, const Timeline::Arrow &arrow, double x) const
{
    const bool isDown = arrow.to > arrow.from;
    const QColor color = colorOf(arrow.frees ? arrow.to : arrow.from);
    const double below = m_box + 2 + m_metrics.lineSpacing();
    const bool isWritten =
        std::any_of(m_line.notes.cbegin(), m_line.notes.cend(), [&arrow](const Timeline::Note &note) {
            return note.lane == arrow.to && note.column == arrow.column;
        });
    const double from = boxTop(arrow.from) + (isDown ? below : 0);
    const double to = isDown ? boxMiddle(arrow.to) - m_box * 0.3
        : isWritten          ? boxTop(arrow.to) + below
                             : boxMiddle(arrow.to) + m_box * 0.3;
    painter->setPen(QPen(color, 1.5, arrow.frees ? Qt::SolidLine : Qt::DashLine));
    painter->drawLine(QPointF(x, from), QPointF(x, to));
    paintHead(painter, {x, to}, isDown, color);
}

void TimelinePicture::paintHead(QPainter *painter, const QPointF &tip, bool isDown, const QColor &color) const
{
    const double back = isDown ? -2 * kHead : 2 * kHead;
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawPolygon(QPolygonF({tip, tip + QPointF(-kHead, back), tip + QPointF(kHead, back)}));
}

} // namespace lockscope::ui
