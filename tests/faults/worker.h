// SPDX-License-Identifier: MIT
#pragma once

#include "guardedstore.h"
#include "runplan.h"

#include "lockscope/lockengine.h"

#include <atomic>
#include <random>

namespace lockscope::faults {

/// What the threads of a worker process share.
struct WorkerProcess
{
    int number = 0; ///< no two of a run have the same
    RunPlan plan;
    SessionTarget target;
    LockEngine &engine;
    EventFile &events;
    std::atomic<qint64> requests{0};
};

/// Asks, reads, thinks, writes and releases until it is told to stop, and tells each call before and after.
/// Runs in the thread that calls run().
class Worker
{
public:
    Worker(WorkerProcess &process, int thread);

    void run(const std::stop_token &stop);

private:
    struct Turn
    {
        qint64 request = 0;
        int resource = 0;
        quint64 token = 0;
        Duration ttl{};
    };

    void holdTurn(const std::stop_token &stop);
    void commitTurn(const std::stop_token &stop);
    LockRequest requestFor(const Turn &turn, Duration wait, const std::stop_token &stop) const;
    void workOnLease(const Turn &turn, const LockHandle &handle);
    bool workOnRow(const Turn &turn, LockHandle &handle);
    void release(const Turn &turn, LockHandle &handle, bool isPending);
    RunResult commit(const Turn &turn, bool isGuarded, const RetryPolicy &policy);
    void tellDeadline(Kind kind, const Turn &turn, const LockHandle &handle);
    void tell(Kind kind, const Turn &turn, qint64 value = 0);

    Turn nextTurn();
    Duration nextWait();
    void pause(Duration longest);
    qint64 upTo(qint64 most);

    WorkerProcess &m_process;
    GuardedStore m_store;
    OptimisticStore m_guarded; ///< commits what the store keeps
    OptimisticStore m_own;     ///< the engine's own versions
    std::mt19937_64 m_random;
};

} // namespace lockscope::faults
