// SPDX-License-Identifier: MIT
#pragma once

#include "lablock.h"
#include "lockscope/zookeeperstore.h"
#include "stores/zookeeper/zookeepersession.h"

#include <condition_variable>
#include <mutex>

namespace lockscope {

/// How a session with a run's ZooKeeper is asked for. Its time-out is the plan's TTL, as far as the servers give it.
/// Private to lib/lab, as all here.
ZooKeeperConfig labZooKeeperConfig(const LabPlan &plan, const LabNodeAccess &nodes);

/// A session with a run's ZooKeeper, begun again after it has ended, and a bell that rings when a node that it watches,
/// or the session itself, has changed. Thread: one.
class LabZooKeeper
{
public:
    explicit LabZooKeeper(ZooKeeperConfig config)
        : m_config(std::move(config))
        , m_bell(std::make_shared<Bell>())
    {
    }

    /// Null, and `*error` says why, when no server can be reached.
    detail::ZooKeeperSession *get(LockError *error);
    /// Null: there is none at the moment.
    detail::ZooKeeperSession *current() const { return m_session.get(); }
    /// Ends the session, and what it holds.
    void drop() { m_session.reset(); }

    /// What rings from now on ends the next waitForBell().
    void muffle();
    void waitForBell(std::chrono::milliseconds atMost);

private:
    /// Shared with what the client library's thread calls.
    struct Bell
    {
        std::mutex mutex;
        std::condition_variable rung;
        bool isRung = false;

        void ring();
    };

    const ZooKeeperConfig m_config;
    const std::shared_ptr<Bell> m_bell;
    std::shared_ptr<detail::ZooKeeperSession> m_session;
};

} // namespace lockscope
