// SPDX-License-Identifier: MIT
#include "filelock.h"

#include <QtCore/QByteArray>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QFile>

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace lockscope {

namespace {

struct flock wholeFile()
{
    struct flock range = {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    return range;
}

} // namespace

FileLock::FileLock(const OwnFolder &folder, const char *name)
    : m_fd(folder.openFile(name, O_RDWR | O_CREAT))
{
    if (m_fd < 0)
        m_error = qt_error_string(errno);
}

FileLock::~FileLock()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

bool FileLock::take(std::chrono::milliseconds timeout)
{
    if (m_fd < 0)
        return false;
    const QDeadlineTimer deadline(timeout);
    for (;;) {
        struct flock range = wholeFile();
        if (::fcntl(m_fd, F_OFD_SETLK, &range) == 0)
            return true;
        if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
            m_error = qt_error_string(errno);
            return false;
        }
        if (deadline.hasExpired())
            return false;
        ::usleep(10'000); // F_OFD_SETLKW knows no time limit
    }
}

bool FileLock::isHeldByOther() const
{
    struct flock range = wholeFile();
    return m_fd >= 0 && ::fcntl(m_fd, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

qint64 FileLock::recordedPid() const
{
    QByteArray text(32, '\0');
    const ssize_t count = m_fd < 0 ? 0 : ::pread(m_fd, text.data(), static_cast<std::size_t>(text.size()), 0);
    text.truncate(count > 0 ? static_cast<int>(count) : 0);
    return text.trimmed().toLongLong();
}

void FileLock::recordOwnPid()
{
    const QByteArray text = QByteArray::number(::getpid()) + '\n';
    if (::ftruncate(m_fd, 0) == 0) {
        // For messages only: nothing is decided by it.
        [[maybe_unused]] const ssize_t written =
            ::pwrite(m_fd, text.constData(), static_cast<std::size_t>(text.size()), 0);
    }
}

qint64 recordLockHolder(const QString &path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return 0;
    struct flock range = wholeFile();
    const bool held = ::fcntl(fd, F_GETLK, &range) == 0 && range.l_type != F_UNLCK;
    ::close(fd);
    return held ? range.l_pid : 0;
}

} // namespace lockscope
