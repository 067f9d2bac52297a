// SPDX-License-Identifier: MIT
#include "lockextract.h"

#include "locks/lockjson.h"
#include "locktablemodel.h"
#include "ui/text/csv.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

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
QByteArray jsonOf(const LockExtract &extract)
{
    QByteArray out;
    for (const LockItem &item : extract.items) {
        if (item.vanishedAt)
            continue;
        const int server = item.row->key.server;
        QJsonObject lock = toJson(*item.row, extract.times.value(server));
        if (extract.servers.contains(server))
            lock[QLatin1StringView("server")] = extract.servers.value(server);
        out += (out.isEmpty() ? "[\n" : ",\n") + QJsonDocument(lock).toJson(QJsonDocument::Compact);
    }
    return out.isEmpty() ? QByteArray("[]\n") : out + "\n]\n";
}

} // namespace

QByteArray LockExtract::as(Format format) const
{
    const auto withoutServer = [this](QStringList line) {
        if (servers.isEmpty())
            line.removeAt(LockTableModel::ServerColumn);
        return line;
    };
    const auto cells = [this, withoutServer](qsizetype row) {
        QStringList line;
        const int server = items[row].row->key.server;
        for (int column = 0; column < headers.size(); ++column)
            line += LockTableModel::text(items[row], column, times.value(server), servers.value(server));
        return withoutServer(line);
    };
    switch (format) {
    case Format::Names:
        return namesOf(items);
    case Format::Text:
        return toText(withoutServer(headers), items.size(), cells).toUtf8();
    case Format::Csv:
        return toCsv(withoutServer(headers), items.size(), cells);
    case Format::Json:
        break;
    }
    return jsonOf(*this);
}

} // namespace lockscope::ui
