// SPDX-License-Identifier: MIT
#include "lockextract.h"

#include "locks/lockjson.h"
#include "locktablemodel.h"
#include "ui/text/csv.h"

#include <QtCore/QJsonDocument>

namespace lockscope::ui {

namespace {

QByteArray namesOf(const QList<LockItem> &items)
{
    QByteArray names;
    for (const LockItem &item : items)
        names += QString::fromUtf8(item.row->key.resource).toUtf8() + '\n';
    names.chop(1);
    return names;
}

/// One lock a line: a document of very many would take many times their size.
QByteArray jsonOf(const QList<LockItem> &items, ServerTime now)
{
    QByteArray out;
    for (const LockItem &item : items) {
        if (!item.vanishedAt)
            out +=
                (out.isEmpty() ? "[\n" : ",\n") + QJsonDocument(toJson(*item.row, now)).toJson(QJsonDocument::Compact);
    }
    return out.isEmpty() ? QByteArray("[]\n") : out + "\n]\n";
}

} // namespace

QByteArray LockExtract::as(Format format) const
{
    const auto cells = [this](qsizetype row) {
        QStringList line;
        for (int column = 0; column < headers.size(); ++column)
            line += LockTableModel::text(items[row], column, now);
        return line;
    };
    switch (format) {
    case Format::Names:
        return namesOf(items);
    case Format::Text:
        return toText(headers, items.size(), cells).toUtf8();
    case Format::Csv:
        return toCsv(headers, items.size(), cells);
    case Format::Json:
        break;
    }
    return jsonOf(items, now);
}

} // namespace lockscope::ui
