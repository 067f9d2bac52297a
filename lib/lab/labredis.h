// SPDX-License-Identifier: MIT
#pragma once

#include "lablock.h"
#include "stores/redis/redisconnection.h"

namespace lockscope {

/// A connection with one of a run's nodes, opened again after it broke. Thread: one.
class LabRedis
{
public:
    /// `patience`: for a connection, and for an answer. Whoever is later is left.
    LabRedis(const QString &socket, const QString &password,
             std::chrono::milliseconds patience = std::chrono::seconds(5))
    {
        m_config.server.socket = socket;
        m_config.password = password;
        m_config.connectTimeout = patience;
        m_config.answerTimeout = patience;
    }

    /// Null, and `*error` says why, when the node cannot be reached.
    detail::RedisConnection *get(LockError *error)
    {
        if (!m_connection || m_connection->isGone()) {
            m_connection.reset();
            m_connection = detail::RedisConnection::open(m_config, "lockscope-lab", error);
        }
        return m_connection.get();
    }
    detail::RedisReply run(const QByteArrayList &words)
    {
        detail::RedisReply reply;
        LockError error;
        if (detail::RedisConnection *connection = get(&error))
            reply = connection->run(words, "lab/" + words.constFirst().toLower());
        else
            reply.error = error;
        return reply;
    }
    void drop() { m_connection.reset(); }

private:
    RedisConfig m_config;
    std::unique_ptr<detail::RedisConnection> m_connection;
};

/// What is common to the textbooks' ways on Redis: the key of a resource, who asks, and work that is guarded from
/// outside its own transaction.
class RedisLock : public LabLock
{
public:
    explicit RedisLock(const LabShared &shared);

    bool work(const Job &job) override
    {
        m_session.work(job);
        return true;
    }
    qint64 heldUntil() const override { return m_heldUntil; }

protected:
    /// Deletes the key of whoever asks, and nobody else's.
    static const QByteArray kDeleteOwn;

    const LabPlan &plan() const { return m_shared.plan; }
    const LabNodeAccess &nodes() const { return m_shared.nodes; }
    static QByteArray keyOf(const QByteArray &resource) { return "lock:" + resource; }
    /// Nobody else's.
    const QByteArray &self() const { return m_self; }
    QByteArray ttlInMilliseconds() const { return QByteArray::number(plan().ttl / std::chrono::milliseconds(1)); }
    /// By the monotonic clock, in microseconds.
    void setHeldUntil(qint64 end) { m_heldUntil = end; }

private:
    const LabShared &m_shared;
    LabSession m_session;
    const QByteArray m_self;
    qint64 m_heldUntil = 0;
};

/// On five nodes. Private to lib/lab, as all here.
std::unique_ptr<LabLock> makeRedlock(const LabShared &shared);

} // namespace lockscope
