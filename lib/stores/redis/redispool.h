// SPDX-License-Identifier: MIT
#pragma once

#include "redisconnection.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace lockscope::detail {

/// The connections for commands: opened when they are needed, a bounded number. Thread: any.
class RedisPool
{
    using Connection = std::unique_ptr<RedisConnection>;

public:
    explicit RedisPool(RedisConfig config);
    ~RedisPool();
    RedisPool(const RedisPool &) = delete;
    RedisPool &operator=(const RedisPool &) = delete;

    /// For CLIENT LIST; before the first use.
    void setName(const QByteArray &name) { m_name = name; }
    /// Also one that is not safe for locks; before the first use.
    void allowAnyServer() { m_allowsAny = true; }
    /// Before the first use. Told of the server that commands go to, whenever a connection was opened.
    void setOnOpened(std::function<void(const RedisConnectionId &connection)> told) { m_onOpened = std::move(told); }
    /// Before the first use. Told of a server that has become a replica, which is left: all that is asked later goes
    /// over new connections, to wherever its address leads by then.
    void setOnDemoted(std::function<void(const RedisConnectionId &connection)> told) { m_onDemoted = std::move(told); }
    /// Runs `job` with a connection, at most the answer's time-out after one is free. An error: it did not run.
    /// `isNew`: not with one that the server may have closed meanwhile.
    std::optional<LockError> use(const std::function<void(RedisConnection &)> &job, bool isNew = false);
    /// Something that was sent before its answer is wanted, over a connection of its own until then.
    class Sent
    {
    public:
        ~Sent(); ///< closes the connection if the answer was not taken
        Sent(const Sent &) = delete;
        Sent &operator=(const Sent &) = delete;

        /// Once.
        RedisReply answer(const QByteArray &what);

    private:
        friend class RedisPool;
        Sent(RedisPool &pool, Connection connection);

        RedisPool &m_pool;
        Connection m_connection;
    };
    /// Never blocks for a connection: null where none is free.
    std::unique_ptr<Sent> send(const QByteArrayList &words);
    /// A command that changes nothing: once more over a new connection if its answer is lost.
    RedisReply runTwice(const QByteArrayList &words, const QByteArray &what);
    /// Closes those that are idle; none is kept any more.
    void close();
    std::chrono::milliseconds answerTimeout() const { return m_config.answerTimeout; }

private:
    std::optional<LockError> take(bool isNew, Connection *connection);
    void giveBack(Connection connection);
    void giveBackUsed(Connection connection);
    std::vector<Connection> takeIdle();

    const RedisConfig m_config;
    QByteArray m_name;
    bool m_allowsAny = false;
    std::function<void(const RedisConnectionId &connection)> m_onOpened;
    std::function<void(const RedisConnectionId &connection)> m_onDemoted;
    std::mutex m_mutex; // protects what follows
    std::condition_variable m_isFree;
    std::vector<Connection> m_idle;
    int m_count = 0; ///< open, or about to be
    bool m_isClosed = false;
};

} // namespace lockscope::detail
