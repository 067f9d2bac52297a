// SPDX-License-Identifier: MIT
#include "keycolumns.h"

#include <QtCore/QStringList>

#include <algorithm>

namespace lockscope {

namespace {

/// InnoDB keeps integers with the high byte first, and turns the highest bit of signed ones over, so that bytes sort
/// as numbers do.
QString integerText(const QByteArray &bytes, bool isUnsigned)
{
    quint64 number = 0;
    for (const char byte : bytes)
        number = (number << 8) | quint8(byte);
    if (isUnsigned)
        return QString::number(number);
    const int bits = int(bytes.size()) * 8;
    const quint64 sign = quint64(1) << (bits - 1);
    number ^= sign;
    const qint64 value = bits == 64 || number < sign ? qint64(number) : qint64(number) - (qint64(1) << bits);
    return QString::number(value);
}

QString fieldText(const std::optional<QByteArray> &field, const KeyColumn &column)
{
    if (!field)
        return QStringLiteral("NULL");
    if (isInteger(column) && !field->isEmpty() && field->size() <= 8)
        return integerText(*field, column.isUnsigned);
    if (isText(column)) {
        QString text = QString::fromUtf8(*field);
        if (column.type == QLatin1String("char"))
            text = text.trimmed();
        return quotedText(text);
    }
    return hexadecimal(*field);
}

IndexColumns indexColumns(const ResultSet &set)
{
    IndexColumns indexes;
    for (const QVariantList &row : set.rows)
        indexes[row.value(0).toString()][row.value(1).toString()].append(
            {row.value(2).toString(), row.value(3).toString().toLower(),
             row.value(4).toString().contains(QLatin1String("unsigned"))});
    for (auto &ofTable : indexes) {
        const QList<KeyColumn> primary = ofTable.value(QStringLiteral("PRIMARY"));
        for (auto index = ofTable.begin(); index != ofTable.end(); ++index) {
            for (const KeyColumn &column : primary) {
                if (!index.value().contains(column))
                    index.value().append(column);
            }
        }
    }
    return indexes;
}

} // namespace

bool isInteger(const KeyColumn &column)
{
    return column.type.endsWith(QLatin1String("int"));
}

bool isText(const KeyColumn &column)
{
    return column.type.endsWith(QLatin1String("char")) || column.type.endsWith(QLatin1String("text"));
}

QString quotedText(const QString &text)
{
    return u'\'' + QString(text).replace(u'\'', QStringLiteral("''")) + u'\'';
}

QString hexadecimal(const QByteArray &bytes)
{
    return QStringLiteral("0x") + QString::fromLatin1(bytes.toHex().toUpper());
}

QString readableFields(const QList<std::optional<QByteArray>> &fields, const QList<KeyColumn> &columns)
{
    QStringList texts;
    for (qsizetype i = 0; i < std::min(fields.size(), columns.size()); ++i)
        texts += fieldText(fields.at(i), columns.at(i));
    return texts.join(QStringLiteral(", "));
}

std::optional<LockError> readIndexColumns(Session &session, const QString &schema, IndexColumns *indexes)
{
    const Reply reply = session.run("waits/index_columns", Params().text("schema", schema));
    if (!reply)
        return reply.error;
    *indexes = indexColumns(reply.set(-1));
    return std::nullopt;
}

std::optional<LockError> addIndexColumns(Session &session, const QString &schema, const QString &table,
                                         IndexColumns *indexes)
{
    const Reply reply = session.run("waits/index_columns_of", Params().text("schema", schema).text("table", table));
    if (!reply)
        return reply.error;
    indexes->insert(indexColumns(reply.set(-1)));
    return std::nullopt;
}

} // namespace lockscope
