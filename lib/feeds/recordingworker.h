// SPDX-License-Identifier: MIT
#pragma once

#include "recording/recorder.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

namespace lockscope {

/// The half of the recording feed that lives in its thread. Private to lib/feeds.
class RecordingWorker : public QObject
{
    Q_OBJECT
public:
    RecordingWorker(const SessionTarget &target, const RecordingOptions &options);
    /// Ends the recording.
    ~RecordingWorker() override;

    void start();
    /// Ends the recording, and the thread.
    void finish();

Q_SIGNALS:
    void advanced(const lockscope::RecorderStatus &status, const QString &trouble);
    void failed(const QString &why);
    void ended(const QString &failure);

private:
    void look();

    const SessionTarget m_target;
    const RecordingOptions m_options;
    RecordingPoll m_poll;
    std::optional<Recorder> m_recorder;
    QTimer m_timer;
};

} // namespace lockscope
