// SPDX-License-Identifier: MIT
#pragma once

#include "lockctlrunner.h"

#include <QtCore/QList>
#include <QtCore/QStringList>

#include <csignal>

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace lockscope::test {

/// A program at a terminal of its own.
class AtTerminal
{
public:
    explicit AtTerminal(const QStringList &words)
    {
        QList<QByteArray> texts;
        for (const QString &word : words)
            texts.append(word.toUtf8());
        QList<char *> argv;
        for (QByteArray &text : texts)
            argv.append(text.data());
        argv.append(nullptr);
        m_pid = ::forkpty(&m_fd, nullptr, nullptr, nullptr);
        if (m_pid == 0) {
            for (const int signal : {SIGINT, SIGQUIT, SIGTSTP, SIGHUP})
                ::signal(signal, SIG_DFL); // whoever runs this test may ignore them
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
    }
    ~AtTerminal()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
        ::close(m_fd);
    }
    AtTerminal(const AtTerminal &) = delete;
    AtTerminal &operator=(const AtTerminal &) = delete;

    void resize(int rows, int columns)
    {
        const winsize size{static_cast<unsigned short>(rows), static_cast<unsigned short>(columns), 0, 0};
        ::ioctl(m_fd, TIOCSWINSZ, &size);
    }
    /// What the kernel does with keys, for comparing.
    QByteArray modes() const
    {
        termios modes = {};
        ::tcgetattr(m_fd, &modes);
        return QByteArray::number(modes.c_iflag) + ' ' + QByteArray::number(modes.c_oflag) + ' '
            + QByteArray::number(modes.c_lflag);
    }

    void type(const QByteArray &keys)
    {
        [[maybe_unused]] const ssize_t written = ::write(m_fd, keys.constData(), static_cast<std::size_t>(keys.size()));
    }

    /// Reads until `text` has come; false after a minute or at the end.
    bool shows(const QByteArray &text)
    {
        return eventually([&] {
                   read();
                   return m_seen.contains(text) || m_isOver;
               })
            && m_seen.contains(text);
    }

    int exitCode()
    {
        eventually([this] {
            read();
            return m_isOver;
        });
        if (!m_isOver)
            ::kill(m_pid, SIGKILL);
        int status = 0;
        ::waitpid(m_pid, &status, 0);
        m_pid = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    pid_t pid() const { return m_pid; }
    const QByteArray &seen() const { return m_seen; }
    void forget() { m_seen.clear(); }

private:
    void read()
    {
        pollfd entry{m_fd, POLLIN, 0};
        if (m_isOver || ::poll(&entry, 1, 100) <= 0)
            return;
        QByteArray bytes(4096, '\0');
        const ssize_t count = ::read(m_fd, bytes.data(), static_cast<std::size_t>(bytes.size()));
        m_isOver = count <= 0;
        m_seen += bytes.left(qMax<ssize_t>(0, count));
    }

    int m_fd = -1;
    pid_t m_pid = 0;
    bool m_isOver = false;
    QByteArray m_seen;
};

} // namespace lockscope::test
