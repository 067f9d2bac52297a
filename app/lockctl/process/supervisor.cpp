// SPDX-License-Identifier: MIT
#include "supervisor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockscope::ctl {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::array kRead = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH};
/// How often to look whether a group that was told to end has ended.
constexpr milliseconds kGroupInterval(20);

sigset_t setOf(std::initializer_list<int> numbers)
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int number : numbers)
        ::sigaddset(&set, number);
    return set;
}

bool isIgnored(int signal)
{
    struct sigaction action = {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

SignalInbox::SignalInbox(Children children)
    : m_wakes(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    ::signal(SIGCHLD, SIG_DFL); // a caller that ignores it would make children vanish before they are waited for
    sigset_t set = setOf({});
    for (const int number : kRead) {
        if (!isIgnored(number)) // `nohup lockctl …`; a blocked signal would be read although it is ignored
            ::sigaddset(&set, number);
    }
    if (children == Children::AreRead)
        ::sigaddset(&set, SIGCHLD);
    m_signals = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    ::sigaddset(&set, SIGTTOU); // blocked and not read: lets a background group set the terminal's group and write
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

SignalInbox::~SignalInbox()
{
    ::close(m_signals);
    ::close(m_wakes);
}

void SignalInbox::wake()
{
    const quint64 one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wakes, &one, sizeof one);
}

std::optional<int> SignalInbox::wait(std::optional<milliseconds> time, int input)
{
    std::array<pollfd, 3> entries{{{m_signals, POLLIN, 0}, {m_wakes, POLLIN, 0}, {input, POLLIN, 0}}};
    ::poll(entries.data(), entries.size(), time ? static_cast<int>(std::max<milliseconds::rep>(0, time->count())) : -1);
    quint64 wakes = 0;
    [[maybe_unused]] const ssize_t drained = ::read(m_wakes, &wakes, sizeof wakes);
    signalfd_siginfo info = {};
    if (::read(m_signals, &info, sizeof info) == sizeof info)
        return static_cast<int>(info.ssi_signo);
    return std::nullopt;
}

bool isEnding(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

void stopLikeCtrlZ()
{
    const sigset_t stop = setOf({SIGTSTP});
    ::kill(::getpid(), SIGTSTP); // pending, because it is blocked; without a shell to continue us it is discarded
    ::pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);
    ::pthread_sigmask(SIG_BLOCK, &stop, nullptr);
}

Supervisor::Supervisor(ChildCommand &child, SignalInbox &inbox, const Terminal &terminal, Duration killAfter)
    : m_child(child)
    , m_inbox(inbox)
    , m_terminal(terminal)
    , m_killAfter(killAfter)
{
}

int Supervisor::watch(const std::function<bool()> &isLost)
{
    for (;;) {
        if (isLost() && !m_isEnding)
            endGroup();
        if (m_isEnding && !m_isKilled && Clock::now() >= m_killAt) {
            m_child.signalGroup(SIGKILL);
            m_isKilled = true;
        }
        // After a loss the whole group has to be gone, not only its first process.
        if (hasExited() && (!m_isEnding || m_isKilled || !m_child.hasLivingGroup()))
            break;
        if (const auto signal = m_inbox.wait(timeToNextCheck()))
            pass(*signal);
    }
    m_terminal.takeBackFrom(m_child.pid());
    return m_child.reap();
}

std::optional<milliseconds> Supervisor::timeToNextCheck() const
{
    if (!m_isEnding)
        return std::nullopt;
    if (hasExited())
        return kGroupInterval;
    if (m_isKilled)
        return std::nullopt;
    return std::chrono::ceil<milliseconds>(m_killAt - Clock::now());
}

void Supervisor::pass(int signal)
{
    if (signal == SIGCHLD)
        followStop();
    else if (signal == SIGCONT)
        onContinued();
    else
        m_child.signalGroup(signal);
}

/// The command was stopped from the terminal: Ctrl+Z, or it wanted to read while in the background.
void Supervisor::followStop()
{
    siginfo_t info = {};
    if (::waitid(P_PID, static_cast<id_t>(m_child.pid()), &info, WSTOPPED | WNOHANG) != 0 || info.si_pid == 0)
        return;
    const bool wantsTerminal = info.si_status == SIGTTIN || info.si_status == SIGTTOU;
    if (wantsTerminal && m_terminal.isOurs()) {
        m_terminal.give(m_child.pid());
        m_child.signalGroup(SIGCONT);
        return;
    }
    // One stopped by SIGSTOP is somebody's business; we go on renewing.
    if (!m_terminal.exists() || (!wantsTerminal && info.si_status != SIGTSTP))
        return;
    m_terminal.takeBackFrom(m_child.pid());
    stopLikeCtrlZ();
}

void Supervisor::onContinued()
{
    if (m_terminal.isForTheCommand())
        m_terminal.give(m_child.pid());
    m_child.signalGroup(SIGCONT);
}

/// Leaves it unreaped: while it is there its number, which is the group's, cannot become another's.
bool Supervisor::hasExited() const
{
    siginfo_t info = {};
    return ::waitid(P_PID, static_cast<id_t>(m_child.pid()), &info, WEXITED | WNOHANG | WNOWAIT) == 0
        && info.si_pid != 0;
}

void Supervisor::endGroup()
{
    m_isEnding = true;
    m_killAt = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::min(m_killAfter, Duration(MaxTtl)));
    m_child.signalGroup(SIGTERM);
    m_child.signalGroup(SIGCONT); // a stopped one would never see the first
}

} // namespace lockscope::ctl
