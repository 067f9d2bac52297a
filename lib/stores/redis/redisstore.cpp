// SPDX-License-Identifier: MIT
#include "lockscope/redisstore.h"

#include "rediserror.h"
#include "redisleases.h"
#include "redisrequest.h"
#include "redisreturns.h"

#include <QtCore/QLoggingCategory>

#include <atomic>
#include <utility>

namespace lockscope {

namespace {

using namespace detail;

Q_LOGGING_CATEGORY(redisLog, "lockscope.redis", QtWarningMsg)

LockError badConfig(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message = message;
    return error;
}

/// Says what a crash may take. Whether each write goes to the disk can only be read with a right that no engine needs.
void nameRisks(RedisConnection &connection)
{
    const RedisReply reply = connection.run({"CONFIG", "GET", "appendfsync"}, "redis/config");
    const QByteArray appendfsync = reply.error ? QByteArray() : reply.value.items.value(1).bytes;
    for (const QString &risk : risksOf(connection.info(), appendfsync))
        qCWarning(redisLog, "%s", qUtf8Printable(risk));
}

} // namespace

class RedisStore::Private
{
public:
    explicit Private(RedisConfig configured)
        : config(std::move(configured))
        , pool(config)
        , scripts(pool)
        , returns(scripts)
        , mail(config)
    {
        pool.setOnOpened([this](const RedisConnectionId &connection) { mail.follow(connection); });
        pool.setOnDemoted([this](const RedisConnectionId &connection) { mail.leave(connection); });
        mail.setOnUnwanted([this](const QByteArray &resource, const QByteArray &id) { returns.add(resource, id); });
    }

    const RedisConfig config;
    RedisPool pool;
    const RedisScripts scripts;
    RedisReturns returns;
    RedisMail mail;
    QByteArray session;
    std::atomic<quint64> requests = 0;
};

RedisStore::RedisStore(RedisConfig config)
    : m_private(std::make_unique<Private>(std::move(config)))
{
}

RedisStore::~RedisStore() = default;

LockStore::Traits RedisStore::traits() const
{
    Traits traits;
    traits.name = QStringLiteral("Redis");
    traits.ttlStep = std::chrono::milliseconds(1);
    return traits;
}

std::optional<LockError> RedisStore::validate() const
{
    const RedisConfig &config = m_private->config;
    if (config.server.host.isEmpty() && config.server.socket.isEmpty())
        return badConfig(QStringLiteral("RedisConfig::server names neither a host nor a socket."));
    if (config.maxConnections < 1)
        return badConfig(QStringLiteral("RedisConfig::maxConnections must be at least 1."));
    if (config.connectTimeout.count() < 1 || config.answerTimeout.count() < 1)
        return badConfig(QStringLiteral("The time-outs of RedisConfig must be positive."));
    return std::nullopt;
}

std::optional<LockError> RedisStore::connect(const Owner &owner, const Listener &listener)
{
    m_private->session = owner.session;
    m_private->pool.setName("lockscope:" + owner.session);
    const auto greet = [this](RedisConnection &connection) {
        if (m_private->config.namesRisks)
            nameRisks(connection);
    };
    if (auto error = m_private->pool.use(greet))
        return error;
    const RedisAnswer probe = m_private->scripts.runTwice("probe", "lockscope probe " + owner.session, {owner.session});
    if (!probe)
        return probe.error;
    if (probe.code == 0)
        return withoutRight(probe.bytes(0), probe.bytes(1));
    return m_private->mail.start(owner.session, listener);
}

void RedisStore::close()
{
    m_private->mail.stop();
    m_private->returns.stop();
    m_private->pool.close();
}

LockStore::Grant RedisStore::acquire(const Ask &ask, StoreWait &wait)
{
    RedisRequest request(m_private->scripts, m_private->mail, {m_private->session, m_private->requests}, ask, wait);
    const Grant grant = request.run();
    if (grant.outcome == Outcome::Unknown)
        m_private->returns.end(ask.resource, request.id(), request.lost());
    return grant;
}

LockStore::Renewal RedisStore::renew(const Lease &lease, Duration ttl)
{
    const auto sentAt = LeaseClock::now(); // also for a second try: earlier is only safer
    const RedisAnswer answer =
        m_private->scripts.runTwice("renew", lease.resource, renewalWords(lease.token, ttl, ++m_private->requests));
    if (!answer)
        return {RenewOutcome::Failed, {}, answer.error};
    if (answer.code == 0)
        return {RenewOutcome::NotHeld, {}, {}};
    return {RenewOutcome::Renewed, ttl == Forever ? LeaseClock::time_point::max() : sentAt + ttl, {}};
}

LockStore::Release RedisStore::release(const Lease &lease, Duration keptFor)
{
    const QByteArrayList arguments{QByteArray::number(lease.token), ttlText(keptFor)};
    RedisAnswer answer = m_private->scripts.run("release", lease.resource, arguments);
    const bool mayBeDone = answer.isLost();
    if (mayBeDone)
        answer = m_private->scripts.runTwice("release", lease.resource, arguments);
    if (!answer)
        return {mayBeDone ? ReleaseOutcome::Unknown : ReleaseOutcome::Failed, answer.error};
    return {answer.code == 1 || mayBeDone ? ReleaseOutcome::Released : ReleaseOutcome::NotHeld, {}};
}

RequestResult RedisStore::requestRelease(const QByteArray &resource, const QString &reason)
{
    return askForRelease(m_private->scripts, resource, reason);
}

HeldLeases RedisStore::heldLeases(const QByteArray &prefix, const std::stop_token &stop)
{
    return readHeldLeases(m_private->pool, m_private->scripts, prefix, stop);
}

ForcedRelease RedisStore::forceRelease(const QByteArray &resource, quint64 token, const QString &operatorName,
                                       const QString &reason)
{
    return endByForce(m_private->scripts, resource, token, operatorName, reason);
}

} // namespace lockscope
