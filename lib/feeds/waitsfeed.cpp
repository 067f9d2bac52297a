// SPDX-License-Identifier: MIT
#include "waitsfeed.h"

#include "waitsworker.h"

namespace lockscope {

WaitsFeed::WaitsFeed(SessionTarget target, QObject *parent)
    : QObject(parent)
{
    m_worker = new WaitsWorker(forWatching(std::move(target)));
    m_worker->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockscope-waits"));
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &WaitsWorker::updated, this, &WaitsFeed::updated);
    connect(m_worker, &WaitsWorker::failed, this, &WaitsFeed::failed);
    connect(m_worker, &WaitsWorker::killProgressed, this, &WaitsFeed::killProgressed);
    connect(m_worker, &WaitsWorker::killed, this, &WaitsFeed::killed);
    connect(&m_thread, &QThread::finished, this, &WaitsFeed::stopped);
    m_thread.start();
}

WaitsFeed::~WaitsFeed()
{
    stop();
    m_thread.wait();
}

void WaitsFeed::start()
{
    refresh();
}

void WaitsFeed::stop()
{
    m_thread.quit();
}

void WaitsFeed::setInterval(std::chrono::milliseconds interval)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, interval] { w->setInterval(interval); }, Qt::QueuedConnection);
}

void WaitsFeed::setPaused(bool paused)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, paused] { w->setPaused(paused); }, Qt::QueuedConnection);
}

void WaitsFeed::setHidden(bool hidden)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, hidden] { w->setHidden(hidden); }, Qt::QueuedConnection);
}

void WaitsFeed::setOff(const QSet<WaitSource> &sources)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, sources] { w->setOff(sources); }, Qt::QueuedConnection);
}

void WaitsFeed::track(const QSet<quint64> &sessions, const QSet<quint64> &rowsOf)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, sessions, rowsOf] { w->track(sessions, rowsOf); }, Qt::QueuedConnection);
}

void WaitsFeed::refresh()
{
    QMetaObject::invokeMethod(m_worker, &WaitsWorker::refresh, Qt::QueuedConnection);
}

void WaitsFeed::kill(const KillOrder &order)
{
    m_worker->callOff();
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, order] { w->kill(order); }, Qt::QueuedConnection);
}

} // namespace lockscope
