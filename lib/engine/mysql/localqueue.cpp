// SPDX-License-Identifier: MIT
#include "localqueue_p.h"

#include <vector>

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

void LocalQueue::Place::enter(quint64 arrival, const QByteArray &name)
{
    std::shared_ptr<WaitControl> first;
    {
        const std::lock_guard lock(m_queue.m_mutex);
        Waiting &waiting = m_queue.m_byResource[m_resource];
        if (m_isIn)
            waiting.erase(m_key);
        m_key = {arrival, m_queue.m_arrivals++};
        m_name = name;
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

QByteArray LocalQueue::Place::nameBefore() const
{
    const std::lock_guard lock(m_queue.m_mutex);
    const auto waiting = m_queue.m_byResource.find(m_resource);
    if (!m_isIn || waiting == m_queue.m_byResource.end())
        return {};
    const auto own = waiting->second.find(m_key);
    return own == waiting->second.begin() ? QByteArray() : std::prev(own)->second->m_name;
}

void LocalQueue::Place::callConcerned(const std::function<bool(const QByteArray &name)> &isConcerned)
{
    std::vector<std::shared_ptr<WaitControl>> called;
    {
        const std::lock_guard lock(m_queue.m_mutex);
        const auto waiting = m_queue.m_byResource.find(m_resource);
        if (waiting == m_queue.m_byResource.end())
            return;
        for (const auto &[key, place] : waiting->second) {
            if (place != this && isConcerned(place->m_name))
                called.push_back(place->m_control);
        }
    }
    for (const auto &control : called)
        control->call(false);
}

void LocalQueue::callAll()
{
    std::vector<std::shared_ptr<WaitControl>> called;
    {
        const std::lock_guard lock(m_mutex);
        for (const auto &[resource, waiting] : m_byResource) {
            for (const auto &[key, place] : waiting)
                called.push_back(place->m_control);
        }
    }
    for (const auto &control : called)
        control->call(true);
}

bool LocalQueue::isAnybodyThere() const
{
    const std::lock_guard lock(m_mutex);
    return !m_byResource.empty();
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
