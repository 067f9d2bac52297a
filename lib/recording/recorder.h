// SPDX-License-Identifier: MIT
#pragma once

#include "pendingroom.h"
#include "recordingpoll.h"
#include "recordingwriter.h"

namespace lockscope {

/// What a recorder has done.
struct RecorderStatus
{
    qint64 looks = 0;  ///< kept by this recorder
    qint64 unkept = 0; ///< that could not be kept: a full disk
    qint64 deadlocks = 0;
    qint64 bytes = 0;     ///< of the file
    QString failure = {}; ///< why nothing is kept at present; empty: it is
    bool isOver = false;  ///< the file is not at its path any more: nothing will be kept
};

/// Puts what polls find into a file. A look that cannot be written is lost, and says so in the file once it can be
/// written again; deadlocks, events, acts and alarms of that time are kept until then, within PendingRoom, and the file
/// says how many there was no room for. Thread: that of its creator.
class Recorder
{
public:
    Recorder(const RecordingOptions &options, std::unique_ptr<RecordingWriter> writer);

    void take(const RecordedNews &news);
    /// The server could not be asked: nothing was seen of it since the last look. What `news` has of events, acts and
    /// latency all the same is kept, as of now.
    void miss(const LockError &error, const RecordedNews &news = {});
    /// Looks at the server, and takes what is new or notes why there is nothing; returns that reason. A look that came
    /// much later than usual says so, too: the server may have stood still.
    std::optional<LockError> look(RecordingPoll *poll);
    /// Nothing is taken any more. Empty, or why the end could not be written.
    QString end();
    const RecorderStatus &status() const { return m_status; }

private:
    ServerTime now() const;
    void missIfLate(const SnapshotClock &clock, const PollPace &pace);
    void addMark(RecordedMark::Kind kind, ServerTime at, const QByteArray &body = {});
    void addMark(const RecordedMark &mark);
    void addNews(const RecordedNews &news);
    void addOnceTold(const RecordedNews &news, ServerTime at);
    void addWaiting(const RecordedLook &look, const WaitGraph &graph);
    void tellWaiting();
    void addAlarms(const AlarmChanges &changes);
    void watch(const RecordedLook &look);
    LeaseReading leasesOf(const RecordedLook &look);
    void onWritten(const QString &failure, bool hasLook);

    StatementKeeper m_keeper;
    Thresholds m_thresholds;
    QList<SharedLockRow> m_tableRows; ///< of the last look: each lock keeps its number among those of one name
    bool m_hadTables = false;         ///< some look had the engine's tables
    const std::unique_ptr<RecordingWriter> m_writer;
    QList<RecordedMark> m_marks; ///< that are not written yet
    PendingRoom m_room;          ///< for them
    SnapshotClock m_clock;       ///< of the last look
    bool m_isReached = true;
    std::optional<DeadlockSight> m_sight;  ///< as marked last
    std::optional<RecordedMark> m_waiting; ///< the moment at which most waited since the last mark of one
    WaitQueues m_queues;                   ///< of the time since then
    EarlierLook m_before;
    std::optional<ServerTime> m_waitingToldAt;
    RecorderStatus m_status;
};

} // namespace lockscope
