// SPDX-License-Identifier: MIT
#include "lockscope/serverurl.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QUrl>
#include <QtCore/QUrlQuery>

namespace lockscope {

namespace {

constexpr int kDefaultPort = 3306;

const QString kSocketKey = QStringLiteral("socket");
const QString kCaKey = QStringLiteral("ssl-ca");

bool hasAny(const QString &text, const char *forbidden)
{
    for (const char *c = forbidden; *c; ++c) {
        if (text.contains(QLatin1Char(*c)))
            return true;
    }
    return text.contains(QChar(0));
}

/// What is wrong with the parts, or nothing. `;` and `=` would end a value in the driver's option string.
QString validate(const ServerUrl &url, const QUrlQuery &query)
{
    for (const auto &[key, value] : query.queryItems()) {
        if (key != kSocketKey && key != kCaKey)
            return QStringLiteral("The server URL has an option that is not known: %1.").arg(key);
    }
    if (url.user.isEmpty())
        return QStringLiteral("The server URL names no user: mysql://user@host:port/schema.");
    if (url.host.isEmpty() && url.socket.isEmpty())
        return QStringLiteral("The server URL names neither a host nor a socket.");
    if (url.schema.isEmpty() || url.schema.contains(u'/'))
        return QStringLiteral("The server URL names no schema: mysql://user@host:port/schema.");
    if (url.schema.size() > 64 || url.user.size() > 128)
        return QStringLiteral("The server URL's user or schema name is too long.");
    if (hasAny(url.host, ";= ") || hasAny(url.user, ";="))
        return QStringLiteral("User and host of the server URL may not contain “;”, “=” or spaces.");
    if (hasAny(url.socket, ";") || hasAny(url.caFile, ";") || hasAny(url.schema, ""))
        return QStringLiteral("Paths of the server URL may not contain “;”.");
    if (!url.socket.isEmpty() && !url.socket.startsWith(u'/'))
        return QStringLiteral("The socket of the server URL must be an absolute path.");
    return {};
}

} // namespace

bool ServerUrl::parse(const QString &text, ServerUrl *url, QString *error)
{
    const QUrl parsed(text, QUrl::StrictMode);
    if (!parsed.isValid()
        || (parsed.scheme() != QLatin1String("mysql") && parsed.scheme() != QLatin1String("mariadb"))) {
        *error = QStringLiteral("Not a server URL. Expected mysql://user@host:port/schema?socket=%2Fpath.");
        return false;
    }
    if (!parsed.password().isEmpty()) {
        *error = QStringLiteral("The server URL may not carry a password: others can read it. "
                                "Use LOCKSCOPE_PASSWORD or a password file.");
        return false;
    }
    const QUrlQuery query(parsed);
    ServerUrl result;
    result.user = parsed.userName(QUrl::FullyDecoded);
    result.host = parsed.host(QUrl::FullyDecoded);
    result.socket = query.queryItemValue(kSocketKey, QUrl::FullyDecoded);
    result.caFile = query.queryItemValue(kCaKey, QUrl::FullyDecoded);
    result.port = result.socket.isEmpty() ? parsed.port(kDefaultPort) : 0;
    result.schema = parsed.path(QUrl::FullyDecoded).mid(1);
    if (!result.socket.isEmpty() && result.host == QLatin1String("localhost"))
        result.host.clear();
    if (const QString wrong = validate(result, query); !wrong.isEmpty()) {
        *error = wrong;
        return false;
    }
    *url = result;
    return true;
}

QString ServerUrl::toString() const
{
    QUrl url;
    url.setScheme(QStringLiteral("mysql"));
    url.setUserName(user, QUrl::DecodedMode);
    url.setHost(host.isEmpty() ? QStringLiteral("localhost") : host);
    if (socket.isEmpty() && port != kDefaultPort)
        url.setPort(port);
    url.setPath(u'/' + schema, QUrl::DecodedMode);
    QUrlQuery query;
    if (!socket.isEmpty())
        query.addQueryItem(kSocketKey, QString::fromLatin1(QUrl::toPercentEncoding(socket)));
    if (!caFile.isEmpty())
        query.addQueryItem(kCaKey, QString::fromLatin1(QUrl::toPercentEncoding(caFile)));
    url.setQuery(query);
    return url.toString(QUrl::FullyEncoded);
}

bool ServerUrl::isLocal() const
{
    // The whole of it: 127.example.com is a name, and anybody's.
    static const QRegularExpression loopback(QStringLiteral("\\A127(\\.[0-9]{1,3}){3}\\z"));
    return !socket.isEmpty() || host == QLatin1String("localhost") || host == QLatin1String("::1")
        || loopback.match(host).hasMatch();
}

} // namespace lockscope
