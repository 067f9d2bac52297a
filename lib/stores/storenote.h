// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/owner.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

#include <algorithm>

// What a request's node or key says of it, in stores that keep text. Inline: each store is a library of its own.
namespace lockscope::detail {

inline QByteArray compactJson(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

/// Who asks, and what they wrote beside it.
inline QJsonObject storeNote(const QByteArray &ownerJson, const QByteArray &note)
{
    QJsonObject data{{QStringLiteral("owner"), QJsonDocument::fromJson(ownerJson).object()}};
    const QString text = QString::fromUtf8(note);
    if (text.toUtf8() != note)
        data[QStringLiteral("noteHex")] = QString::fromLatin1(note.toHex());
    else if (!note.isEmpty())
        data[QStringLiteral("note")] = text;
    return data;
}

/// Ours are far shorter; what is longer is not read.
inline constexpr qsizetype kMaxStoreNote = 16'384;

/// Empty: it is no object, or too long for one of ours.
inline QJsonObject objectIn(const QByteArray &data)
{
    return data.size() <= kMaxStoreNote ? QJsonDocument::fromJson(data).object() : QJsonObject();
}

/// False: another program wrote it.
inline bool isStoreNote(const QJsonObject &data)
{
    return data[QStringLiteral("owner")].isObject();
}

inline Owner ownerIn(const QJsonObject &data)
{
    return Owner::fromJson(compactJson(data[QStringLiteral("owner")].toObject()));
}

inline QByteArray noteIn(const QJsonObject &data)
{
    const QString hex = QStringLiteral("noteHex");
    return data.contains(hex) ? QByteArray::fromHex(data[hex].toString().toLatin1())
                              : data[QStringLiteral("note")].toString().toUtf8();
}

/// Who another program says that it is: Curator its client's address, Go's package concurrency who wants to lead.
/// Nothing: no such name.
inline QString strangerIn(const QByteArray &data)
{
    constexpr qsizetype longest = 64;
    const bool isName =
        data.size() <= longest && std::all_of(data.begin(), data.end(), [](char c) { return c > ' ' && c < 0x7f; });
    return isName ? QString::fromLatin1(data) : QString();
}

/// Requests to release that a holder was sent: the last ones, as far as there is room, and how many there were.
struct StoreAsks
{
    QStringList reasons = {}; ///< oldest first
    qint64 count = 0;

    /// Those after the first `told`.
    QStringList after(qint64 told) const
    {
        const qint64 fresh = std::clamp<qint64>(count - told, 0, reasons.size());
        return reasons.mid(reasons.size() - qsizetype(fresh));
    }
};

inline StoreAsks asksIn(const QJsonObject &data)
{
    StoreAsks asks;
    for (const QJsonValue reason : data[QStringLiteral("asked")].toArray())
        asks.reasons += reason.toString();
    asks.count = std::max<qint64>(data[QStringLiteral("asks")].toInteger(), asks.reasons.size());
    return asks;
}

/// `data` with one more.
inline QJsonObject withAsk(QJsonObject data, const QString &reason)
{
    const StoreAsks before = asksIn(data);
    QJsonArray reasons = QJsonArray::fromStringList(before.reasons + QStringList(reason));
    while (reasons.size() > 1 && QJsonDocument(reasons).toJson(QJsonDocument::Compact).size() > kMaxStoreNote / 2)
        reasons.removeFirst();
    data[QStringLiteral("asked")] = reasons;
    data[QStringLiteral("asks")] = before.count + 1;
    return data;
}

} // namespace lockscope::detail
