// SPDX-License-Identifier: MIT
#include "monitor.h"

#include "listworker.h"
#include "monitorworker.h"

namespace lockscope {

Monitor::Monitor(SessionTarget target, QObject *parent)
    : QObject(parent)
{
    m_worker = new MonitorWorker(forWatching(std::move(target)));
    m_worker->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockscope-monitor"));
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_lister = new ListWorker;
    m_lister->moveToThread(&m_listThread);
    m_listThread.setObjectName(QStringLiteral("lockscope-list"));
    connect(&m_listThread, &QThread::finished, m_lister, &QObject::deleteLater);

    connect(m_worker, &MonitorWorker::snapshotTaken, m_lister, &ListWorker::setSnapshot);
    connect(m_lister, &ListWorker::listUpdated, this, &Monitor::listUpdated);
    connect(m_worker, &MonitorWorker::statusChanged, this, &Monitor::statusChanged);
    connect(m_worker, &MonitorWorker::detailsUpdated, this, &Monitor::detailsUpdated);
    connect(m_worker, &MonitorWorker::eventsArrived, this, &Monitor::eventsArrived);
    connect(m_worker, &MonitorWorker::previewReady, this, &Monitor::previewReady);
    connect(m_worker, &MonitorWorker::released, this, &Monitor::released);
    connect(m_worker, &MonitorWorker::tablesInstalled, this, &Monitor::tablesInstalled);
    connect(&m_thread, &QThread::finished, this, &Monitor::stopped);
    m_listThread.start();
    m_thread.start();
}

Monitor::~Monitor()
{
    stop();
    m_thread.wait();
    m_listThread.wait();
}

void Monitor::start()
{
    QMetaObject::invokeMethod(m_worker, &MonitorWorker::start, Qt::QueuedConnection);
}

void Monitor::stop()
{
    m_thread.quit();
    m_listThread.quit();
}

void Monitor::setInterval(std::chrono::milliseconds interval)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, interval] { w->setInterval(interval); }, Qt::QueuedConnection);
}

void Monitor::setPaused(bool paused)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, paused] { w->setPaused(paused); }, Qt::QueuedConnection);
}

void Monitor::setHidden(bool hidden)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, hidden] { w->setHidden(hidden); }, Qt::QueuedConnection);
}

void Monitor::setServerWaits(const ServerWaitsPtr &waits)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, waits] { w->setServerWaits(waits); }, Qt::QueuedConnection);
}

void Monitor::setView(const LockView &view)
{
    QMetaObject::invokeMethod(
        m_lister, [w = m_lister, view] { w->setView(view); }, Qt::QueuedConnection);
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, text = view.filter] { w->setFilter(text); }, Qt::QueuedConnection);
}

void Monitor::setLimit(int limit)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, limit] { w->setLimit(limit); }, Qt::QueuedConnection);
}

void Monitor::watch(const std::optional<LockKey> &key)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, key] { w->watch(key); }, Qt::QueuedConnection);
}

void Monitor::refresh()
{
    QMetaObject::invokeMethod(m_worker, &MonitorWorker::poll, Qt::QueuedConnection);
}

void Monitor::preview(const LockKey &key)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, key] { w->preview(key); }, Qt::QueuedConnection);
}

void Monitor::release(const ReleaseOrder &order)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, order] { w->release(order); }, Qt::QueuedConnection);
}

void Monitor::installTables()
{
    QMetaObject::invokeMethod(m_worker, &MonitorWorker::installTables, Qt::QueuedConnection);
}

} // namespace lockscope
