// SPDX-License-Identifier: MIT
#include "monitor.h"

#include "listworker.h"
#include "monitorworker.h"
#include "sourceworker.h"

namespace lockscope {

Monitor::Monitor(SessionTarget target, QObject *parent)
    : QObject(parent)
    , m_poller(std::make_unique<WorkerThread<MonitorWorker>>(QStringLiteral("lockscope-monitor"),
                                                             forWatching(std::move(target))))
    , m_lister(QStringLiteral("lockscope-list"))
{
    connectPoller(*m_poller);
    connect(m_poller->worker(), &MonitorWorker::eventsArrived, this, &Monitor::eventsArrived);
    connect(m_poller->worker(), &MonitorWorker::tablesInstalled, this, &Monitor::tablesInstalled);
}

Monitor::Monitor(SourceMaker store, QObject *parent)
    : QObject(parent)
    , m_store(std::make_unique<WorkerThread<SourceWorker>>(QStringLiteral("lockscope-store"), std::move(store)))
    , m_lister(QStringLiteral("lockscope-list"))
{
    connectPoller(*m_store);
}

Monitor::~Monitor()
{
    if (m_store)
        m_store->worker()->interrupt();
}

template<typename Worker>
void Monitor::connectPoller(const WorkerThread<Worker> &poller)
{
    connect(poller.worker(), &Worker::snapshotTaken, m_lister.worker(), &ListWorker::setSnapshot);
    connect(m_lister.worker(), &ListWorker::listUpdated, this, &Monitor::listUpdated);
    connect(poller.worker(), &Worker::statusChanged, this, &Monitor::statusChanged);
    connect(poller.worker(), &Worker::detailsUpdated, this, &Monitor::detailsUpdated);
    connect(poller.worker(), &Worker::previewReady, this, &Monitor::previewReady);
    connect(poller.worker(), &Worker::released, this, &Monitor::released);
    connect(poller.thread(), &QThread::finished, this, &Monitor::stopped);
}

template<typename Call>
void Monitor::post(Call call)
{
    if (m_poller)
        call(*m_poller);
    else
        call(*m_store);
}

void Monitor::start()
{
    post([]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::start); });
}

void Monitor::stop()
{
    if (m_store)
        m_store->worker()->interrupt();
    post([](auto &poller) { poller.stop(); });
    m_lister.stop();
}

void Monitor::setInterval(std::chrono::milliseconds interval)
{
    post([interval](auto &poller) { poller.post(&PacedWorker::setInterval, interval); });
}

void Monitor::setPaused(bool paused)
{
    post([paused](auto &poller) { poller.post(&PacedWorker::setPaused, paused); });
}

void Monitor::setHidden(bool hidden)
{
    post([hidden](auto &poller) { poller.post(&PacedWorker::setHidden, hidden); });
}

void Monitor::setServerWaits(const ServerWaitsPtr &waits)
{
    if (m_poller)
        m_poller->post(&MonitorWorker::setServerWaits, waits);
}

void Monitor::setTableLocks(const TableLocksPtr &tables)
{
    if (m_poller)
        m_poller->post(&MonitorWorker::setTableLocks, tables);
}

void Monitor::setView(const LockView &view)
{
    m_lister.post(&ListWorker::setView, view);
    if (m_poller)
        m_poller->post(&MonitorWorker::setFilter, view.filter);
}

void Monitor::setLimit(int limit)
{
    post([limit]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::setLimit, limit); });
}

void Monitor::watch(const std::optional<LockKey> &key)
{
    post([&key]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::watch, key); });
}

void Monitor::replay(const RecordedLookPtr &look)
{
    if (m_poller)
        m_poller->post(&MonitorWorker::replay, look);
}

void Monitor::refresh()
{
    post([](auto &poller) { poller.post(&PacedWorker::poll); });
}

void Monitor::preview(const LockKey &key)
{
    post([&key]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::preview, key); });
}

void Monitor::release(const ReleaseOrder &order, const ServerAccess &access)
{
    post([&]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::release, order, access); });
}

void Monitor::installTables()
{
    if (m_poller)
        m_poller->post(&MonitorWorker::installTables);
}

} // namespace lockscope
