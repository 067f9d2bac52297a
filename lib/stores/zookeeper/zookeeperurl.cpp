// SPDX-License-Identifier: MIT
#include "lockscope/zookeeperstore.h"

#include "stores/storeurl.h"

#include <QtCore/QUrl>
#include <QtCore/QUrlQuery>

#include <algorithm>

namespace lockscope {

namespace {

using namespace detail;

constexpr int kDefaultPort = 2181;

const QString kStore = QStringLiteral("ZooKeeper");
const QString kScheme = QStringLiteral("zookeeper://");
const QString kTlsKey = QStringLiteral("tls");

QString notAUrl()
{
    return QStringLiteral("Not a ZooKeeper URL. Expected zookeeper://h1:2181,h2:2181/locks.");
}

/// What is wrong with the path, or nothing. ZooKeeper's own rules, and its own node.
QString validateChroot(const QString &chroot)
{
    if (hasControls(chroot))
        return QStringLiteral("The ZooKeeper URL may not contain control characters.");
    const QStringList parts = chroot.mid(1).split(u'/');
    const bool isPath = chroot.isEmpty() || std::none_of(parts.begin(), parts.end(), [](const QString &part) {
                            return part.isEmpty() || part == QLatin1String(".") || part == QLatin1String("..");
                        });
    if (!isPath)
        return QStringLiteral("The path of the ZooKeeper URL must be that of a node: zookeeper://host/locks.");
    if (parts.constFirst() == QLatin1String("zookeeper"))
        return QStringLiteral("The node /zookeeper is ZooKeeper's own: choose another path in its URL.");
    return {};
}

QString validateTls(const ZooKeeperUrl &url, const QString &tls)
{
    if (tls == QLatin1String("on"))
        return QStringLiteral("ZooKeeper cannot be spoken to over TLS from here. Use a tunnel of your own to a port of "
                              "this machine, or tls=off in a network that nobody else can read.");
    if (url.isLocal() || url.isPlainTextAgreed)
        return {};
    return QStringLiteral("ZooKeeper is spoken to in plain text, and %1 is another machine. Add ?tls=off to its URL if "
                          "nobody else can read that network, or use a TLS tunnel to a port of this machine.")
        .arg(std::find_if_not(url.hosts.begin(), url.hosts.end(), isLoopback<ZooKeeperUrl::Host>)->name);
}

/// The part before the path: user and hosts. Returns what is wrong, or nothing.
QString readAuthority(QString authority, ZooKeeperUrl *url)
{
    if (const QString wrong = takeUser(&authority, &url->user, kStore); !wrong.isEmpty())
        return wrong;
    if (url->user.contains(u':') || hasControls(url->user))
        return QStringLiteral("The user of the ZooKeeper URL may have no colon and no control characters.");
    for (const QString &part : authority.split(u',')) {
        if (const QString wrong = validateBrackets(part, kStore); !wrong.isEmpty())
            return wrong;
        const auto host = hostOf<ZooKeeperUrl::Host>(part, kDefaultPort);
        if (!host)
            return part.isEmpty() ? QStringLiteral("The ZooKeeper URL lacks a host: zookeeper://host:2181/locks.")
                                  : QStringLiteral("The ZooKeeper URL has a host that is none: %1.").arg(part);
        url->hosts.append(*host);
    }
    return {};
}

} // namespace

bool ZooKeeperUrl::parse(const QString &text, ZooKeeperUrl *url, QString *error)
{
    if (!text.startsWith(kScheme) || text.contains(u'#')) {
        *error = notAUrl();
        return false;
    }
    // Several hosts are no authority to a QUrl.
    const QString behind = text.mid(kScheme.size());
    const QString place = behind.section(u'?', 0, 0);
    const QUrlQuery query(behind.section(u'?', 1));
    ZooKeeperUrl result;
    const QString authority = authorityOf(text);
    result.chroot = QUrl::fromPercentEncoding(place.mid(authority.size()).toUtf8());
    if (result.chroot.endsWith(u'/'))
        result.chroot.chop(1);
    const QString tls = query.queryItemValue(kTlsKey);
    result.isPlainTextAgreed = tls == QLatin1String("off");
    *error = validateUrlText(text, kStore);
    if (error->isEmpty())
        *error = validateUrlOptions(query, {kTlsKey}, kStore);
    if (error->isEmpty())
        *error = readAuthority(authority, &result);
    if (error->isEmpty())
        *error = validateChroot(result.chroot);
    if (error->isEmpty())
        *error = validateTls(result, tls);
    if (!error->isEmpty())
        return false;
    *url = result;
    return true;
}

QString ZooKeeperUrl::toString() const
{
    const QString who = user.isEmpty() ? QString() : QString::fromLatin1(QUrl::toPercentEncoding(user)) + u'@';
    const QString path = QString::fromLatin1(QUrl::toPercentEncoding(chroot, "/"));
    return kScheme + who + hostsText(hosts, kDefaultPort) + path
        + (isPlainTextAgreed ? QStringLiteral("?tls=off") : QString());
}

bool ZooKeeperUrl::isLocal() const
{
    return std::all_of(hosts.begin(), hosts.end(), isLoopback<Host>);
}

} // namespace lockscope
