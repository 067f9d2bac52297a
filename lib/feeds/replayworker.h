// SPDX-License-Identifier: MIT
#pragma once

#include "replayfeed.h"

#include <atomic>

namespace lockscope {

/// The half of the replay feed that lives in its thread. Private to lib/feeds.
class ReplayWorker : public QObject
{
    Q_OBJECT
public:
    explicit ReplayWorker(const QString &path);

    void open();
    /// Thread: any.
    int nextNumber() { return ++m_wanted; }
    void show(int number, ServerTime at);
    void ask(const std::optional<LatencyQuestion> &question);

Q_SIGNALS:
    void opened(const lockscope::RecordingInfo &info, const QList<lockscope::Incident> &incidents);
    void failed(const QString &why);
    void shown(const lockscope::ReplayedMomentPtr &moment);
    void pictureReady(const lockscope::LatencyPicturePtr &picture);

private:
    void answer();
    LatencySeries seriesOf(ServerTime from, ServerTime to, Microseconds slot);
    LatencyPeriod periodTo(ServerTime to, LatencySeries *series);

    const QString m_path;
    std::unique_ptr<Recording> m_recording;
    RecordedDeadlocks m_deadlocks;
    std::atomic<int> m_wanted = 0;
    ServerTime m_at{};
    std::optional<LatencyQuestion> m_question;
};

} // namespace lockscope
