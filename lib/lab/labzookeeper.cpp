// SPDX-License-Identifier: MIT
#include "labzookeeper.h"

#include "labstores.h"
#include "stores/nodes/zookeepernode.h"

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

ZooKeeperConfig labZooKeeperConfig(const LabPlan &plan, const LabNodeAccess &nodes)
{
    ZooKeeperConfig config;
    for (const QString &address : nodes.addresses)
        config.server.hosts.append({address.section(u':', 0, 0), address.section(u':', 1).toInt()});
    config.server.user = u"lab"_s; // other users of the machine reach the port
    config.server.chroot = u"/locks"_s;
    config.password = nodes.password;
    config.sessionTimeout =
        std::min(std::chrono::floor<std::chrono::milliseconds>(plan.ttl), ZooKeeperNode::LongestSession);
    return config;
}

std::shared_ptr<LockStore> makeZooKeeperStore(const LabPlan &plan, const LabNodeAccess &nodes, int /*maxConnections*/)
{
    return std::make_shared<ZooKeeperStore>(labZooKeeperConfig(plan, nodes));
}

detail::ZooKeeperSession *LabZooKeeper::get(LockError *error)
{
    if (m_session && m_session->isOver())
        drop();
    if (!m_session) {
        detail::ZooKeeperSession::Listener listener;
        listener.onChanged = [bell = m_bell] { bell->ring(); };
        listener.onNode = [bell = m_bell](const QByteArray &, bool) { bell->ring(); };
        m_session = detail::ZooKeeperSession::open(m_config, listener, error);
    }
    if (!m_session)
        return nullptr;
    if (const auto away = m_session->reach()) {
        *error = *away;
        if (!m_session->wasConnected())
            drop();
        return nullptr;
    }
    return m_session.get();
}

void LabZooKeeper::Bell::ring()
{
    const std::lock_guard lock(mutex);
    isRung = true;
    rung.notify_all();
}

void LabZooKeeper::muffle()
{
    const std::lock_guard lock(m_bell->mutex);
    m_bell->isRung = false;
}

void LabZooKeeper::waitForBell(std::chrono::milliseconds atMost)
{
    std::unique_lock lock(m_bell->mutex);
    m_bell->rung.wait_for(lock, atMost, [this] { return m_bell->isRung; });
}

} // namespace lockscope
