// SPDX-License-Identifier: MIT
#include "csv.h"

#include "console/visibletext.h"

#include <QtCore/QAbstractItemModel>

namespace lockscope::ui {

QByteArray csvLine(const QStringList &cells)
{
    QByteArray line;
    for (const QString &cell : cells) {
        QByteArray text = plainCell(visibleLines(cell)).toUtf8();
        text.replace('"', "\"\"");
        line += (line.isEmpty() ? "\"" : ",\"") + text + '"';
    }
    return line + "\r\n";
}

QByteArray toCsv(const QAbstractItemModel &model)
{
    QByteArray out;
    for (int row = -1; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column) {
            const QVariant value = row < 0 ? model.headerData(column, Qt::Horizontal) : model.index(row, column).data();
            cells += value.toString();
        }
        out += csvLine(cells);
    }
    return out;
}

} // namespace lockscope::ui
