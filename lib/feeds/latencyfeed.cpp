// SPDX-License-Identifier: MIT
#include "latencyfeed.h"

#include "latencyworker.h"

namespace lockscope {

LatencyFeed::LatencyFeed(SessionTarget target, QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("lockscope-latency"), forWatching(std::move(target)))
{
    connect(m_thread.worker(), &LatencyWorker::pictureReady, this, &LatencyFeed::pictureReady);
    connect(m_thread.worker(), &LatencyWorker::failed, this, &LatencyFeed::failed);
    connect(m_thread.thread(), &QThread::finished, this, &LatencyFeed::stopped);
}

LatencyFeed::~LatencyFeed() = default;

void LatencyFeed::ask(const std::optional<LatencyQuestion> &question)
{
    m_thread.post(&LatencyWorker::ask, question);
}

void LatencyFeed::stop()
{
    m_thread.stop();
}

} // namespace lockscope
