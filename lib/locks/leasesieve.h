// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

namespace lockscope {

struct AlarmLimits;

/// How often a server's clock was set while its leases were looked at: what lasts is not longer for it. A value.
class ClockSteps
{
public:
    /// The clock of another reading, later than the one before.
    void note(const SnapshotClock &clock);
    /// By the last one, without the time that passed on the server's clock alone; never negative.
    Microseconds ageOf(ServerTime since) const;

private:
    struct Step
    {
        ServerTime upTo; ///< for what began until then
        Microseconds by;
    };
    std::optional<SnapshotClock> m_last;
    QList<Step> m_steps;
};

/// The same of all servers of a list. A value.
class LeaseClocks
{
public:
    /// Those of another reading: of server 0 and of others, by their numbers. One that is not among them has left.
    void note(const SnapshotClock &clock, const QMap<int, SnapshotClock> &further);
    Microseconds ageOf(int server, ServerTime since) const { return m_servers.value(server).ageOf(since); }

private:
    QMap<int, ClockSteps> m_servers;
};

/// Leaves out the locks that are far within every limit: there may be very many, so that another thread may want to
/// look through them. A value, for one reading.
class LeaseSieve
{
public:
    LeaseSieve(const AlarmLimits &limits, const LeaseClocks &clocks);

    /// Locks of the server's own are left out as well: they are seen with its waits.
    bool holds(const LockRow &row) const;
    QList<SharedLockRow> of(const QList<SharedLockRow> &rows) const;

private:
    std::optional<int> m_queue;         ///< the limits
    std::optional<Microseconds> m_held; ///< the same
    bool m_hasOrphans;                  ///< may be noted
    LeaseClocks m_clocks;
};

} // namespace lockscope
