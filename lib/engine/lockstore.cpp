// SPDX-License-Identifier: MIT
#include "lockscope/lockstore.h"

#include "engine/core/wait_p.h"

namespace lockscope {

StoreWait::StoreWait(std::shared_ptr<detail::Wait> wait, bool isTry)
    : m_wait(std::move(wait))
    , m_isTry(isTry)
{
}

StoreWait::~StoreWait() = default;

StoreWait::Clock::time_point StoreWait::end() const
{
    return m_wait->budgetEnd();
}

bool StoreWait::isCancelled() const
{
    return m_wait->isCancelled();
}

bool StoreWait::isOver() const
{
    return m_wait->isOver() || m_wait->isCancelled();
}

void StoreWait::sleepUntil(Clock::time_point until, const std::function<bool()> &ready)
{
    m_wait->sleepUntil(until, ready);
}

void StoreWait::wake()
{
    m_wait->wake();
}

LockStore::LockStore() = default;
LockStore::~LockStore() = default;

} // namespace lockscope
