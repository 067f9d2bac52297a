// SPDX-License-Identifier: MIT
// The etcd of a run: one member, or a cluster of three.
#include "labstores.h"
#include "lockscope/etcdstore.h"
#include "processcpu.h"
#include "stores/nodes/etcdnode.h"

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

class EtcdNodes : public LabNodes
{
public:
    explicit EtcdNodes(const LabPlan &plan)
        : m_members(plan.servers)
        , m_node(plan.servers)
    {
    }

    std::optional<LockError> start() { return m_node.start(); }

    LabNodeAccess access() const override { return {m_node.url().sockets}; }
    QString text() const override { return m_members > 1 ? u", %1 × etcd"_s.arg(m_members) : u", etcd"_s; }
    std::optional<LockError> restartNext() override;
    void killLeader() override;
    std::optional<LockError> startKilled() override { return m_node.start(); }
    Use use() const override;

protected:
    QList<qint64> processes() const override;

private:
    void kill(int member);
    Use useOf(int member) const;

    const int m_members;
    EtcdNode m_node;
    int m_next = 0; ///< that something is done to
    Use m_before;   ///< of those that were killed
};

LabNodes::Use EtcdNodes::useOf(int member) const
{
    return {m_node.calls(member), cpuOfProcess(m_node.pid(member)).value_or(Duration::zero())};
}

void EtcdNodes::kill(int member)
{
    m_before += useOf(member);
    m_node.kill9(member);
}

std::optional<LockError> EtcdNodes::restartNext()
{
    kill(m_next);
    m_next = (m_next + 1) % m_members;
    return m_node.start();
}

void EtcdNodes::killLeader()
{
    if (const int leader = m_node.leader(); leader >= 0)
        kill(leader);
}

QList<qint64> EtcdNodes::processes() const
{
    QList<qint64> all;
    for (int i = 0; i < m_members; ++i)
        all += m_node.pid(i);
    return all;
}

LabNodes::Use EtcdNodes::use() const
{
    Use all = m_before;
    for (int i = 0; i < m_members; ++i)
        all += useOf(i);
    return all;
}

} // namespace

std::unique_ptr<LabNodes> startEtcdNodes(const LabPlan &plan, LockError *error)
{
    auto nodes = std::make_unique<EtcdNodes>(plan);
    if (const auto wrong = nodes->start()) {
        *error = *wrong;
        return nullptr;
    }
    return nodes;
}

std::shared_ptr<LockStore> makeEtcdStore(const LabPlan & /*plan*/, const LabNodeAccess &nodes, int /*maxConnections*/)
{
    EtcdConfig config;
    config.server.sockets = nodes.addresses;
    return std::make_shared<EtcdStore>(config);
}

} // namespace lockscope
