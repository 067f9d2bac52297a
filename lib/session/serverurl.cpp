// SPDX-License-Identifier: MIT
#include "lockscope/serverurl.h"

#include <QtCore/QUrl>
#include <QtCore/QUrlQuery>

#include <algorithm>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace lockscope {

namespace {

constexpr int kDefaultPort = 3306;

const QString kSocketKey = QStringLiteral("socket");
const QString kCaKey = QStringLiteral("ssl-ca");

bool hasAny(const QString &text, const char *forbidden)
{
    return std::any_of(text.begin(), text.end(), [&](QChar c) {
        return c.isNull() || (c.unicode() < 128 && QByteArrayView(forbidden).contains(char(c.unicode())));
    });
}

/// What would end or quote a value in the client library's connection string.
bool hasSigns(const QString &text)
{
    const auto isControl = [](QChar c) { return c.category() == QChar::Other_Control; };
    return hasAny(text, ";={}") || std::any_of(text.begin(), text.end(), isControl);
}

/// What is wrong with the parts, or nothing. `;` ends an option of Qt's driver.
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
    if (hasSigns(url.host) || hasAny(url.host, " ") || hasSigns(url.user))
        return QStringLiteral("User and host of the server URL may not contain “;”, “=”, braces, spaces or control "
                              "characters.");
    if (hasAny(url.socket, ";") || hasSigns(url.caFile) || hasAny(url.schema, ""))
        return QStringLiteral(
            "Paths of the server URL may not contain “;”; that of a CA file no “=”, braces or control "
            "characters either.");
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
    if (!socket.isEmpty() || host == QLatin1String("localhost"))
        return true;
    // As an address: 127.example.com and 127.0.0.300 are names, and anybody's.
    const QByteArray text = host.toLatin1();
    in_addr address = {};
    in6_addr address6 = {};
    return (::inet_pton(AF_INET, text.constData(), &address) == 1 && ntohl(address.s_addr) >> 24 == IN_LOOPBACKNET)
        || (::inet_pton(AF_INET6, text.constData(), &address6) == 1 && IN6_IS_ADDR_LOOPBACK(&address6));
}

} // namespace lockscope
