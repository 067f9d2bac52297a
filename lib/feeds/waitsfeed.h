// SPDX-License-Identifier: MIT
#pragma once

#include "actions/preparedend.h"
#include "actions/sessionkill.h"
#include "console/serveraccess.h"
#include "deadlocks/deadlockinbox.h"
#include "waits/waitsreader.h"
#include "workerthread.h"

#include <QtCore/QObject>

namespace lockscope {

class WaitsWorker;

/// Watches the server's own locks, and the deadlocks that it ended, from a thread and a connection of its own, with a
/// time limit for every statement and never two polls in flight; one that costs 100 ms is made once a second at most.
/// Thread: that of its creator; every call returns at once, every signal arrives through the event loop.
class WaitsFeed : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds DefaultInterval{1000};

    explicit WaitsFeed(SessionTarget target, QObject *parent = nullptr);
    ~WaitsFeed() override;

    void start();
    /// Ends without waiting; `stopped` follows. No other call may come after it.
    void stop();
    void setInterval(std::chrono::milliseconds interval);
    void setPaused(bool paused);
    void setHidden(bool hidden);
    void setOff(const QSet<WaitSource> &sources);
    /// Sessions that are looked up whatever they do, and those whose row locks are wanted one by one; from the next
    /// poll on, and asks for none.
    void track(const QSet<quint64> &sessions, const QSet<quint64> &rowsOf);
    /// Goes on with what another feed has seen of this server; before start().
    void setDeadlocks(const DeadlockInboxPtr &inbox);
    /// Polls now, and asks again what the server can tell and allows.
    void refresh();
    /// Answered by killed; before it killProgressed while changes are undone.
    void kill(const KillOrder &order, const ServerAccess &access);

    /// Answered by preparedEnded.
    void endPrepared(const PreparedOrder &order, const ServerAccess &access);

Q_SIGNALS:
    void updated(const lockscope::ServerWaitsPtr &waits, const lockscope::Capabilities &capabilities);
    /// The last data stays true for its own time; tried again by itself.
    void failed(const lockscope::LockError &error);
    /// At first, and whenever there is news.
    void deadlocksRead(const lockscope::DeadlockInboxPtr &inbox);
    /// They alone cannot be read. Without the right to, asked again by refresh() only.
    void deadlocksFailed(const lockscope::LockError &error);
    void killProgressed(const lockscope::KillOrder &order, const lockscope::KillReport &report);
    void killed(const lockscope::KillOrder &order, const lockscope::KillReport &report);
    void preparedEnded(const lockscope::PreparedOrder &order, const lockscope::PreparedReport &report);
    void stopped();

private:
    WorkerThread<WaitsWorker> m_thread;
};

} // namespace lockscope
