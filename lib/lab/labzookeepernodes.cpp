// SPDX-License-Identifier: MIT
// The ZooKeeper of a run: one server, or an ensemble of three.
#include "labstores.h"
#include "processcpu.h"
#include "stores/nodes/zookeeperensemble.h"

#include <QtCore/QUuid>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// "zk_packets_received\t5"
qint64 requestsIn(const QByteArray &monitored)
{
    for (const QByteArray &line : monitored.split('\n')) {
        if (line.startsWith("zk_packets_received\t"))
            return line.split('\t').constLast().toLongLong();
    }
    return 0;
}

LabNodes::Use useOf(const ZooKeeperNode &node)
{
    return {requestsIn(node.ask("mntr")), cpuOfProcess(node.pid()).value_or(Duration::zero())};
}

/// "Zookeeper version: 3.8.0-5a02a05eddb59aee6ac762f7ea82e92a68eb9c0f, built on …"
QString versionIn(const QByteArray &status)
{
    return QString::fromUtf8(status.split('\n').constFirst()).section(u": "_s, 1).section(u'-', 0, 0);
}

class ZooKeeperNodes : public LabNodes
{
public:
    explicit ZooKeeperNodes(const LabPlan &plan)
        : m_servers(plan.servers,
                    plan.keeping == LabKeeping::Durable ? ZooKeeperNode::Keeping::Durable
                                                        : ZooKeeperNode::Keeping::Memory)
        , m_isDurable(plan.keeping == LabKeeping::Durable)
        , m_password(QUuid::createUuid().toString(QUuid::Id128))
    {
    }

    std::optional<LockError> start();

    LabNodeAccess access() const override;
    QString text() const override { return m_text; }
    std::optional<LockError> restartNext() override;
    void killLeader() override;
    std::optional<LockError> startKilled() override;
    Use use() const override;

protected:
    QList<qint64> processes() const override;

private:
    ZooKeeperEnsemble m_servers;
    const bool m_isDurable;
    const QString m_password;
    QString m_text;
    int m_next = 0;                    ///< that something is done to
    ZooKeeperNode *m_killed = nullptr; ///< until it is started again
    Use m_before;                      ///< of those that were killed
};

std::optional<LockError> ZooKeeperNodes::start()
{
    if (auto error = m_servers.start())
        return error;
    m_text = u", %1ZooKeeper %2 (%3)"_s.arg(m_servers.size() > 1 ? u"%1 × "_s.arg(m_servers.size()) : QString(),
                                            versionIn(m_servers[0].ask("srvr")),
                                            m_isDurable ? labKeepingName(LabKeeping::Durable) : u"forceSync=no"_s);
    return std::nullopt;
}

LabNodeAccess ZooKeeperNodes::access() const
{
    LabNodeAccess access{{}, m_password};
    for (const ZooKeeperUrl::Host &host : m_servers.url().hosts)
        access.addresses += u"%1:%2"_s.arg(host.name).arg(host.port);
    return access;
}

QList<qint64> ZooKeeperNodes::processes() const
{
    QList<qint64> all;
    for (int i = 0; i < m_servers.size(); ++i)
        all += m_servers[i].pid();
    return all;
}

std::optional<LockError> ZooKeeperNodes::restartNext()
{
    ZooKeeperNode &node = m_servers[m_next];
    m_next = (m_next + 1) % m_servers.size();
    if (&node == m_killed)
        return std::nullopt;
    m_before += useOf(node);
    node.kill9();
    return node.start();
}

void ZooKeeperNodes::killLeader()
{
    if (m_killed)
        return;
    m_killed = m_servers.leader();
    if (!m_killed)
        return;
    m_before += useOf(*m_killed);
    m_killed->kill9();
}

std::optional<LockError> ZooKeeperNodes::startKilled()
{
    ZooKeeperNode *node = std::exchange(m_killed, nullptr);
    return node ? node->start() : std::nullopt;
}

LabNodes::Use ZooKeeperNodes::use() const
{
    Use all = m_before;
    for (int i = 0; i < m_servers.size(); ++i)
        all += useOf(m_servers[i]);
    return all;
}

} // namespace

std::unique_ptr<LabNodes> startZooKeeperNodes(const LabPlan &plan, LockError *error)
{
    auto nodes = std::make_unique<ZooKeeperNodes>(plan);
    if (const auto wrong = nodes->start()) {
        *error = *wrong;
        return nullptr;
    }
    return nodes;
}

} // namespace lockscope
