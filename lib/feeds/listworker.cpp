// SPDX-License-Identifier: MIT
#include "listworker.h"

#include <algorithm>
#include <iterator>

namespace lockscope {

namespace {

/// More than a window has not shown yet, unless it stands still.
constexpr qsizetype kRecentUpdates = 3;

} // namespace

ListWorker::ListWorker()
    : m_ghostTimer(this)
{
    m_ghostTimer.setSingleShot(true);
    connect(&m_ghostTimer, &QTimer::timeout, this, &ListWorker::publish);
}

void ListWorker::setView(const LockView &view)
{
    if (m_view == view)
        return;
    m_view = view;
    publish();
}

void ListWorker::setSnapshot(const LockSnapshot &snapshot)
{
    m_snapshot = snapshot;
    publish();
}

void ListWorker::setFurther(int server, const LockSnapshot &snapshot)
{
    m_further[server] = snapshot;
    publish();
}

void ListWorker::removeFurther(int server)
{
    if (m_further.erase(server) > 0)
        publish();
}

/// One list of all servers. The first one tells when it was read, unless nothing is known of it yet.
LockSnapshot ListWorker::all() const
{
    LockSnapshot all = m_snapshot.value_or(LockSnapshot());
    for (const auto &[server, further] : m_further) {
        QList<SharedLockRow> rows;
        rows.reserve(all.rows.size() + further.rows.size());
        std::merge(all.rows.cbegin(), all.rows.cend(), further.rows.cbegin(), further.rows.cend(),
                   std::back_inserter(rows), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
        all.rows = std::move(rows);
        all.counts += further.counts;
        all.clocks[server] = further.clock;
        all.keyPasses.insert(further.keyPasses);
    }
    return all;
}

void ListWorker::publish()
{
    if (!m_snapshot && m_further.empty() && m_recent.isEmpty())
        return;
    const auto now = std::chrono::steady_clock::now();
    m_recent.append(std::make_shared<const LockListUpdate>(m_builder.build(all(), m_view, now)));
    if (m_recent.size() > kRecentUpdates)
        m_recent.removeFirst();
    Q_EMIT listUpdated(m_recent.last());
    if (const auto end = m_builder.nextGhostEnd(m_view))
        m_ghostTimer.start(std::chrono::ceil<std::chrono::milliseconds>(*end - now));
    else
        m_ghostTimer.stop();
}

} // namespace lockscope
