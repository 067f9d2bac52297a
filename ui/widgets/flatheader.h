// SPDX-License-Identifier: MIT
#pragma once

#include "columnfit.h"

#include <QtWidgets/QHeaderView>

namespace lockscope::ui {

/// Column titles that stand exactly over the cells of RowDelegate, in every style: muted, on a thin line, with a small
/// triangle beside the title that the list is sorted by.
class FlatHeader : public QHeaderView
{
    Q_OBJECT
public:
    explicit FlatHeader(QWidget *parent = nullptr);

    /// Width that a title needs, with its triangle.
    int titleWidth(const QString &title) const;
    /// Makes the columns fit into a view that is `width` wide.
    void fit(const QList<ColumnSpec> &columns, const QFontMetrics &metrics, int width);

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;
};

} // namespace lockscope::ui
