// SPDX-License-Identifier: MIT
#pragma once

#include "redispool.h"

namespace lockscope::detail {

/// What a script answered: a number that says how it ended, and what belongs to it.
struct RedisAnswer
{
    int code = 0;
    QList<RedisValue> values = {}; ///< behind the code
    std::optional<LockError> error = {};

    explicit operator bool() const { return !error; }
    bool isLost() const;
    bool isAway() const;
    /// Of a value that may be missing.
    qint64 number(qsizetype index) const { return values.value(index).number(); }
    QByteArray bytes(qsizetype index) const { return values.value(index).bytes; }
};

/// "0": without end.
QByteArray ttlText(Duration ttl);
/// Arguments of the script `renew`. `number` is larger than in every earlier renewal of that lease.
QByteArrayList renewalWords(quint64 token, Duration ttl, quint64 number);
/// lockscope:{resource}
QByteArray leaseKey(const QByteArray &resource);
/// lockscope:{resource}:q
QByteArray queueKey(const QByteArray &resource);

/// Runs the scripts of scripts/ on a pool's connections. Thread: any.
class RedisScripts
{
public:
    explicit RedisScripts(RedisPool &pool)
        : m_pool(pool)
    {
    }

    /// For one resource. What a server refuses because it has become a replica is asked once more over a new
    /// connection. `lost` gets the connection whose answer did not come.
    RedisAnswer run(const char *script, const QByteArray &resource, const QByteArrayList &arguments,
                    RedisConnectionId *lost = nullptr) const;
    /// The same once more over a new connection if that answer was lost: for what does no harm twice. Unless it is too
    /// late for that. Where the second one ends in an error, whatever it is, the answer is lost: the first one may have
    /// been carried out.
    RedisAnswer runTwice(const char *script, const QByteArray &resource, const QByteArrayList &arguments,
                         const std::function<bool()> &isTooLate = {}) const;
    /// Sends what run() sends, for answerTo(); null: not now.
    std::unique_ptr<RedisPool::Sent> send(const char *script, const QByteArray &resource,
                                          const QByteArrayList &arguments) const;
    /// Its answer. An error: it may have been carried out, or the server does not know the script.
    static RedisAnswer answerTo(RedisPool::Sent &sent, const char *script);
    /// The same with the leases of several.
    RedisAnswer runOn(const char *script, const QByteArrayList &keys) const;
    /// What run() sends, as a person would type it; and the whole script, byte by byte, whose hash that has.
    static QByteArray statement(const char *script, const QByteArray &resource, const QByteArrayList &arguments);
    static QByteArray text(const char *script);
    /// Afterwards nothing that was sent over this connection is carried out any more. Over a new one.
    std::optional<LockError> endConnection(const RedisConnectionId &lost) const;
    std::chrono::milliseconds answerTimeout() const { return m_pool.answerTimeout(); }

private:
    RedisAnswer run(const char *script, const QByteArrayList &keys, const QByteArrayList &arguments, bool isNew,
                    RedisConnectionId *lost) const;
    RedisAnswer runOnce(const char *script, const QByteArrayList &keys, const QByteArrayList &arguments, bool isNew,
                        RedisConnectionId *lost) const;
    RedisAnswer runTwice(const char *script, const QByteArrayList &keys, const QByteArrayList &arguments,
                         const std::function<bool()> &isTooLate) const;

    RedisPool &m_pool;
};

} // namespace lockscope::detail
