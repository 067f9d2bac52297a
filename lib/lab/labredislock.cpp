// SPDX-License-Identifier: MIT
// Ways to lock on one Redis as textbooks show or warn of them, as they are written there. Their faults are the point;
// none of this is the engine.
#include "labevent.h"
#include "labpolling.h"
#include "labredis.h"
#include "labstores.h"

#include <QtCore/QDateTime>
#include <QtCore/QUuid>

#include <thread>

namespace lockscope {

using detail::RedisReply;
using detail::RedisValue;
using namespace std::chrono_literals;

RedisLock::RedisLock(const LabShared &shared)
    : m_shared(shared)
    , m_session(shared.target)
    , m_self(QUuid::createUuid().toByteArray(QUuid::WithoutBraces))
{
}

const QByteArray RedisLock::kDeleteOwn =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

namespace {

constexpr auto kPollEvery = 5ms;

bool isOk(const RedisReply &reply)
{
    return !reply.error && reply.value.bytes == "OK";
}

bool isOne(const RedisReply &reply)
{
    return !reply.error && reply.value.integer == 1;
}

/// On one node, asked again and again.
class PolledRedisLock : public RedisLock
{
public:
    explicit PolledRedisLock(const LabShared &shared)
        : RedisLock(shared)
        , m_redis(nodes().addresses.constFirst(), nodes().password)
    {
    }

    Entry enter(const QByteArray &resource, Duration wait, const std::stop_token &stop) override
    {
        m_key = keyOf(resource);
        return pollForLock(
            wait, stop, [this](bool *isOurs) { return tryOnce(isOurs); }, [this] { rest(); });
    }

protected:
    virtual std::optional<LockError> tryOnce(bool *isOurs) = 0;
    virtual void rest() { std::this_thread::sleep_for(kPollEvery); }
    RedisReply run(const QByteArrayList &words) { return m_redis.run(words); }
    const QByteArray &key() const { return m_key; }

private:
    LabRedis m_redis;
    QByteArray m_key;
};

/// Two commands, between which it may die; and whoever releases does not look whose it is.
class SetnxLock : public PolledRedisLock
{
public:
    using PolledRedisLock::PolledRedisLock;

    bool leave() override { return isOne(run({"DEL", key()})); }

protected:
    std::optional<LockError> tryOnce(bool *isOurs) override
    {
        const RedisReply set = run({"SETNX", key(), self()});
        if (!isOne(set))
            return set.error;
        tellHalfway();
        const auto seconds = std::max<std::chrono::seconds>(1s, std::chrono::ceil<std::chrono::seconds>(plan().ttl));
        setHeldUntil(LabEvent::now() + Duration(seconds).count());
        const RedisReply expire = run({"EXPIRE", key(), QByteArray::number(seconds.count())});
        *isOurs = isOne(expire);
        return expire.error;
    }
};

/// Of clients whose clocks decide.
class GetsetLock : public PolledRedisLock
{
public:
    using PolledRedisLock::PolledRedisLock;

    bool leave() override
    {
        const RedisReply deadline = run({"GET", key()});
        const bool isPast = deadline.error || deadline.value.number() < QDateTime::currentMSecsSinceEpoch();
        return !isPast && isOne(run({"DEL", key()})); // looked at before, and maybe another's by now
    }

protected:
    std::optional<LockError> tryOnce(bool *isOurs) override
    {
        setHeldUntil(LabEvent::now() + plan().ttl.count());
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        const QByteArray ours = QByteArray::number(now + plan().ttl / 1ms);
        const RedisReply set = run({"SETNX", key(), ours});
        *isOurs = isOne(set);
        if (*isOurs || set.error)
            return set.error;
        const RedisReply seen = run({"GET", key()});
        if (seen.error || seen.value.type == RedisValue::Type::Nil || seen.value.number() > now)
            return seen.error;
        const RedisReply before = run({"GETSET", key(), ours}); // also when another was quicker: then its end has moved
        *isOurs =
            !before.error && (before.value.type == RedisValue::Type::Nil || before.value.bytes == seen.value.bytes);
        return before.error;
    }
};

class SetLock : public PolledRedisLock
{
public:
    using PolledRedisLock::PolledRedisLock;

    bool leave() override { return isOne(run({"EVAL", kDeleteOwn, "1", key(), self()})); }

protected:
    std::optional<LockError> tryOnce(bool *isOurs) override
    {
        setHeldUntil(LabEvent::now() + plan().ttl.count());
        const RedisReply set = run({"SET", key(), self(), "NX", "PX", ttlInMilliseconds()});
        *isOurs = isOk(set);
        return set.error;
    }
};

/// All who wait hear of a release, and try at once; nobody tells that a lock has ended by itself.
class WakeLock : public SetLock
{
public:
    explicit WakeLock(const LabShared &shared)
        : SetLock(shared)
        , m_news(nodes().addresses.constFirst(), nodes().password)
    {
    }

    Entry enter(const QByteArray &resource, Duration wait, const std::stop_token &stop) override
    {
        const Entry entry = SetLock::enter(resource, wait, stop);
        LockError ignored;
        if (detail::RedisConnection *connection = m_isListening ? m_news.get(&ignored) : nullptr)
            connection->send({"UNSUBSCRIBE"});
        m_isListening = false;
        return entry;
    }

    bool leave() override
    {
        static const QByteArray deleteAndTell = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end "
                                                "redis.call('DEL', KEYS[1]) "
                                                "redis.call('PUBLISH', ARGV[2], 'free') return 1";
        return isOne(run({"EVAL", deleteAndTell, "1", key(), self(), channel()}));
    }

protected:
    /// The first time it only begins to listen: then nothing between a try and the next one is missed.
    void rest() override
    {
        constexpr auto anew = 100ms; // for what has ended by itself
        LockError ignored;
        detail::RedisConnection *connection = m_news.get(&ignored);
        if (!connection) {
            std::this_thread::sleep_for(kPollEvery);
        } else if (!m_isListening) {
            m_isListening = hasSubscribed(*connection);
        } else {
            connection->receive(QDeadlineTimer(anew));
            m_isListening = !connection->isGone();
        }
    }

private:
    QByteArray channel() const { return key() + ":free"; }

    /// Behind what is left of the last time.
    bool hasSubscribed(detail::RedisConnection &connection) const
    {
        if (!connection.send({"SUBSCRIBE", channel()}))
            return false;
        const QDeadlineTimer deadline(1s);
        while (const auto value = connection.receive(deadline)) {
            if (value->items.value(0).bytes == "subscribe")
                return true;
        }
        return false;
    }

    LabRedis m_news; ///< as long as it listens, it can do nothing else
    bool m_isListening = false;
};

} // namespace

std::unique_ptr<LabLock> makeRedisLock(const LabShared &shared)
{
    switch (shared.plan.way) {
    case LabWay::RedisSetnx:
        return std::make_unique<SetnxLock>(shared);
    case LabWay::RedisGetset:
        return std::make_unique<GetsetLock>(shared);
    case LabWay::RedisSet:
        return std::make_unique<SetLock>(shared);
    case LabWay::RedisWake:
        return std::make_unique<WakeLock>(shared);
    case LabWay::Redlock:
        return makeRedlock(shared);
    default:
        return nullptr;
    }
}

std::shared_ptr<LockStore> makeRedisStore(const LabPlan & /*plan*/, const LabNodeAccess &nodes, int maxConnections)
{
    RedisConfig config;
    config.server.socket = nodes.addresses.constFirst();
    config.password = nodes.password;
    config.maxConnections = maxConnections;
    config.namesRisks = false; // the plan says what the node keeps
    return std::make_shared<RedisStore>(config);
}

} // namespace lockscope
