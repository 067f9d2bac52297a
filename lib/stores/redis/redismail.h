// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockstore.h"
#include "redisconnection.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace lockscope::detail {

/// What others tell this process: a thread with a connection that is subscribed to its channel. While it is, scripts
/// take the process for alive; when it breaks it is made anew, and whoever waits looks for itself. Thread: any.
class RedisMail
{
public:
    /// A waiting request's place, from before the server hears of it to its end.
    class Letter
    {
    public:
        /// `onGrant` is called in the thread of this object with each token that comes, before the one that waits is
        /// woken; not after the letter's end. It must not block.
        Letter(RedisMail &mail, QByteArray id, StoreWait &wait, std::function<void(quint64 token)> onGrant);
        ~Letter();
        Letter(const Letter &) = delete;
        Letter &operator=(const Letter &) = delete;

        /// Until then, or there is news, or the wait is over.
        void wait(StoreWait::Clock::time_point until);
        /// The token of a grant, once; 0: no grant came, though a look may be worth it.
        quint64 take();

    private:
        friend class RedisMail;

        RedisMail &m_mail;
        const QByteArray m_id;
        StoreWait &m_wait;
        const std::function<void(quint64 token)> m_onGrant;
        std::atomic<quint64> m_token = 0;
        std::atomic<bool> m_isNew = false; ///< set after m_token
    };

    explicit RedisMail(RedisConfig config);
    ~RedisMail();
    RedisMail(const RedisMail &) = delete;
    RedisMail &operator=(const RedisMail &) = delete;

    /// Before start(), and called in its thread, which must not wait in it: a request that has ended was granted its
    /// lease. A server that has forgotten its end does so, as after a failover.
    void setOnUnwanted(std::function<void(const QByteArray &resource, const QByteArray &id)> told)
    {
        m_onUnwanted = std::move(told);
    }
    /// Subscribes; from then on `listener` is called.
    std::optional<LockError> start(const QByteArray &session, const LockStore::Listener &listener);
    void stop();
    /// That server has become a replica: if the subscription is there, it is made anew.
    void leave(const RedisConnectionId &server);
    /// Commands go to that server: if the subscription is with another one, it is made anew.
    void follow(const RedisConnectionId &server);

private:
    using Connection = std::unique_ptr<RedisConnection>;

    std::optional<LockError> subscribe();
    void listen();
    bool hear();
    void reconnect();
    void read(const QByteArray &message);
    bool readGrant(const QByteArray &id, quint64 token);
    void tellHolder(const QByteArray &message);
    void wakeAll();

    const RedisConfig m_config;
    QByteArray m_session;
    LockStore::Listener m_listener;
    std::function<void(const QByteArray &resource, const QByteArray &id)> m_onUnwanted;
    std::thread m_thread;
    std::mutex m_mutex; // protects what follows, but for the use of the connection, which is the thread's
    std::condition_variable m_ends;
    bool m_isEnding = false;
    Connection m_connection;
    QByteArray m_followed;                    ///< run id, since the subscription was begun
    std::map<QByteArray, Letter *> m_letters; ///< by request
};

} // namespace lockscope::detail
