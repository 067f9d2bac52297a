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

PollPace::PollPace(std::chrono::milliseconds interval, std::chrono::milliseconds least)
    : m_interval(interval)
    , m_least(least)
{
}

void PollPace::setInterval(std::chrono::milliseconds interval)
{
    m_interval = std::max(interval, m_least);
    soon();
}

void PollPace::setPaused(bool paused)
{
    m_isPaused = paused;
    if (!paused && (m_next || m_failures == 0))
        m_next = Clock::now();
}

void PollPace::setHidden(bool hidden)
{
    m_isHidden = hidden;
    if (!hidden)
        soon();
}

void PollPace::soon()
{
    if (m_failures == 0)
        m_next = Clock::now();
}

void PollPace::succeeded(Clock::time_point started)
{
    m_failures = 0;
    m_soonest = started + std::max<Clock::duration>(m_least, RestPerCost * (Clock::now() - started));
    m_next = std::max(started + (m_isHidden ? std::max(m_interval, HiddenInterval) : m_interval), m_soonest);
}

void PollPace::failed(const LockError &error)
{
    const auto now = Clock::now();
    m_soonest = now + m_least;
    m_next.reset();
    if (!isPermanent(error))
        m_next = now + std::min<std::chrono::milliseconds>(kFirstRetry * (1 << std::min(m_failures, 5)), kLongestRetry);
    ++m_failures;
}

} // namespace lockscope
