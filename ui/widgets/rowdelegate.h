// SPDX-License-Identifier: MIT
#pragma once

#include "shapedlines.h"

#include <QtWidgets/QStyledItemDelegate>

namespace lockscope::ui {

/// Paints a cell of a live table from roles alone: a mark before the text, a bar behind it, a tint while the row is
/// new, a line through it once it is gone. Shared by every table of the window.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Space left and right of a cell's content.
    static constexpr int Padding = 6;
    /// Row height = font height + 8.
    static int rowHeight(const QFontMetrics &metrics);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintBackground(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;
    QRect paintMarkBefore(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;
    QRect paintBar(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;

    mutable ShapedLines m_lines;
};

} // namespace lockscope::ui
