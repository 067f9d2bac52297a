// SPDX-License-Identifier: MIT
#include "pacedworker.h"

#include <algorithm>

namespace lockscope {

PacedWorker::PacedWorker()
    : m_timer(this)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &PacedWorker::poll);
}

void PacedWorker::setInterval(std::chrono::milliseconds interval)
{
    pollPace().setInterval(interval);
    plan();
}

void PacedWorker::setPaused(bool paused)
{
    pollPace().setPaused(paused);
    plan();
}

void PacedWorker::setHidden(bool hidden)
{
    pollPace().setHidden(hidden);
    plan();
}

void PacedWorker::soon()
{
    pollPace().soon();
    plan();
}

void PacedWorker::plan()
{
    using std::chrono::milliseconds;
    if (const auto next = pace().next())
        m_timer.start(std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*next - PollPace::Clock::now())));
    else
        m_timer.stop();
}

} // namespace lockscope
