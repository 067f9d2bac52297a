// SPDX-License-Identifier: MIT
#pragma once

#include "redisscripts.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

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

    void add(const QByteArray &resource, const QByteArray &id);
    /// Returns after the answer in flight. What is left is not given back: it ends soon by itself.
    void stop();

private:
    void work();

    const RedisScripts &m_scripts;
    std::mutex m_mutex; // protects what follows
    std::condition_variable m_changed;
    std::deque<std::pair<QByteArray, QByteArray>> m_left; ///< resources and requests
    bool m_isEnding = false;
    std::thread m_thread; ///< from the first one on
};

} // namespace lockscope::detail
