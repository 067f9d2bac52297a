// SPDX-License-Identifier: MIT
#include "flatheader.h"

#include "rowdelegate.h"
#include "ui/style/theme.h"

#include <QtGui/QPainter>

namespace lockscope::ui {

namespace {

constexpr int kTriangle = 7;
constexpr int kGap = 4;

void paintTriangle(QPainter *painter, const QPointF &center, bool isDown)
{
    const qreal half = kTriangle / 2.0;
    const qreal tip = isDown ? half / 1.4 : -half / 1.4;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(painter->pen().color());
    painter->setPen(Qt::NoPen);
    painter->drawPolygon(
        QPolygonF({center + QPointF(-half, -tip), center + QPointF(half, -tip), center + QPointF(0, tip)}));
}

} // namespace

FlatHeader::FlatHeader(QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionResizeMode(QHeaderView::Fixed);
    setHighlightSections(false);
    setSectionsClickable(true);
    setMinimumSectionSize(16);
}

int FlatHeader::titleWidth(const QString &title) const
{
    const int triangle = isSortIndicatorShown() ? kTriangle + kGap : 0;
    return fontMetrics().horizontalAdvance(title) + triangle + 2 * RowDelegate::Padding;
}

void FlatHeader::fit(const QList<ColumnSpec> &columns, const QFontMetrics &metrics, int width)
{
    if (!model() || columns.size() != count())
        return;
    const QList<int> widths = fitColumns(columns, *model(), *this, metrics, width);
    for (int column = 0; column < widths.size(); ++column) {
        setSectionHidden(column, widths[column] == 0);
        if (widths[column] > 0)
            resizeSection(column, widths[column]);
    }
}

QSize FlatHeader::sectionSizeFromContents(int section) const
{
    const QString title = model()->headerData(section, Qt::Horizontal).toString();
    return {titleWidth(title), RowDelegate::rowHeight(fontMetrics())};
}

void FlatHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    painter->save();
    painter->fillRect(rect, palette().color(QPalette::Base));
    painter->setPen(lineColor(palette()));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());

    const QString title = model()->headerData(section, Qt::Horizontal).toString();
    const auto alignment = Qt::Alignment(model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    const bool isRight = alignment.testFlag(Qt::AlignRight);
    const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    QRect text = rect.adjusted(RowDelegate::Padding, 0, -RowDelegate::Padding, 0);
    painter->setPen(isSorted ? palette().color(QPalette::Text) : mutedText(palette()));
    painter->setFont(font());
    painter->drawText(text, int((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter) | Qt::TextSingleLine,
                      title);
    if (isSorted) {
        const int width = fontMetrics().horizontalAdvance(title) + kGap + kTriangle / 2;
        const int x = isRight ? text.right() - width : text.left() + width;
        paintTriangle(painter, QPointF(x, text.center().y() + 1), sortIndicatorOrder() == Qt::AscendingOrder);
    }
    painter->restore();
}

} // namespace lockscope::ui
