// SPDX-License-Identifier: MIT
#include "tablesfeed.h"

#include "tablesworker.h"

namespace lockscope {

TablesFeed::TablesFeed(SessionTarget target, QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("lockscope-tables"), forWatching(std::move(target)))
{
    const TablesWorker *worker = m_thread.worker();
    connect(worker, &TablesWorker::updated, this, &TablesFeed::updated);
    connect(worker, &TablesWorker::failed, this, &TablesFeed::failed);
    connect(worker, &TablesWorker::previewReady, this, &TablesFeed::previewReady);
    connect(worker, &TablesWorker::released, this, &TablesFeed::released);
    connect(m_thread.thread(), &QThread::finished, this, &TablesFeed::stopped);
}

TablesFeed::~TablesFeed() = default;

void TablesFeed::start()
{
    refresh();
}

void TablesFeed::stop()
{
    m_thread.stop();
}

void TablesFeed::setInterval(std::chrono::milliseconds interval)
{
    m_thread.post(&TablesWorker::setInterval, interval);
}

void TablesFeed::setPaused(bool paused)
{
    m_thread.post(&TablesWorker::setPaused, paused);
}

void TablesFeed::setHidden(bool hidden)
{
    m_thread.post(&TablesWorker::setHidden, hidden);
}

void TablesFeed::refresh()
{
    m_thread.post(&TablesWorker::refresh);
}

void TablesFeed::preview(const TableReleaseOrder &order)
{
    m_thread.post(&TablesWorker::preview, order);
}

void TablesFeed::release(const TableReleaseOrder &order, const ServerAccess &access)
{
    m_thread.post(&TablesWorker::release, order, access);
}

} // namespace lockscope
