// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

class QAbstractItemModel;
class QFontMetrics;

namespace lockscope::ui {

class FlatHeader;

/// How wide a column is. Columns that share the rest have a `share`; those with the highest `drop` leave first when the
/// view is too narrow, since it never scrolls sideways.
struct ColumnSpec
{
    QString sample; ///< text that must fit
    int share = 0;  ///< part of the space that is left over
    int drop = 0;   ///< 0 = stays
    int extra = 0;  ///< pixels beside the text, for a mark or a bar
};

/// The width of each column in a view that is `width` wide; 0 = hidden.
QList<int> fitColumns(const QList<ColumnSpec> &columns, const QAbstractItemModel &model, const FlatHeader &header,
                      const QFontMetrics &metrics, int width);

} // namespace lockscope::ui
