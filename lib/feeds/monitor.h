// SPDX-License-Identifier: MIT
#pragma once

#include "actions/forcerelease.h"
#include "actions/keyrelease.h"
#include "console/pollpace.h"
#include "locks/locklist.h"
#include "locktables/tablereader.h"
#include "session/schema.h"
#include "workerthread.h"

#include <QtCore/QObject>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace lockscope {

class ListWorker;
struct RecordedLook;
class MonitorWorker;
class SourceWorker;

/// Makes what a server's locks are read or ended with; called in the threads that do.
using SourceMaker = std::function<std::unique_ptr<LockSource>(SourceUse use)>;

/// How the monitor stands with its server.
struct MonitorStatus
{
    enum class Phase {
        Connecting, ///< first try, nothing known yet
        Live,       ///< the last poll succeeded
        Failing     ///< see `error`; the last data stays, tried again unless `isPermanent`
    };
    Phase phase = Phase::Connecting;
    ServerInfo server;              ///< as read at the last connect
    std::optional<LockError> error; ///< while live: why its leases are not read, but other programs' keys alone
    std::optional<PollPace::Clock::time_point> nextTry = {}; ///< of a server that fails, when it is tried again
    bool wasRead = false;                                    ///< the engine's tables, at least once
    bool needsTables = false;                                ///< nothing else of the server is listed

    /// Not tried again by itself.
    bool isPermanent() const { return error && lockscope::isPermanent(*error); }
    /// No failure: the engine's tables are not there, or not for this account, and the locks of others are the list.
    /// One that lost the right to read them does fail: what was read is not gone.
    bool isWithoutTables() const
    {
        return !needsTables && error && isWithoutLockTables(*error)
            && (error->kind == LockError::Kind::SchemaMissing || !wasRead);
    }
    /// The last data is not renewed.
    bool isFailing() const { return phase == Phase::Failing && !isWithoutTables(); }
};

/// What the inspector shows of one lock.
struct LockDetails
{
    LockKey key;
    std::optional<LockRow> lock;         ///< none: it is free
    std::optional<ServerSession> holder; ///< of a lock of the server's own
    RowLocks rows;                       ///< of a transaction, where WaitOptions::rowsOf asked and the server tells
    QList<Waiter> queue;
    QList<Event> events; ///< the latest ones, oldest first
    SnapshotClock clock;
};

/// Shared, because they may be long and go to several places.
using LockListUpdatePtr = std::shared_ptr<const LockListUpdate>;

/// The same.
using RecordedLookPtr = std::shared_ptr<const RecordedLook>;

/// Watches one server from a thread and a connection of its own. Never has two polls in flight and spends no more than
/// a tenth of the time asking, whatever the interval says; where very many locks make a poll cost more than 100 ms it
/// is still made once a second, up to half of the time.
///
/// Thread: that of its creator; every call returns at once, every signal arrives through the event loop.
/// The destructor waits for the statement in flight, at most AnswerLimit.
class Monitor : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds DefaultInterval{500};
    static constexpr int DefaultLimit = 250'000;

    explicit Monitor(SessionTarget target, QObject *parent = nullptr);
    /// Without a server: of further servers alone.
    explicit Monitor(QObject *parent = nullptr);
    /// Of a store beside MySQL and MariaDB, which has leases alone: what is said here of others, of events and of
    /// tables means nothing there. Asking it takes a tenth of the time, however many locks there are.
    explicit Monitor(const SourceMaker &store, QObject *parent = nullptr);
    ~Monitor() override;

    /// False: of further servers alone.
    bool hasServer() const { return m_poller || m_store; }
    void start();
    /// Ends without waiting; `stopped` follows. No other call may come after it.
    void stop();
    /// Time from one poll's start to the next one's.
    void setInterval(std::chrono::milliseconds interval);
    void setPaused(bool paused);
    /// Nobody looks: poll every PollPace::HiddenInterval at most.
    void setHidden(bool hidden);
    void setView(const LockView &view);
    /// The server's own locks, for the same list; they stay until the next ones come. Null: none.
    void setServerWaits(const ServerWaitsPtr &waits);
    /// The same of those that other programs keep in tables.
    void setTableLocks(const TableLocksPtr &tables);
    /// Whether keys of stores are listed of which only the name says that they are locks: they are not, until this.
    void setGuesses(bool withGuesses);
    /// At most this many of the engine's locks in the list.
    void setLimit(int limit);
    /// A further server of any kind: its locks join the list with this number, from 1. It is asked in a thread of its
    /// own at its own pace, and while it fails its locks stay. Pace and pause go to it too, once they are set again.
    void addServer(int number, const SourceMaker &maker);
    /// What was asked of it before is answered.
    void removeServer(int number);
    /// As refresh(), of that one alone.
    void refreshServer(int number);
    /// The lock whose queue and events `detailsUpdated` brings; none to stop.
    void watch(const std::optional<LockKey> &key);
    /// A look of a recording, in place of a server's: the monitor is not started.
    void replay(const RecordedLookPtr &look);
    /// One poll now, also while paused.
    void refresh();

    /// Answered by previewReady.
    void preview(const LockKey &key);
    /// Answered by released. A connection that breaks in the middle is opened again to ask what became of it.
    void release(const ReleaseOrder &order, const ServerAccess &access);
    /// The same of another program's key or node. Answered by keyPreviewReady.
    void previewKey(const KeyReleaseOrder &order);
    /// Answered by keyReleased.
    void releaseKey(const KeyReleaseOrder &order, const ServerAccess &access);
    /// Creates the lock tables. Answered by tablesInstalled.
    void installTables();

Q_SIGNALS:
    void statusChanged(const lockscope::MonitorStatus &status);
    /// Each update builds on the one before: apply all of them, in order.
    void listUpdated(const lockscope::LockListUpdatePtr &update);
    /// Of a further server.
    void serverStatusChanged(int number, const lockscope::MonitorStatus &status);
    void detailsUpdated(const lockscope::LockDetails &details);
    /// Events not told before, oldest first.
    void eventsArrived(const QList<lockscope::Event> &events);
    void previewReady(const lockscope::LockKey &key, const lockscope::ReleasePreview &preview,
                      const std::optional<lockscope::LockError> &error);
    void released(const lockscope::ReleaseOrder &order, const lockscope::ReleaseReport &report);
    void keyPreviewReady(const lockscope::KeyReleaseOrder &order, const lockscope::KeyReleasePreview &preview,
                         const std::optional<lockscope::LockError> &error);
    void keyReleased(const lockscope::KeyReleaseOrder &order, const lockscope::KeyReleaseReport &report);
    void tablesInstalled(const std::optional<lockscope::LockError> &error);
    void stopped();

private:
    using StoreThread = WorkerThread<SourceWorker>;
    struct Store;

    template<typename Worker>
    void connectFirst(const WorkerThread<Worker> &poller);
    template<typename Worker>
    void connectPoller(const WorkerThread<Worker> &poller);
    void connectStore(const Store &store);
    Store *storeOf(int server) const;
    void onFinished();
    /// Calls `call` with the thread that polls the first server, whichever it is, or that of a further one.
    template<typename Call>
    void post(int server, Call call);
    /// … with each.
    template<typename Call>
    void postAll(Call call);
    /// … and with those that walk through keys, of what all that poll have.
    template<typename Call>
    void postPaced(Call call);
    /// What the server of this number is to watch.
    std::optional<LockKey> watchOf(int server) const;

    WorkerThread<ListWorker> m_lister;
    // One of them, or none: what it is depends on the server.
    std::unique_ptr<WorkerThread<MonitorWorker>> m_poller;
    std::unique_ptr<Store> m_store;
    std::map<int, std::unique_ptr<Store>> m_further; ///< by their numbers
    std::vector<std::unique_ptr<Store>> m_leaving;   ///< that were removed, until they have ended
    int m_running = 0;                               ///< threads that poll
    bool m_isStopping = false;
    int m_limit = DefaultLimit;
    bool m_withGuesses = false;
    std::optional<LockKey> m_watched;
};

} // namespace lockscope
