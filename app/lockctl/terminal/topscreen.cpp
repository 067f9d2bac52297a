// SPDX-License-Identifier: MIT
#include "topscreen.h"

#include "columns.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace lockscope::ctl {

namespace {

constexpr int kRows = 24; ///< of a terminal that does not tell
constexpr std::array kCrashes = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};

/// The alternate screen, no cursor, and long lines cut: a line that wraps would move all that follow.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l";
constexpr std::string_view kLeave = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

TopScreen *shown = nullptr;

/// False when the terminal does not take it.
bool write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(qMax<ssize_t>(0, written)));
    }
    return true;
}

short eventsOf(int fd, short wanted)
{
    pollfd entry{fd, wanted, 0};
    return ::poll(&entry, 1, 0) > 0 ? entry.revents : short(0);
}

/// What a terminal sends for the keys that scroll, and the letters that less(1) takes for the same; else nothing.
char scrollKey(const QByteArray &code)
{
    constexpr std::array<std::pair<const char *, char>, 12> codes{{{"[A", 'k'},
                                                                   {"OA", 'k'},
                                                                   {"[B", 'j'},
                                                                   {"OB", 'j'},
                                                                   {"[5~", 'b'},
                                                                   {"[6~", 'f'},
                                                                   {"[H", 'g'},
                                                                   {"OH", 'g'},
                                                                   {"[1~", 'g'},
                                                                   {"[F", 'G'},
                                                                   {"OF", 'G'},
                                                                   {"[4~", 'G'}}};
    const auto found = std::find_if(codes.begin(), codes.end(), [&](const auto &one) { return code == one.first; });
    return found == codes.end() ? '\0' : found->second;
}

/// Other keys whose code has letters are left out.
QByteArray plainKeys(const QByteArray &bytes)
{
    QByteArray keys;
    for (qsizetype at = 0; at < bytes.size(); ++at) {
        if (bytes[at] != '\x1b') {
            keys += bytes[at];
            continue;
        }
        const qsizetype from = at + 1;
        const char kind = bytes.mid(from, 1).isEmpty() ? '\0' : bytes[++at];
        if (kind == 'O')
            ++at;
        while (kind == '[' && ++at < bytes.size() && (bytes[at] < '@' || bytes[at] > '~')) { }
        if (const char key = scrollKey(bytes.mid(from, at + 1 - from)))
            keys += key;
    }
    return keys;
}

/// Only calls that are allowed in a handler.
void leaveAndCrash(int signal)
{
    if (shown)
        shown->leave();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

} // namespace

TopScreen::TopScreen(const Terminal &terminal)
    : m_terminal(terminal)
    , m_isTerminal(::tcgetattr(STDIN_FILENO, &m_before) == 0)
{
    shown = this;
    for (const int signal : kCrashes)
        ::signal(signal, leaveAndCrash);
}

TopScreen::~TopScreen()
{
    leave();
    for (const int signal : kCrashes)
        ::signal(signal, SIG_DFL);
    shown = nullptr;
}

void TopScreen::enter()
{
    if (!m_isOn)
        m_isTerminal = ::tcgetattr(STDIN_FILENO, &m_before) == 0;
    m_isOn = true;
    setRaw();
    write(kEnter);
    m_drawn.clear();
}

/// Ctrl+C and Ctrl+Z stay signals. Ctrl+S does not stop the output: then nothing would end this program.
void TopScreen::setRaw()
{
    termios raw = m_before;
    raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON);
    raw.c_iflag &= ~tcflag_t(IXON);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

void TopScreen::leave()
{
    // Also where it is not on: a question for a password may be what is ended. A shell's own settings are left alone.
    if (m_isTerminal && m_terminal.isOurs()) {
        ::tcflush(STDIN_FILENO, TCIFLUSH); // keys that came too late are not commands for a shell
        ::tcsetattr(STDIN_FILENO, TCSANOW, &m_before);
    }
    if (m_isOn)
        write(kLeave);
    m_isOn = false;
}

TopScreen::Size TopScreen::size()
{
    winsize size = {};
    const bool isKnown = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
    return {isKnown ? size.ws_row : kRows, outputColumns()};
}

void TopScreen::draw(const QStringList &lines)
{
    QByteArray frame = "\x1b[H";
    const int rows = size().rows;
    for (int row = 0; row < rows; ++row) {
        frame += row > 0 ? "\r\n\x1b[K" : "\x1b[K"; // first: after a full line it would erase the last character
        frame += lines.value(row).toUtf8();
    }
    // A terminal that takes nothing now gets the next picture: a write that blocks would block keys and signals too.
    if (frame == m_drawn || (eventsOf(STDOUT_FILENO, POLLOUT) & POLLOUT) == 0)
        return;
    m_drawn = write({frame.constData(), std::size_t(frame.size())}) ? frame : QByteArray();
}

QByteArray TopScreen::keys() const
{
    if ((eventsOf(STDIN_FILENO, POLLIN) & POLLIN) == 0)
        return {};
    QByteArray bytes(256, '\0');
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), std::size_t(bytes.size()));
    return plainKeys(bytes.left(qMax<ssize_t>(0, count)));
}

bool TopScreen::isGone() const
{
    return (eventsOf(STDIN_FILENO, 0) & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

} // namespace lockscope::ctl
