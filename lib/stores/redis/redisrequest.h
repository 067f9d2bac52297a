// SPDX-License-Identifier: MIT
#pragma once

#include "redismail.h"
#include "redisscripts.h"

#include <mutex>

namespace lockscope::detail {

/// One request's way to its lease. Lives on the stack of RedisStore::acquire.
///
/// The scripts decide; a message is a hint. What a message or a look says was granted at a time that nobody here knows:
/// this process may have been frozen since. So it counts only once a renewal has found it, from before that was sent.
/// Who hears of a grant sends that renewal, so that it is answered while the one that waits wakes up.
///
/// Functions that return an optional answer: nothing = not decided yet, go on.
class RedisRequest
{
public:
    /// Whose request it is.
    struct Asker
    {
        QByteArray session;
        std::atomic<quint64> &counter; ///< of its requests and renewals
    };

    RedisRequest(const RedisScripts &scripts, RedisMail &mail, Asker asker, const LockStore::Ask &ask, StoreWait &wait);

    LockStore::Grant run();

    /// What is to be ended where the outcome is Unknown: the request, and first the connection that may still bring it.
    const QByteArray &id() const { return m_id; }
    const RedisConnectionId &lost() const { return m_lost; }

private:
    using Grant = LockStore::Grant;
    using Answer = std::optional<Grant>;
    using Clock = StoreWait::Clock;

    Answer attempt();
    Answer take();
    Answer taken(const RedisAnswer &answer, LeaseClock::time_point sentAt);
    Answer settle(const LockError &error);
    Answer waitInQueue(RedisMail::Letter &letter);
    Answer look();
    Answer looked(const RedisAnswer &answer);
    Answer confirm(quint64 token);
    void sendRenewal(quint64 token);
    Answer confirmSent(quint64 token);
    Answer renewed(const RedisAnswer &answer, quint64 token, LeaseClock::time_point sentAt);
    Answer afterError(const LockError &error);
    Grant giveUp(Outcome outcome, std::optional<LockError> error = {});
    Grant granted(quint64 token, LeaseClock::time_point sentAt) const;
    Clock::time_point lookAt() const;
    Clock::time_point overSince() const;
    bool isTooLate(Clock::time_point over) const;
    bool isTriedAgain(int tries, Clock::time_point over) const;
    Outcome whyOver() const;
    bool isOver() const { return m_hasTried && !m_wait.isTry() && m_wait.isOver(); }
    void pause();

    const RedisScripts &m_scripts;
    RedisMail &m_mail;
    const Asker m_asker;
    const LockStore::Ask &m_ask;
    StoreWait &m_wait;
    QByteArray m_id; ///< names the request and no other one of any process
    RedisConnectionId m_lost;
    bool m_isIn = false;     ///< it waits, as far as we know, or has been granted the lease
    bool m_hasTried = false; ///< the server has answered once
    qint64 m_left = 0;       ///< ms to the lease's end when it was looked at; below 0: none
    qint64 m_place = 0;
    std::optional<Clock::time_point> m_awaySince;

    /// A renewal that the mail's thread has sent.
    struct Renewal
    {
        quint64 token = 0;
        LeaseClock::time_point sentAt = {};
        std::unique_ptr<RedisPool::Sent> sent = {};
    };
    std::mutex m_mutex; // protects what follows
    Renewal m_renewal;
};

} // namespace lockscope::detail
