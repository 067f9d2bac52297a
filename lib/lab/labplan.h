// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>

namespace lockscope {

/// How a worker excludes the others: the engine's modes, no lock, and ways that textbooks show or warn of.
enum class LabWay {
    Unique,          ///< the engine: a lease with a fencing token
    Pessimistic,     ///< the engine: a row locked with SELECT … FOR UPDATE
    Optimistic,      ///< the engine: compare-and-swap on a version
    Central,         ///< the engine, pessimistic: one row for all names
    Stripes,         ///< the engine, pessimistic: 100 rows for all names
    None,            ///< no lock at all
    InsertPoll,      ///< INSERT takes, DELETE frees, polls, no TTL
    AutoIncrement,   ///< the same with the row's AUTO_INCREMENT number as token
    ReleaseByName,   ///< rows with a TTL, but the release names the resource only
    CheckThenInsert, ///< SELECT, and INSERT when nothing was found; no unique key
    Cleaner,         ///< rows without TTL, and a job that deletes those older than the TTL
    WholeSeconds,    ///< compare-and-swap on a timestamp of whole seconds
    DuplicateKey,    ///< INSERT … ON DUPLICATE KEY UPDATE in a transaction
    MissingRow,      ///< FOR UPDATE on a row that is not there, then INSERT (REPEATABLE READ)
    NoIndex,         ///< FOR UPDATE by a column without an index (REPEATABLE READ)
    RedisSetnx,      ///< Redis: SETNX, then EXPIRE; DEL, whoever has it by then
    RedisGetset,     ///< Redis: the deadline is the value, by the clients' clocks; GETSET takes what is past it
    RedisSet,        ///< Redis: SET NX PX, polled; a script deletes what is its own
    RedisWake,       ///< the same, and the release wakes those who wait
    RedisFair,       ///< the engine on Redis: a lease with a fencing token
    Redlock,         ///< Redis: SET NX PX on the majority of five
    ZooKeeper,       ///< the engine on ZooKeeper: a lease with a fencing token
    ZooKeeperHerd,   ///< ZooKeeper: one ephemeral node, which everybody watches and tries to make
    Etcd             ///< the engine on etcd: a lease with a fencing token
};

/// Where the locks of a way are. What they guard is in the database all the same.
enum class LabStore { Database, Redis, ZooKeeper, Etcd };

/// "Redis"
QString labStoreName(LabStore store);
/// Its nodes may be one server, or an ensemble of three.
bool mayBeEnsemble(LabStore store);
/// Its nodes keep what a plan says. The database and etcd keep what they keep.
bool choosesKeeping(LabStore store);

/// What is known of a way. Whoever treats ways differently asks here.
struct LabWayTraits
{
    const char *name;                    ///< in plans and on the command line
    bool isEngine;                       ///< promises: see LabReport::hasBrokenPromise
    bool hasToken;                       ///< a fencing token, which the store checks when the plan says so
    bool isInTransaction;                ///< the guarded write belongs to the lock's transaction
    bool isCompareAndSwap;               ///< nothing is held; the write decides
    LabStore store = LabStore::Database; ///< another one is the run's own, with nodes that begin and end with it
};

const LabWayTraits &traitsOf(LabWay way);
QList<LabWay> allLabWays();
std::optional<LabWay> labWayOf(const QString &name);

/// A length of time that varies: `fixed` always, `uniform` evenly from 0 to twice the mean, `exponential` with it.
struct LabTime
{
    enum class Shape { Fixed, Uniform, Exponential };

    Shape shape = Shape::Fixed;
    Duration mean = Duration::zero();
    bool operator==(const LabTime &) const = default;
};

/// "exponential"
QString labShapeName(LabTime::Shape shape);

/// Which resource is asked for.
enum class LabSkew {
    Uniform, ///< all alike
    Zipf,    ///< the nth 1/n as often
    Hot,     ///< the first in nine of ten cases
    Own      ///< each worker its own, as far as there are enough: no contention
};

/// What is done under the lock.
enum class LabJob {
    Nothing, ///< hold it, no more: measures the lock
    Stock,   ///< read a number, think, write it back one lower; counts what is overwritten
    Sale,    ///< `stock` pieces; workers want 6 and 5 by turns and take them if enough were left when they looked
    Once     ///< each resource is a job that may be done once; counts those done again
};

/// What is done to the run while it runs.
struct LabFault
{
    enum class Kind {
        KillSession, ///< the server ends a connection of the run
        Crash,       ///< SIGKILL to a worker that holds a lock; another takes its place
        Freeze,      ///< SIGSTOP to a worker that holds, for `length`, then it goes on
        Restart,     ///< the server goes down and comes back (private server only)
        Crowd,       ///< `count` more workers for `length`
        Cut,         ///< the network of a worker that holds carries nothing for `length`, then all of it
        Slow,        ///< … carries every packet a tenth of a second late for `length`
        NodeForgets, ///< a node of the run is killed and started again on what it kept, by turns
        ClockJump,   ///< the wall clock of a Redis of the run goes ahead by `length`, by turns
        Failover,    ///< the replica of the run's only Redis hears nothing for `length`, then takes its place; once
        ServerPause, ///< SIGSTOP to a node of the run, by turns, for `length`
        LeaderKill,  ///< SIGKILL to the ZooKeeper or etcd that leads the others; after `length` it is started again
        NodeCut      ///< what goes to `count` nodes of the run (0 = one), by turns, waits for `length`, of all workers
    };

    Kind kind = Kind::KillSession;
    Duration at = Duration::zero();    ///< after the run's beginning
    Duration every = Duration::zero(); ///< again after that; 0 = once
    /// Freeze, Cut, Slow and what is done to nodes: 0 = one and a half TTLs.
    Duration length = Duration::zero();
    int count = 0; ///< Crowd, NodeCut
    bool operator==(const LabFault &) const = default;
};

std::optional<LabFault::Kind> labFaultOf(const QString &name);
/// True for what needs workers that are processes of their own.
bool needsProcesses(LabFault::Kind kind);
/// True for what needs a server that is reached through a socket of this machine.
bool isOfNetwork(LabFault::Kind kind);
/// True for what is done to nodes. Modes without them do not notice it, so that they can be compared with those that
/// do; nor do ZooKeeper and etcd notice what only Redis suffers from.
bool isOfNode(LabFault::Kind kind);
/// True for those after which a Redis may have forgotten who holds.
bool makesRedisForget(LabFault::Kind kind);

/// What the nodes of a run keep of their writes. ZooKeeper writes its log in any case: unless it is Durable, when the
/// system gets to it.
enum class LabKeeping {
    Memory,      ///< nothing
    EverySecond, ///< a log, written to the disk each second
    Durable      ///< a log, on the disk before each answer
};

/// As in plans and on the command line.
QString labKeepingName(LabKeeping keeping);
std::optional<LabKeeping> labKeepingOf(const QString &name);

/// One contention run. A plain value; the same seed makes the same requests in the same order per worker.
struct LabPlan
{
    LabWay way = LabWay::Unique;
    int workers = 8;
    int resources = 1;
    LabSkew skew = LabSkew::Uniform;
    /// Of the engine's modes that hold: granted in the order of asking. Else workers try again by themselves, and
    /// whoever comes first has it.
    bool isFair = true;
    LabTime hold{LabTime::Shape::Fixed, std::chrono::milliseconds(2)};
    LabTime think{};
    Duration ttl = std::chrono::seconds(2);
    Duration wait = std::chrono::seconds(5);
    int connections = 0; ///< of the engine, at most; 0 = as many as it can use
    Duration duration = std::chrono::seconds(10);
    quint64 seed = 1;
    LabJob job = LabJob::Stock;
    int stock = 10;                          ///< LabJob::Sale
    bool isFenced = true;                    ///< the store refuses a smaller token, where there are tokens
    LabKeeping keeping = LabKeeping::Memory; ///< of stores that choose it
    int servers = 1;                         ///< of stores that may be an ensemble: 1 or 3
    QList<LabFault> faults = {};
    bool usesProcesses = false; ///< a process per worker; faults may need it
    QString name = {};          ///< of the scenario; shown, nothing else

    bool operator==(const LabPlan &) const = default;

    /// Bounds of what a run may ask of a server.
    static constexpr int MaxWorkers = 512;
    static constexpr int MaxProcesses = 64;
    static constexpr int MaxResources = 100'000;
    static constexpr Duration MaxRun = std::chrono::hours(24);
    /// Of ways on ZooKeeper: the TTL is that of a session, and a server counts it in ticks.
    static constexpr Duration ShortestSession = std::chrono::seconds(1);
    /// Of ways on etcd, in whole seconds.
    static constexpr Duration ShortestEtcdTtl = std::chrono::seconds(2);

    bool needsProcesses() const;
    /// A Redis of it is made to forget who holds: then not even the engine keeps two from holding at once.
    bool mayForget() const;
    /// Workers rest now and then between the two steps by which they take a lock, and a crash waits for one that does.
    bool restsHalfway() const;
    bool hasFault(LabFault::Kind kind) const;
    /// What is wrong with it, in one sentence; none: it can run.
    std::optional<QString> validate() const;

    QJsonObject toJson() const;
    /// None and `*error` set when something in it is unknown or out of range.
    static std::optional<LabPlan> fromJson(const QJsonObject &json, QString *error);
};

/// A load under which a way shows what it is known for.
LabPlan labPlanFor(LabWay way);
/// The same for a comparison: that of the first of the ways which needs one of its own.
LabPlan labPlanFor(const QList<LabWay> &ways);

/// Plans to begin with: what happens to locks everywhere (flash sale, nightly job, …), then what each store is known
/// for. Those of the second kind have a way of their own.
QList<LabPlan> labScenarios();
/// The one of that name.
std::optional<LabPlan> labScenarioOf(const QString &name);

/// What is run side by side with one load.
struct LabComparison
{
    QList<LabWay> ways;
    QList<LabKeeping> keepings = {}; ///< each of them, of ways that choose what they keep; none: the load's
    QList<bool> fences = {};         ///< LabPlan::isFenced, of ways that have tokens; none: the load's
};
QList<LabPlan> labSideBySide(const LabPlan &load, const LabComparison &comparison);
/// What a load is there to set side by side: of a store's scenario its fault and its cure, of most loads themselves.
LabComparison labComparisonOf(const LabPlan &load);

} // namespace lockscope
