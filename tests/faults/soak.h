// SPDX-License-Identifier: MIT
#pragma once

#include "checker.h"
#include "testserver.h"

#include <chrono>

namespace lockscope::faults {

/// Many leases for a long time. Half of the processes hold them for good and are measured; the others hold a few, and
/// are killed. All are frozen, cut off and lose connections, the first ones never for long enough to lose a lease.
struct SoakPlan
{
    quint64 seed = 1;
    int leases = 2000; ///< of those that are not killed, together
    int rounds = 15;   ///< a kill, a freeze, a cut and a killed connection each, about a second long
    /// Renewed every third of it. Far longer than a fault.
    std::chrono::milliseconds ttl{15000};
};

struct SoakVerdict
{
    std::vector<Finding> findings;
    QString text; ///< the figures, for people
};

/// No lease that was looked after is lost; and in the end no process has more memory, threads, files or connections
/// than after the warm-up, and the server has nothing left. Lines of the processes are left in `folder`. Thread: the
/// server's.
SoakVerdict soak(const SoakPlan &plan, test::TestServer &server, const QString &folder);

} // namespace lockscope::faults
