// SPDX-License-Identifier: MIT
#include "zookeeperensemble.h"

namespace lockscope {

namespace {

/// Of three ports each, some other program may take one between our look and the servers' start.
constexpr int kTries = 5;

} // namespace

ZooKeeperEnsemble::ZooKeeperEnsemble(int servers, ZooKeeperNode::Keeping keeping)
{
    for (int i = 0; i < servers; ++i)
        m_nodes.push_back(std::make_unique<ZooKeeperNode>(keeping));
}

std::optional<LockError> ZooKeeperEnsemble::start()
{
    if (size() == 1)
        return m_nodes.front()->start();
    std::optional<LockError> error;
    for (int i = 0; i < kTries; ++i) {
        meet();
        error = startOnce();
        if (!error)
            return std::nullopt;
        for (const auto &node : m_nodes)
            node->kill9();
        if (!ZooKeeperNode::isPortTaken(*error))
            return error;
    }
    return error;
}

/// Each is told where all are: a port for what they have to say to each other, and one for whom they choose to lead.
void ZooKeeperEnsemble::meet()
{
    QByteArray members;
    for (int i = 1; i <= size(); ++i) {
        members += "server." + QByteArray::number(i) + "=127.0.0.1:" + QByteArray::number(ZooKeeperNode::freePort())
            + ':' + QByteArray::number(ZooKeeperNode::freePort()) + '\n';
    }
    for (int i = 1; i <= size(); ++i)
        m_nodes[std::size_t(i) - 1]->join(i, members);
}

std::optional<LockError> ZooKeeperEnsemble::startOnce()
{
    for (const auto &node : m_nodes) {
        if (auto error = node->launch())
            return error;
    }
    for (const auto &node : m_nodes) {
        if (auto error = node->untilItAnswers())
            return error;
    }
    return std::nullopt;
}

ZooKeeperUrl ZooKeeperEnsemble::url() const
{
    ZooKeeperUrl url;
    for (const auto &node : m_nodes)
        url.hosts += node->url().hosts;
    return url;
}

ZooKeeperNode *ZooKeeperEnsemble::leader() const
{
    for (const auto &node : m_nodes) {
        const QByteArray says = node->ask("srvr");
        if (says.contains("Mode: leader") || says.contains("Mode: standalone"))
            return node.get();
    }
    return nullptr;
}

} // namespace lockscope
