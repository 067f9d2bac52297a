// SPDX-License-Identifier: MIT
#include "monitor.h"

#include "listworker.h"
#include "monitorworker.h"

namespace lockscope {

Monitor::Monitor(SessionTarget target, QObject *parent)
    : QObject(parent)
    , m_poller(QStringLiteral("lockscope-monitor"), forWatching(std::move(target)))
    , m_lister(QStringLiteral("lockscope-list"))
{
    const MonitorWorker *poller = m_poller.worker();
    connect(poller, &MonitorWorker::snapshotTaken, m_lister.worker(), &ListWorker::setSnapshot);
    connect(m_lister.worker(), &ListWorker::listUpdated, this, &Monitor::listUpdated);
    connect(poller, &MonitorWorker::statusChanged, this, &Monitor::statusChanged);
    connect(poller, &MonitorWorker::detailsUpdated, this, &Monitor::detailsUpdated);
    connect(poller, &MonitorWorker::eventsArrived, this, &Monitor::eventsArrived);
    connect(poller, &MonitorWorker::previewReady, this, &Monitor::previewReady);
    connect(poller, &MonitorWorker::released, this, &Monitor::released);
    connect(poller, &MonitorWorker::tablesInstalled, this, &Monitor::tablesInstalled);
    connect(m_poller.thread(), &QThread::finished, this, &Monitor::stopped);
}

Monitor::~Monitor() = default;

void Monitor::start()
{
    m_poller.post(&MonitorWorker::start);
}

void Monitor::stop()
{
    m_poller.stop();
    m_lister.stop();
}

void Monitor::setInterval(std::chrono::milliseconds interval)
{
    m_poller.post(&MonitorWorker::setInterval, interval);
}

void Monitor::setPaused(bool paused)
{
    m_poller.post(&MonitorWorker::setPaused, paused);
}

void Monitor::setHidden(bool hidden)
{
    m_poller.post(&MonitorWorker::setHidden, hidden);
}

void Monitor::setServerWaits(const ServerWaitsPtr &waits)
{
    m_poller.post(&MonitorWorker::setServerWaits, waits);
}

void Monitor::setTableLocks(const TableLocksPtr &tables)
{
    m_poller.post(&MonitorWorker::setTableLocks, tables);
}

void Monitor::setView(const LockView &view)
{
    m_lister.post(&ListWorker::setView, view);
    m_poller.post(&MonitorWorker::setFilter, view.filter);
}

void Monitor::setLimit(int limit)
{
    m_poller.post(&MonitorWorker::setLimit, limit);
}

void Monitor::watch(const std::optional<LockKey> &key)
{
    m_poller.post(&MonitorWorker::watch, key);
}

void Monitor::replay(const RecordedLookPtr &look)
{
    m_poller.post(&MonitorWorker::replay, look);
}

void Monitor::refresh()
{
    m_poller.post(&MonitorWorker::poll);
}

void Monitor::preview(const LockKey &key)
{
    m_poller.post(&MonitorWorker::preview, key);
}

void Monitor::release(const ReleaseOrder &order, const ServerAccess &access)
{
    m_poller.post(&MonitorWorker::release, order, access);
}

void Monitor::installTables()
{
    m_poller.post(&MonitorWorker::installTables);
}

} // namespace lockscope
