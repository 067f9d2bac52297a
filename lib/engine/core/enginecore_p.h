// SPDX-License-Identifier: MIT
#pragma once

#include "engine/records/attemptlog_p.h"
#include "engine/records/cleanup_p.h"
#include "engine/records/latencylog_p.h"
#include "hold_p.h"
#include "localqueue_p.h"
#include "lockscope/engineconfig.h"
#include "lockscope/outcomes.h"
#include "lockscope/owner.h"
#include "ownerturns_p.h"
#include "presencekeeper_p.h"
#include "session/forkguard.h"
#include "session/schema.h"
#include "session/sessionpool.h"

#include <QtCore/QLoggingCategory>
#include <QtCore/QSet>
#include <QtCore/QThreadPool>

#include <map>
#include <set>

namespace lockscope::detail {

Q_DECLARE_LOGGING_CATEGORY(engineLog)

/// Of EngineConfig::maxConnections: the keeper's, the service's, one for a thread of its own and one for all others.
inline constexpr int LeastConnections = 4;

struct ReleaseRequest;

/// Why a request does not even begin to wait for its lock.
struct Refusal
{
    Outcome outcome;
    std::optional<LockError> error = {};
};

/// What the parts of one engine share: its connections, its names, its holds.
///
/// Connections: the keeper's (presences, KILL of waits; never waits), the service thread's (renewal, clean-up; never
/// waits for a lock), and the pool's (acquiring, waiting, releasing). The timer thread has none. Thread: any.
class EngineCore : public std::enable_shared_from_this<EngineCore>
{
public:
    explicit EngineCore(EngineConfig engineConfig);
    ~EngineCore();

    /// Refuses in a child of the process that made this engine.
    std::optional<LockError> validateProcess() const;
    /// Connects once and checks schema and settings; later calls cost nothing.
    std::optional<LockError> ensureReady();
    /// A server whose tables are locked is waited for, as a lock is, and takes its part of the request's budget.
    std::optional<Refusal> waitUntilReady(LockRequest &request);

    /// The user-level lock by which one of this engine's sessions is known.
    QByteArray markOf(quint64 connection) const { return target.mark + QByteArray::number(connection); }

    /// The hold of the calling owner on `resource`, with one more handle; null when there is none. Re-entrancy is per
    /// mode: a row and a lease of the same name are two locks.
    std::shared_ptr<Hold> reenter(const LockRequest &request);
    bool holdsAnything(const QByteArray &ownerKey);
    /// The hold that the server knows by this number, see Hold::number().
    std::shared_ptr<Hold> findHold(Mode mode, const QByteArray &resource, quint64 number);
    void addHold(const std::shared_ptr<Hold> &hold);
    /// One handle less; true when it was the last, and then the hold is forgotten.
    bool dropHandle(const std::shared_ptr<Hold> &hold);
    void forgetHold(const std::shared_ptr<Hold> &hold);
    /// Hold::leaveHeld(), and counts how long it was held.
    bool endHold(Hold &hold, Hold::State state);

    /// True once the engine has seen the row of this name (it may have been cleaned up since).
    bool knowsName(const QByteArray &resource);
    void rememberName(const QByteArray &resource);
    void forgetName(const QByteArray &resource);

    /// Waiting requests, so that the engine's end can cancel them.
    void addWait(const std::shared_ptr<WaitControl> &wait);
    void removeWait(const std::shared_ptr<WaitControl> &wait);

    /// Runs work that never waits for a lock on whatever connection is free.
    void runQuick(const SessionPool::Work &work, SessionPool::Statement *batchable = nullptr)
    {
        pool.runQuick(work, batchable);
    }

    /// Ends what a broken connection may still do on the server, and waits until the server has forgotten it. False: it
    /// may still do it.
    bool endConnection(ReconnectingSession &link, quint64 connectionId);

    /// A call that the engine's end waits for. False: it has come to its end, and this call must not begin.
    bool beginCall();
    void endCall();

    /// Cancels all waits, releases all holds and stops the watchdog. A second call waits for the first.
    void close();
    /// In place of close(), in a thread that this would wait for, as the process ends: nothing is held any more as far
    /// as this process is concerned. What the server knows ends with the connections and the TTL.
    void abandon();
    bool isClosing() const { return m_closing.load(); }

    /// Counts a duration and tells the application's listener; `resource` as it is stored.
    void measured(MeasuredMode mode, Ending ending, const QByteArray &resource, Duration duration);

    const ForkGuard process;
    const EngineConfig config;
    const Owner owner;
    const SessionTarget target;
    LatencyLog latency;
    AttemptLog attempts;
    ConnectionThread timer;
    ConnectionThread service;
    LeaseClock::time_point nextMoment; ///< in which a renewal may wait for its row; the service thread's
    PresenceKeeper keeper;
    SessionPool pool;
    LocalQueue localQueue;
    OwnerTurns ownerTurns;
    QThreadPool asyncThreads; ///< of startAsync(); ended by close(), for their connections must not outlive Qt's

private:
    std::optional<LockError> check(ReconnectingSession &link);
    void scheduleCleaning();
    void clean(const std::shared_ptr<CleaningRound> &round);
    void end();
    void schedulePresenceCheck();
    void scheduleFlush();
    void flush(ReconnectingSession &link);
    void flushLast();
    bool hasHolds();
    void takeOut(const std::shared_ptr<Hold> &hold);
    void tell(const ReleaseRequest &request);

    using HoldKey = std::tuple<QByteArray, Mode, QByteArray>; // owner first: one owner's holds lie together
    static HoldKey keyOf(const Hold &hold) { return {hold.ownerKey, hold.mode, hold.resource}; }

    std::atomic<bool> m_closing = false;
    std::once_flag m_end;
    std::atomic<int> m_calls = 0; ///< under way
    std::atomic<bool> m_ready = false;
    std::mutex m_checking;              // one thread asks whether the server is ready
    std::atomic<quint64> m_checks = 0;  ///< how many have been answered
    std::optional<LockError> m_refused; ///< what the last one found
    std::mutex m_mutex;                 // protects the members below
    std::map<HoldKey, std::shared_ptr<Hold>> m_holds;
    std::set<std::shared_ptr<WaitControl>> m_waits;
    std::condition_variable m_noWaits;
    QSet<QByteArray> m_names;
};

} // namespace lockscope::detail
