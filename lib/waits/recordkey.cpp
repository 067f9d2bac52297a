// SPDX-License-Identifier: MIT
#include "recordkey.h"

#include <QtCore/QStringDecoder>

#include <algorithm>

namespace lockscope {

namespace {

/// The end of the column that begins at `from`: a comma in a quoted text ends none.
qsizetype endOfColumn(const QByteArray &key, qsizetype from)
{
    bool isQuoted = false;
    for (qsizetype i = from; i < key.size(); ++i) {
        if (key[i] == '\'')
            isQuoted = !isQuoted; // a doubled quote closes and opens
        else if (key[i] == ',' && !isQuoted)
            return i;
    }
    return key.size();
}

bool isText(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(bytes);
    return !text.isEmpty() && !decoder.hasError() && std::all_of(text.cbegin(), text.cend(), [](QChar letter) {
        return letter.isPrint() || letter.isSurrogate();
    });
}

/// Of so many bytes is a TIMESTAMP, and many of them look like text.
constexpr qsizetype kTimestampBytes = 4;

QByteArray readableColumn(const QByteArray &column)
{
    if (!column.startsWith("0x"))
        return column;
    const QByteArray digits = column.mid(2);
    QByteArray bytes = QByteArray::fromHex(digits);
    if (bytes.size() * 2 != digits.size()) // cut, or no number after all
        return column;
    const qsizetype all = bytes.size();
    while (bytes.endsWith('\0'))
        bytes.chop(1);
    if (!isText(bytes) || bytes.size() == kTimestampBytes)
        return column;
    const qsizetype zeros = all - bytes.size();
    const QByteArray padding = zeros == 0 ? QByteArray() : " + " + QByteArray::number(zeros) + " zero bytes";
    return '\'' + bytes.replace("'", "''") + '\'' + padding;
}

} // namespace

QByteArray readableKey(const QByteArray &key)
{
    QByteArray readable;
    for (qsizetype from = 0; from < key.size();) {
        const qsizetype end = endOfColumn(key, from);
        if (!readable.isEmpty())
            readable += ", ";
        readable += readableColumn(key.mid(from, end - from).trimmed());
        from = end + 1;
    }
    return readable;
}

bool isGapMode(const QString &mode)
{
    if (mode.contains(QLatin1String("INSERT_INTENTION")))
        return true;
    return mode.contains(QLatin1String("GAP")) && !mode.contains(QLatin1String("REC_NOT_GAP"));
}

} // namespace lockscope
