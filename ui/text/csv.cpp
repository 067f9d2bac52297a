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

QByteArray toCsv(const QStringList &headers, qsizetype rows, const RowCells &cells)
{
    QByteArray out = csvLine(headers);
    for (qsizetype row = 0; row < rows; ++row)
        out += csvLine(cells(row));
    return out;
}

QString toText(const QStringList &headers, qsizetype rows, const RowCells &cells)
{
    QString out = headers.join(u'\t') + u'\n';
    for (qsizetype row = 0; row < rows; ++row) {
        QStringList line = cells(row);
        for (QString &cell : line)
            cell = visibleLines(cell).replace(u'\n', u' ').replace(u'\t', u' ');
        out += line.join(u'\t') + u'\n';
    }
    return out;
}

QByteArray toCsv(const QAbstractItemModel &model)
{
    const auto line = [&model](const auto &cell) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells += cell(column).toString();
        return cells;
    };
    const auto header = [&model](int column) { return model.headerData(column, Qt::Horizontal); };
    return toCsv(line(header), model.rowCount(),
                 [&](qsizetype row) { return line([&](int column) { return model.index(int(row), column).data(); }); });
}

} // namespace lockscope::ui
