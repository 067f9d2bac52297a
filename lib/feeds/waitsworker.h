// SPDX-License-Identifier: MIT
#pragma once

#include "actions/recordedkill.h"
#include "deadlocks/deadlockinbox.h"
#include "feedworker.h"
#include "waitsfeed.h"

#include <atomic>

namespace lockscope {

/// The half of the feed that lives in its thread. Private to lib/feeds.
class WaitsWorker : public FeedWorker
{
    Q_OBJECT
public:
    explicit WaitsWorker(const SessionTarget &target);

    /// All of these run in the feed's thread.
    void setOff(const QSet<WaitSource> &sources);
    void track(const QSet<quint64> &sessions, const QSet<quint64> &rowsOf);
    void refresh();
    /// Goes on with what was seen of this server before.
    void setDeadlocks(const DeadlockInboxPtr &inbox) { m_deadlocks = *inbox; }
    void poll() override;
    /// A poll in flight ends early from now on, until that kill is done. Thread: any.
    void callOff() { ++m_urgent; }
    void kill(const KillOrder &order, const ServerAccess &access);
    void endPrepared(const PreparedOrder &order, const ServerAccess &access);

Q_SIGNALS:
    void updated(const lockscope::ServerWaitsPtr &waits, const lockscope::Capabilities &capabilities);
    void failed(const lockscope::LockError &error);
    void deadlocksRead(const lockscope::DeadlockInboxPtr &inbox);
    void deadlocksFailed(const lockscope::LockError &error);
    void killProgressed(const lockscope::KillOrder &order, const lockscope::KillReport &report);
    void killed(const lockscope::KillOrder &order, const lockscope::KillReport &report);
    void preparedEnded(const lockscope::PreparedOrder &order, const lockscope::PreparedReport &report);

private:
    /// A kill whose changes are still being undone.
    struct Undoing
    {
        KillOrder order;
        KillReport report;
    };

    /// On a session of its own: what is refused or breaks off must not meet the polls. A server that has no room for
    /// another one, as happens where all wait for one lock, is asked on the one that polls. An error when neither can.
    std::optional<LockError> actOnServer(const std::function<void(Session &, const Capabilities &)> &act);
    std::optional<LockError> onOpened(Session &session) override;
    void followUndoing();
    void readDeadlocks();

    const SessionTarget m_target;
    std::optional<WaitsReader> m_reader; ///< of the session
    WaitOptions m_options;
    DeadlockInbox m_deadlocks;
    std::optional<PollPace::Clock::time_point> m_nextDeadlocks; ///< none: not before somebody asks, or a new session
    std::atomic<int> m_urgent = 0;                              ///< kills that wait for this thread
    AuditFile m_audit;
    QTimer m_undoTimer;
    QList<Undoing> m_undoing;
};

} // namespace lockscope
