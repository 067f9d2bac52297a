// SPDX-License-Identifier: MIT
#include "redispool.h"

#include "rediserror.h"

#include <utility>

namespace lockscope::detail {

RedisPool::RedisPool(RedisConfig config)
    : m_config(std::move(config))
{
}

RedisPool::~RedisPool() = default;

std::optional<LockError> RedisPool::use(const std::function<void(RedisConnection &)> &job, bool isNew)
{
    Connection connection;
    if (auto error = take(isNew, &connection))
        return error;
    job(*connection);
    giveBackUsed(std::move(connection));
    return std::nullopt;
}

RedisPool::Sent::Sent(RedisPool &pool, Connection connection)
    : m_pool(pool)
    , m_connection(std::move(connection))
{
}

RedisPool::Sent::~Sent()
{
    if (m_connection)
        m_pool.giveBack(nullptr);
}

RedisReply RedisPool::Sent::answer(const QByteArray &what)
{
    RedisReply reply = m_connection->answer(what);
    m_pool.giveBackUsed(std::move(m_connection));
    return reply;
}

std::unique_ptr<RedisPool::Sent> RedisPool::send(const QByteArrayList &words)
{
    Connection connection;
    {
        const std::lock_guard lock(m_mutex);
        if (m_isClosed || m_idle.empty())
            return nullptr;
        connection = std::move(m_idle.back());
        m_idle.pop_back();
    }
    connection->send(words); // if it is gone, the answer says so
    return std::unique_ptr<Sent>(new Sent(*this, std::move(connection)));
}

RedisReply RedisPool::runTwice(const QByteArrayList &words, const QByteArray &what)
{
    RedisReply reply;
    for (const bool isNew : {false, true}) {
        const auto run = [&](RedisConnection &connection) { reply = connection.run(words, what); };
        if (const auto error = use(run, isNew))
            reply.error = error;
        if (!reply.error || !isRedisLost(*reply.error))
            break;
    }
    return reply;
}

std::optional<LockError> RedisPool::take(bool isNew, Connection *connection)
{
    Connection old; // closed without the mutex
    {
        std::unique_lock lock(m_mutex);
        const auto isThere = [this] { return m_isClosed || !m_idle.empty() || m_count < m_config.maxConnections; };
        if (!m_isFree.wait_for(lock, m_config.answerTimeout, isThere)) {
            return redisUnavailable(
                QStringLiteral("All %1 connections to Redis wait for answers.").arg(m_config.maxConnections));
        }
        if (m_isClosed)
            return redisUnavailable(QStringLiteral("The Redis store is closed."));
        if (!m_idle.empty()) {
            old = std::move(m_idle.back());
            m_idle.pop_back();
            if (!isNew) {
                *connection = std::move(old);
                return std::nullopt;
            }
        } else {
            ++m_count;
        }
    }
    old.reset();
    LockError error;
    *connection = m_allowsAny ? RedisConnection::openAny(m_config, m_name, &error)
                              : RedisConnection::open(m_config, m_name, &error);
    if (!*connection) {
        giveBack(nullptr);
        return error;
    }
    if (m_onOpened)
        m_onOpened((*connection)->id());
    return std::nullopt;
}

void RedisPool::giveBackUsed(Connection connection)
{
    if (connection->isDemoted()) {
        takeIdle();
        if (m_onDemoted)
            m_onDemoted(connection->id());
    }
    giveBack(std::move(connection));
}

void RedisPool::giveBack(Connection connection)
{
    const std::lock_guard lock(m_mutex);
    if (connection && !connection->isGone() && !m_isClosed)
        m_idle.push_back(std::move(connection));
    else
        --m_count;
    m_isFree.notify_one();
}

/// Which the caller closes, without the mutex.
std::vector<RedisPool::Connection> RedisPool::takeIdle()
{
    std::vector<Connection> idle;
    const std::lock_guard lock(m_mutex);
    m_count -= int(m_idle.size());
    std::swap(idle, m_idle);
    m_isFree.notify_all();
    return idle;
}

void RedisPool::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isClosed = true;
    }
    takeIdle();
}

} // namespace lockscope::detail
