// SPDX-License-Identifier: MIT
#include "waitsfeed.h"

#include "waitsworker.h"

namespace lockscope {

WaitsFeed::WaitsFeed(SessionTarget target, QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("lockscope-waits"), forWatching(std::move(target)))
{
    const WaitsWorker *worker = m_thread.worker();
    connect(worker, &WaitsWorker::updated, this, &WaitsFeed::updated);
    connect(worker, &WaitsWorker::failed, this, &WaitsFeed::failed);
    connect(worker, &WaitsWorker::deadlocksRead, this, &WaitsFeed::deadlocksRead);
    connect(worker, &WaitsWorker::deadlocksFailed, this, &WaitsFeed::deadlocksFailed);
    connect(worker, &WaitsWorker::killProgressed, this, &WaitsFeed::killProgressed);
    connect(worker, &WaitsWorker::killed, this, &WaitsFeed::killed);
    connect(worker, &WaitsWorker::preparedEnded, this, &WaitsFeed::preparedEnded);
    connect(m_thread.thread(), &QThread::finished, this, &WaitsFeed::stopped);
}

WaitsFeed::~WaitsFeed() = default;

void WaitsFeed::start()
{
    refresh();
}

void WaitsFeed::stop()
{
    m_thread.stop();
}

void WaitsFeed::setInterval(std::chrono::milliseconds interval)
{
    m_thread.post(&WaitsWorker::setInterval, interval);
}

void WaitsFeed::setPaused(bool paused)
{
    m_thread.post(&WaitsWorker::setPaused, paused);
}

void WaitsFeed::setHidden(bool hidden)
{
    m_thread.post(&WaitsWorker::setHidden, hidden);
}

void WaitsFeed::setOff(const QSet<WaitSource> &sources)
{
    m_thread.post(&WaitsWorker::setOff, sources);
}

void WaitsFeed::track(const QSet<quint64> &sessions, const QSet<quint64> &rowsOf)
{
    m_thread.post(&WaitsWorker::track, sessions, rowsOf);
}

void WaitsFeed::setDeadlocks(const DeadlockInboxPtr &inbox)
{
    m_thread.post(&WaitsWorker::setDeadlocks, inbox);
}

void WaitsFeed::refresh()
{
    m_thread.post(&WaitsWorker::refresh);
}

void WaitsFeed::kill(const KillOrder &order, const ServerAccess &access)
{
    m_thread.worker()->callOff();
    m_thread.post(&WaitsWorker::kill, order, access);
}

void WaitsFeed::endPrepared(const PreparedOrder &order, const ServerAccess &access)
{
    m_thread.worker()->callOff();
    m_thread.post(&WaitsWorker::endPrepared, order, access);
}

} // namespace lockscope
