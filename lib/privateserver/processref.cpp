// SPDX-License-Identifier: MIT
#include "processref.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QFile>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lockscope {

ProcessRef::ProcessRef(qint64 pid)
    : m_pid(pid)
{
    if (pid > 0)
        m_fd = static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0U));
    if (m_fd < 0 && errno == ESRCH)
        m_pid = 0;
}

ProcessRef::~ProcessRef()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

bool ProcessRef::waitUntilGone(std::chrono::milliseconds timeout) const
{
    if (m_pid <= 0)
        return true;
    const QDeadlineTimer deadline(timeout);
    for (;;) {
        if (m_fd >= 0) {
            pollfd entry{m_fd, POLLIN, 0}; // readable once the process has ended, also while it is a zombie
            const int ready = ::poll(&entry, 1, static_cast<int>(deadline.remainingTime()));
            if (ready > 0)
                return true;
        } else {
            if (::kill(static_cast<pid_t>(m_pid), 0) != 0 && errno == ESRCH)
                return true;
            ::usleep(static_cast<useconds_t>(1000 * std::clamp<qint64>(deadline.remainingTime(), 0, 20)));
        }
        if (deadline.hasExpired())
            return false;
    }
}

bool ProcessRef::signal(int number) const
{
    if (m_pid <= 0)
        return false;
    if (m_fd >= 0)
        return ::syscall(SYS_pidfd_send_signal, m_fd, number, nullptr, 0U) == 0;
    return ::kill(static_cast<pid_t>(m_pid), number) == 0;
}

bool serves(qint64 pid, const QString &dataFolder)
{
    const QByteArray process = "/proc/" + QByteArray::number(pid);
    struct stat works = {};
    struct stat data = {};
    struct stat owner = {};
    if (::stat(process.constData(), &owner) != 0 || owner.st_uid != ::geteuid())
        return false;
    if (::stat((process + "/cwd").constData(), &works) == 0
        && ::stat(QFile::encodeName(dataFolder).constData(), &data) == 0 && works.st_dev == data.st_dev
        && works.st_ino == data.st_ino)
        return true;
    QFile commandLine(QString::fromLatin1(process + "/cmdline"));
    return commandLine.open(QIODevice::ReadOnly)
        && commandLine.readAll().split('\0').contains("--datadir=" + QFile::encodeName(dataFolder));
}

QString processName(qint64 pid)
{
    QFile name(QStringLiteral("/proc/%1/comm").arg(pid));
    return name.open(QIODevice::ReadOnly) ? QString::fromUtf8(name.readAll()).trimmed() : QString();
}

} // namespace lockscope
