// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>

#include <string>
#include <vector>

#include <sys/types.h>

namespace lockscope::ctl {

/// The command that `run` runs under the lock, in a process group of its own.
///
/// Its process is forked before this program has a thread or a connection and then waits: so between fork and exec
/// anything may be called, and the command inherits exactly the files and signal settings that lockctl was given,
/// nothing of the engine's. When lockctl ends first, by whatever means, the process ends without running the command,
/// or gets SIGTERM when it runs already: work must not go on unguarded.
class ChildCommand
{
public:
    explicit ChildCommand(std::vector<std::string> words);
    /// Ends the waiting process when the command was never started.
    ~ChildCommand();
    ChildCommand(const ChildCommand &) = delete;
    ChildCommand &operator=(const ChildCommand &) = delete;

    /// The process and its group; 0 when the fork failed: see error().
    pid_t pid() const { return m_pid; }
    /// The system's error number that says why there is no process.
    int error() const { return m_error; }
    const std::string &program() const { return m_words.front(); }

    /// Runs the command with LOCKSCOPE_RESOURCE and LOCKSCOPE_TOKEN. Returns 0 or the system's error number.
    int start(const QByteArray &resource, quint64 token);
    /// To every process of the group.
    void signalGroup(int number) const;
    /// Waits for the ended process and returns its wait status. Until then its number cannot be given to another.
    int reap();
    /// True while a process of the group lives, besides the command's own one once that has ended.
    bool hasLivingGroup() const;

private:
    struct Grant;
    [[noreturn]] void waitAndBecome(const std::vector<char *> &argv, int orders, int status) const;

    std::vector<std::string> m_words;
    pid_t m_pid = 0;
    int m_error = 0;
    int m_orders = -1; ///< we write the grant here
    int m_status = -1; ///< the process writes why exec failed
};

} // namespace lockscope::ctl
