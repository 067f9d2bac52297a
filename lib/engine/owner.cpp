// SPDX-License-Identifier: MIT
#include "lockscope/owner.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

namespace lockscope {

namespace {

constexpr int kMaxNameBytes = 120; // two names, a thread, pid and session stay below the column's 512 bytes

/// At most kMaxNameBytes bytes of UTF-8 as JSON writes it, shortened in the middle.
QString shortened(const QString &name)
{
    QString text = name;
    while (QJsonDocument(QJsonObject{{QString(), text}}).toJson(QJsonDocument::Compact).size() > kMaxNameBytes) {
        const auto middle = text.size() / 2;
        text = text.left(middle - 2) + QChar(0x2026) + text.mid(middle + 2);
    }
    return text;
}

} // namespace

QByteArray Owner::toJson() const
{
    QJsonObject object{{QStringLiteral("service"), shortened(service)},
                       {QStringLiteral("host"), shortened(host)},
                       {QStringLiteral("pid"), pid},
                       {QStringLiteral("thread"), shortened(thread)},
                       {QStringLiteral("session"), QString::fromLatin1(session)}};
    if (!key.isEmpty())
        object[QLatin1String("key")] = QString::fromLatin1(key);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

Owner Owner::fromJson(const QByteArray &json)
{
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    Owner owner;
    owner.service = object[QLatin1String("service")].toString();
    owner.host = object[QLatin1String("host")].toString();
    owner.pid = object[QLatin1String("pid")].toInteger();
    owner.thread = object[QLatin1String("thread")].toString();
    owner.key = object[QLatin1String("key")].toString().toLatin1();
    owner.session = object[QLatin1String("session")].toString().toLatin1();
    return owner;
}

QString Owner::toString() const
{
    const QString machine =
        pid == 0 && thread.isEmpty() ? host : QStringLiteral("%1:%2/%3").arg(host).arg(pid).arg(thread);
    if (machine.isEmpty())
        return service.isEmpty() ? QStringLiteral("-") : service;
    return service.isEmpty() ? machine : service + u'@' + machine;
}

} // namespace lockscope
