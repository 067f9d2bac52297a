// SPDX-License-Identifier: MIT
#include "labreplica.h"

#include "stores/redis/redisconnection.h"
#include "stores/redis/rediserror.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QFile>

#include <thread>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto kInStepWithin = 20s;

} // namespace

QStringList LabReplica::masterOptions()
{
    return {u"--repl-diskless-sync-delay"_s, u"0"_s};
}

LabReplica::LabReplica(const RedisNode &master)
    : m_master(master)
    , m_link(master.url().socket)
    , m_node(RedisNode::Keeping::Memory, {u"--replicaof"_s, u"127.0.0.1 %1"_s.arg(m_link.port())})
{
    m_node.setPassword(master.config().password);
}

std::optional<LockError> LabReplica::start()
{
    if (auto error = m_node.start())
        return error;
    const QDeadlineTimer deadline(kInStepWithin);
    while (!m_master.info("replication").contains("state=online")) {
        if (deadline.hasExpired())
            return detail::redisUnavailable(u"The replica of a private Redis was not in step in time."_s);
        std::this_thread::sleep_for(5ms);
    }
    return std::nullopt;
}

void LabReplica::cut()
{
    m_link.setState(FaultyProxy::State::Stalled);
}

std::optional<LockError> LabReplica::takeOver()
{
    LockError error;
    const auto connection = detail::RedisConnection::openAny(m_node.config(), "lockscope-lab:promote", &error);
    if (!connection)
        return error;
    const auto refused = connection->run({"REPLICAOF", "NO", "ONE"}, "lab/promote").error;
    QFile::remove(m_master.url().socket);
    QFile::link(m_node.url().socket, m_master.url().socket);
    return refused;
}

} // namespace lockscope
