// SPDX-License-Identifier: MIT
#include "columnfit.h"

#include "flatheader.h"
#include "rowdelegate.h"

#include <QtCore/QAbstractItemModel>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kSlack = 4;

} // namespace

QList<int> fitColumns(const QList<ColumnSpec> &columns, const QAbstractItemModel &model, const FlatHeader &header,
                      const QFontMetrics &metrics, int width)
{
    QList<int> widths;
    QList<int> shown;
    int total = 0;
    for (int column = 0; column < columns.size(); ++column) {
        const QString head = model.headerData(column, Qt::Horizontal).toString();
        const int text =
            metrics.horizontalAdvance(columns[column].sample) + columns[column].extra + 2 * RowDelegate::Padding;
        widths.append(std::max(text, header.titleWidth(head)) + kSlack);
        shown.append(column);
        total += widths.last();
    }
    const auto dropOf = [&columns](int column) { return columns[column].drop; };
    while (total > width) {
        const auto last =
            std::max_element(shown.begin(), shown.end(), [&](int a, int b) { return dropOf(a) < dropOf(b); });
        if (last == shown.end() || dropOf(*last) == 0)
            break;
        total -= widths[*last];
        widths[*last] = 0;
        shown.erase(last);
    }
    int shares = 0;
    for (const int column : std::as_const(shown))
        shares += columns[column].share;
    const int rest = std::max(0, width - total);
    for (const int column : std::as_const(shown))
        widths[column] += shares > 0 ? rest * columns[column].share / shares : 0;
    return widths;
}

} // namespace lockscope::ui
