// SPDX-License-Identifier: MIT
#include "pidfile.h"

#include <QtCore/QByteArray>
#include <QtCore/QFile>

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockscope {

std::optional<qint64> processInFile(const QString &path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return std::nullopt;
    QByteArray text(32, '\0');
    struct stat info = {};
    const bool isFile = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    const ssize_t size = isFile ? ::read(fd, text.data(), std::size_t(text.size())) : -1;
    ::close(fd);
    text.truncate(std::max<ssize_t>(0, size));
    bool isNumber = false;
    const qint64 process = text.trimmed().toLongLong(&isNumber);
    return isNumber && process > 0 ? std::optional(process) : std::nullopt;
}

} // namespace lockscope
