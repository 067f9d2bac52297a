// SPDX-License-Identifier: MIT
#include "lockscope/zookeeperstore.h"

#include "zookeepererror.h"
#include "zookeeperleases.h"
#include "zookeeperrequest.h"

#include <zookeeper/zookeeper.h>

#include <thread>
#include <utility>

namespace lockscope {

namespace {

using namespace detail;

LockError badConfig(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message = message;
    return error;
}

} // namespace

class ZooKeeperStore::Private
{
public:
    explicit Private(ZooKeeperConfig config)
        : link(std::move(config))
    {
    }

    Renewal prove(ZooKeeperSession &session, const Lease &lease, Duration ttl);

    ZooKeeperLink link;
};

ZooKeeperStore::ZooKeeperStore(ZooKeeperConfig config)
    : m_private(std::make_unique<Private>(std::move(config)))
{
}

ZooKeeperStore::~ZooKeeperStore() = default;

LockStore::Traits ZooKeeperStore::traits() const
{
    Traits traits;
    traits.name = QStringLiteral("ZooKeeper");
    traits.shortestTtl = m_private->link.config().sessionTimeout;
    traits.longestBelief = m_private->link.belief();
    traits.hasForever = false;
    traits.hasMinimumHold = false;
    return traits;
}

std::optional<LockError> ZooKeeperStore::validate() const
{
    const ZooKeeperConfig &config = m_private->link.config();
    if (config.server.hosts.isEmpty())
        return badConfig(QStringLiteral("ZooKeeperConfig::server names no host."));
    if (!config.server.isLocal() && !config.server.isPlainTextAgreed)
        return badConfig(QStringLiteral("ZooKeeperConfig::server is another machine, which is spoken to in plain text: "
                                        "that has to be agreed to (tls=off)."));
    if (config.server.user.isEmpty() && !config.password.isEmpty())
        return badConfig(QStringLiteral("ZooKeeperConfig has a password, and its URL no user that it belongs to."));
    if (auto refused = missingPassword(config))
        return refused;
    if (config.sessionTimeout < std::chrono::milliseconds(100) || config.sessionTimeout > std::chrono::hours(1))
        return badConfig(QStringLiteral("ZooKeeperConfig::sessionTimeout must be between 100 ms and an hour."));
    if (config.connectTimeout.count() < 1 || config.answerTimeout.count() < 1)
        return badConfig(QStringLiteral("The time-outs of ZooKeeperConfig must be positive."));
    return std::nullopt;
}

std::optional<LockError> ZooKeeperStore::connect(const Owner & /*owner*/, const Listener &listener)
{
    m_private->link.start(listener);
    LockError error;
    return m_private->link.session(&error) ? std::nullopt : std::optional(error);
}

void ZooKeeperStore::close()
{
    m_private->link.stop();
}

LockStore::Grant ZooKeeperStore::acquire(const Ask &ask, StoreWait &wait)
{
    return ZooKeeperRequest(m_private->link, ask, wait).run();
}

/// What confirms it is a transaction: one server's word for it may be old.
LockStore::Renewal ZooKeeperStore::Private::prove(ZooKeeperSession &session, const Lease &lease, Duration ttl)
{
    if (!session.waitConnected(link.config().connectTimeout) && !session.isOver())
        return {RenewOutcome::Failed, {}, zooKeeperOutOfReach()};
    const auto deadline = LeaseClock::now() + std::min(ttl, link.belief());
    ZooKeeperFlight flight(session);
    flight.check(lease.place);
    flight.get(lease.place, true);
    flight.wait();
    for (std::size_t i = 0; i < 2; ++i) {
        const int code = flight[i].code;
        if (code == ZNONODE || isSessionOver(code)) {
            link.forget(lease);
            return {RenewOutcome::NotHeld, {}, {}};
        }
        if (code != ZOK)
            return {RenewOutcome::Failed, {}, zooKeeperError(code, "zookeeper/renew")};
    }
    if (quint64(flight[1].token) != lease.token || !link.extend(lease, deadline))
        return {RenewOutcome::NotHeld, {}, {}};
    link.sawNode(lease.place, flight[1]);
    return {RenewOutcome::Renewed, deadline, {}};
}

/// It changes nothing at the server, so what was lost on the way is asked again.
LockStore::Renewal ZooKeeperStore::renew(const Lease &lease, Duration ttl)
{
    const auto session = m_private->link.sessionOf(lease);
    if (!session)
        return {RenewOutcome::NotHeld, {}, {}};
    const auto until = LeaseClock::now() + m_private->link.config().connectTimeout;
    for (;;) {
        const Renewal renewal = m_private->prove(*session, lease, ttl);
        const bool isLost = renewal.error && renewal.error->kind == LockError::Kind::ConnectionLost;
        if (!isLost || LeaseClock::now() >= until)
            return renewal;
        std::this_thread::sleep_for(kTryAgainAfter);
    }
}

LockStore::Release ZooKeeperStore::release(const Lease &lease, Duration /*keptFor*/)
{
    ZooKeeperLink &link = m_private->link;
    const auto session = link.forget(lease);
    if (!session && link.isAbandoned(lease.place))
        return {ReleaseOutcome::Unknown, zooKeeperOutOfReach()};
    if (!session)
        return {ReleaseOutcome::NotHeld, {}};
    ZooKeeperFlight flight(*session);
    flight.remove(lease.place, -1);
    flight.wait();
    const int code = flight[0].code;
    if (code == ZOK)
        return {ReleaseOutcome::Released, {}};
    if (code == ZNONODE || isSessionOver(code))
        return {ReleaseOutcome::NotHeld, {}};
    link.abandon(session, lease.place);
    return {ReleaseOutcome::Unknown, zooKeeperError(code, "zookeeper/remove")};
}

RequestResult ZooKeeperStore::requestRelease(const QByteArray &resource, const QString &reason)
{
    LockError error;
    const auto session = m_private->link.session(&error);
    return session ? askForRelease(*session, resource, reason) : RequestResult{RequestOutcome::Failed, {}, error};
}

HeldLeases ZooKeeperStore::heldLeases(const QByteArray &prefix, const std::stop_token &stop)
{
    LockError error;
    const auto session = m_private->link.session(&error);
    return session ? readHeldLeases(*session, prefix, stop) : HeldLeases{{}, error};
}

/// There is no record of it: ZooKeeper keeps none.
ForcedRelease ZooKeeperStore::forceRelease(const QByteArray &resource, quint64 token, const QString & /*operatorName*/,
                                           const QString & /*reason*/)
{
    LockError error;
    const auto session = m_private->link.session(&error);
    return session ? endByForce(*session, resource, token) : ForcedRelease{ForcedRelease::Outcome::Failed, error};
}

} // namespace lockscope
