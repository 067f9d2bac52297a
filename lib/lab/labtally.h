// SPDX-License-Identifier: MIT
#pragma once

#include "engine/records/histogram.h"
#include "labevent.h"
#include "labpairs.h"
#include "labversions.h"

#include <map>
#include <set>
#include <vector>

namespace lockscope {

/// What a run came to, as far as its events tell.
struct LabCounts
{
    quint64 attempts = 0;
    quint64 granted = 0;
    quint64 busy = 0;
    quint64 timedOut = 0;
    quint64 deadlocks = 0;
    quint64 conflicts = 0;
    quint64 writes = 0;
    quint64 skipped = 0;
    quint64 notHeld = 0;
    quint64 errors = 0;
    quint64 crashes = 0;
    quint64 freezes = 0;
    quint64 networkFaults = 0;

    /// Pairs of workers that held one resource, each by its own deadline, at one time.
    quint64 violations = 0;
    /// A worker went on working after its lock had ended, beside the next holder. No TTL can prevent that; a fence
    /// makes it harmless.
    quint64 overlaps = 0;
    /// Writes that another wrote over without having seen them. Each counts once, however many others did.
    quint64 lostUpdates = 0;
    /// Guarded writes that were accepted although a later holder had written.
    quint64 staleWrites = 0;
    /// … that the store refused.
    quint64 refusedWrites = 0;
    /// Jobs that were done again.
    quint64 duplicates = 0;
    /// Pieces that were sold but were not in stock.
    quint64 oversold = 0;
    /// The longest time after a crash in which nobody was granted anything.
    quint64 stallMs = 0;

    bool operator==(const LabCounts &) const = default;
};

/// Counts the events of a run. Feed them by `add` in any order within a batch; batches in the order of time, but for
/// half a second. A hold that is told of later than that meets those of the last seconds nevertheless. An event costs
/// logarithmically many steps in what is remembered.
class LabTally
{
public:
    /// Holds that have ended are remembered as long as one that goes on may meet them, but no more than these: a hold
    /// that goes on beside more meets the last of them.
    static constexpr std::size_t MostRemembered = 131'072;

    /// `isSessionBound`: a lock ends with its session (LabWayTraits::isInTransaction), which may go unnoticed. So a
    /// hold counts to its end only if its release found it still there; otherwise to the last proof
    /// (LabEvent::Finished), and of a worker that was killed to what it last said. `stock`: of each resource of a sale.
    explicit LabTally(int workers, bool isSessionBound = false, std::optional<quint64> stock = {});

    /// Returns what is old enough to be sure of its order, and is counted now.
    QList<LabEvent> add(QList<LabEvent> batch);
    /// What still waited for its order. The run is over: whoever was not heard to let go held to its end.
    QList<LabEvent> finish();

    const LabCounts &counts() const { return m_counts; }
    /// From asking to having; optimistic: to the commit that succeeded, with all tries.
    const Histogram &latency() const { return m_latency; }
    /// Jain's index over the workers' grants: 1 = all alike, 1/n = one had all. A crowd that came later is left out.
    double fairness() const;
    /// Workers that hold a resource by the last that was heard of each, sorted in or not: a fault wants a holder now.
    std::vector<int> holders() const;
    /// A worker that was last heard of between the two steps by which it takes a lock.
    std::optional<int> halfway() const;
    int waiting() const { return m_waiting; }
    /// Holds that have ended, of all resources.
    std::size_t remembered() const { return m_remembered; }

private:
    struct Resource
    {
        std::multiset<qint64> begins; ///< of the holds that go on
        LabPairs spans;               ///< of those that have ended: from the grant to the end of the work
        LabPairs held;                ///< … to the deadline, where that was before
    };
    struct Worker
    {
        qint64 askedAt = 0; ///< 0 = does not wait
        qint64 heardAt = 0; ///< its last event
        quint64 grants = 0;
        bool isHolding = false;
        int resource = -1; ///< that it holds, or has held
        qint64 heldFrom = 0;
        qint64 deadline = 0;              ///< 0 = none
        std::optional<LabEvent> finished; ///< and not yet released, of a lock that ends with its session
        qint64 newestAt = 0;              ///< of all events, also those that are not counted yet
        bool seemsHolding = false;
        bool seemsHalfway = false;
    };

    void notice(const LabEvent &event);
    void count(const LabEvent &event);
    void begin(const LabEvent &event);
    void end(const LabEvent &event);
    void stopWaiting(Worker &worker);
    void sell(const LabEvent &event);
    void endStall(qint64 at);
    static qint64 provenUntil(const Worker &worker, const LabEvent &end);
    void compare(Resource &resource, qint64 from, qint64 to, qint64 deadline);
    void forget(Resource &resource);
    void forgetEverywhere();
    Worker &workerOf(const LabEvent &event);

    const bool m_isSessionBound;
    const std::optional<quint64> m_stock;
    const std::size_t m_regulars;
    std::vector<Worker> m_workers;
    std::map<int, Resource> m_resources;   ///< where somebody holds, or did of late
    std::map<int, LabVersions> m_versions; ///< of resources whose writes were lost
    std::map<int, quint64> m_sold;         ///< pieces of each resource
    std::size_t m_remembered = 0;
    qint64 m_countedUntil = 0; ///< the latest event that is counted
    qint64 m_forgottenAt = 0;
    qint64 m_crashedAt = 0; ///< since which nobody was granted anything; 0: no crash, or somebody was
    QList<LabEvent> m_late; ///< too young to be sure of their order
    LabCounts m_counts;
    Histogram m_latency;
    int m_waiting = 0;
};

} // namespace lockscope
