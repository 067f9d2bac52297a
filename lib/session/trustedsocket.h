// SPDX-License-Identifier: MIT
// Whose a Unix socket is. Inline, as listeningaccounts.h.
#pragma once

#include "listeningaccounts.h"

#include <QtCore/QFileInfo>

#include <sys/stat.h>
#include <sys/un.h>

namespace lockscope {

namespace detail {

/// Of a file, or of a folder in which nobody else can exchange what is in it.
inline bool isTrustedFile(const QString &path, uid_t own)
{
    struct stat info = {};
    if (::lstat(QFile::encodeName(path).constData(), &info) != 0 || !isTrustedAccount(info.st_uid, own))
        return false;
    return !S_ISDIR(info.st_mode) || (info.st_mode & S_IWOTH) == 0 || (info.st_mode & S_ISVTX) != 0;
}

} // namespace detail

/// The socket's path without links, if only accounts that `own` trusts can have put it there; else an empty one. I/O.
inline QString trustedSocket(const QString &path, uid_t own)
{
    const QString real = QFileInfo(path).canonicalFilePath();
    if (real.isEmpty() || QFile::encodeName(real).size() >= qsizetype(sizeof sockaddr_un::sun_path))
        return {};
    for (QString part = real; part != QLatin1String("/"); part = QFileInfo(part).path()) {
        if (!detail::isTrustedFile(part, own))
            return {};
    }
    return real;
}

} // namespace lockscope
