// SPDX-License-Identifier: MIT
#include "liveclock.h"

namespace lockscope::ui {

using namespace std::chrono_literals;

LiveClock::LiveClock(QObject *parent)
    : QObject(parent)
    , m_timer(this)
{
    m_timer.setInterval(100ms);
    connect(&m_timer, &QTimer::timeout, this, &LiveClock::ticked);
}

void LiveClock::sync(const SnapshotClock &clock)
{
    m_clock = clock;
    m_isKnown = true;
}

void LiveClock::forget()
{
    m_clock = {};
    m_isKnown = false;
}

void LiveClock::setFrozen(bool frozen)
{
    m_isFrozen = frozen;
}

ServerTime LiveClock::now() const
{
    return m_isFrozen ? m_clock.server : m_clock.now();
}

Microseconds LiveClock::age() const
{
    return std::chrono::floor<Microseconds>(std::chrono::steady_clock::now() - m_clock.local);
}

void LiveClock::setTicking(bool ticking)
{
    if (ticking && !m_timer.isActive())
        m_timer.start();
    else if (!ticking)
        m_timer.stop();
}

} // namespace lockscope::ui
