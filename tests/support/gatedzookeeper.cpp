// SPDX-License-Identifier: MIT
#include "gatedzookeeper.h"

namespace lockscope::test {

std::optional<LockError> GatedZooKeeper::start()
{
    if (auto error = m_node.start())
        return error;
    if (!m_gate)
        m_gate =
            std::make_unique<FaultyProxy>(QStringLiteral("127.0.0.1:%1").arg(m_node.url().hosts.constFirst().port));
    open();
    return std::nullopt;
}

void GatedZooKeeper::stop()
{
    m_node.stop();
    shut();
}

void GatedZooKeeper::kill9()
{
    m_node.kill9();
    shut();
}

ZooKeeperUrl GatedZooKeeper::url() const
{
    ZooKeeperUrl url = m_node.url();
    url.hosts.first().port = m_gate->port();
    return url;
}

void GatedZooKeeper::shut()
{
    m_gate->setState(FaultyProxy::State::Cut);
}

void GatedZooKeeper::open()
{
    m_gate->setState(FaultyProxy::State::Open);
    if (!m_gate->isListening()) // another program may have taken its port while it was shut
        qFatal("Cannot listen on port %d of this machine", m_gate->port());
}

} // namespace lockscope::test
