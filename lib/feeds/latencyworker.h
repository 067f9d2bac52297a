// SPDX-License-Identifier: MIT
#pragma once

#include "feedworker.h"
#include "latency/latencywindow.h"
#include "latencyfeed.h"

namespace lockscope {

/// The half of the latency feed that lives in its thread. Private to lib/feeds.
class LatencyWorker : public FeedWorker
{
    Q_OBJECT
public:
    explicit LatencyWorker(const SessionTarget &target);

    void ask(const std::optional<LatencyQuestion> &question);
    void poll() override;

Q_SIGNALS:
    void pictureReady(const lockscope::LatencyPicturePtr &picture);
    void failed(const lockscope::LockError &error);

private:
    std::optional<LockError> onOpened(Session &session) override;
    std::optional<LockError> read(Session &session, LatencyPicture *picture);
    std::optional<LockError> readPeriod(LatencyWindow &window, ServerTime to, LatencyPeriod *period);

    std::optional<LatencyReader> m_reader; ///< of the session
    std::optional<LatencyQuestion> m_question;
    LatencyWindow m_window;
    LatencyWindow m_compared;
    WaitSampler m_sampler;
};

} // namespace lockscope
