// SPDX-License-Identifier: MIT
#include "redisreturns.h"

namespace lockscope::detail {

RedisReturns::RedisReturns(const RedisScripts &scripts)
    : m_scripts(scripts)
{
}

RedisReturns::~RedisReturns()
{
    stop();
}

void RedisReturns::add(const QByteArray &resource, const QByteArray &id)
{
    const std::lock_guard lock(m_mutex);
    if (m_isEnding)
        return;
    m_left.emplace_back(resource, id);
    if (!m_thread.joinable())
        m_thread = std::thread([this] { work(); });
    m_changed.notify_all();
}

void RedisReturns::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        m_changed.notify_all();
    }
    if (m_thread.joinable())
        m_thread.join();
}

void RedisReturns::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_isEnding || !m_left.empty(); });
        if (m_isEnding)
            return;
        const auto [resource, id] = std::move(m_left.front());
        m_left.pop_front();
        lock.unlock();
        m_scripts.run("leave", resource, {id, "1"});
        lock.lock();
    }
}

} // namespace lockscope::detail
