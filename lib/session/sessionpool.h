// SPDX-License-Identifier: MIT
#pragma once

#include "connectionthread.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

/// Gives work a connection. A thread that asks gets a connection of its own as long as half of the bound is not
/// used up: no hand-over between threads lies on its way. The work of other threads goes to the pool's threads, each to
/// the next one that is free. When more work comes than those can take, idle threads' own connections are ended for
/// more of them; when that is over for a while, threads get connections of their own again. A thread's connection
/// closes when it ends.
/// Thread: every function may be called from any thread.
class SessionPool
{
public:
    using Work = std::function<void(ReconnectingSession &link)>;

    /// A named statement that is only one, and what came of it.
    struct Statement
    {
        QByteArray name;
        Params params;
        std::optional<Reply> reply = {}; ///< set when it was sent
        quint64 session = 0;             ///< number of that by which it was sent
    };

    /// `maxSessions` is at least 2; `service` is one more: it ends connections, and does quick work when all others
    /// wait. It must have stopped before the pool ends.
    SessionPool(SessionTarget target, int maxSessions, ConnectionThread &service);
    ~SessionPool();
    /// Closes the pool's threads that are not lent, and the calling thread's own connection. No work may be asked for
    /// afterwards.
    void close();
    SessionPool(const SessionPool &) = delete;
    SessionPool &operator=(const SessionPool &) = delete;

    /// Runs `work`, which never waits for a lock, and waits for its end. It may stand behind other quick work, never
    /// behind a wait. What `work` itself asks for runs on the same connection.
    ///
    /// `batchable` may be sent in place of `work`: where many threads' work stands in line, in one packet and one
    /// transaction with others. Then it has a reply. It changes one row, and needs no other statement to make sense.
    void runQuick(const Work &work, Statement *batchable = nullptr);
    /// Runs `work`, which may block on the server for long, and waits for its end. False, without having run it: all
    /// connections are taken by waits and loans.
    bool tryWait(const Work &work);

    /// A connection with its thread for as long as the caller keeps it; null when all are taken by waits and loans.
    /// `insteadOf`: a thread to write off, whose place this one takes.
    std::shared_ptr<ConnectionThread> lend(const ConnectionThread *insteadOf = nullptr);
    /// A thread that was lent and may not come back, for its connection was cut without a word, counts no
    /// longer, unless as many as the pool has are away already. When it comes back after all it ends.
    void writeOff(const ConnectionThread &thread);

    /// Number of the session on the calling thread's own connection; 0 when it has none.
    quint64 ownSession() const;

    /// Numbers of the sessions that other threads keep; for ending them with the engine.
    std::vector<quint64> foreignSessions() const;

private:
    struct Shared;
    struct ThreadSession;
    struct ThreadSessions;
    struct PendingWork;
    using Batch = std::vector<PendingWork *>;

    static ThreadSessions *sessionsOfThisThread();
    ThreadSession *threadSession();
    bool mayOpenSession(std::unique_ptr<ConnectionThread> *retired);
    bool runOnCurrentSession(const Work &work);
    bool runOnThreadSession(const Work &work);
    bool runInThread(PendingWork &pending);

    std::shared_ptr<Shared> m_shared;
};

} // namespace lockscope
