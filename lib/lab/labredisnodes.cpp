// SPDX-License-Identifier: MIT
// The Redis of a run: one, with a replica where the plan has a failover, or those of Redlock.
#include "labreplica.h"
#include "labstores.h"
#include "processcpu.h"
#include "stores/redis/redisserver.h"

#include <QtCore/QUuid>

#include <vector>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kOfRedlock = 5;

RedisNode::Keeping keepingOf(LabKeeping keeping)
{
    switch (keeping) {
    case LabKeeping::Memory:
        break;
    case LabKeeping::EverySecond:
        return RedisNode::Keeping::EverySecond;
    case LabKeeping::Durable:
        return RedisNode::Keeping::Durable;
    }
    return RedisNode::Keeping::Memory;
}

/// "cmdstat_set:calls=5,usec=…"
qint64 commandsIn(const QByteArray &stats)
{
    qint64 commands = 0;
    for (const QByteArray &line : stats.split('\n')) {
        const auto calls = line.indexOf(":calls=");
        if (calls > 0)
            commands += line.mid(calls + 7).split(',').constFirst().toLongLong();
    }
    return commands;
}

LabNodes::Use useOf(const RedisNode &node)
{
    return {commandsIn(node.info("commandstats")), cpuOfProcess(node.pid()).value_or(Duration::zero())};
}

class RedisNodes : public LabNodes
{
public:
    std::optional<LockError> start(const LabPlan &plan);

    LabNodeAccess access() const override;
    QString text() const override { return m_text; }
    std::optional<LockError> restartNext() override;
    std::optional<LockError> moveNextClock(Duration by) override;
    void cutReplica() override;
    std::optional<LockError> failOver() override;
    Use use() const override;

protected:
    QList<qint64> processes() const override;

private:
    /// By turns. Null: the replica has taken over, and is left alone.
    RedisNode *takeNext();

    std::vector<std::unique_ptr<RedisNode>> m_nodes;
    QString m_password;                    ///< of all of them; empty: none
    std::unique_ptr<LabReplica> m_replica; ///< of the only one
    bool m_isPromoted = false;
    QString m_text;
    std::size_t m_next = 0; ///< that something is done to
    Use m_before;           ///< of those that were killed
};

std::optional<LockError> RedisNodes::start(const LabPlan &plan)
{
    const int count = plan.way == LabWay::Redlock ? kOfRedlock : 1;
    const bool hasReplica = count == 1 && plan.hasFault(LabFault::Kind::Failover);
    if (hasReplica)
        m_password = QUuid::createUuid().toString(QUuid::Id128);
    for (int i = 0; i < count; ++i) {
        m_nodes.push_back(std::make_unique<RedisNode>(keepingOf(plan.keeping), LabReplica::masterOptions()));
        m_nodes.back()->setPassword(m_password);
        if (plan.hasFault(LabFault::Kind::ClockJump))
            m_nodes.back()->giveOwnClock();
        if (auto error = m_nodes.back()->start())
            return error;
    }
    if (hasReplica) {
        m_replica = std::make_unique<LabReplica>(*m_nodes.front());
        if (auto error = m_replica->start())
            return error;
    }
    const auto info = detail::RedisInfo::from(m_nodes.front()->info("server"));
    m_text = u", %1Redis %2 (%3)"_s.arg(count > 1 ? u"%1 × "_s.arg(count) : QString(),
                                        QString::fromUtf8(info.value("redis_version")), labKeepingName(plan.keeping));
    return std::nullopt;
}

LabNodeAccess RedisNodes::access() const
{
    LabNodeAccess access{{}, m_password};
    for (const auto &node : m_nodes)
        access.addresses += node->url().socket;
    return access;
}

QList<qint64> RedisNodes::processes() const
{
    if (m_isPromoted)
        return {m_replica->node().pid()};
    QList<qint64> all;
    for (const auto &node : m_nodes)
        all += node->pid();
    return all;
}

RedisNode *RedisNodes::takeNext()
{
    if (m_isPromoted)
        return nullptr;
    RedisNode *node = m_nodes[m_next].get();
    m_next = (m_next + 1) % m_nodes.size();
    return node;
}

std::optional<LockError> RedisNodes::restartNext()
{
    RedisNode *node = takeNext();
    if (!node)
        return std::nullopt;
    m_before += useOf(*node);
    node->kill9();
    return node->start();
}

std::optional<LockError> RedisNodes::moveNextClock(Duration by)
{
    RedisNode *node = takeNext();
    if (!node || node->moveClock(by))
        return std::nullopt;
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message = u"The clock of a private Redis cannot be moved: nothing may be run in its folder."_s;
    return error;
}

void RedisNodes::cutReplica()
{
    if (m_replica)
        m_replica->cut();
}

std::optional<LockError> RedisNodes::failOver()
{
    if (!m_replica || m_isPromoted)
        return std::nullopt;
    m_isPromoted = true;
    RedisNode &master = *m_nodes.front();
    m_before += useOf(master);
    master.kill9();
    return m_replica->takeOver();
}

LabNodes::Use RedisNodes::use() const
{
    Use all = m_before;
    if (m_isPromoted)
        return all += useOf(m_replica->node());
    for (const auto &node : m_nodes)
        all += useOf(*node);
    return all;
}

} // namespace

std::unique_ptr<LabNodes> startRedisNodes(const LabPlan &plan, LockError *error)
{
    auto nodes = std::make_unique<RedisNodes>();
    if (const auto wrong = nodes->start(plan)) {
        *error = *wrong;
        return nullptr;
    }
    return nodes;
}

} // namespace lockscope
