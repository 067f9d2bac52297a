// SPDX-License-Identifier: MIT
#include "pollpace.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto kFirstRetry = 500ms;
constexpr auto kLongestRetry = 15000ms;
constexpr auto kUnseen = 1500ms;
/// As RestPerCost, for a poll that is to be made steadily. A third of what it costs is work of its own, not the
/// server's.
constexpr auto leastRest(PollPace::Clock::duration cost)
{
    return cost * 3 / 2;
}

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

/// From the start of a poll that cost so much to the next one.
PollPace::Clock::duration PollPace::shareOf(Clock::duration cost) const
{
    const Clock::duration share = RestPerCost * cost;
    return m_steady > 0ms ? std::min(share, std::max<Clock::duration>(m_steady, leastRest(cost))) : share;
}

/// What most of the last polls keep to.
PollPace::Clock::duration PollPace::usualCost() const
{
    auto costs = m_costs;
    const auto middle = costs.begin() + costs.size() / 2;
    std::nth_element(costs.begin(), middle, costs.end());
    return *middle;
}

PollPace::Clock::duration PollPace::wantedInterval() const
{
    return m_isHidden ? std::max(m_interval, HiddenInterval) : m_interval;
}

void PollPace::succeeded(Clock::time_point started)
{
    m_failures = 0;
    const auto cost = Clock::now() - started;
    m_costs[m_oldest] = cost;
    m_oldest = (m_oldest + 1) % m_costs.size();
    const Clock::duration wanted = shareOf(cost) + m_owed;
    const Clock::duration rest = std::min(wanted, std::max<Clock::duration>(shareOf(usualCost()), cost + LongestRest));
    m_owed = wanted - rest;
    m_soonest = started + std::max<Clock::duration>(m_least, rest);
    m_next = std::max(started + wantedInterval(), m_soonest);
}

bool PollPace::isGap(std::chrono::microseconds time) const
{
    return time > 2 * std::max(wantedInterval(), shareOf(usualCost())) + kUnseen;
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
