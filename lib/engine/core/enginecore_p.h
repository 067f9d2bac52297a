// SPDX-License-Identifier: MIT
#pragma once

#include "backend_p.h"
#include "hold_p.h"
#include "lockscope/engineconfig.h"
#include "lockscope/outcomes.h"
#include "lockscope/owner.h"
#include "ownerturns_p.h"
#include "session/forkguard.h"
#include "wait_p.h"

#include <QtCore/QLoggingCategory>
#include <QtCore/QThreadPool>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace lockscope::detail {

Q_DECLARE_LOGGING_CATEGORY(engineLog)

/// For what is done by transactions of the same server, in an engine that is on something else.
LockError notWithoutMySql(const QString &what);

/// Why a request does not even begin to wait for its lock.
struct Refusal
{
    Outcome outcome;
    std::optional<LockError> error = {};
};

/// What the parts of one engine share: its holds, its calls and waits, its timer. What is of the server is its
/// backend's. Thread: any.
class EngineCore : public std::enable_shared_from_this<EngineCore>
{
public:
    using MakeBackend = std::function<std::unique_ptr<Backend>(EngineCore &)>;

    EngineCore(EngineConfig engineConfig, const MakeBackend &makeBackend);
    ~EngineCore();

    /// Refuses in a child of the process that made this engine.
    std::optional<LockError> validateProcess() const;
    /// Connects once and checks schema and settings; later calls cost nothing.
    std::optional<LockError> ensureReady();
    /// A server whose tables are locked is waited for, as a lock is, and takes its part of the request's budget.
    std::optional<Refusal> waitUntilReady(LockRequest &request);

    /// For the parts of an engine on MySQL or MariaDB.
    MySqlServer &mysql() const { return *backend->mysql(); }

    /// The hold of the calling owner on `resource`, with one more handle; null when there is none. Re-entrancy is per
    /// mode: a row and a lease of the same name are two locks.
    std::shared_ptr<Hold> reenter(const LockRequest &request);
    bool holdsAnything(const QByteArray &ownerKey);
    bool hasHolds();
    /// The hold that the server knows by this number, see Hold::number().
    std::shared_ptr<Hold> findHold(Mode mode, const QByteArray &resource, quint64 number);
    void addHold(const std::shared_ptr<Hold> &hold);
    /// One handle less; true when it was the last, and then the hold is forgotten.
    bool dropHandle(const std::shared_ptr<Hold> &hold);
    void forgetHold(const std::shared_ptr<Hold> &hold);
    /// Hold::leaveHeld(), and counts how long it was held.
    bool endHold(Hold &hold, Hold::State state);

    /// Waiting requests, so that the engine's end can cancel them.
    void addWait(const std::shared_ptr<Wait> &wait);
    void removeWait(const std::shared_ptr<Wait> &wait);

    /// A call that the engine's end waits for. False: it has come to its end, and this call must not begin.
    bool beginCall();
    void endCall();

    /// Cancels all waits, releases all holds and stops the watchdog. A second call waits for the first.
    void close();
    /// In place of close(), in a thread that this would wait for, as the process ends: nothing is held any more as far
    /// as this process is concerned. What the server knows ends with the connections and the TTL.
    void abandon();
    bool isClosing() const { return m_closing.load(); }

    /// Tells the holder of this number that somebody asks for the lock, in the timer's thread.
    void tellReleaseRequest(Mode mode, const QByteArray &resource, quint64 number, const QString &reason);
    /// Counts a duration and tells the application's listener; `resource` as it is stored.
    void measured(MeasuredMode mode, Ending ending, const QByteArray &resource, Duration duration);

    const ForkGuard process;
    const EngineConfig config;
    const Owner owner;
    ConnectionThread timer; ///< without a connection
    OwnerTurns ownerTurns;
    const std::unique_ptr<Backend> backend;
    QThreadPool asyncThreads; ///< of startAsync(); ended by close(), for their connections must not outlive Qt's

private:
    void end();
    void takeOut(const std::shared_ptr<Hold> &hold);

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
    std::set<std::shared_ptr<Wait>> m_waits;
    std::condition_variable m_noWaits;
};

} // namespace lockscope::detail
