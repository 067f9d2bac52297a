// SPDX-License-Identifier: MIT
#include "listener.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// Of a file, or of a folder in which nobody else can exchange what is in it.
bool isTrustedFile(const QString &path, uid_t own)
{
    struct stat info = {};
    if (::lstat(QFile::encodeName(path).constData(), &info) != 0 || !isTrustedAccount(info.st_uid, own))
        return false;
    return !S_ISDIR(info.st_mode) || (info.st_mode & S_IWOTH) == 0 || (info.st_mode & S_ISVTX) != 0;
}

/// Where the client library looks for "localhost", whatever the port.
QString defaultSocket()
{
    return qEnvironmentVariable("MYSQL_UNIX_PORT", u"/run/mysqld/mysqld.sock"_s);
}

} // namespace

QString trustedSocket(const QString &path, uid_t own)
{
    const QString real = QFileInfo(path).canonicalFilePath();
    if (real.isEmpty() || QFile::encodeName(real).size() >= qsizetype(sizeof sockaddr_un::sun_path))
        return {};
    for (QString part = real; part != u"/"_s; part = QFileInfo(part).path()) {
        if (!isTrustedFile(part, own))
            return {};
    }
    return real;
}

TrustedWay trustedWay(const ServerUrl &url)
{
    const uid_t own = ::geteuid();
    if (url.socket.isEmpty() && url.host != "localhost"_L1)
        return {url.isLocal() && listenerAt(url.host, url.port) == LoopbackListener::Trusted, {}};
    const QString socket = trustedSocket(url.socket.isEmpty() ? defaultSocket() : url.socket, own);
    return {!socket.isEmpty(), socket};
}

} // namespace lockscope
