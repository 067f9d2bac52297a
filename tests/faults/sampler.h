// SPDX-License-Identifier: MIT
#pragma once

#include "locks/leasereader.h"
#include "runplan.h"
#include "sources/locksource.h"

#include <set>
#include <stop_token>
#include <thread>

namespace lockscope::faults {

/// Looks at the locks of a run, as the console does, many times a second, and writes down what it saw.
/// Thread: any; it has one of its own.
class Sampler
{
public:
    /// `storeUrl`: where they are, unless that is the server of `target`.
    Sampler(const RunPlan &plan, SessionTarget target, QString storeUrl, EventFile &events);

private:
    void run(const std::stop_token &stop);
    void runOnStore(const std::stop_token &stop);
    std::optional<LockError> look(LeaseReader &reader);
    std::optional<LockError> look(LockSource &source);
    template<typename Reader>
    std::optional<LockError> lookAtQueues(Reader &reader);
    void tellSeen(qint64 begin, const QList<SharedLockRow> &rows);
    Event seen(int resource, const QList<SharedLockRow> &rows) const;

    const RunPlan &m_plan;
    const SessionTarget m_target;
    const QString m_storeUrl;
    EventFile &m_events;
    std::set<std::pair<int, qint64>> m_queued; ///< are told
    std::jthread m_thread;                     // last: it uses the rest
};

} // namespace lockscope::faults
