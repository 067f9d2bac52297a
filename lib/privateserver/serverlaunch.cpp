// SPDX-License-Identifier: MIT
#include "serverlaunch.h"

#include "processref.h"

#include <QtCore/QByteArray>
#include <QtCore/QFile>

#include <array>
#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

extern char **environ;

namespace lockscope {

namespace {

constexpr int kLockDescriptor = 3;
constexpr int kStatusDescriptor = 4;

/// Everything the child needs, ready before the fork: other threads of this process may hold the allocator's lock,
/// so between fork and exec only async-signal-safe calls are made.
class Prepared
{
public:
    explicit Prepared(const ServerCommand &command)
        : folder(QFile::encodeName(command.folder))
        , log(QFile::encodeName(command.logPath))
        , lockFd(command.lockFd)
        , m_temporaryFolder("TMPDIR=" + QFile::encodeName(command.temporaryFolder))
    {
        for (const QString &word : command.words)
            m_texts.push_back(QFile::encodeName(word));
        for (char **variable = environ; *variable; ++variable) {
            if (isForServer(*variable))
                m_environment.push_back(*variable);
        }
        // TMPDIR is a list with colons.
        if (!command.temporaryFolder.isEmpty() && !command.temporaryFolder.contains(u':'))
            m_environment.push_back(m_temporaryFolder.data());
        for (QByteArray &text : m_texts)
            m_argv.push_back(text.data());
        m_argv.push_back(nullptr);
        m_environment.push_back(nullptr);
    }

    char **argv() { return m_argv.data(); }
    char **envp() { return m_environment.data(); }

    QByteArray folder;
    QByteArray log;
    int lockFd;

private:
    /// NOTIFY_SOCKET and LISTEN_* are between systemd and the service that we may run in; MYSQL_* and MARIADB_* change
    /// ports, sockets and option files.
    static bool isForServer(const char *variable)
    {
        static constexpr std::array foreign = {
            "NOTIFY_SOCKET=", "LISTEN_", "MYSQL_", "MARIADB_", "WATCHDOG_", "TMPDIR=", "LOCKSCOPE_PASSWORD="};
        for (const char *prefix : foreign) {
            if (qstrncmp(variable, prefix, qstrlen(prefix)) == 0)
                return false;
        }
        return true;
    }

    QByteArray m_temporaryFolder;
    std::vector<QByteArray> m_texts;
    std::vector<char *> m_argv;
    std::vector<char *> m_environment;
};

/// What the child says through a pipe that exec closes.
struct Status
{
    pid_t pid = 0;
    int error = 0;
};

void tell(int fd, const Status &status)
{
    [[maybe_unused]] const ssize_t written = ::write(fd, &status, sizeof status);
}

void writePid(int fd)
{
    char text[24];
    char *end = text + sizeof text;
    char *begin = end;
    *--begin = '\n';
    for (pid_t rest = ::getpid(); rest > 0; rest /= 10)
        *--begin = static_cast<char>('0' + rest % 10);
    if (::ftruncate(fd, 0) == 0) {
        [[maybe_unused]] const ssize_t written = ::pwrite(fd, begin, static_cast<std::size_t>(end - begin), 0);
    }
}

void resetSignals()
{
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number)
        ::sigaction(number, &action, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// A file inherited by accident, for example the pipe of `x=$(lockctl sandbox start) 3>&1`, would keep its reader
/// waiting for as long as the server lives.
void closeFrom(unsigned first)
{
    if (::syscall(SYS_close_range, first, ~0U, 0U) == 0)
        return;
    const long limit = ::sysconf(_SC_OPEN_MAX);
    for (int fd = static_cast<int>(first); fd < limit; ++fd)
        ::close(fd);
}

/// Runs in the child, and returns only when something failed, with errno set.
void becomeServer(Prepared &prepared, int statusFd)
{
    resetSignals();
    ::umask(077);
    // Both out of the way of 0–4 first, whatever numbers they have.
    const int status = ::fcntl(statusFd, F_DUPFD, 10);
    const int lock = prepared.lockFd >= 0 ? ::fcntl(prepared.lockFd, F_DUPFD, 10) : -1;
    const int input = ::open("/dev/null", O_RDONLY);
    const int output = ::open(prepared.log.constData(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (input < 0 || output < 0 || ::chdir(prepared.folder.constData()) != 0)
        return tell(statusFd, {0, errno});
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::dup3(status, kStatusDescriptor, O_CLOEXEC);
    if (lock >= 0)
        ::dup2(lock, kLockDescriptor);
    else
        ::close(kLockDescriptor);
    closeFrom(kStatusDescriptor + 1);
    if (lock >= 0)
        writePid(kLockDescriptor);
    tell(kStatusDescriptor, {::getpid(), 0});
    ::execve(prepared.argv()[0], prepared.argv(), prepared.envp());
    tell(kStatusDescriptor, {0, errno});
}

/// Reads until exec or exit has closed the pipe.
Status readStatus(int fd)
{
    Status last;
    Status next;
    for (;;) {
        const ssize_t count = ::read(fd, &next, sizeof next);
        if (count < 0 && errno == EINTR)
            continue;
        if (count != sizeof next)
            return last;
        last = next;
    }
}

int waitForChild(pid_t pid)
{
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    return status;
}

/// Returns the id of the direct child; `*status` is what the program's process said.
pid_t launch(const ServerCommand &command, bool detached, Status *status)
{
    Prepared prepared(command);
    std::array<int, 2> pipe{-1, -1};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        status->error = errno;
        return -1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::setsid();
        // Twice, so that init and not this process inherits the server: no zombie, and nothing ends with us.
        const pid_t second = detached ? ::fork() : 0;
        if (second < 0)
            tell(pipe[1], {0, errno});
        if (second != 0)
            ::_exit(0);
        becomeServer(prepared, pipe[1]);
        ::_exit(127);
    }
    const int forkError = errno;
    ::close(pipe[1]);
    if (child < 0)
        status->error = forkError;
    else
        *status = readStatus(pipe[0]);
    ::close(pipe[0]);
    return child;
}

} // namespace

qint64 startDetached(const ServerCommand &command, QString *error)
{
    Status status;
    const pid_t child = launch(command, true, &status);
    if (child > 0)
        waitForChild(child);
    if (status.pid == 0 || status.error != 0) {
        *error = u"%1 cannot be run: %2."_s.arg(command.words.constFirst(), qt_error_string(status.error));
        return 0;
    }
    return status.pid;
}

bool runAndWait(const ServerCommand &command, std::chrono::milliseconds timeout, QString *error)
{
    Status status;
    const pid_t child = launch(command, false, &status);
    if (child <= 0 || status.error != 0) {
        *error = u"%1 cannot be run: %2."_s.arg(command.words.constFirst(), qt_error_string(status.error));
        if (child > 0)
            waitForChild(child);
        return false;
    }
    const bool ended = ProcessRef(child).waitUntilGone(timeout);
    if (!ended)
        ::kill(-child, SIGKILL); // its own session, so its own group; not yet waited for, so still its number
    const int result = waitForChild(child);
    if (!ended)
        *error = u"%1 was ended because it took longer than %2 s."_s.arg(command.words.constFirst())
                     .arg(timeout.count() / 1000);
    else if (result != 0)
        *error = u"%1 failed."_s.arg(command.words.constFirst());
    return ended && result == 0;
}

} // namespace lockscope
