// SPDX-License-Identifier: MIT
#include "wait_p.h"

namespace lockscope::detail {

Wait::Clock::time_point Wait::endOf(Duration wait)
{
    const auto now = Clock::now();
    const auto most = Clock::time_point::max();
    return wait == Forever || wait > most - now ? most : now + wait;
}

void Wait::cancel()
{
    const std::lock_guard lock(m_mutex);
    if (!m_cancelledAt)
        m_cancelledAt = Clock::now();
    m_changed.notify_all();
    interrupt();
}

bool Wait::isCancelled() const
{
    const std::lock_guard lock(m_mutex);
    return m_cancelledAt.has_value();
}

Wait::Clock::time_point Wait::endsAt() const
{
    const std::lock_guard lock(m_mutex);
    return std::min(m_budgetEnd, m_cancelledAt.value_or(m_budgetEnd));
}

void Wait::wake()
{
    const std::lock_guard lock(m_mutex); // or a waiter between its check and its sleep would miss it
    m_changed.notify_all();
}

} // namespace lockscope::detail
