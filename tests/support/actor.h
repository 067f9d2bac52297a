// SPDX-License-Identifier: MIT
#pragma once

#include "enginefixture.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace lockscope::test {

/// A session that does what it is told, one statement after the other, in a thread of its own, so that a test may go on
/// while it waits for a lock. Waits are as long as a test needs them. The session ends with the object,
/// whatever it does then.
class Actor
{
public:
    explicit Actor(const SessionTarget &target);
    explicit Actor(const TestServer &server)
        : Actor(targetFor(server))
    {
    }
    ~Actor();
    Actor(const Actor &) = delete;
    Actor &operator=(const Actor &) = delete;

    quint64 id() const { return m_id; }
    /// Begins it and does not wait.
    void start(const QByteArray &sql);
    /// Waits until everything is done; what the last one brought.
    Reply finish();
    /// The same for one statement.
    Reply run(const QByteArray &sql);
    bool isBusy();

private:
    void work();

    const SessionTarget m_target;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<QByteArray> m_todo;
    bool m_isWorking = true; ///< until it is connected
    bool m_isEnding = false;
    quint64 m_id = 0;
    Reply m_last;
    std::thread m_thread;
};

} // namespace lockscope::test
