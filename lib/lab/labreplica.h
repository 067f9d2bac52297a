// SPDX-License-Identifier: MIT
#pragma once

#include "faultyproxy.h"
#include "stores/nodes/redisnode.h"

namespace lockscope {

/// A replica of a run's Redis. It hears of its master through a network of its own, a port of this machine to which
/// everybody on it may connect: so the master needs a password. Private to lib/lab. Thread: as RedisNode.
class LabReplica
{
public:
    /// For the master's command line: a replica has its first copy at once, not five seconds later.
    static QStringList masterOptions();

    /// `master` runs, and lives longer.
    explicit LabReplica(const RedisNode &master);

    /// Returns when it has all that its master has.
    std::optional<LockError> start();
    /// Nothing reaches it from now on.
    void cut();
    /// Of a master that is gone: the same address leads here.
    std::optional<LockError> takeOver();
    const RedisNode &node() const { return m_node; }

private:
    const RedisNode &m_master;
    FaultyProxy m_link;
    RedisNode m_node;
};

} // namespace lockscope
