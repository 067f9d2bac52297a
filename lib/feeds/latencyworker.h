// SPDX-License-Identifier: MIT
#pragma once

#include "latency/latencywindow.h"
#include "latencyfeed.h"

#include <QtCore/QTimer>

namespace lockscope {

/// The half of the latency feed that lives in its thread. Private to lib/feeds.
class LatencyWorker : public QObject
{
    Q_OBJECT
public:
    explicit LatencyWorker(SessionTarget target);

    void ask(const std::optional<LatencyQuestion> &question);

Q_SIGNALS:
    void pictureReady(const lockscope::LatencyPicturePtr &picture);
    void failed(const lockscope::LockError &error);

private:
    void refresh();
    std::optional<LockError> connectToServer();
    std::optional<LockError> read(LatencyPicture *picture);
    std::optional<LockError> readPeriod(LatencyWindow &window, ServerTime to, LatencyPeriod *period);

    const SessionTarget m_target;
    std::unique_ptr<Session> m_session;
    std::optional<LatencyReader> m_reader; ///< of m_session
    std::optional<LatencyQuestion> m_question;
    LatencyWindow m_window;
    LatencyWindow m_compared;
    WaitSampler m_sampler;
    QTimer m_timer;
};

} // namespace lockscope
