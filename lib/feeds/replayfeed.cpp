// SPDX-License-Identifier: MIT
#include "replayfeed.h"

#include "replayworker.h"

namespace lockscope {

ReplayFeed::ReplayFeed(const QString &path, QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("lockscope-replay"), path)
{
    const ReplayWorker *worker = m_thread.worker();
    connect(worker, &ReplayWorker::opened, this, &ReplayFeed::opened);
    connect(worker, &ReplayWorker::failed, this, &ReplayFeed::failed);
    connect(worker, &ReplayWorker::shown, this, &ReplayFeed::shown);
    connect(worker, &ReplayWorker::pictureReady, this, &ReplayFeed::pictureReady);
    m_thread.post(&ReplayWorker::open);
}

ReplayFeed::~ReplayFeed() = default;

void ReplayFeed::show(ServerTime at)
{
    m_thread.post(&ReplayWorker::show, m_thread.worker()->nextNumber(), at);
}

void ReplayFeed::ask(const std::optional<LatencyQuestion> &question)
{
    m_thread.post(&ReplayWorker::ask, question);
}

ReplayedLatency::ReplayedLatency(ReplayFeed *replay)
    : LatencyFeed(SessionTarget())
    , m_replay(replay)
{
    connect(m_replay, &ReplayFeed::pictureReady, this, &LatencyFeed::pictureReady);
}

void ReplayedLatency::ask(const std::optional<LatencyQuestion> &question)
{
    m_replay->ask(question);
}

} // namespace lockscope
