// SPDX-License-Identifier: MIT
#include "csv.h"

#include "console/visibletext.h"

#include <QtCore/QAbstractItemModel>

#include <numeric>

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

namespace {

/// -1: of the header.
QStringList cellsOf(const QAbstractItemModel &model, int row)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column) {
        const QVariant value = row < 0 ? model.headerData(column, Qt::Horizontal) : model.index(row, column).data();
        cells += value.toString();
    }
    return cells;
}

} // namespace

QByteArray toCsv(const QAbstractItemModel &model)
{
    QList<int> rows(model.rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    return toCsv(model, rows);
}

QByteArray toCsv(const QAbstractItemModel &model, const QList<int> &rows)
{
    QByteArray out = csvLine(cellsOf(model, -1));
    for (const int row : rows)
        out += csvLine(cellsOf(model, row));
    return out;
}

QString toText(const QAbstractItemModel &model, const QList<int> &rows)
{
    QString out = cellsOf(model, -1).join(u'\t') + u'\n';
    for (const int row : rows) {
        QStringList cells = cellsOf(model, row);
        for (QString &cell : cells)
            cell = visibleLines(cell).replace(u'\n', u' ').replace(u'\t', u' ');
        out += cells.join(u'\t') + u'\n';
    }
    return out;
}

} // namespace lockscope::ui
