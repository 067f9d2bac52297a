// SPDX-License-Identifier: MIT
#include "labnodes.h"

#include "labreplica.h"
#include "processcpu.h"
#include "stores/redis/redisserver.h"

#include <QtCore/QUuid>

#include <vector>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

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

} // namespace

LabNodes::Use &LabNodes::Use::operator+=(const Use &other)
{
    commands += other.commands;
    cpu += other.cpu;
    return *this;
}

class LabNodes::Private
{
public:
    std::vector<std::unique_ptr<RedisNode>> nodes;
    QString password;                    ///< of all of them; empty: none
    std::unique_ptr<LabReplica> replica; ///< of the only one
    bool isPromoted = false;
    QString text;
    std::size_t next = 0; ///< that something is done to
    Use before;           ///< of those that were killed

    /// By turns; there is one.
    RedisNode &takeNext()
    {
        RedisNode &node = *nodes[next];
        next = (next + 1) % nodes.size();
        return node;
    }
};

LabNodes::LabNodes(std::unique_ptr<Private> made)
    : m_private(std::move(made))
{
}

LabNodes::~LabNodes() = default;

std::unique_ptr<LabNodes> LabNodes::start(const LabPlan &plan, LockError *error)
{
    auto made = std::make_unique<Private>();
    const int count = traitsOf(plan.way).redisNodes;
    const bool hasReplica = count == 1 && plan.hasFault(LabFault::Kind::Failover);
    if (hasReplica)
        made->password = QUuid::createUuid().toString(QUuid::Id128);
    std::optional<LockError> wrong;
    for (int i = 0; i < count && !wrong; ++i) {
        made->nodes.push_back(std::make_unique<RedisNode>(keepingOf(plan.keeping), LabReplica::masterOptions()));
        made->nodes.back()->setPassword(made->password);
        if (plan.hasFault(LabFault::Kind::ClockJump))
            made->nodes.back()->giveOwnClock();
        wrong = made->nodes.back()->start();
    }
    if (hasReplica && !wrong) {
        made->replica = std::make_unique<LabReplica>(*made->nodes.front());
        wrong = made->replica->start();
    }
    if (wrong) {
        *error = *wrong;
        return nullptr;
    }
    if (count > 0) {
        const auto info = detail::RedisInfo::from(made->nodes.front()->info("server"));
        const QString version = QString::fromUtf8(info.value("redis_version"));
        made->text = u", %1Redis %2 (%3)"_s.arg(count > 1 ? u"%1 × "_s.arg(count) : QString(), version,
                                                labKeepingName(plan.keeping));
    }
    return std::unique_ptr<LabNodes>(new LabNodes(std::move(made)));
}

LabNodeAccess LabNodes::access() const
{
    LabNodeAccess access{{}, m_private->password};
    for (const auto &node : m_private->nodes)
        access.sockets += node->url().socket;
    return access;
}

QString LabNodes::text() const
{
    return m_private->text;
}

std::optional<LockError> LabNodes::restartNext()
{
    if (m_private->nodes.empty())
        return std::nullopt;
    RedisNode &node = m_private->takeNext();
    m_private->before += useOf(node);
    node.kill9();
    return node.start();
}

std::optional<LockError> LabNodes::moveNextClock(Duration by)
{
    if (m_private->nodes.empty() || m_private->takeNext().moveClock(by))
        return std::nullopt;
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message = u"The clock of a private Redis cannot be moved: nothing may be run in its folder."_s;
    return error;
}

void LabNodes::cutReplica()
{
    if (m_private->replica)
        m_private->replica->cut();
}

std::optional<LockError> LabNodes::failOver()
{
    if (!m_private->replica || m_private->isPromoted)
        return std::nullopt;
    m_private->isPromoted = true;
    RedisNode &master = *m_private->nodes.front();
    m_private->before = useOf(master);
    master.kill9();
    return m_private->replica->takeOver();
}

LabNodes::Use LabNodes::use() const
{
    Use all = m_private->before;
    if (m_private->isPromoted)
        return all += useOf(m_private->replica->node());
    for (const auto &node : m_private->nodes)
        all += useOf(*node);
    return all;
}

} // namespace lockscope
