// SPDX-License-Identifier: MIT
#include "lockscope/redisstore.h"

#include "lockscope/serverurl.h"
#include "stores/storeurl.h"

#include <QtCore/QUrl>
#include <QtCore/QUrlQuery>

namespace lockscope {

namespace {

using namespace detail;

constexpr int kDefaultPort = 6379;
constexpr qsizetype kMaxSocketBytes = 107; // sockaddr_un

const QString kStore = QStringLiteral("Redis");
const QString kScheme = QStringLiteral("redis://");
const QString kSocketKey = QStringLiteral("socket");
const QString kCaKey = QStringLiteral("ssl-ca");
const QString kTlsKey = QStringLiteral("tls");

QString notAUrl()
{
    return QStringLiteral("Not a Redis URL. Expected redis://user@host:6379/0?socket=%2Fpath.");
}

/// What is wrong with the parts, or nothing.
QString validate(const RedisUrl &url)
{
    if (url.host.isEmpty() && url.socket.isEmpty())
        return QStringLiteral("The Redis URL names neither a host nor a socket: redis://host:6379/0.");
    if (!url.host.isEmpty() && !url.socket.isEmpty())
        return QStringLiteral("The Redis URL names a host and a socket; it can be only one of them.");
    if (hasControls(url.user) || hasControls(url.host) || hasControls(url.socket) || hasControls(url.caFile))
        return QStringLiteral("The Redis URL may not contain control characters.");
    if (!url.socket.isEmpty() && !url.socket.startsWith(u'/'))
        return QStringLiteral("The socket of the Redis URL must be an absolute path.");
    if (url.socket.toLocal8Bit().size() > kMaxSocketBytes)
        return QStringLiteral("The socket's path in the Redis URL is too long: at most %1 bytes.").arg(kMaxSocketBytes);
    if (!url.socket.isEmpty() && url.usesTls())
        return QStringLiteral("A Unix socket needs no TLS: take tls and ssl-ca out of the Redis URL.");
    if (url.tls == RedisUrl::Tls::Off && !url.caFile.isEmpty())
        return QStringLiteral("The Redis URL names an authority (ssl-ca) and switches TLS off.");
    return {};
}

} // namespace

bool RedisUrl::parse(const QString &text, RedisUrl *url, QString *error)
{
    const QUrl parsed(text, QUrl::StrictMode);
    *error = text.startsWith(kScheme) ? validateUrlText(text, kStore) : notAUrl();
    if (error->isEmpty())
        *error = validateBrackets(authorityOf(text).section(u'@', -1), kStore);
    if (error->isEmpty() && !parsed.isValid())
        *error = notAUrl();
    if (!error->isEmpty())
        return false;
    if (!parsed.password().isEmpty()) {
        *error = passwordInUrl(kStore);
        return false;
    }
    const QUrlQuery query(parsed);
    *error = validateUrlOptions(query, {kSocketKey, kCaKey, kTlsKey}, kStore);
    if (!error->isEmpty())
        return false;
    RedisUrl result;
    result.user = parsed.userName(QUrl::FullyDecoded);
    result.host = parsed.host(QUrl::FullyDecoded);
    result.socket = query.queryItemValue(kSocketKey, QUrl::FullyDecoded);
    result.caFile = query.queryItemValue(kCaKey, QUrl::FullyDecoded);
    result.port = result.socket.isEmpty() ? parsed.port(kDefaultPort) : 0;
    if (!result.socket.isEmpty() && result.host == QLatin1String("localhost"))
        result.host.clear();
    if (query.hasQueryItem(kTlsKey))
        result.tls = query.queryItemValue(kTlsKey) == QLatin1String("on") ? Tls::On : Tls::Off;
    const QString database = parsed.path(QUrl::FullyDecoded).mid(1);
    bool isNumber = true;
    if (!database.isEmpty())
        result.database = int(database.toUShort(&isNumber));
    *error = isNumber ? validate(result) : QStringLiteral("The Redis URL's database must be a number: redis://host/0.");
    if (!error->isEmpty())
        return false;
    *url = result;
    return true;
}

QString RedisUrl::toString() const
{
    QUrl url;
    url.setScheme(QStringLiteral("redis"));
    url.setUserName(user, QUrl::DecodedMode);
    url.setHost(host.isEmpty() ? QStringLiteral("localhost") : host);
    if (socket.isEmpty() && port != kDefaultPort)
        url.setPort(port);
    url.setPath(u'/' + QString::number(database));
    QUrlQuery query;
    if (!socket.isEmpty())
        query.addQueryItem(kSocketKey, QString::fromLatin1(QUrl::toPercentEncoding(socket)));
    if (!caFile.isEmpty())
        query.addQueryItem(kCaKey, QString::fromLatin1(QUrl::toPercentEncoding(caFile)));
    if (tls != Tls::Auto)
        query.addQueryItem(kTlsKey, tls == Tls::On ? QStringLiteral("on") : QStringLiteral("off"));
    url.setQuery(query);
    return url.toString(QUrl::FullyEncoded);
}

bool RedisUrl::isLocal() const
{
    ServerUrl url;
    url.host = host;
    url.socket = socket;
    return url.isLocal();
}

bool RedisUrl::usesTls() const
{
    return tls == Tls::On || (tls == Tls::Auto && (!isLocal() || !caFile.isEmpty()));
}

} // namespace lockscope
