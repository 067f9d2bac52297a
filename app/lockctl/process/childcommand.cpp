// SPDX-License-Identifier: MIT
#include "childcommand.h"

#include "lockscope/lockrequest.h"

#include <QtCore/QDir>
#include <QtCore/QFile>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockscope::ctl {

/// What the waiting process is told: the lock is held, go.
struct ChildCommand::Grant
{
    quint64 token = 0;
    std::array<char, MaxResourceBytes + 1> resource{}; ///< ends with NUL, which no resource contains
};

namespace {

bool readAll(int fd, void *buffer, std::size_t size)
{
    std::size_t got = 0;
    while (got < size) {
        const ssize_t count = ::read(fd, static_cast<char *>(buffer) + got, size - got);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        got += static_cast<std::size_t>(count);
    }
    return true;
}

void closeAll(const std::array<int, 2> &pair)
{
    for (const int fd : pair) {
        if (fd >= 0)
            ::close(fd);
    }
}

} // namespace

ChildCommand::ChildCommand(std::vector<std::string> words)
    : m_words(std::move(words))
{
    std::vector<char *> argv;
    for (std::string &word : m_words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    std::array<int, 2> orders{-1, -1};
    std::array<int, 2> status{-1, -1};
    if (::pipe2(orders.data(), O_CLOEXEC) != 0 || ::pipe2(status.data(), O_CLOEXEC) != 0) {
        m_error = errno;
        closeAll(orders);
        return;
    }
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
        // At once, so that Ctrl+C at the terminal, which is for lockctl while it waits, does not end this process.
        ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent)
            ::_exit(0);
        ::close(orders[1]);
        ::close(status[0]);
        waitAndBecome(argv, orders[0], status[1]);
    }
    m_error = pid < 0 ? errno : 0;
    ::close(orders[0]);
    ::close(status[1]);
    m_orders = orders[1];
    m_status = status[0];
    if (pid < 0)
        return;
    ::setpgid(pid, pid); // whoever comes first; the terminal may be given to the group right away
    m_pid = pid;
}

ChildCommand::~ChildCommand()
{
    if (m_orders >= 0)
        ::close(m_orders); // the waiting process reads the end and exits
    if (m_status >= 0)
        ::close(m_status);
    if (m_pid > 0)
        reap();
}

void ChildCommand::waitAndBecome(const std::vector<char *> &argv, int orders, int status) const
{
    Grant grant;
    if (!readAll(orders, &grant, sizeof grant))
        ::_exit(0);
    ::setenv("LOCKSCOPE_RESOURCE", grant.resource.data(), 1);
    ::setenv("LOCKSCOPE_TOKEN", std::to_string(grant.token).c_str(), 1);
    ::execvp(argv[0], argv.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t written = ::write(status, &error, sizeof error);
    ::_exit(127);
}

int ChildCommand::start(const QByteArray &resource, quint64 token)
{
    Grant grant;
    grant.token = token;
    std::copy(resource.begin(), resource.end(), grant.resource.begin());
    static_assert(sizeof grant <= PIPE_BUF, "the write below is whole");
    const bool isSent = m_pid > 0 && ::write(m_orders, &grant, sizeof grant) == sizeof grant;
    const int sendError = m_pid > 0 ? errno : EAGAIN;
    ::close(m_orders);
    m_orders = -1;
    if (!isSent)
        return sendError;
    int error = 0;
    return readAll(m_status, &error, sizeof error) ? error : 0;
}

void ChildCommand::signalGroup(int number) const
{
    if (m_pid > 0)
        ::kill(-m_pid, number);
}

int ChildCommand::reap()
{
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
    m_pid = 0;
    return status;
}

bool ChildCommand::hasLivingGroup() const
{
    const auto entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return std::any_of(entries.begin(), entries.end(), [this](const QString &entry) {
        QFile file(QStringLiteral("/proc/%1/stat").arg(entry));
        if (!entry.front().isDigit() || !file.open(QIODevice::ReadOnly))
            return false;
        // "pid (name) state ppid pgrp …"; the name may hold anything, so count from its last parenthesis.
        const QByteArray text = file.readAll();
        const auto fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        return fields.value(2).toInt() == m_pid && fields.value(0) != "Z" && fields.value(0) != "X";
    });
}

} // namespace lockscope::ctl
