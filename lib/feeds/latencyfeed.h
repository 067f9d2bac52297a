// SPDX-License-Identifier: MIT
#pragma once

#include "latency/latencypicture.h"
#include "workerthread.h"

#include <QtCore/QObject>

namespace lockscope {

class LatencyWorker;

/// Follows how long locks take on one server, from a thread and a connection of its own: what the monitor polls must
/// not wait for a day of measurements. Connects when it is asked something, and never spends more than a tenth of the
/// time asking.
///
/// Thread: that of its creator; every call returns at once, every signal arrives through the event loop.
/// The destructor waits for the statement in flight, at most AnswerLimit.
class LatencyFeed : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds Interval{2000};

    explicit LatencyFeed(SessionTarget target, QObject *parent = nullptr);
    ~LatencyFeed() override;

    /// Answered by pictureReady: once, or again and again when the question has no end. None: stop asking.
    virtual void ask(const std::optional<LatencyQuestion> &question);
    /// Ends without waiting; `stopped` follows. No other call may come after it.
    void stop();

Q_SIGNALS:
    void pictureReady(const lockscope::LatencyPicturePtr &picture);
    /// Asked again by itself after a while.
    void failed(const lockscope::LockError &error);
    void stopped();

private:
    WorkerThread<LatencyWorker> m_thread;
};

} // namespace lockscope
