// SPDX-License-Identifier: MIT
#pragma once

#include "recording/recorder.h"
#include "workerthread.h"

#include <QtCore/QObject>

namespace lockscope {

class RecordingWorker;

/// Records a server from a thread and a connection of its own, whatever else looks at it, and how.
/// Thread: that of its creator; every call returns at once, every signal arrives through the event loop. The destructor
/// ends the recording, and waits for the statement in flight and for the disk.
class RecordingFeed : public QObject
{
    Q_OBJECT
public:
    RecordingFeed(const SessionTarget &target, const RecordingOptions &options, QObject *parent = nullptr);
    ~RecordingFeed() override;

    /// Ends the recording without waiting; `ended` and `stopped` follow.
    void stop();

Q_SIGNALS:
    /// After each look; `trouble` says why nothing is kept at present, else it is empty.
    void advanced(const lockscope::RecorderStatus &status, const QString &trouble);
    /// It could not begin, the server refuses for good, or the file was removed, moved or replaced.
    void failed(const QString &why);
    /// `failure`: why its end could not be written, so that what was kept is in the file and its log; empty: it was.
    void ended(const QString &failure);
    void stopped();

private:
    WorkerThread<RecordingWorker> m_thread;
};

} // namespace lockscope
