// SPDX-License-Identifier: MIT
#include "liveclock.h"

#include "console/pollpace.h"

#include <algorithm>

namespace lockscope::ui {

using namespace std::chrono_literals;

namespace {

/// A window that comes back in sight has data of the last hidden poll, and gets new ones at once.
constexpr Microseconds kPatience = PollPace::HiddenInterval;

} // namespace

LiveClock::LiveClock(QObject *parent)
    : QObject(parent)
    , m_timer(this)
{
    m_timer.setInterval(100ms);
    connect(&m_timer, &QTimer::timeout, this, &LiveClock::checkAge);
    connect(&m_timer, &QTimer::timeout, this, &LiveClock::ticked);
}

void LiveClock::sync(const SnapshotClock &clock)
{
    m_clock = clock;
    m_isKnown = true;
    checkAge();
}

void LiveClock::forget()
{
    m_clock = {};
    m_isKnown = false;
    m_lateAfter.reset();
    checkAge();
}

void LiveClock::setFrozen(bool frozen)
{
    if (m_isFrozen && !frozen)
        m_expectedFrom = std::chrono::steady_clock::now();
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
    if (ticking && !m_timer.isActive()) {
        m_expectedFrom = std::chrono::steady_clock::now();
        m_timer.start();
    } else if (!ticking) {
        m_timer.stop();
    }
}

/// Nobody takes what is late by a poll or two for dead, nor what is looked for seldom because a look is dear.
void LiveClock::expectEvery(Microseconds interval, Microseconds cost)
{
    m_lateAfter = kPatience + 3 * interval + RestPerCost * cost;
}

/// Whoever hears that it is late may freeze it: it stays late until there is data.
void LiveClock::checkAge()
{
    const auto isOlder = [this] {
        const auto waited = std::chrono::steady_clock::now() - std::max(m_clock.local, m_expectedFrom);
        return waited > *m_lateAfter;
    };
    const bool isLate = m_isKnown && m_lateAfter && (m_isFrozen ? m_isLate && age() > *m_lateAfter : isOlder());
    if (m_isLate == isLate)
        return;
    m_isLate = isLate;
    Q_EMIT lateChanged(isLate);
}

} // namespace lockscope::ui
