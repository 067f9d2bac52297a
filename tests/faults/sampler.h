// SPDX-License-Identifier: MIT
#pragma once

#include "locks/leasereader.h"
#include "runplan.h"

#include <set>
#include <stop_token>
#include <thread>

namespace lockscope::faults {

/// Looks at the locks of a run, as the console does, many times a second, and writes down what it saw.
/// Thread: any; it has one of its own.
class Sampler
{
public:
    Sampler(const RunPlan &plan, SessionTarget target, EventFile &events);

private:
    void run(const std::stop_token &stop);
    std::optional<LockError> look(LeaseReader &reader);
    std::optional<LockError> lookAtQueues(LeaseReader &reader);
    Event seen(int resource, const LockSnapshot &snapshot) const;

    const RunPlan &m_plan;
    const SessionTarget m_target;
    EventFile &m_events;
    std::set<std::pair<int, qint64>> m_queued; ///< are told
    std::jthread m_thread;                     // last: it uses the rest
};

} // namespace lockscope::faults
