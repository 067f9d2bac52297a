// SPDX-License-Identifier: MIT
#pragma once

#include "waitsbench.h"

#include <QtCore/QList>

#include <atomic>
#include <thread>

namespace lockscope::bench {

/// Very many leases as engines would have them, each with a presence that a session holds, and some with a queue whose
/// names are held too. Written in bulk, past the engine.
class LeaseCrowd
{
public:
    LeaseCrowd(test::TestServer &server, int leases, int waiters);
    ~LeaseCrowd();
    LeaseCrowd(const LeaseCrowd &) = delete;
    LeaseCrowd &operator=(const LeaseCrowd &) = delete;

    /// Each second, in a thread of its own: a hundredth is renewed, a two hundredth ends and as many begin.
    void startLiving();
    void stopLiving();
    /// Seconds of life so far, and how long the longest took.
    int seconds() const { return m_seconds; }
    double longestSecond() const { return m_longest; }

private:
    void add(Session &session, int first, int count);
    static void hold(Session &holder, const QList<QByteArray> &names);
    void queueUp(Session &session, int waiters);
    void renew(Session &session);
    void replace(Session &session, Session &holder);
    void live(const std::stop_token &stop);

    const test::TestServer &m_server;
    std::vector<std::unique_ptr<Session>> m_holders; ///< of the names of those that were there at first
    QList<int> m_held;
    int m_next = 0;
    int m_renewed = 0;
    std::atomic<int> m_seconds = 0;
    std::atomic<double> m_longest = 0;
    std::jthread m_thread;
};

} // namespace lockscope::bench
