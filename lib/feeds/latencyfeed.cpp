// SPDX-License-Identifier: MIT
#include "latencyfeed.h"

#include "latencyworker.h"

namespace lockscope {

LatencyFeed::LatencyFeed(SessionTarget target, QObject *parent)
    : QObject(parent)
{
    m_worker = new LatencyWorker(forWatching(std::move(target)));
    m_worker->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockscope-latency"));
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &LatencyWorker::pictureReady, this, &LatencyFeed::pictureReady);
    connect(m_worker, &LatencyWorker::failed, this, &LatencyFeed::failed);
    connect(&m_thread, &QThread::finished, this, &LatencyFeed::stopped);
    m_thread.start();
}

LatencyFeed::~LatencyFeed()
{
    stop();
    m_thread.wait();
}

void LatencyFeed::ask(const std::optional<LatencyQuestion> &question)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, question] { w->ask(question); }, Qt::QueuedConnection);
}

void LatencyFeed::stop()
{
    m_thread.quit();
}

} // namespace lockscope
