// SPDX-License-Identifier: MIT
#pragma once

#include "keylocks/keylock.h"
#include "stores/redis/redispool.h"

#include <functional>
#include <stop_token>

namespace lockscope {

/// Locks that other programs keep in a Redis, by conventions. Of a key that no convention names nothing is read but its
/// name, of a large one nothing but how large it is. Also on a server that is not safe for locks of our own. Thread:
/// one at a time.
class RedisKeys
{
public:
    using Take = std::function<void(const QList<KeyLock> &locks)>;

    RedisKeys(const RedisConfig &config, QByteArray connectionName, QList<KeyConvention> conventions);

    /// Goes through the names of all keys, some hundred at a time, and rests in between: the server is at work for it
    /// for a tenth of the time. A lock may come twice.
    std::optional<LockError> scan(const std::stop_token &stop, const Take &take);
    /// Those of these names that are locks.
    std::optional<LockError> read(const QByteArrayList &names, QList<KeyLock> *locks);
    /// Who waits, next one first, as the convention's queue has it: at most kMaxParts.
    std::optional<LockError> readQueue(const KeyLock &lock, QByteArrayList *waiters);
    /// True: it was still as it was shown. Not sent again where the answer is lost. An error of kind ConnectionLost: it
    /// may have ended; so is one that the script met on its way, unless the lock is still held as it was.
    std::optional<LockError> end(const KeyLock &lock, const KeyHolder &holder, bool *isDone);
    /// The server's, at the last reading.
    ServerTime now() const { return m_now; }
    /// Keys that the account may not read, since the last scan began.
    qint64 unreadable() const { return m_unreadable; }

private:
    using Words = QList<QByteArrayList>;

    std::optional<LockError> run(const Words &commands, QList<detail::RedisValue> *answers);
    std::optional<LockError> runOnce(const Words &commands, bool isNew, QList<detail::RedisValue> *answers);
    std::optional<LockError> readTypes(const QByteArrayList &names, QList<KeyFacts> *facts);
    std::optional<LockError> readSizes(QList<KeyFacts> *facts);
    std::optional<LockError> readMembers(QList<KeyFacts> *facts);
    std::optional<LockError> dropLong(QList<KeyFacts> *facts);
    std::optional<LockError> readValues(QList<KeyFacts> *facts);
    std::optional<LockError> readBeside(QList<KeyLock> *locks);
    bool isHeld(const KeyLock &lock, const KeyHolder &holder);

    const QList<KeyConvention> m_conventions;
    const QRegularExpression m_names; ///< of any of them
    detail::RedisPool m_pool;
    ServerTime m_now{};
    int m_roundTrips = 0;
    std::chrono::steady_clock::duration m_waited{}; ///< for answers
    qint64 m_unreadable = 0;
};

} // namespace lockscope
