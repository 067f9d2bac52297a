// SPDX-License-Identifier: MIT
#include "lockscope/etcdstore.h"

#include "stores/storeurl.h"

#include <QtCore/QUrl>
#include <QtCore/QUrlQuery>

#include <algorithm>

namespace lockscope {

namespace {

using namespace detail;

constexpr int kDefaultPort = 2379;
constexpr qsizetype kMaxSocketBytes = 107; // sockaddr_un

const QString kStore = QStringLiteral("etcd");
const QString kScheme = QStringLiteral("etcd://");
const QString kSocketKey = QStringLiteral("socket");
const QString kCaKey = QStringLiteral("ssl-ca");
const QString kCertKey = QStringLiteral("ssl-cert");
const QString kKeyKey = QStringLiteral("ssl-key");
const QString kTlsKey = QStringLiteral("tls");

QString notAUrl()
{
    return QStringLiteral("Not an etcd URL. Expected etcd://h1:2379,h2:2379/locks or etcd:///locks?socket=%2Fpath.");
}

/// The part before the path: user and hosts. Returns what is wrong, or nothing.
QString readAuthority(QString authority, EtcdUrl *url)
{
    if (const QString wrong = takeUser(&authority, &url->user, kStore); !wrong.isEmpty())
        return wrong;
    if (authority.isEmpty())
        return {};
    for (const QString &part : authority.split(u',')) {
        if (const QString wrong = validateBrackets(part, kStore); !wrong.isEmpty())
            return wrong;
        const auto host = hostOf<EtcdUrl::Host>(part, kDefaultPort);
        if (!host)
            return QStringLiteral("The etcd URL has a host that is none: %1.").arg(part);
        url->hosts.append(*host);
    }
    return {};
}

QString validateSockets(const EtcdUrl &url)
{
    if (url.hosts.isEmpty() && url.sockets.isEmpty())
        return QStringLiteral("The etcd URL names neither a host nor a socket: etcd://host:2379.");
    if (!url.hosts.isEmpty() && !url.sockets.isEmpty())
        return QStringLiteral("The etcd URL names a host and a socket; it can be only one of them.");
    for (const QString &socket : url.sockets) {
        if (!socket.startsWith(u'/'))
            return QStringLiteral("The socket of the etcd URL must be an absolute path.");
        if (socket.toLocal8Bit().size() > kMaxSocketBytes)
            return QStringLiteral("The socket's path in the etcd URL is too long: at most %1 bytes.")
                .arg(kMaxSocketBytes);
    }
    return {};
}

QString validateTls(const EtcdUrl &url)
{
    const bool namesFiles = !url.caFile.isEmpty() || !url.certFile.isEmpty() || !url.keyFile.isEmpty();
    if (url.certFile.isEmpty() != url.keyFile.isEmpty())
        return QStringLiteral("A client certificate in the etcd URL needs both ssl-cert and ssl-key.");
    if (!url.sockets.isEmpty() && (url.usesTls() || namesFiles))
        return QStringLiteral("A Unix socket needs no TLS: take tls and ssl-… out of the etcd URL.");
    if (url.tls == EtcdUrl::Tls::Off && namesFiles)
        return QStringLiteral("The etcd URL names certificates (ssl-…) and switches TLS off.");
    return {};
}

/// What is wrong with the parts, or nothing.
QString validate(const EtcdUrl &url)
{
    const QString all = url.user + url.path + url.sockets.join(QString()) + url.caFile + url.certFile + url.keyFile;
    if (hasControls(all))
        return QStringLiteral("The etcd URL may not contain control characters.");
    if (const QString wrong = validateSockets(url); !wrong.isEmpty())
        return wrong;
    return validateTls(url);
}

void readQuery(const QUrlQuery &query, EtcdUrl *url)
{
    url->sockets = query.allQueryItemValues(kSocketKey, QUrl::FullyDecoded);
    url->caFile = query.queryItemValue(kCaKey, QUrl::FullyDecoded);
    url->certFile = query.queryItemValue(kCertKey, QUrl::FullyDecoded);
    url->keyFile = query.queryItemValue(kKeyKey, QUrl::FullyDecoded);
    if (query.hasQueryItem(kTlsKey))
        url->tls = query.queryItemValue(kTlsKey) == QLatin1String("on") ? EtcdUrl::Tls::On : EtcdUrl::Tls::Off;
}

void addOption(QUrlQuery *query, const QString &key, const QString &value)
{
    if (!value.isEmpty())
        query->addQueryItem(key, QString::fromLatin1(QUrl::toPercentEncoding(value)));
}

} // namespace

bool EtcdUrl::parse(const QString &text, EtcdUrl *url, QString *error)
{
    if (!text.startsWith(kScheme) || text.contains(u'#')) {
        *error = notAUrl();
        return false;
    }
    // Several hosts are no authority to a QUrl.
    const QString behind = text.mid(kScheme.size());
    const QString place = behind.section(u'?', 0, 0);
    const QString authority = authorityOf(text);
    const QUrlQuery query(behind.section(u'?', 1));
    EtcdUrl result;
    result.path = QUrl::fromPercentEncoding(place.mid(authority.size()).toUtf8());
    if (result.path.endsWith(u'/'))
        result.path.chop(1);
    *error = validateUrlText(text, kStore);
    if (error->isEmpty())
        *error = validateUrlOptions(query, {kSocketKey, kCaKey, kCertKey, kKeyKey, kTlsKey}, kStore, {kSocketKey});
    if (error->isEmpty())
        *error = readAuthority(authority, &result);
    readQuery(query, &result);
    const QList<Host> anyHost{{QStringLiteral("localhost"), kDefaultPort}};
    if (!result.sockets.isEmpty() && result.hosts == anyHost)
        result.hosts.clear();
    if (error->isEmpty())
        *error = validate(result);
    if (!error->isEmpty())
        return false;
    *url = result;
    return true;
}

QString EtcdUrl::toString() const
{
    QUrlQuery query;
    for (const QString &socket : sockets)
        addOption(&query, kSocketKey, socket);
    addOption(&query, kCaKey, caFile);
    addOption(&query, kCertKey, certFile);
    addOption(&query, kKeyKey, keyFile);
    if (tls != Tls::Auto)
        query.addQueryItem(kTlsKey, tls == Tls::On ? QStringLiteral("on") : QStringLiteral("off"));
    const QString who = user.isEmpty() ? QString() : QString::fromLatin1(QUrl::toPercentEncoding(user)) + u'@';
    const QString where = QString::fromLatin1(QUrl::toPercentEncoding(path, "/"));
    const QString options = query.toString(QUrl::FullyEncoded);
    return kScheme + who + hostsText(hosts, kDefaultPort) + where + (options.isEmpty() ? QString() : u'?' + options);
}

bool EtcdUrl::isLocal() const
{
    return std::all_of(hosts.begin(), hosts.end(), isLoopback<Host>);
}

bool EtcdUrl::usesTls() const
{
    return tls == Tls::On || (tls == Tls::Auto && (!isLocal() || !caFile.isEmpty() || !certFile.isEmpty()));
}

} // namespace lockscope
