// SPDX-License-Identifier: MIT
#pragma once

#include "console/polledsession.h"
#include "deadlocks/deadlockfeed.h"
#include "locks/newevents.h"
#include "locktables/tablereader.h"
#include "recordedlook.h"
#include "recordedmark.h"
#include "waits/waitsreader.h"

namespace lockscope {

/// What one poll found: a look, and what came since the one before.
struct RecordedNews
{
    RecordedLook look;
    QList<Deadlock> deadlocks;
    quint64 deadlocksMissed = 0;
    DeadlockSight deadlockSight = DeadlockSight::All;
    QString whyNoDeadlocks = {}; ///< where that is Nothing
    QList<Event> events;
    QList<AuditLine> acts;
    LatencySeries latency; ///< of slots of time that are over
};

/// Reads all that a recording keeps of a server, over one connection. Belongs to one thread.
class RecordingPoll
{
public:
    static constexpr std::chrono::milliseconds DefaultInterval{1000};
    static constexpr std::chrono::milliseconds MinInterval{200};
    /// At most this many leases, and as many of each other kind of the engine's locks.
    static constexpr int MaxLocks = 10'000;

    explicit RecordingPoll(std::chrono::milliseconds interval = DefaultInterval);

    void setTarget(const SessionTarget &target);
    /// The next poll; connects where there is no connection. Where it fails, events, acts and latency that were found
    /// are in `news` all the same: no later poll has them.
    std::optional<LockError> poll(RecordedNews *news);
    PollPace &pace() { return m_server->pace(); }

private:
    std::optional<LockError> read(Session &session, RecordedNews *news);
    std::optional<LockError> readEngine(Session &session, RecordedNews *news);
    std::optional<LockError> readQueues(LeaseReader &reader, RecordedLook *look);
    std::optional<LockError> readTables(Session &session, RecordedLook *look);
    std::optional<LockError> readDeadlocks(Session &session, RecordedNews *news);
    std::optional<LockError> readLatency(Session &session, RecordedNews *news);
    void readActs(RecordedNews *news);

    const std::chrono::milliseconds m_interval;
    ServerUrl m_url;
    std::optional<PolledSession> m_server;
    std::optional<WaitsReader> m_waits; ///< of its session
    SteadyTimes m_times;
    NewEvents m_events;
    DeadlockFeed m_deadlocks;
    bool m_areDeadlocksRead = false; ///< at least once: the first reading finds what was before
    TableReader m_tableReader;
    TableLocks m_tables; ///< as read last
    std::optional<std::chrono::steady_clock::time_point> m_tablesReadAt;
    AuditLog m_audit;
    std::optional<ServerTime> m_begunAt; ///< on the server's clock
    QDateTime m_begunHere;               ///< on this machine's
    std::optional<ServerTime> m_latencyFrom;
};

} // namespace lockscope
