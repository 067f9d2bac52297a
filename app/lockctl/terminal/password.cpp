// SPDX-License-Identifier: MIT
#include "password.h"

#include "console/keyring.h"
#include "console/visibletext.h"
#include "terminal.h"

#include <QtCore/QByteArray>
#include <QtCore/QEventLoop>
#include <QtCore/QFile>
#include <QtCore/QTimer>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kMaxPasswordBytes = 4096;
constexpr std::chrono::seconds kKeyringPatience{30}; // time to type the keyring's own password

/// What a handler of signals needs of the prompt; there is one at a time.
struct Prompt
{
    int fd = -1;
    termios before{};
    termios quiet{};
};
Prompt g_prompt; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): a handler gets nothing else

/// Sent by another program: the terminal is as it was before this one ends or stops, and quiet again when it goes on in
/// the foreground. Calls only what is safe in a handler.
void restoreAndPassOn(int number)
{
    const int error = errno;
    ::tcsetattr(g_prompt.fd, TCSANOW, &g_prompt.before);
    if (number == SIGTSTP) {
        ::raise(SIGSTOP);
        if (::tcgetpgrp(g_prompt.fd) == ::getpgrp())
            ::tcsetattr(g_prompt.fd, TCSANOW, &g_prompt.quiet);
    } else {
        ::signal(number, SIG_DFL);
        ::raise(number); // which comes when this returns
    }
    errno = error;
}

/// While a prompt is there. What is ignored stays so.
class SignalCare
{
public:
    SignalCare()
    {
        struct sigaction action = {};
        action.sa_handler = restoreAndPassOn;
        action.sa_flags = SA_RESTART;
        ::sigfillset(&action.sa_mask);
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            ::sigaction(kSignals[i], nullptr, &m_before[i]);
            if (m_before[i].sa_handler != SIG_IGN) // NOLINT(*-cast, *-no-int-to-ptr): the system's own
                ::sigaction(kSignals[i], &action, nullptr);
        }
    }
    ~SignalCare()
    {
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            ::sigaction(kSignals[i], &m_before[i], nullptr);
    }
    SignalCare(const SignalCare &) = delete;
    SignalCare &operator=(const SignalCare &) = delete;

private:
    static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    std::array<struct sigaction, kSignals.size()> m_before{};
};

/// The terminal with neither echo nor signal keys: Ctrl+C then arrives as a character.
class QuietTerminal
{
public:
    QuietTerminal()
        : m_fd(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY))
    {
        if (m_fd < 0 || ::tcgetattr(m_fd, &m_before) != 0)
            return;
        termios quiet = m_before;
        quiet.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG);
        quiet.c_cc[VMIN] = 1;
        quiet.c_cc[VTIME] = 0;
        g_prompt = {m_fd, m_before, quiet};
        m_care.emplace(); // first, or a signal between the two would find the terminal mute
        m_isQuiet = ::tcsetattr(m_fd, TCSAFLUSH, &quiet) == 0;
    }
    ~QuietTerminal()
    {
        if (m_isQuiet)
            ::tcsetattr(m_fd, TCSAFLUSH, &m_before);
        m_care.reset();
        if (m_fd >= 0)
            ::close(m_fd);
    }
    QuietTerminal(const QuietTerminal &) = delete;
    QuietTerminal &operator=(const QuietTerminal &) = delete;

    bool isQuiet() const { return m_isQuiet; }
    void write(const QByteArray &text) const
    {
        [[maybe_unused]] const ssize_t written = ::write(m_fd, text.constData(), static_cast<std::size_t>(text.size()));
    }
    /// 0 at the end.
    char read() const
    {
        char c = 0;
        return ::read(m_fd, &c, 1) == 1 ? c : '\0';
    }

private:
    int m_fd;
    termios m_before{};
    std::optional<SignalCare> m_care;
    bool m_isQuiet = false;
};

void removeLastCharacter(QByteArray *line)
{
    constexpr uchar continuationMask = 0xC0;
    constexpr uchar continuation = 0x80;
    while (!line->isEmpty() && (static_cast<uchar>(line->back()) & continuationMask) == continuation)
        line->chop(1);
    line->chop(1);
}

/// None when cancelled.
std::optional<QByteArray> readLine(const QuietTerminal &terminal)
{
    enum Key : char { End = 0, CtrlC = 3, CtrlD = 4, Backspace = 8, CtrlU = 21, Delete = 127 };
    QByteArray line;
    while (line.size() < kMaxPasswordBytes) {
        const char key = terminal.read();
        switch (key) {
        case '\r':
        case '\n':
            return line;
        case End:
        case CtrlC:
        case CtrlD:
            return std::nullopt;
        case Backspace:
        case Delete:
            removeLastCharacter(&line);
            break;
        case CtrlU:
            line.clear();
            break;
        default:
            line.append(key);
        }
    }
    return std::nullopt;
}

bool canAskForPassword()
{
    // In the background the read would stop us, and a script's lockctl must never hang on a question.
    return Terminal().isOurs() && ::isatty(STDERR_FILENO) != 0;
}

/// What is typed is not shown. None when the user cancels (Ctrl+C, Ctrl+D).
std::optional<QString> askForPassword(const QString &prompt)
{
    const QuietTerminal terminal;
    if (!terminal.isQuiet())
        return std::nullopt;
    terminal.write(visibleLines(prompt).toUtf8());
    const auto line = readLine(terminal);
    terminal.write("\n");
    return line ? std::optional(QString::fromUtf8(*line)) : std::nullopt;
}

/// None when it has none, when there is no keyring, or when it does not answer soon: perhaps it asks somebody to unlock
/// it.
std::optional<QString> passwordFromKeyring(const QString &name)
{
    QEventLoop loop;
    std::optional<QString> password;
    Keyring::read(name, &loop, [&](const Keyring::Answer &answer) {
        password = answer.password;
        loop.quit();
    });
    QTimer::singleShot(kKeyringPatience, &loop, &QEventLoop::quit);
    loop.exec();
    return password;
}

} // namespace

std::optional<QString> readPasswordFile(const QString &path, QString *error)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info = {};
    if (fd < 0 || ::fstat(fd, &info) != 0) {
        *error = u"The password file %1 cannot be read: %2."_s.arg(path, QString::fromLocal8Bit(std::strerror(errno)));
        if (fd >= 0)
            ::close(fd);
        return std::nullopt;
    }
    QByteArray line;
    if (!S_ISREG(info.st_mode)) {
        *error = u"The password file %1 is not a plain file."_s.arg(path);
    } else if ((info.st_mode & 0077) != 0) {
        *error = u"The password file %1 can be read by others; `chmod 600` it first."_s.arg(path);
    } else {
        QFile file;
        file.open(fd, QIODevice::ReadOnly);
        line = file.readLine(kMaxPasswordBytes);
        while (line.endsWith('\n') || line.endsWith('\r'))
            line.chop(1);
    }
    ::close(fd);
    return error->isEmpty() ? std::optional(QString::fromUtf8(line)) : std::nullopt;
}

std::optional<LockError> tryPasswords(const QString &given, const QString &keyringName, const QString &prompt,
                                      const ConnectWith &connect)
{
    auto error = connect(given);
    const auto isRefused = [&error] { return error && error->kind == LockError::Kind::AccessDenied; };
    if (!isRefused() || !given.isEmpty())
        return error;
    if (const auto kept = passwordFromKeyring(keyringName))
        error = connect(*kept);
    if (!isRefused() || !canAskForPassword())
        return error;
    const auto asked = askForPassword(prompt);
    return asked ? connect(*asked) : error;
}

} // namespace lockscope::ctl
