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

/// More than there are numbers of processes.
constexpr off_t kEnd = off_t(1) << 31;

struct flock rangeOf(short type, off_t from, off_t length)
{
    struct flock range = {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = from;
    range.l_len = length;
    return range;
}

struct flock wholeFile()
{
    return rangeOf(F_WRLCK, 0, 0);
}

/// The system tells of one lock in a range, and not which comes first.
void findShares(int fd, off_t from, off_t to, QList<qint64> *pids)
{
    struct flock range = rangeOf(F_WRLCK, from, to - from);
    if (from >= to || ::fcntl(fd, F_OFD_GETLK, &range) != 0 || range.l_type != F_RDLCK)
        return;
    const off_t found = range.l_start;
    findShares(fd, from, found, pids);
    pids->append(found);
    findShares(fd, found + 1, to, pids);
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
    return lock(F_WRLCK, 0, 0, timeout);
}

/// On the byte that this process's number names: so the system knows who shares, and forgets it when they end.
bool FileLock::share(std::chrono::milliseconds timeout)
{
    return lock(F_RDLCK, ::getpid(), 1, timeout);
}

QList<qint64> FileLock::sharers() const
{
    QList<qint64> pids;
    if (m_fd >= 0)
        findShares(m_fd, 0, kEnd, &pids);
    return pids;
}

bool FileLock::lock(short type, qint64 from, qint64 length, std::chrono::milliseconds timeout)
{
    if (m_fd < 0)
        return false;
    const QDeadlineTimer deadline(timeout);
    for (;;) {
        struct flock range = rangeOf(type, from, length);
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
