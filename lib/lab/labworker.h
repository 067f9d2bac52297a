// SPDX-License-Identifier: MIT
#pragma once

#include "labevent.h"
#include "lablock.h"
#include "labstock.h"

#include <condition_variable>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace lockscope {

class OptimisticStore;

/// Draws what a worker asks for and how long it takes. The same seed and number draw the same.
class LabDice
{
public:
    LabDice(const LabPlan &plan, int worker);

    int resource();
    /// How many different ones it may draw.
    int resources() const;
    Duration length(const LabTime &time);
    bool isOneIn(int many);

private:
    const LabPlan &m_plan;
    const int m_worker;
    std::mt19937_64 m_random;
    std::discrete_distribution<int> m_resources; ///< of skews that are not uniform
};

/// Asks, holds, works and releases until it is told to stop, or has found each resource sold out or done. Runs in the
/// thread that calls run().
class LabWorker
{
public:
    LabWorker(const LabShared &shared, int number, LabEvents &events);
    ~LabWorker();

    void run(const std::stop_token &stop);
    /// The job beside LabWay::Cleaner's workers.
    void clean(const std::stop_token &stop);

private:
    void turn(LabLock &lock, const std::stop_token &stop);
    void restHalfway(int resource, const std::stop_token &stop);
    void swapTurn(OptimisticStore *store, const std::stop_token &stop);
    LabEvent::Kind swapOnce(OptimisticStore *store, int resource, const std::stop_token &stop);
    LabEvent::Kind swapByStore(OptimisticStore &store, int resource, const std::stop_token &stop);
    LabEvent::Kind hold(LabLock &lock, int resource, quint64 token, const std::stop_token &stop);
    bool isThrough() const;
    /// False: told to stop. Remembers meanwhile until when the lock is held.
    bool pause(Duration length, const std::stop_token &stop, const LabLock *lock = nullptr);
    void tell(LabEvent::Kind kind, int resource = -1, quint64 token = 0, qint64 value = 0, quint64 version = 0);
    void reportError(const std::optional<LockError> &error);

    const LabShared &m_shared;
    const int m_number;
    LabEvents &m_events;
    LabDice m_dice;
    LabStock m_stock;
    LabSession m_session; ///< of compare-and-swap without the engine, and of the cleaner job
    LabOverwrite m_over;
    std::set<int> m_done; ///< resources with nothing left to do: sold out, or done by whoever
};

/// All workers of one process, each in a thread, with one engine. Thread: that of its maker.
class LabCrew
{
public:
    LabCrew(LabPlan plan, SessionTarget target, LabNodeAccess nodes, int firstWorker, int count,
            LabEvents::Listener listener = {});
    ~LabCrew();

    LabEvents &events() { return m_events; }
    /// Tells the workers to stop, and waits for them. The destructor does the same.
    void stop();

private:
    void makeEngine(int workers);

    const LabPlan m_plan;
    LabEvents m_events;
    std::unique_ptr<LockEngine> m_engine;
    LabShared m_shared;
    std::stop_source m_stop;
    std::vector<std::thread> m_threads;
};

} // namespace lockscope
