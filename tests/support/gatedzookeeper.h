// SPDX-License-Identifier: MIT
#pragma once

#include "lab/faultyproxy.h"
#include "stores/nodes/zookeepernode.h"

#include <memory>

namespace lockscope::test {

/// A private ZooKeeper that nobody reaches before it answers. One that is on its way up takes connections which it then
/// neither answers nor closes (closing them fails, for its data is not there yet), and a client waits for two thirds of
/// its session before it tries another: by then a lease is no longer believed in.
class GatedZooKeeper
{
public:
    std::optional<LockError> start();
    void stop();
    void kill9();

    /// Of the gate.
    ZooKeeperUrl url() const;
    qint64 pid() const { return m_node.pid(); }
    QString folder() const { return m_node.folder(); }
    QByteArray ask(const QByteArray &word) const { return m_node.ask(word); }
    /// While the server runs, nobody is let in.
    void shut();
    void open();

private:
    ZooKeeperNode m_node;
    std::unique_ptr<FaultyProxy> m_gate; ///< since the first start, when the node's port is known
};

} // namespace lockscope::test
