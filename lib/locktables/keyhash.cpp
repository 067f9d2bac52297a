// SPDX-License-Identifier: MIT
#include "keyhash.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QUuid>

namespace lockscope {

namespace {

QByteArray uuid3(const QByteArray &name)
{
    if (name.size() == 36 && !QUuid::fromString(QLatin1StringView(name)).isNull())
        return name;
    QByteArray bytes = QCryptographicHash::hash(name, QCryptographicHash::Md5);
    bytes[6] = char((bytes[6] & 0x0f) | 0x30); // version 3
    bytes[8] = char((bytes[8] & 0x3f) | 0x80); // variant of RFC 4122
    return QUuid::fromRfc4122(bytes).toByteArray(QUuid::WithoutBraces);
}

} // namespace

QByteArray hashedKey(KeyHash hash, const QByteArray &name)
{
    switch (hash) {
    case KeyHash::Sha256:
        return QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex();
    case KeyHash::Uuid3:
        return uuid3(name);
    case KeyHash::None:
        break;
    }
    return name;
}

} // namespace lockscope
