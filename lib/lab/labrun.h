// SPDX-License-Identifier: MIT
#pragma once

#include "console/serveraccess.h"
#include "labreport.h"
#include "session/session.h"

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>

namespace lockscope {

/// Faults that somebody asks for while a run goes on. Thread: any.
class LabCommands
{
public:
    void add(const LabFault &fault)
    {
        const std::lock_guard lock(m_mutex);
        m_faults.append(fault);
    }
    QList<LabFault> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_faults, {});
    }

private:
    std::mutex m_mutex;
    QList<LabFault> m_faults;
};

/// Where a run takes place.
struct LabPlace
{
    SessionTarget target;
    ServerAccess access = {}; ///< on one that is tagged as production nothing is run
    /// lockctl, which serves as worker process; empty: plans that need processes are refused.
    QString workerProgram;
    /// Takes the server down and up again; returns what went wrong. Empty: the fault is refused.
    std::function<QString()> restart;
    /// By hand; may be null.
    std::shared_ptr<LabCommands> commands = {};
};

/// What happened since the last time.
struct LabProgress
{
    Duration elapsed = Duration::zero();
    LabCounts counts;
    int waiting = 0;
    int holding = 0;
    QList<LabEvent> events; ///< new ones in the order of time, half a second old
    qsizetype missing = 0;  ///< how many before `events` were left out, because whoever takes them could not keep up
};

struct LabResult
{
    LabReport report;               ///< also after an error, as far as it came
    std::optional<LockError> error; ///< the run could not begin, or the server was lost
};

/// Runs a plan and blocks until it has ended: after its duration, or within a second after `stop`. Everything happens
/// in a schema of the run's own, which is gone afterwards. `tell` is called a few times a second, in the calling
/// thread. Thread: any but the GUI's.
LabResult runLab(const LabPlan &plan, const LabPlace &place, const std::stop_token &stop,
                 const std::function<void(const LabProgress &)> &tell = {});

/// Of all stores that these plans need: what is not installed here, with the one command that gets it. None: each of
/// them can begin.
std::optional<LockError> missingServers(const QList<LabPlan> &plans);

/// Removes the schemas of runs that ended without tidying up; those that still run are left alone.
std::optional<LockError> cleanUpLab(const SessionTarget &target, int *removed = nullptr);

/// What a worker process does: reads a plan from standard input, works until that is closed, and writes its events to
/// standard output. Returns its exit code.
int runLabWorkerProcess();

} // namespace lockscope
