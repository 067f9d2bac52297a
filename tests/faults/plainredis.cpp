// SPDX-License-Identifier: MIT
#include "plainredis.h"

#include "lockscope/redisstore.h"
#include "stores/redis/redispool.h"

#include <QtCore/QUuid>

using namespace std::chrono_literals;

namespace lockscope::faults {

namespace {

constexpr auto kAskEvery = 5ms;

QByteArray milliseconds(Duration span)
{
    return QByteArray::number(qint64(std::chrono::duration_cast<std::chrono::milliseconds>(span).count()));
}

LockError refused()
{
    LockError error;
    error.message = QStringLiteral("A plain lock on Redis cannot do that.");
    return error;
}

class PlainRedis : public LockStore
{
public:
    explicit PlainRedis(RedisConfig config)
        : m_pool(std::move(config))
    {
    }

    Traits traits() const override
    {
        Traits traits;
        traits.name = QStringLiteral("SET NX");
        traits.ttlStep = 1ms;
        traits.hasForever = traits.hasMinimumHold = traits.hasToken = false;
        return traits;
    }

    std::optional<LockError> validate() const override { return std::nullopt; }
    std::optional<LockError> connect(const Owner & /*owner*/, const Listener & /*listener*/) override
    {
        return m_pool.use([](detail::RedisConnection &) {});
    }
    void close() override { m_pool.close(); }

    Grant acquire(const Ask &ask, StoreWait &wait) override
    {
        const Lease lease{ask.resource, 0, QUuid::createUuid().toRfc4122().toHex()};
        for (;;) {
            const auto sentAt = LeaseClock::now();
            const auto reply =
                m_pool.runTwice({"SET", ask.resource, lease.place, "NX", "PX", milliseconds(ask.ttl)}, "faults/set");
            if (reply.error)
                return {Outcome::Unknown, {}, {}, reply.error};
            if (reply.value.bytes == "OK")
                return {Outcome::Granted, lease, sentAt + ask.ttl, {}};
            if (wait.isTry())
                return {Outcome::Busy, {}, {}, {}};
            wait.sleepUntil(StoreWait::Clock::now() + kAskEvery, [] { return false; });
            if (wait.isOver())
                return {wait.isCancelled() ? Outcome::Cancelled : Outcome::TimedOut, {}, {}, {}};
        }
    }

    Renewal renew(const Lease &lease, Duration ttl) override
    {
        const auto sentAt = LeaseClock::now();
        const auto reply = ifMine(lease, "'PEXPIRE', KEYS[1], ARGV[2]", milliseconds(ttl));
        if (reply.error)
            return {RenewOutcome::Failed, {}, reply.error};
        return {reply.value.integer == 1 ? RenewOutcome::Renewed : RenewOutcome::NotHeld, sentAt + ttl, {}};
    }

    Release release(const Lease &lease, Duration /*keptFor*/) override
    {
        const auto reply = ifMine(lease, "'DEL', KEYS[1]", {});
        if (reply.error)
            return {ReleaseOutcome::Unknown, reply.error};
        return {reply.value.integer == 1 ? ReleaseOutcome::Released : ReleaseOutcome::NotHeld, {}};
    }

    RequestResult requestRelease(const QByteArray & /*resource*/, const QString & /*reason*/) override
    {
        return {RequestOutcome::Failed, {}, refused()};
    }
    HeldLeases heldLeases(const QByteArray & /*prefix*/, const std::stop_token & /*stop*/) override
    {
        return {{}, refused()};
    }
    ForcedRelease forceRelease(const QByteArray & /*resource*/, quint64 /*token*/, const QString & /*operatorName*/,
                               const QString & /*reason*/) override
    {
        return {ForcedRelease::Outcome::Failed, refused()};
    }

private:
    detail::RedisReply ifMine(const Lease &lease, const QByteArray &command, const QByteArray &argument)
    {
        const QByteArray script =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call(" + command + ") end return 0";
        return m_pool.runTwice({"EVAL", script, "1", lease.resource, lease.place, argument}, "faults/eval");
    }

    detail::RedisPool m_pool;
};

} // namespace

std::shared_ptr<LockStore> makePlainRedis(const QString &url)
{
    RedisConfig config;
    QString error;
    if (!RedisUrl::parse(url, &config.server, &error))
        qFatal("%ls", qUtf16Printable(error));
    return std::make_shared<PlainRedis>(config);
}

} // namespace lockscope::faults
