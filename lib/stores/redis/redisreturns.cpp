// SPDX-License-Identifier: MIT
#include "redisreturns.h"

#include <utility>

namespace lockscope::detail {

namespace {

/// What the server did not answer is tried again after so long.
constexpr std::chrono::milliseconds kAgain{500};

} // namespace

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
    keep({resource, id});
}

void RedisReturns::end(const QByteArray &resource, const QByteArray &id, const RedisConnectionId &lost)
{
    keep({resource, id, lost});
}

void RedisReturns::keep(const Left &left)
{
    const std::lock_guard lock(m_mutex);
    if (m_isEnding)
        return;
    m_left.push_back(left);
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

/// Only once the server has ended the lost connection is it sure that nothing is carried out later.
bool RedisReturns::isDone(const Left &left) const
{
    if (left.lost && m_scripts.endConnection(*left.lost))
        return false;
    const RedisAnswer answer = m_scripts.run("leave", left.resource, {left.id, left.lost ? "0" : "1"});
    return !left.lost || !answer.isAway();
}

void RedisReturns::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_isEnding || !m_left.empty(); });
        if (m_isEnding)
            return;
        const Left left = std::move(m_left.front());
        m_left.pop_front();
        lock.unlock();
        const bool isAgain = !isDone(left);
        lock.lock();
        if (!isAgain)
            continue;
        m_left.push_back(left);
        m_changed.wait_for(lock, kAgain, [this] { return m_isEnding; });
    }
}

} // namespace lockscope::detail
