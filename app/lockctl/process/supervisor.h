// SPDX-License-Identifier: MIT
#pragma once

#include "childcommand.h"
#include "lockscope/lockrequest.h"
#include "terminal/terminal.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

namespace lockscope::ctl {

/// Signals and calls from other threads, as one thing to wait for. Make it before any other thread: it blocks the
/// signals that it reads, and threads inherit that. Signals that the caller of this program ignores stay ignored.
class SignalInbox
{
public:
    /// Whether SIGCHLD is read, by which a command's stop is seen. Otherwise it goes where it is sent: Qt learns by it,
    /// where it has nothing better, that a process of its own has ended.
    enum class Children { AreNotRead, AreRead };

    explicit SignalInbox(Children children = Children::AreNotRead);
    ~SignalInbox();
    SignalInbox(const SignalInbox &) = delete;
    SignalInbox &operator=(const SignalInbox &) = delete;

    /// Makes a wait() that goes on, or else the next one, return. From any thread.
    void wake();
    /// The next signal; none after wake() or the time, or when there is something to read from `input` (-1: none).
    /// No time: waits for ever.
    std::optional<int> wait(std::optional<std::chrono::milliseconds> time = std::nullopt, int input = -1);

private:
    int m_signals;
    int m_wakes;
};

/// True for a signal that asks a program to end.
bool isEnding(int signal);
/// Stops this process as Ctrl+Z would have, had the signal not been read by an inbox. Returns when it was continued.
void stopLikeCtrlZ();

/// Watches over a started command until it has ended: passes signals on to its group, follows Ctrl+Z and `fg`, and
/// ends the whole group once the lock is lost. Signals no process outside that group.
class Supervisor
{
public:
    Supervisor(ChildCommand &child, SignalInbox &inbox, const Terminal &terminal, Duration killAfter);

    /// Blocks until the command has ended. `isLost` is looked at after every wake of the inbox.
    /// Returns the command's wait status.
    int watch(const std::function<bool()> &isLost);

private:
    void pass(int signal);
    void followStop();
    void onContinued();
    bool hasExited() const;
    void endGroup();
    std::optional<std::chrono::milliseconds> timeToNextCheck() const;

    ChildCommand &m_child;
    SignalInbox &m_inbox;
    const Terminal &m_terminal;
    Duration m_killAfter;
    bool m_isEnding = false;
    bool m_isKilled = false;
    std::chrono::steady_clock::time_point m_killAt;
};

} // namespace lockscope::ctl
