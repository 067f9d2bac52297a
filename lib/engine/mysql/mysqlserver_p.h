// SPDX-License-Identifier: MIT
#pragma once

#include "engine/core/enginecore_p.h"
#include "engine/records/attemptlog_p.h"
#include "engine/records/cleanup_p.h"
#include "engine/records/latencylog_p.h"
#include "localqueue_p.h"
#include "presencekeeper_p.h"
#include "session/sessionpool.h"

#include <QtCore/QSet>

namespace lockscope::detail {

/// Of EngineConfig::maxConnections: the keeper's, the service's, one for a thread of its own and one for all others.
inline constexpr int LeastConnections = 4;

/// The MySQL or MariaDB of one engine: its connections to it, and what its parts share there.
///
/// Connections: the keeper's (presences, KILL of waits; never waits), the service thread's (renewal, clean-up; never
/// waits for a lock), and the pool's (acquiring, waiting, releasing). Thread: any.
class MySqlServer
{
public:
    /// Of `core`, whose part it is.
    explicit MySqlServer(EngineCore &core);

    /// As the functions of Backend.
    std::optional<LockError> validate() const;
    std::optional<LockError> check();
    void begin();
    std::optional<LockError> clean();
    void finish();
    void stop();

    /// The user-level lock by which one of this engine's sessions is known.
    QByteArray markOf(quint64 session) const { return target.mark + QByteArray::number(session); }

    /// True once the engine has seen the row of this name (it may have been cleaned up since).
    bool knowsName(const QByteArray &resource);
    void rememberName(const QByteArray &resource);
    void forgetName(const QByteArray &resource);

    /// Runs work that never waits for a lock on whatever connection is free.
    void runQuick(const SessionPool::Work &work, SessionPool::Statement *batchable = nullptr)
    {
        pool.runQuick(work, batchable);
    }

    /// Ends what a session whose connection broke may still do on the server, and waits until it has. `number` as
    /// Session::number(). False: it may still do it.
    bool endSession(ReconnectingSession &link, quint64 number);

    const SessionTarget target;
    LatencyLog latency;
    AttemptLog attempts;
    ConnectionThread service;
    LeaseClock::time_point nextMoment; ///< in which a renewal may wait for its row; the service thread's
    PresenceKeeper keeper;
    SessionPool pool;
    LocalQueue localQueue;

private:
    std::optional<LockError> checkOn(ReconnectingSession &link) const;
    void scheduleCleaning();
    void clean(const std::shared_ptr<CleaningRound> &round);
    void schedulePresenceCheck();
    void passOnRequests(ReconnectingSession &link);
    void scheduleFlush();
    void flush(ReconnectingSession &link);
    void flushLast();

    template<typename Job>
    auto whileItLives(Job job);

    EngineCore &m_core;
    bool m_isReady = false; ///< begin() was called; its thread's, then that of finish()
    std::mutex m_mutex;     // protects the member below
    QSet<QByteArray> m_names;
};

} // namespace lockscope::detail
