// SPDX-License-Identifier: MIT
#include "xid.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope {

namespace {

bool isPlain(const QByteArray &bytes)
{
    return std::all_of(bytes.cbegin(), bytes.cend(),
                       [](char c) { return c >= ' ' && c <= '~' && c != '\'' && c != '\\'; });
}

QByteArray literal(const QByteArray &bytes, bool isText)
{
    return isText ? '\'' + bytes + '\'' : "X'" + bytes.toHex() + '\'';
}

/// One part: text in quotes, or bytes as hexadecimal digits.
QByteArray bytesOf(const QRegularExpressionMatch &match, int text, int hex)
{
    if (match.hasCaptured(text))
        return match.captured(text).replace(QLatin1String("''"), QLatin1String("'")).toLatin1();
    return QByteArray::fromHex((match.captured(hex) + match.captured(hex + 1)).toLatin1());
}

} // namespace

QByteArray Xid::toSql() const
{
    const bool isText = isPlain(gtrid) && isPlain(bqual);
    QByteArray text = literal(gtrid, isText);
    if (!bqual.isEmpty() || format != 1)
        text += ',' + literal(bqual, isText);
    if (format != 1)
        text += ',' + QByteArray::number(format);
    return text;
}

std::optional<Xid> Xid::fromSql(const QByteArray &text)
{
    static const QRegularExpression pattern(
        QStringLiteral(R"re(^\s*(?:'((?:[^'\\]|'')*)'|X'([0-9a-f]*)'|0x([0-9a-f]+)))re"
                       R"re((?:\s*,\s*(?:'((?:[^'\\]|'')*)'|X'([0-9a-f]*)'|0x([0-9a-f]+)))?(?:\s*,\s*(\d+))?\s*$)re"),
        QRegularExpression::CaseInsensitiveOption);
    const auto match = pattern.match(QString::fromLatin1(text)); // byte by byte
    if (!match.hasMatch())
        return std::nullopt;
    Xid xid;
    xid.gtrid = bytesOf(match, 1, 2);
    xid.bqual = bytesOf(match, 4, 5);
    bool isNumber = true;
    if (match.hasCaptured(7))
        xid.format = match.captured(7).toLongLong(&isNumber);
    return isNumber ? std::optional(xid) : std::nullopt; // too large for one
}

} // namespace lockscope
