// SPDX-License-Identifier: MIT
#pragma once

#include "lablock.h"

#include <memory>

namespace lockscope {

/// The Redis nodes of one run, as many as its way needs, mostly none: started for it and gone with it. Private to
/// lib/lab. Thread: its maker's, which must live as long.
class LabNodes
{
public:
    /// Null and `*error` set when one does not start, or when this program was built without Redis.
    static std::unique_ptr<LabNodes> start(const LabPlan &plan, LockError *error);
    ~LabNodes();
    LabNodes(const LabNodes &) = delete;
    LabNodes &operator=(const LabNodes &) = delete;

    LabNodeAccess access() const;
    /// What they are, to stand behind the database's version: ", 5 × Redis 7.0.15 (memory)". Empty: there are none.
    QString text() const;
    /// Kills one and starts it again on what it kept: another one with each call. Does nothing where there are none.
    std::optional<LockError> restartNext();
    /// The wall clock of one goes ahead: of another one with each call. Only where the plan says that clocks jump.
    std::optional<LockError> moveNextClock(Duration by);

    /// What the master of the only one writes does not reach its replica from now on.
    void cutReplica();
    /// The master is killed, and its replica takes its place, under its address. Both do nothing where there is no
    /// replica, or none any more.
    std::optional<LockError> failOver();

    /// Of all of them since their start, those that were killed included.
    struct Use
    {
        qint64 commands = 0; ///< with those inside scripts
        Duration cpu = Duration::zero();

        Use &operator+=(const Use &other);
    };
    Use use() const;

private:
    class Private;
    explicit LabNodes(std::unique_ptr<Private> made);

    const std::unique_ptr<Private> m_private;
};

} // namespace lockscope
