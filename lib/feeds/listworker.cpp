// SPDX-License-Identifier: MIT
#include "listworker.h"

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

void ListWorker::publish()
{
    if (!m_snapshot)
        return;
    const auto now = std::chrono::steady_clock::now();
    m_recent.append(std::make_shared<const LockListUpdate>(m_builder.build(*m_snapshot, m_view, now)));
    if (m_recent.size() > kRecentUpdates)
        m_recent.removeFirst();
    Q_EMIT listUpdated(m_recent.last());
    if (const auto end = m_builder.nextGhostEnd(m_view))
        m_ghostTimer.start(std::chrono::ceil<std::chrono::milliseconds>(*end - now));
    else
        m_ghostTimer.stop();
}

} // namespace lockscope
