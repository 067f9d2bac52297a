// SPDX-License-Identifier: MIT
#include "pollpace.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto kFirstRetry = 500ms;
constexpr auto kLongestRetry = 15000ms;

} // namespace

bool isPermanent(const LockError &error)
{
    return error.kind == LockError::Kind::AccessDenied;
}

std::chrono::milliseconds retryPause(int failures)
{
    return std::min<std::chrono::milliseconds>(kFirstRetry * (1 << std::min(failures, 5)), kLongestRetry);
}

PollPace::PollPace(std::chrono::milliseconds interval, std::chrono::milliseconds least, QObject *parent)
    : QObject(parent)
    , m_timer(this)
    , m_interval(interval)
    , m_least(least)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &PollPace::due);
}

void PollPace::setInterval(std::chrono::milliseconds interval)
{
    m_interval = std::max(interval, m_least);
    soon();
}

void PollPace::setPaused(bool paused)
{
    m_isPaused = paused;
    if (paused)
        m_timer.stop();
    else if (!m_isPermanent)
        m_timer.start(0ms);
}

void PollPace::setHidden(bool hidden)
{
    m_isHidden = hidden;
    if (!hidden)
        soon();
}

void PollPace::soon()
{
    if (!m_isPaused && m_failures == 0)
        m_timer.start(0ms);
}

void PollPace::succeeded(Clock::time_point started)
{
    m_failures = 0;
    m_isPermanent = false;
    if (m_isPaused)
        return;
    const auto cost = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - started);
    const auto interval = m_isHidden ? std::max(m_interval, hiddenInterval) : m_interval;
    m_timer.start(std::max(interval, RestPerCost * cost) - cost);
}

void PollPace::failed(const LockError &error)
{
    const auto retryIn = retryPause(m_failures++);
    m_isPermanent = isPermanent(error);
    if (m_isPermanent || m_isPaused)
        m_timer.stop();
    else
        m_timer.start(retryIn);
}

std::optional<std::chrono::milliseconds> PollPace::rest() const
{
    return m_timer.isActive() ? std::optional(m_timer.intervalAsDuration()) : std::nullopt;
}

} // namespace lockscope
