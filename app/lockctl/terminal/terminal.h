// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

#include <sys/types.h>

namespace lockscope::ctl {

/// The controlling terminal, when there is one and this program was started in the foreground on it: a command that
/// reads from it must be its foreground group, as a shell makes it. SIGTTOU must be blocked.
class Terminal
{
public:
    Terminal();
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    bool exists() const { return m_fd >= 0; }
    /// True when this program's group is in the foreground.
    bool isOurs() const;
    /// True when the command will talk with the person in front of the terminal, not with another part of a pipeline
    /// that stays in our group and would lose the terminal.
    bool isForTheCommand() const;
    void give(pid_t group) const;
    /// Only from `group`: somebody else's terminal is left alone.
    void takeBackFrom(pid_t group) const;

private:
    int m_fd;
};

/// True where somebody is there to be asked. Else prints that a question about what would be `done` ("released") is
/// not possible.
bool mayAsk(bool json, const QString &done);
/// Asks at the terminal; true for "y" or "yes".
bool isAnsweredYes(const QString &question);
/// Asks at the terminal; true for exactly `answer`.
bool isAnswered(const QString &question, const QString &answer);

} // namespace lockscope::ctl
