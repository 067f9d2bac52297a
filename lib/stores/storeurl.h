// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QUrl>
#include <QtCore/QUrlQuery>

#include <algorithm>
#include <optional>

// What the addresses of stores have in common. Inline: each store is a library of its own.
namespace lockscope::detail {

inline bool hasControls(const QString &text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; });
}

/// The part of a URL with user and hosts.
inline QString authorityOf(const QString &text)
{
    const QString behind = text.section(QStringLiteral("://"), 1);
    const auto isEnd = [](QChar c) { return c == u'/' || c == u'?' || c == u'#'; };
    return behind.left(std::find_if(behind.begin(), behind.end(), isEnd) - behind.begin());
}

/// What is wrong with a URL before its parts are looked at, which errors may show then, or nothing. A password with a
/// slash in it would be taken for a port and a path.
inline QString validateUrlText(const QString &text, const QString &store)
{
    if (text.count(u'@') == authorityOf(text).count(u'@'))
        return {};
    return QStringLiteral(
               "The %1 URL has an @ behind a slash, question mark or hash sign: in a path or an option it is "
               "written %40, and a password may not be there, for others can read it.")
        .arg(store);
}

/// Of one host with its port.
inline QString validateBrackets(const QString &host, const QString &store)
{
    if (host.count(u':') < 2 || host.contains(u'['))
        return {};
    return QStringLiteral("An IPv6 address stands in brackets in the %1 URL: [::1], or [::1]:port.").arg(store);
}

/// What is wrong with the options, or nothing. `store` is how it is called; one of `lists` may be given again.
inline QString validateUrlOptions(const QUrlQuery &query, const QStringList &known, const QString &store,
                                  const QStringList &lists = {})
{
    for (const auto &[key, value] : query.queryItems()) {
        if (!known.contains(key))
            return QStringLiteral("The %1 URL has an option that is not known: %2.").arg(store, key);
        if (!lists.contains(key) && query.allQueryItemValues(key).size() > 1)
            return QStringLiteral("The %1 URL has the option %2 twice.").arg(store, key);
        if (key == QLatin1String("tls") && value != QLatin1String("on") && value != QLatin1String("off"))
            return QStringLiteral("The %1 URL's option tls must be on or off.").arg(store);
    }
    return {};
}

inline QString passwordInUrl(const QString &store)
{
    return QStringLiteral("The %1 URL may not carry a password: others can read it.").arg(store);
}

/// Takes "user@" from the front of an authority. Returns what is wrong, or nothing.
inline QString takeUser(QString *authority, QString *user, const QString &store)
{
    const auto at = authority->lastIndexOf(u'@');
    if (at < 0)
        return {};
    const QString text = authority->left(at);
    if (text.contains(u':'))
        return passwordInUrl(store);
    *user = QUrl::fromPercentEncoding(text.toUtf8());
    authority->remove(0, at + 1);
    return {};
}

// Of stores whose address names several hosts, which are no authority to a QUrl. `Host` has `name` and `port`.

/// "h1", "h1:2379", "[::1]:2379"; the rules for names are QUrl's.
template<typename Host>
std::optional<Host> hostOf(const QString &text, int defaultPort)
{
    const QUrl url(QStringLiteral("store://") + text, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() || !url.userInfo().isEmpty() || !url.path().isEmpty())
        return std::nullopt;
    return Host{url.host(QUrl::FullyDecoded), url.port(defaultPort)};
}

template<typename Host>
QString hostsText(const QList<Host> &hosts, int defaultPort)
{
    QStringList names;
    for (const Host &host : hosts) {
        const QString name = host.name.contains(u':') ? u'[' + host.name + u']' : host.name;
        names.append(host.port == defaultPort ? name : QStringLiteral("%1:%2").arg(name).arg(host.port));
    }
    return names.join(u',');
}

template<typename Host>
bool isLoopback(const Host &host)
{
    ServerUrl url;
    url.host = host.name;
    return url.isLocal();
}

} // namespace lockscope::detail
