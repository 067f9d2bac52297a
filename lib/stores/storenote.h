// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/owner.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

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

/// Ours are far shorter; what is longer is not read.
inline constexpr qsizetype kMaxStoreNote = 16'384;

} // namespace lockscope::detail
