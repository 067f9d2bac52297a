// SPDX-License-Identifier: MIT
#include "leasesieve.h"

#include "thresholds.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// Readings that a loaded machine delays seem to step by less.
constexpr Microseconds kNoStep = std::chrono::seconds(2);
/// More often a server's clock is not set within the life of a lock that matters.
constexpr qsizetype kMostSteps = 16;

} // namespace

void ClockSteps::note(const SnapshotClock &clock)
{
    const auto last = std::exchange(m_last, clock);
    if (!last)
        return;
    const Microseconds step =
        (clock.server - last->server) - std::chrono::duration_cast<Microseconds>(clock.local - last->local);
    if (std::chrono::abs(step) <= kNoStep)
        return;
    m_steps.append({last->server + std::min(step, Microseconds::zero()), step});
    if (m_steps.size() > kMostSteps)
        m_steps.removeFirst();
}

Microseconds ClockSteps::ageOf(ServerTime since) const
{
    Microseconds age = m_last ? m_last->server - since : Microseconds::zero();
    for (const Step &step : m_steps) {
        if (since <= step.upTo)
            age -= step.by;
    }
    return std::max(Microseconds::zero(), age);
}

void LeaseClocks::note(const SnapshotClock &clock, const QMap<int, SnapshotClock> &further)
{
    m_servers.removeIf([&](const auto &entry) { return entry.key() != 0 && !further.contains(entry.key()); });
    m_servers[0].note(clock);
    for (auto other = further.cbegin(); other != further.cend(); ++other)
        m_servers[other.key()].note(*other);
}

LeaseSieve::LeaseSieve(const AlarmLimits &limits, const LeaseClocks &clocks)
    : m_queue(limits.queue)
    , m_held(limits.held)
    , m_hasOrphans(limits.orphan || limits.queue)
    , m_clocks(clocks)
{
}

/// An alarm that is up and whose lock is left out is within its limit as clearly as one that is gone.
bool LeaseSieve::holds(const LockRow &row) const
{
    if (traitsOf(row.key.kind).isServers)
        return false;
    if (row.state == LockState::Orphan)
        return m_hasOrphans;
    if (m_queue && row.waiters.value_or(0) * 4 > *m_queue * 3)
        return true;
    return m_held && row.acquiredAt && m_clocks.ageOf(row.key.server, *row.acquiredAt) * 4 > *m_held * 3;
}

QList<SharedLockRow> LeaseSieve::of(const QList<SharedLockRow> &rows) const
{
    QList<SharedLockRow> held;
    std::copy_if(rows.cbegin(), rows.cend(), std::back_inserter(held),
                 [this](const SharedLockRow &row) { return holds(row); });
    return held;
}

} // namespace lockscope
