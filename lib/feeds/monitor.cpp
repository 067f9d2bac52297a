// SPDX-License-Identifier: MIT
#include "monitor.h"

#include "listworker.h"
#include "monitorworker.h"
#include "sourceworker.h"

#include <algorithm>

namespace lockscope {

namespace {

void interrupt(WorkerThread<SourceWorker> &poller)
{
    poller.worker()->interrupt();
}

/// A statement has an end of its own.
void interrupt(WorkerThread<MonitorWorker> & /*poller*/) { }

} // namespace

template<typename Worker>
void Monitor::connectPoller(const WorkerThread<Worker> &poller)
{
    connect(poller.worker(), &Worker::detailsUpdated, this, &Monitor::detailsUpdated);
    connect(poller.worker(), &Worker::previewReady, this, &Monitor::previewReady);
    connect(poller.worker(), &Worker::released, this, &Monitor::released);
    connect(poller.thread(), &QThread::finished, this, &Monitor::onFinished);
    ++m_running;
}

template<typename Worker>
void Monitor::connectFirst(const WorkerThread<Worker> &poller)
{
    connectPoller(poller);
    connect(poller.worker(), &Worker::snapshotTaken, m_lister.worker(), &ListWorker::setSnapshot);
    connect(poller.worker(), &Worker::statusChanged, this, &Monitor::statusChanged);
    connect(m_lister.worker(), &ListWorker::listUpdated, this, &Monitor::listUpdated);
}

Monitor::Monitor(SessionTarget target, QObject *parent)
    : QObject(parent)
    , m_lister(QStringLiteral("lockscope-list"))
    , m_poller(std::make_unique<WorkerThread<MonitorWorker>>(QStringLiteral("lockscope-monitor"),
                                                             forWatching(std::move(target))))
{
    connectFirst(*m_poller);
    connect(m_poller->worker(), &MonitorWorker::eventsArrived, this, &Monitor::eventsArrived);
    connect(m_poller->worker(), &MonitorWorker::tablesInstalled, this, &Monitor::tablesInstalled);
}

Monitor::Monitor(QObject *parent)
    : QObject(parent)
    , m_lister(QStringLiteral("lockscope-list"))
{
    connect(m_lister.worker(), &ListWorker::listUpdated, this, &Monitor::listUpdated);
}

Monitor::Monitor(SourceMaker store, QObject *parent)
    : QObject(parent)
    , m_lister(QStringLiteral("lockscope-list"))
    , m_store(std::make_unique<StoreThread>(QStringLiteral("lockscope-store"), 0, std::move(store)))
{
    connectFirst(*m_store);
}

template<typename Call>
void Monitor::post(int server, Call call)
{
    const auto further = m_further.find(server);
    if (further != m_further.end())
        call(*further->second);
    else if (server != 0)
        return; // it was removed
    else if (m_poller)
        call(*m_poller);
    else if (m_store)
        call(*m_store);
}

template<typename Call>
void Monitor::postAll(Call call)
{
    post(0, call);
    for (const auto &[number, poller] : m_further)
        call(*poller);
}

Monitor::~Monitor()
{
    postAll([](auto &poller) { interrupt(poller); });
}

void Monitor::onFinished()
{
    std::erase_if(m_leaving, [](const auto &poller) { return poller->thread()->isFinished(); });
    --m_running;
    if (m_isStopping && m_running == 0)
        Q_EMIT stopped();
}

void Monitor::start()
{
    post(0, []<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::start); });
}

void Monitor::stop()
{
    m_isStopping = true;
    postAll([](auto &poller) {
        interrupt(poller);
        poller.stop();
    });
    // Their workers go with the threads: nobody may call them any more.
    for (auto &[number, poller] : m_further)
        m_leaving.push_back(std::move(poller));
    m_further.clear();
    if (m_store)
        m_leaving.push_back(std::move(m_store));
    m_lister.stop();
    if (m_running == 0)
        Q_EMIT stopped();
}

void Monitor::addServer(int number, const SourceMaker &maker)
{
    const auto added = m_further.emplace(
        number, std::make_unique<StoreThread>(QStringLiteral("lockscope-store-%1").arg(number), number, maker));
    const SourceWorker *worker = added.first->second->worker();
    ListWorker *lister = m_lister.worker();
    connectPoller(*added.first->second);
    connect(worker, &SourceWorker::snapshotTaken, lister,
            [lister, number](const LockSnapshot &snapshot) { lister->setFurther(number, snapshot); });
    connect(worker, &SourceWorker::statusChanged, this,
            [this, number](const MonitorStatus &status) { Q_EMIT serverStatusChanged(number, status); });
    added.first->second->post(&SourceWorker::setLimit, m_limit);
    added.first->second->post(&SourceWorker::watch, watchOf(number));
    added.first->second->post(&SourceWorker::start);
}

void Monitor::removeServer(int number)
{
    const auto found = m_further.find(number);
    if (found == m_further.end())
        return;
    SourceWorker *worker = found->second->worker();
    worker->disconnect(m_lister.worker());
    disconnect(worker, &SourceWorker::statusChanged, this, nullptr);
    disconnect(worker, &SourceWorker::detailsUpdated, this, nullptr);
    interrupt(*found->second);
    found->second->stopAfterCalls(); // somebody waits for the answer to a release
    m_leaving.push_back(std::move(found->second));
    m_further.erase(found);
    m_lister.post(&ListWorker::removeFurther, number);
}

void Monitor::setInterval(std::chrono::milliseconds interval)
{
    postAll([interval](auto &poller) { poller.post(&PacedWorker::setInterval, interval); });
}

void Monitor::setPaused(bool paused)
{
    postAll([paused](auto &poller) { poller.post(&PacedWorker::setPaused, paused); });
}

void Monitor::setHidden(bool hidden)
{
    postAll([hidden](auto &poller) { poller.post(&PacedWorker::setHidden, hidden); });
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
    m_limit = limit;
    postAll([limit]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::setLimit, limit); });
}

std::optional<LockKey> Monitor::watchOf(int server) const
{
    return m_watched && m_watched->server == server ? m_watched : std::nullopt;
}

void Monitor::watch(const std::optional<LockKey> &key)
{
    m_watched = key;
    post(0, [&]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::watch, watchOf(0)); });
    for (const auto &[number, poller] : m_further)
        poller->post(&SourceWorker::watch, watchOf(number));
}

void Monitor::replay(const RecordedLookPtr &look)
{
    if (m_poller)
        m_poller->post(&MonitorWorker::replay, look);
}

void Monitor::refresh()
{
    postAll([](auto &poller) { poller.post(&PacedWorker::poll); });
}

void Monitor::refreshServer(int number)
{
    post(number, [](auto &poller) { poller.post(&PacedWorker::poll); });
}

void Monitor::preview(const LockKey &key)
{
    post(key.server, [&key]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::preview, key); });
}

void Monitor::release(const ReleaseOrder &order, const ServerAccess &access)
{
    post(order.key.server,
         [&]<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::release, order, access); });
}

void Monitor::installTables()
{
    if (m_poller)
        m_poller->post(&MonitorWorker::installTables);
}

} // namespace lockscope
