// SPDX-License-Identifier: MIT
#include "connectoptions.h"

#include "listener.h"

#include <QtCore/QHash>
#include <QtSql/QSqlDatabase>

namespace lockscope {

namespace {

/// The ways to sign in by which the server is sent nothing that the password can be read from. A server may ask for any
/// way.
constexpr auto kWays = "mysql_native_password,client_ed25519,parsec,auth_gssapi_client";
/// These may encrypt it for a key that the server names, or send it over a connection that the server calls secure.
/// Most accounts of MySQL have one of them.
constexpr auto kShowingWays = ",caching_sha2_password,sha256_password";

/// Where Debian and most other systems keep the certificates of the authorities that they trust.
constexpr auto kSystemAuthorities = "/etc/ssl/certs";

/// libmariadb takes `key=value;…` in place of a host name. It is the only way through Qt 6.4's driver to ask for a
/// verified certificate, and to bound the ways to sign in.
///
/// From 3.4 on it trusts a server whose certificate nobody signed if that proves to know the password, unless an
/// authority is named, and compares no name with that of 127.0.0.1 and ::1. So the system's authorities are named, and
/// these two are written as it does not know them.
QString placeOf(const ServerUrl &url, bool isVerified)
{
    static const QHash<QString, QString> kRewritten{{QStringLiteral("127.0.0.1"), QStringLiteral("127.0.0.01")},
                                                    {QStringLiteral("::1"), QStringLiteral("0:0:0:0:0:0:0:1")}};
    const QString host = isVerified ? kRewritten.value(url.host, url.host) : url.host;
    QString text = QStringLiteral("host=%1;port=%2;").arg(host, QString::number(url.port));
    if (!isVerified)
        return text;
    text += QStringLiteral("ssl-verify-server-cert=1;");
    text += url.caFile.isEmpty() ? QStringLiteral("ssl-capath=%1;").arg(QLatin1String(kSystemAuthorities))
                                 : QStringLiteral("ssl-ca=%1;").arg(url.caFile);
    return text;
}

} // namespace

bool setConnectOptions(QSqlDatabase &database, const SessionTarget &target)
{
    const ServerUrl &url = target.url;
    const bool isVerified = url.socket.isEmpty() && (!url.isLocal() || !url.caFile.isEmpty());
    const TrustedWay trusted = isVerified ? TrustedWay() : trustedWay(url);
    const bool mayBeShown = isVerified || trusted.isTrusted || target.password.isEmpty();
    const QString socket = trusted.socket.isEmpty() ? url.socket : trusted.socket;

    QString host = QStringLiteral("restricted-auth=%1%2;")
                       .arg(QLatin1String(kWays), QLatin1String(mayBeShown ? kShowingWays : ""));
    if (socket.isEmpty())
        host += placeOf(url, isVerified);
    QStringList options{QStringLiteral("MYSQL_OPT_CONNECT_TIMEOUT=%1").arg(target.connectTimeout.count())};
    if (target.readTimeout.count() > 0)
        options += QStringLiteral("MYSQL_OPT_READ_TIMEOUT=%1").arg(target.readTimeout.count());
    if (!socket.isEmpty())
        options += QStringLiteral("UNIX_SOCKET=%1").arg(socket);
    database.setHostName(host);
    database.setUserName(url.user);
    database.setPassword(target.password);
    database.setDatabaseName(url.schema);
    database.setConnectOptions(options.join(u';'));
    return mayBeShown;
}

} // namespace lockscope
