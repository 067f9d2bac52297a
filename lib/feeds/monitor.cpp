// SPDX-License-Identifier: MIT
#include "monitor.h"

#include "keyworker.h"
#include "listworker.h"
#include "monitorworker.h"
#include "sourceworker.h"

#include <utility>

namespace lockscope {

/// The threads of one server that is read as a LockSource: one reads its leases, the other walks through its keys.
struct Monitor::Store
{
    Store(const QString &name, int number, const SourceMaker &maker)
        : look(name, number, maker)
        , keys(name + QStringLiteral("-keys"), maker)
    {
    }

    /// What they wait for is not waited for any more. A statement has an end of its own.
    void interrupt()
    {
        look.worker()->interrupt();
        keys.worker()->interrupt();
    }
    bool isFinished() const { return look.thread()->isFinished() && keys.thread()->isFinished(); }

    StoreThread look;
    WorkerThread<KeyWorker> keys;
};

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
    connect(poller.worker(), &Worker::snapshotTaken, m_lister.worker(), &ListWorker::setSnapshot);
    connect(poller.worker(), &Worker::statusChanged, this, &Monitor::statusChanged);
    connect(m_lister.worker(), &ListWorker::listUpdated, this, &Monitor::listUpdated);
}

void Monitor::connectStore(const Store &store)
{
    connectPoller(store.look);
    const SourceWorker *look = store.look.worker();
    connect(look, &SourceWorker::keyPreviewReady, this, &Monitor::keyPreviewReady);
    connect(look, &SourceWorker::keyReleased, this, &Monitor::keyReleased);
    connect(store.keys.worker(), &KeyWorker::walked, look, &SourceWorker::setKeys);
    connect(store.keys.thread(), &QThread::finished, this, &Monitor::onFinished);
    ++m_running;
}

Monitor::Monitor(SessionTarget target, QObject *parent)
    : QObject(parent)
    , m_lister(QStringLiteral("lockscope-list"))
    , m_poller(std::make_unique<WorkerThread<MonitorWorker>>(QStringLiteral("lockscope-monitor"),
                                                             forWatching(std::move(target))))
{
    connectPoller(*m_poller);
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

Monitor::Monitor(const SourceMaker &store, QObject *parent)
    : QObject(parent)
    , m_lister(QStringLiteral("lockscope-list"))
    , m_store(std::make_unique<Store>(QStringLiteral("lockscope-store"), 0, store))
{
    connectStore(*m_store);
    connectFirst(m_store->look);
}

template<typename Call>
void Monitor::post(int server, Call call)
{
    if (Store *store = storeOf(server))
        call(store->look);
    else if (m_poller && server == 0)
        call(*m_poller);
}

template<typename Call>
void Monitor::postAll(Call call)
{
    post(0, call);
    for (const auto &[number, store] : m_further)
        call(store->look);
}

template<typename Call>
void Monitor::postPaced(Call call)
{
    postAll(call);
    if (m_store)
        call(m_store->keys);
    for (const auto &[number, store] : m_further)
        call(store->keys);
}

Monitor::~Monitor()
{
    for (const auto &[number, store] : m_further)
        store->interrupt();
    if (m_store)
        m_store->interrupt();
}

void Monitor::onFinished()
{
    std::erase_if(m_leaving, [](const auto &store) { return store->isFinished(); });
    --m_running;
    if (m_isStopping && m_running == 0)
        Q_EMIT stopped();
}

void Monitor::start()
{
    post(0, []<typename Worker>(WorkerThread<Worker> &poller) { poller.post(&Worker::start); });
    if (m_store)
        m_store->keys.post(&KeyWorker::poll);
}

void Monitor::stop()
{
    m_isStopping = true;
    if (m_poller)
        m_poller->stop();
    if (m_store)
        m_further.emplace(0, std::move(m_store));
    for (auto &[number, store] : m_further) {
        store->interrupt();
        store->look.stop();
        store->keys.stop();
        m_leaving.push_back(std::move(store)); // its workers go with the threads: nobody may call them any more
    }
    m_further.clear();
    m_lister.stop();
    if (m_running == 0)
        Q_EMIT stopped();
}

void Monitor::addServer(int number, const SourceMaker &maker)
{
    const auto added = m_further.emplace(
        number, std::make_unique<Store>(QStringLiteral("lockscope-store-%1").arg(number), number, maker));
    Store &store = *added.first->second;
    const SourceWorker *worker = store.look.worker();
    ListWorker *lister = m_lister.worker();
    connectStore(store);
    connect(worker, &SourceWorker::snapshotTaken, lister,
            [lister, number](const LockSnapshot &snapshot) { lister->setFurther(number, snapshot); });
    connect(worker, &SourceWorker::statusChanged, this,
            [this, number](const MonitorStatus &status) { Q_EMIT serverStatusChanged(number, status); });
    store.look.post(&SourceWorker::setLimit, m_limit);
    store.look.post(&SourceWorker::watch, watchOf(number));
    store.look.post(&SourceWorker::start);
    store.keys.post(&KeyWorker::setGuesses, m_withGuesses);
    store.keys.post(&KeyWorker::poll);
}

void Monitor::removeServer(int number)
{
    const auto found = m_further.find(number);
    if (found == m_further.end())
        return;
    Store &store = *found->second;
    SourceWorker *worker = store.look.worker();
    worker->disconnect(m_lister.worker());
    disconnect(worker, &SourceWorker::statusChanged, this, nullptr);
    disconnect(worker, &SourceWorker::detailsUpdated, this, nullptr);
    store.interrupt();
    store.look.stopAfterCalls(); // somebody waits for the answer to a release
    store.keys.stop();
    m_leaving.push_back(std::move(found->second));
    m_further.erase(found);
    m_lister.post(&ListWorker::removeFurther, number);
}

void Monitor::setInterval(std::chrono::milliseconds interval)
{
    postPaced([interval](auto &poller) { poller.post(&PacedWorker::setInterval, interval); });
}

void Monitor::setPaused(bool paused)
{
    postPaced([paused](auto &poller) { poller.post(&PacedWorker::setPaused, paused); });
}

void Monitor::setHidden(bool hidden)
{
    postPaced([hidden](auto &poller) { poller.post(&PacedWorker::setHidden, hidden); });
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

void Monitor::setGuesses(bool withGuesses)
{
    m_withGuesses = withGuesses;
    if (m_store)
        m_store->keys.post(&KeyWorker::setGuesses, withGuesses);
    for (const auto &[number, store] : m_further)
        store->keys.post(&KeyWorker::setGuesses, withGuesses);
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
    for (const auto &[number, store] : m_further)
        store->look.post(&SourceWorker::watch, watchOf(number));
}

void Monitor::replay(const RecordedLookPtr &look)
{
    if (m_poller)
        m_poller->post(&MonitorWorker::replay, look);
}

void Monitor::refresh()
{
    postAll([](auto &poller) { poller.post(&PacedWorker::poll); });
    if (m_store)
        m_store->keys.post(&KeyWorker::refresh);
    for (const auto &[number, store] : m_further)
        store->keys.post(&KeyWorker::refresh);
}

void Monitor::refreshServer(int number)
{
    post(number, [](auto &poller) { poller.post(&PacedWorker::poll); });
    if (const auto found = m_further.find(number); found != m_further.end())
        found->second->keys.post(&KeyWorker::refresh);
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

/// Null: it is none, or was removed.
Monitor::Store *Monitor::storeOf(int server) const
{
    const auto further = m_further.find(server);
    if (further != m_further.end())
        return further->second.get();
    return server == 0 ? m_store.get() : nullptr;
}

void Monitor::previewKey(const KeyReleaseOrder &order)
{
    if (Store *store = storeOf(order.key.server))
        store->look.post(&SourceWorker::previewKey, order);
}

void Monitor::releaseKey(const KeyReleaseOrder &order, const ServerAccess &access)
{
    if (Store *store = storeOf(order.key.server))
        store->look.post(&SourceWorker::releaseKey, order, access);
}

void Monitor::installTables()
{
    if (m_poller)
        m_poller->post(&MonitorWorker::installTables);
}

} // namespace lockscope
