// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

#include <chrono>

namespace lockscope {

/// One process, held so that a signal can never reach another that was given its number later (a pidfd). Where the
/// kernel has none, the number alone, checked before each use.
/// Thread: one at a time.
class ProcessRef
{
public:
    /// Check what the process is *after* making the reference: then the check is about the one that gets signals.
    explicit ProcessRef(qint64 pid);
    ~ProcessRef();
    ProcessRef(const ProcessRef &) = delete;
    ProcessRef &operator=(const ProcessRef &) = delete;

    qint64 pid() const { return m_pid; }
    bool isAlive() const { return !waitUntilGone(std::chrono::milliseconds(0)); }
    /// True when the process has ended, which may be at once.
    bool waitUntilGone(std::chrono::milliseconds timeout) const;
    /// False when the process is gone or not ours to signal.
    bool signal(int number) const;

private:
    qint64 m_pid = 0;
    int m_fd = -1;
};

/// True when process `pid` is this user's and works in `dataFolder`, as both families' servers do, or is just being
/// started on it.
/// With the reference to it made before, no other process can be taken for it.
bool serves(qint64 pid, const QString &dataFolder);

/// Of its program, as the system keeps it: 15 bytes at most. Empty when it is gone.
QString processName(qint64 pid);

} // namespace lockscope
