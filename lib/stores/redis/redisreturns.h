// SPDX-License-Identifier: MIT
#pragma once

#include "redisscripts.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace lockscope::detail {

/// Gives back what was granted to requests that have ended. In a thread of its own: the server may take its time, and
/// whoever heard of the grant has to go on listening. Thread: any.
class RedisReturns
{
public:
    explicit RedisReturns(const RedisScripts &scripts);
    ~RedisReturns();
    RedisReturns(const RedisReturns &) = delete;
    RedisReturns &operator=(const RedisReturns &) = delete;

    /// A grant that nobody waits for any more, unless its process knows of it. Tried once: it ends soon by itself.
    void add(const QByteArray &resource, const QByteArray &id);
    /// A request of which nobody knows what became. Until the server answers, for what was granted may have no end;
    /// `lost` is the connection that may still bring it.
    void end(const QByteArray &resource, const QByteArray &id, const RedisConnectionId &lost);
    /// Returns after the answer in flight. What is left is not given back.
    void stop();

private:
    struct Left
    {
        QByteArray resource;
        QByteArray id;
        std::optional<RedisConnectionId> lost = {}; ///< none: see add()
    };

    void keep(const Left &left);
    void work();
    bool isDone(const Left &left) const;

    const RedisScripts &m_scripts;
    std::mutex m_mutex; // protects what follows
    std::condition_variable m_changed;
    std::deque<Left> m_left;
    bool m_isEnding = false;
    std::thread m_thread; ///< from the first one on
};

} // namespace lockscope::detail
