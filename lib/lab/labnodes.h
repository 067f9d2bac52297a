// SPDX-License-Identifier: MIT
#pragma once

#include "lablock.h"

#include <memory>

namespace lockscope {

/// The nodes of one run, as many as its way needs: started for it and gone with it. This class itself is of a way
/// without any: nothing happens to them. Private to lib/lab. Thread: its maker's, which must live as long.
class LabNodes
{
public:
    /// Null and `*error` set when one does not start, or when this program was built without that store.
    static std::unique_ptr<LabNodes> start(const LabPlan &plan, LockError *error);

    LabNodes() = default;
    virtual ~LabNodes();
    LabNodes(const LabNodes &) = delete;
    LabNodes &operator=(const LabNodes &) = delete;

    virtual LabNodeAccess access() const { return {}; }
    /// What they are, to stand behind the database's version: ", 5 × Redis 7.0.15 (memory)". Empty: there are none.
    virtual QString text() const { return {}; }

    /// SIGSTOP to one, to another one with each call; and SIGCONT to all.
    void pauseNext();
    void resume();
    /// Kills one and starts it again on what it kept: another one with each call.
    virtual std::optional<LockError> restartNext() { return std::nullopt; }
    /// Kills the one that leads the others, until the next call; and starts it again.
    virtual void killLeader() { }
    virtual std::optional<LockError> startKilled() { return std::nullopt; }
    /// The wall clock of one goes ahead: of another one with each call. Only where the plan says that clocks jump.
    virtual std::optional<LockError> moveNextClock(Duration /*by*/) { return std::nullopt; }
    /// What the master of the only one writes does not reach its replica from now on.
    virtual void cutReplica() { }
    /// The master is killed, and its replica takes its place, under its address. Both do nothing where there is no
    /// replica, or none any more.
    virtual std::optional<LockError> failOver() { return std::nullopt; }

    /// Of all of them since their start, those that were killed included.
    struct Use
    {
        qint64 commands = 0; ///< with those inside scripts
        Duration cpu = Duration::zero();

        Use &operator+=(const Use &other);
    };
    virtual Use use() const { return {}; }

protected:
    /// Their numbers; 0 of one that does not run.
    virtual QList<qint64> processes() const { return {}; }

private:
    qsizetype m_nextToPause = 0;
};

} // namespace lockscope
