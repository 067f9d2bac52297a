#include "localqueue_p.h"

namespace lockscope::detail {

LocalQueue::Place::Place(LocalQueue &queue, QByteArray resource, std::shared_ptr<WaitControl> control)
    : m_queue(queue)
    , m_resource(std::move(resource))
    , m_control(std::move(control))
{
}

std::unique_lock<std::mutex> LocalQueue::Place::joining()
{
    return std::unique_lock(m_queue.m_joining[qHash(m_resource) % m_queue.m_joining.size()]);
}

LocalQueue::Place::~Place()
{
    leave();
}

void LocalQueue::Place::setTicket(quint64 ticket)
{
    std::shared_ptr<WaitControl> first;
    {
        const std::lock_guard lock(m_queue.m_mutex);
        Waiting &waiting = m_queue.m_byResource[m_resource];
        if (m_isIn)
            waiting.erase(m_key);
        const quint64 last = waiting.empty() ? 0 : waiting.rbegin()->first.first;
        m_key = {ticket != 0 ? ticket : last, m_queue.m_arrivals++};
        waiting.emplace(m_key, this);
        m_isIn = true;
        first = waiting.begin()->second->m_control;
    }
    if (first != m_control)
        first->wake(); // we may have been before it
}

bool LocalQueue::Place::isFirst() const
{
    const std::lock_guard lock(m_queue.m_mutex);
    return !m_isIn || m_queue.m_byResource[m_resource].begin()->second == this;
}

void LocalQueue::Place::leave()
{
    std::shared_ptr<WaitControl> next;
    {
        const std::lock_guard lock(m_queue.m_mutex);
        if (!m_isIn)
            return;
        m_isIn = false;
        const auto waiting = m_queue.m_byResource.find(m_resource);
        waiting->second.erase(m_key);
        if (waiting->second.empty())
            m_queue.m_byResource.erase(waiting);
        else
            next = waiting->second.begin()->second->m_control;
    }
    if (next)
        next->wake();
}

} // namespace lockscope::detail
