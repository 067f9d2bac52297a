// SPDX-License-Identifier: MIT
#pragma once

#include "latencyfeed.h"
#include "recording/incidents.h"
#include "recording/recordeddeadlocks.h"
#include "workerthread.h"

namespace lockscope {

class ReplayWorker;

/// What pages show of a moment of a recording.
struct ReplayedMoment
{
    RecordedMoment moment;
    ServerTime wanted{};        ///< that was asked for
    QList<Event> events;        ///< until then, oldest first
    QList<AuditLine> acts;      ///< the same
    DeadlockInboxPtr deadlocks; ///< that were kept until then
    QString noDeadlocks = {};   ///< why they could not be read then; empty: they could
};
using ReplayedMomentPtr = std::shared_ptr<const ReplayedMoment>;

/// Reads a recording in a thread of its own.
/// Thread: that of its creator; every call returns at once, every signal arrives through the event loop.
class ReplayFeed : public QObject
{
    Q_OBJECT
public:
    explicit ReplayFeed(const QString &path, QObject *parent = nullptr);
    ~ReplayFeed() override;

    /// Answered by shown. While one is made, of all that are asked for meanwhile only the last is answered.
    void show(ServerTime at);
    /// Answered by pictureReady; where the question ends now, again for each moment that is shown. None: stop that.
    void ask(const std::optional<LatencyQuestion> &question);

Q_SIGNALS:
    void opened(const lockscope::RecordingInfo &info, const QList<lockscope::Incident> &incidents);
    void failed(const QString &why);
    void shown(const lockscope::ReplayedMomentPtr &moment);
    void pictureReady(const lockscope::LatencyPicturePtr &picture);

private:
    WorkerThread<ReplayWorker> m_thread;
};

/// Measurements of a recording in place of a server's.
class ReplayedLatency : public LatencyFeed
{
    Q_OBJECT
public:
    explicit ReplayedLatency(ReplayFeed *replay);

    void ask(const std::optional<LatencyQuestion> &question) override;

private:
    ReplayFeed *const m_replay;
};

} // namespace lockscope
