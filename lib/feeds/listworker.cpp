// SPDX-License-Identifier: MIT
#include "listworker.h"

namespace lockscope {

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
    Q_EMIT listUpdated(std::make_shared<const LockListUpdate>(m_builder.build(*m_snapshot, m_view, now)));
    if (const auto end = m_builder.nextGhostEnd(m_view))
        m_ghostTimer.start(std::chrono::ceil<std::chrono::milliseconds>(*end - now));
    else
        m_ghostTimer.stop();
}

} // namespace lockscope
