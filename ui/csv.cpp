#include "csv.h"

#include <QtCore/QAbstractItemModel>

namespace lockscope::ui {

namespace {

QByteArray cell(const QVariant &value)
{
    QByteArray text = value.toString().toUtf8();
    text.replace('"', "\"\"");
    return '"' + text + '"';
}

} // namespace

QByteArray toCsv(const QAbstractItemModel &model)
{
    QByteArray out;
    const int columns = model.columnCount();
    for (int row = -1; row < model.rowCount(); ++row) {
        for (int column = 0; column < columns; ++column) {
            if (column > 0)
                out += ',';
            out += cell(row < 0 ? model.headerData(column, Qt::Horizontal) : model.index(row, column).data());
        }
        out += "\r\n";
    }
    return out;
}

} // namespace lockscope::ui
