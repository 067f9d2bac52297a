// SPDX-License-Identifier: MIT
#include "pollpace.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto kFirstRetry = 500ms;
constexpr auto kLongestRetry = 15000ms;
/// As RestPerCost, for a poll that is to be made steadily.
constexpr int kLeastRestPerCost = 2;

} // namespace

bool isPermanent(const LockError &error)
{
    return error.kind == LockError::Kind::AccessDenied;
}

PollPace::PollPace(std::chrono::milliseconds interval, std::chrono::milliseconds least,
                   std::chrono::milliseconds steady)
    : m_interval(interval)
    , m_least(least)
    , m_steady(steady)
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
    const auto cost = Clock::now() - started;
    auto rest = RestPerCost * cost;
    if (m_steady > 0ms)
        rest = std::min(rest, std::max<Clock::duration>(m_steady, kLeastRestPerCost * cost));
    m_soonest = started + std::max<Clock::duration>(m_least, rest);
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
