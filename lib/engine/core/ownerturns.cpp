// SPDX-License-Identifier: MIT
#include "ownerturns_p.h"

namespace lockscope::detail {

OwnerTurns::Turn OwnerTurns::take(const Key &key, Clock::time_point until, const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    if (m_taken.insert(key).second)
        return Turn::Mine;
    const auto isPast = [&] { return m_isClosed || !m_taken.contains(key); };
    const bool hasEnded = until == Clock::time_point::max() ? m_changed.wait(lock, stop, isPast)
                                                            : m_changed.wait_until(lock, stop, until, isPast);
    if (m_isClosed || stop.stop_requested())
        return Turn::Cancelled;
    return hasEnded ? Turn::Past : Turn::Over;
}

void OwnerTurns::leave(const Key &key)
{
    {
        const std::lock_guard lock(m_mutex);
        m_taken.erase(key);
    }
    m_changed.notify_all();
}

void OwnerTurns::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isClosed = true;
    }
    m_changed.notify_all();
}

} // namespace lockscope::detail
