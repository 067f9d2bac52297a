// SPDX-License-Identifier: MIT
// What stands for labnodes.cpp, labredislock.cpp and labredlock.cpp where this program is built without Redis.
#include "lablock.h"
#include "labnodes.h"

namespace lockscope {

class LabNodes::Private
{
};

LabNodes::LabNodes(std::unique_ptr<Private> made)
    : m_private(std::move(made))
{
}

LabNodes::~LabNodes() = default;

std::unique_ptr<LabNodes> LabNodes::start(const LabPlan &plan, LockError *error)
{
    if (traitsOf(plan.way).redisNodes == 0)
        return std::unique_ptr<LabNodes>(new LabNodes(std::make_unique<Private>()));
    error->kind = LockError::Kind::BadRequest;
    error->message = QStringLiteral("This Lockscope was built without Redis, which this mode needs.");
    return nullptr;
}

LabNodeAccess LabNodes::access() const
{
    return {};
}

QString LabNodes::text() const
{
    return {};
}

std::optional<LockError> LabNodes::restartNext()
{
    return std::nullopt;
}

std::optional<LockError> LabNodes::moveNextClock(Duration)
{
    return std::nullopt;
}

void LabNodes::cutReplica() { }

std::optional<LockError> LabNodes::failOver()
{
    return std::nullopt;
}

LabNodes::Use LabNodes::use() const
{
    return {};
}

std::unique_ptr<LabLock> makeRedisLock(const LabShared &)
{
    return nullptr;
}

std::shared_ptr<LockStore> makeLabStore(const LabNodeAccess &, int)
{
    return nullptr;
}

} // namespace lockscope
