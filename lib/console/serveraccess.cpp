// SPDX-License-Identifier: MIT
#include "serveraccess.h"

#include "session/validation_p.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QSettings>
#include <QtCore/QStringList>

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// Its address, always spelt the same way.
QString placeOf(const ServerUrl &url)
{
    if (!url.socket.isEmpty()) {
        const QString real = QFileInfo(url.socket).canonicalFilePath();
        return real.isEmpty() ? QDir::cleanPath(url.socket) : real;
    }
    QString host = url.host.toLower();
    while (host.endsWith(u'.'))
        host.chop(1);
    if (url.isLocal())
        host = u"localhost"_s;
    return host + u':' + QString::number(url.port);
}

/// Where the entries of the window's list stand in its settings, as beginReadArray() counts them.
QStringList entriesOf(const QSettings &settings)
{
    QStringList entries;
    const int count = settings.value(u"servers/size"_s).toInt();
    for (int i = 1; i <= count; ++i)
        entries.append(u"servers/%1/"_s.arg(i));
    return entries;
}

/// Whether the text of a URL leads to this server; of a store's it never does.
bool leadsTo(const ServerUrl &url, const QString &text)
{
    ServerUrl known;
    QString error;
    return ServerUrl::parse(text, &known, &error) && isSameServer(known, url);
}

QSettings windowSettings()
{
    return QSettings(u"lockscope"_s, u"lockscope"_s);
}

} // namespace

ServerAccess ServerAccess::toLook(bool isProduction)
{
    ServerAccess access;
    access.m_isProduction = isProduction;
    return access;
}

ServerAccess ServerAccess::toAct(bool isProduction)
{
    ServerAccess access = toLook(isProduction);
    access.m_mayAct = true;
    return access;
}

ServerAccess ServerAccess::toLookAt(const QString &ownName)
{
    return toLook(isProductionByOwnName(ownName));
}

ServerAccess ServerAccess::ofCommand(const ServerUrl &url, const QString &ownName, bool isNamed)
{
    return ofCommand(isProductionServer(url) || isProductionByOwnName(ownName), isNamed);
}

ServerAccess ServerAccess::ofCommand(bool isProduction, bool isNamed)
{
    return isNamed || !isProduction ? toAct(isProduction) : toLook(isProduction);
}

std::optional<LockError> ServerAccess::refusal() const
{
    if (m_mayAct)
        return std::nullopt;
    return detail::badRequest(m_isProduction
                                  ? u"This is a production server, according to the window's list: it has to be named "
                                    "(--server) before anything is changed."_s
                                  : u"This server is open read-only."_s);
}

std::optional<LockError> ServerAccess::refusalOfLab() const
{
    if (!m_isProduction)
        return std::nullopt;
    return detail::badRequest(u"This is tagged as a production server: no contention is made there."_s);
}

bool isSameServer(const ServerUrl &a, const ServerUrl &b)
{
    return placeOf(a) == placeOf(b);
}

bool hasTaggedEntry(const QSettings &settings, const QString &field,
                    const std::function<bool(const QString &value)> &isSought)
{
    return std::ranges::any_of(entriesOf(settings), [&](const QString &entry) {
        return settings.value(entry + u"production"_s).toBool() && isSought(settings.value(entry + field).toString());
    });
}

bool isProductionServer(const QSettings &settings, const ServerUrl &url)
{
    return hasTaggedEntry(settings, u"url"_s, [&url](const QString &text) { return leadsTo(url, text); });
}

bool isProductionServer(const ServerUrl &url)
{
    return isProductionServer(windowSettings(), url);
}

bool isProductionByOwnName(const QSettings &settings, const QString &ownName)
{
    return !ownName.isEmpty()
        && hasTaggedEntry(settings, u"ownName"_s, [&ownName](const QString &known) { return known == ownName; });
}

bool isProductionByOwnName(const QString &ownName)
{
    return isProductionByOwnName(windowSettings(), ownName);
}

void keepOwnName(QSettings *settings, const ServerUrl &url, const QString &ownName)
{
    const QStringList entries = entriesOf(*settings);
    for (const QString &entry : entries) {
        if (leadsTo(url, settings->value(entry + u"url"_s).toString())
            && settings->value(entry + u"ownName"_s).toString() != ownName)
            settings->setValue(entry + u"ownName"_s, ownName);
    }
}

} // namespace lockscope
