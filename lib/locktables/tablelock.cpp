// SPDX-License-Identifier: MIT
#include "tablelock.h"

#include <QtCore/QCryptographicHash>

#include <algorithm>

namespace lockscope {

namespace {

/// With its length, so that no two rows have the same text.
void add(QCryptographicHash *hash, const TableValue &value)
{
    hash->addData(value ? QByteArray::number(value->size()) + ':' + *value : QByteArray("NULL"));
}

} // namespace

qsizetype LockTable::indexOf(const QString &column) const
{
    const auto found = std::find_if(columns.cbegin(), columns.cend(), [&column](const TableColumn &each) {
        return each.name.compare(column, Qt::CaseInsensitive) == 0;
    });
    return found == columns.cend() ? -1 : found - columns.cbegin();
}

QByteArray TableLock::fullName() const
{
    const QByteArray place = table.place().toUtf8();
    return name().isEmpty() ? place : place + ' ' + name();
}

quint64 TableLock::fingerprint() const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    add(&hash, table.schema.toUtf8());
    add(&hash, table.name.toUtf8());
    for (const TableValue &value : values)
        add(&hash, value);
    return hash.result().left(6).toHex().toULongLong(nullptr, 16); // JSON numbers are exact up to 53 bits
}

} // namespace lockscope
