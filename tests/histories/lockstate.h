// SPDX-License-Identifier: MIT
#pragma once

#include "move.h"

#include <QtCore/QMap>

#include <deque>
#include <limits>
#include <map>
#include <optional>

namespace lockscope::test {

/// What an owner asked for and waits for.
struct Wait
{
    /// A store forgets one that it passed over: it joins anew, behind those that come until the server knows it.
    static constexpr quint64 kUntilSettled = std::numeric_limits<quint64>::max();

    QString resource;
    QString owner;
    bool isManual = false;
    quint64 earliest = 0; ///< its place in the queue is not before this …
    quint64 latest = 0;   ///< … and not behind this
    bool isPassedOver = false;
    bool isUnsettled = false; ///< its process comes back: whether the server knows that it lives is not certain
    int grant = -1;           ///< it was granted and could not be told yet
};

/// One grant of a resource, whatever became of it.
struct Grant
{
    /// What its process believes: Unaware was ended behind its back.
    enum class Belief { Held, Unaware, Lost };

    QString resource;
    QString ref;   ///< the thread that was told
    QString owner; ///< a thread, or a key of a process; empty: its process is dead
    bool isManual = false;
    bool isKept = false; ///< with a minimum hold
    QString token;       ///< the name under which the scenario remembers it; empty: not told yet
    Belief belief = Belief::Held;
};

struct Handle
{
    int grant = -1;
    bool isFirst = true; ///< not a re-entrant one: it is told of losses
    bool isReleased = false;
};

struct Thread
{
    QList<Handle> handles; ///< in the order of the grants
    std::optional<Wait> wait;
};

struct Process
{
    enum class Network { Open, Cut, Stalled };

    bool isFrozen = false;
    bool isAway = false;      ///< its sessions have ended, and it does not come back by itself
    bool isConnected = false; ///< has sessions, unless it is away
    bool hasLostSessions = false;
    Network network = Network::Open;

    bool isReachable() const { return !isFrozen && network == Network::Open; }
    /// It may have been stopped before it connected again.
    bool mayBeAway() const { return isAway || (hasLostSessions && !isReachable()); }
};

struct Resource
{
    enum class Status {
        Free,
        Held,
        Kept,   ///< released within a minimum hold
        Expired ///< nobody took it since
    };

    Status status = Status::Free;
    int grant = -1;    ///< the last one
    QString lastToken; ///< that a scenario remembers
    int tokens = 0;    ///< number of the next one's name
};

/// Processes, their threads and the resources, and what can be asked about them. A plain value.
class LockState
{
public:
    enum class Cycle { No, Yes, Unknown };

    /// "B2" → B.
    static QString processOf(const QString &ref) { return ref.left(1); }

    Thread &thread(const QString &ref);
    Process &process(const QString &name);
    bool isStarted(const QString &process) const { return m_processes.contains(process); }
    bool isReachable(const QString &ref) const;
    /// It may get a command.
    bool isAble(const QString &ref) const;
    bool isWaiting(const QString &ref) const;
    QStringList processes() const { return m_processes.keys(); }
    /// The threads of a process, in the order of their names.
    QStringList threadsOf(const QString &process) const;
    QStringList waitsOf(const QString &process) const;
    void forget(const QString &process);

    Resource &resource(const QString &name) { return m_resources[name]; }
    QStringList resources() const { return m_resources.keys(); }
    Grant &grant(int number) { return m_grants[size_t(number)]; }
    int addGrant(Grant grant);
    /// What the owner believes that it holds; -1: nothing.
    int believedGrant(const QString &owner, const QString &resource) const;
    /// Of those that the server still knows as the holder's.
    QList<int> heldBy(const QString &process) const;
    bool isHolder(int grant) const;
    /// The name of the newest token that is not the holder's; empty: there is none.
    QString oldToken(const QString &resource) const;

    /// The handle that a command names: the newest one not given back, else the newest.
    Handle *find(const QString &ref, const QString &resource);
    int liveHandles(int grant) const;

    /// Waiting requests that were not granted, by their earliest place.
    QStringList queue(const QString &resource) const;
    /// Those of them that the server knows to be alive.
    QStringList candidates(const QString &resource) const;
    /// Those of them that can act.
    QStringList awake(const QString &resource) const;
    bool isOwnerWaiting(const QString &owner) const;
    /// Would `owner` wait for itself if it waited for `resource`?
    Cycle cycle(const QString &owner, const QString &resource) const;
    /// Some process is cut off or stalled; its engine's patience is not modelled.
    bool hasBadNetwork() const;

    quint64 places = 0;  ///< in queues, so far
    int crowdGrants = 0; ///< in the table of probes

private:
    std::map<QString, Thread> m_threads;
    QMap<QString, Process> m_processes;
    QMap<QString, Resource> m_resources;
    std::deque<Grant> m_grants; ///< a reference to one stays valid
};

} // namespace lockscope::test
