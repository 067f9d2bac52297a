// SPDX-License-Identifier: MIT
#include "rowdelegate.h"

#include "roles.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/style/tint.h"

#include <QtGui/QPainter>
#include <QtWidgets/QApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

/// The widest usual text beside a bar; for a wider one the bar gives way.
const QString kTextBesideBar = QStringLiteral("59 min 59 s");
constexpr int kBarHeight = 6;
constexpr int kBarWidth = 40; ///< at least, as long as there is room

QPalette::ColorGroup groupOf(const QStyleOptionViewItem &option)
{
    if (!option.state.testFlag(QStyle::State_Enabled))
        return QPalette::Disabled;
    return option.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
}

bool isSelected(const QStyleOptionViewItem &option)
{
    return option.state.testFlag(QStyle::State_Selected);
}

} // namespace

int RowDelegate::rowHeight(const QFontMetrics &metrics)
{
    return metrics.height() + 8;
}

void RowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    painter->save();
    paintBackground(painter, cell, index);
    cell.rect.adjust(Padding, 0, -Padding, 0);
    cell.rect = paintMarkBefore(painter, cell, index);
    cell.rect = paintBar(painter, cell, index);

    const bool isGone = index.data(VanishedRole).toBool();
    QFont font = cell.font;
    if (isGone)
        font.setStrikeOut(true);
    painter->setFont(font);
    const auto role = isSelected(cell) ? QPalette::HighlightedText : QPalette::Text;
    const bool isFaint = isGone || index.data(StaleRole).toBool();
    painter->setPen(isFaint && !isSelected(cell) ? mutedText(cell.palette) : cell.palette.color(groupOf(cell), role));
    const auto elide = index.data(ElideMiddleRole).toBool() ? Qt::ElideMiddle : Qt::ElideRight;
    m_lines.paint(painter, cell.rect, cell.displayAlignment, cell.text, elide);
    painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QFontMetrics metrics(option.font);
    const bool hasMark = index.data(MarkRole).isValid() || index.data(DotRole).isValid();
    const int mark = hasMark ? metrics.height() + Padding : 0;
    const int bar =
        index.data(FractionRole).isValid() ? kBarWidth + Padding + m_lines.widthOf(option.font, kTextBesideBar) : 0;
    const int text = std::max(bar, m_lines.widthOf(option.font, index.data().toString()));
    return {text + mark + 2 * Padding, rowHeight(metrics)};
}

void RowDelegate::paintBackground(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (isSelected(option))
        painter->fillRect(option.rect, option.palette.brush(groupOf(option), QPalette::Highlight));
    const double tint = index.data(TintRole).toDouble();
    if (tint > 0) {
        QColor color = markColor(Mark::Held, option.palette);
        color.setAlphaF(float(0.28 * tint));
        painter->fillRect(option.rect, color);
    }
}

QRect RowDelegate::paintMarkBefore(QPainter *painter, const QStyleOptionViewItem &option,
                                   const QModelIndex &index) const
{
    const QVariant mark = index.data(MarkRole);
    const QVariant dot = index.data(DotRole);
    const int side = option.fontMetrics.height();
    QRect box(option.rect.left(), option.rect.center().y() - side / 2, side, side);
    if (dot.isValid()) {
        Tints::icon(Tint(dot.toInt())).paint(painter, box);
        return option.rect.adjusted(side + Padding, 0, 0, 0);
    }
    if (!mark.isValid())
        return option.rect;
    if (option.displayAlignment.testFlag(Qt::AlignRight))
        box.moveRight(option.rect.right() - m_lines.widthOf(option.font, option.text) - Padding);
    const QColor color = isSelected(option) ? option.palette.color(groupOf(option), QPalette::HighlightedText)
                                            : markColor(Mark(mark.toInt()), option.palette);
    paintMark(painter, box, Mark(mark.toInt()), color);
    return option.displayAlignment.testFlag(Qt::AlignRight) ? option.rect
                                                            : option.rect.adjusted(side + Padding, 0, 0, 0);
}

QRect RowDelegate::paintBar(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QVariant fraction = index.data(FractionRole);
    if (!fraction.isValid() || index.data(VanishedRole).toBool())
        return option.rect;
    const int digits = m_lines.widthOf(option.font, kTextBesideBar);
    QRect bar = option.rect.adjusted(0, 0, -digits - Padding, 0);
    if (bar.width() < 16 || m_lines.widthOf(option.font, option.text) > digits)
        return option.rect;
    bar.setTop(option.rect.center().y() - kBarHeight / 2 + 1);
    bar.setHeight(kBarHeight);
    const Mark mark = Mark(index.siblingAtColumn(0).data(MarkRole).toInt());
    QColor track = option.palette.color(QPalette::Text);
    track.setAlphaF(0.14F);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(track);
    painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
    QRectF filled(bar);
    filled.setWidth(bar.width() * fraction.toDouble());
    painter->setBrush(markColor(mark, option.palette));
    painter->drawRoundedRect(filled, kBarHeight / 2.0, kBarHeight / 2.0);
    return option.rect.adjusted(bar.width() + Padding, 0, 0, 0);
}

} // namespace lockscope::ui
