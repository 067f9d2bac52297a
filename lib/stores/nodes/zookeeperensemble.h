// SPDX-License-Identifier: MIT
#pragma once

#include "zookeepernode.h"

#include <memory>
#include <vector>

namespace lockscope {

/// One private ZooKeeper, or several that are an ensemble: a write is one when most of them have it. Thread: as
/// ZooKeeperNode.
class ZooKeeperEnsemble
{
public:
    /// Starts nothing yet.
    ZooKeeperEnsemble(int servers, ZooKeeperNode::Keeping keeping);

    /// Returns when each gives sessions.
    std::optional<LockError> start();
    /// All of them as one place for clients.
    ZooKeeperUrl url() const;
    int size() const { return int(m_nodes.size()); }
    ZooKeeperNode &operator[](int number) const { return *m_nodes[std::size_t(number)]; }
    /// The one that leads the others, or is alone; null: none does at the moment.
    ZooKeeperNode *leader() const;

private:
    void meet();
    std::optional<LockError> startOnce();

    std::vector<std::unique_ptr<ZooKeeperNode>> m_nodes;
};

} // namespace lockscope
