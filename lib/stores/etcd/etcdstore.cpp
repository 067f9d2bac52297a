// SPDX-License-Identifier: MIT
#include "lockscope/etcdstore.h"

#include "etcderror.h"
#include "etcdleases.h"
#include "etcdlink.h"
#include "etcdrequest.h"

#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

using namespace detail;

/// etcd's shortest one with the election time-out that it has unless it is told another.
constexpr std::chrono::seconds kShortestTtl{2};

LockError badConfig(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message = message;
    return error;
}

} // namespace

class EtcdStore::Private
{
public:
    explicit Private(EtcdConfig config)
        : link(std::move(config))
    {
    }

    EtcdMove changeTtl(const Lease &held, EtcdKeeping *keeping, std::chrono::seconds ttl);
    Renewal lost(const Lease &held, const EtcdKeeping &keeping);

    EtcdLink link;
};

EtcdStore::EtcdStore(EtcdConfig config)
    : m_private(std::make_unique<Private>(std::move(config)))
{
}

EtcdStore::~EtcdStore() = default;

LockStore::Traits EtcdStore::traits() const
{
    Traits traits;
    traits.name = u"etcd"_s;
    traits.shortestTtl = kShortestTtl;
    traits.ttlStep = std::chrono::seconds(1);
    traits.hasForever = false;
    traits.hasMinimumHold = false;
    return traits;
}

std::optional<LockError> EtcdStore::validate() const
{
    const EtcdConfig &config = m_private->link.client().config();
    EtcdUrl ignored;
    QString wrong;
    if (config.server.hosts.isEmpty() && config.server.sockets.isEmpty())
        return badConfig(u"EtcdConfig::server names neither a host nor a socket."_s);
    if (!config.server.hosts.isEmpty() && !config.server.sockets.isEmpty())
        return badConfig(u"EtcdConfig::server names hosts and sockets; it can be only one of them."_s);
    if (!EtcdUrl::parse(config.server.toString(), &ignored, &wrong))
        return badConfig(wrong);
    if (config.server.user.isEmpty() && !config.password.isEmpty())
        return badConfig(u"EtcdConfig has a password, and its URL no user that it belongs to."_s);
    if (config.connectTimeout.count() < 1 || config.answerTimeout.count() < 1)
        return badConfig(u"The time-outs of EtcdConfig must be positive."_s);
    return std::nullopt;
}

std::optional<LockError> EtcdStore::connect(const Owner &owner, const Listener &listener)
{
    if (auto refused = m_private->link.check(owner.session))
        return refused; // its thread would ask again and again
    m_private->link.start(owner.session, listener);
    return std::nullopt;
}

void EtcdStore::close()
{
    m_private->link.stop();
}

LockStore::Grant EtcdStore::acquire(const Ask &ask, StoreWait &wait)
{
    return EtcdRequest(m_private->link, ask, wait).run();
}

LockStore::Renewal EtcdStore::Private::lost(const Lease &held, const EtcdKeeping &keeping)
{
    link.forget(held);
    link.abandon(keeping, {});
    return {RenewOutcome::NotHeld, {}, {}};
}

/// Where the answer to a change was lost, it is settled, and if need be sent again, once. What that ends in says
/// nothing of the first one, which may have been carried out.
EtcdMove EtcdStore::Private::changeTtl(const Lease &held, EtcdKeeping *keeping, std::chrono::seconds ttl)
{
    EtcdMove move;
    for (int i = 0; i < 2; ++i) {
        move = link.settle(held.place, held.token, keeping);
        link.sawMail(held, move.mail);
        if (move.outcome == EtcdMove::Outcome::Done && keeping->lease.ttl != ttl) {
            move = link.move(held.place, held.token, ttl, keeping);
            link.sawMail(held, move.mail);
        }
        if (move.error && i > 0)
            move.error->kind = LockError::Kind::ConnectionLost;
        if (!move.error || !isEtcdLost(*move.error))
            break;
    }
    return move;
}

LockStore::Renewal EtcdStore::renew(const Lease &lease, Duration ttl)
{
    EtcdLink &link = m_private->link;
    auto keeping = link.keepingOf(lease);
    if (!keeping)
        return {RenewOutcome::NotHeld, {}, {}};
    const qint64 before = keeping->lease.id;
    const EtcdMove move = m_private->changeTtl(lease, &*keeping, std::chrono::duration_cast<std::chrono::seconds>(ttl));
    if (move.outcome == EtcdMove::Outcome::Gone)
        return m_private->lost(lease, *keeping);
    EtcdProof proof = move.error ? EtcdProof{EtcdProof::Outcome::Unclear, {}, {}, move.error}
                                 : link.prove(lease.place, lease.token, &keeping->lease);
    const bool isAlive = proof.outcome == EtcdProof::Outcome::Alive;
    const auto deadline = isAlive ? proof.deadline : LeaseClock::time_point();
    if (proof.outcome == EtcdProof::Outcome::Gone || !link.keep(lease, *keeping, deadline))
        return m_private->lost(lease, *keeping);
    link.sawMail(lease, proof.mail);
    if (isAlive)
        return {RenewOutcome::Renewed, proof.deadline, {}};
    if (proof.error && keeping->lease.id != before) // it has the other TTL, whatever came of the proof
        proof.error->kind = LockError::Kind::ConnectionLost;
    return {RenewOutcome::Failed, {}, proof.error};
}

LockStore::Release EtcdStore::release(const Lease &lease, Duration /*keptFor*/)
{
    EtcdLink &link = m_private->link;
    const auto own = link.forget(lease);
    if (!own && link.isAbandoned(lease.place))
        return {ReleaseOutcome::Unknown, etcdLost(u"etcd cannot be reached."_s, "etcd/kv/txn")};
    if (!own)
        return {ReleaseOutcome::NotHeld, {}};
    const EtcdReply reply =
        link.client().change({{u"compare"_s, QJsonArray{compareCreated(lease.place, qint64(lease.token))}},
                              {u"success"_s, QJsonArray{deleteOp(lease.place), deleteOp(link.mailOf(lease.token))}}});
    if (reply.error) {
        link.abandon(*own, lease.place);
        return {ReleaseOutcome::Unknown, reply.error};
    }
    link.giveBack(*own);
    const bool isReleased = reply.body["succeeded"_L1].toBool();
    return {isReleased ? ReleaseOutcome::Released : ReleaseOutcome::NotHeld, {}};
}

RequestResult EtcdStore::requestRelease(const QByteArray &resource, const QString &reason)
{
    return askForRelease(m_private->link.client(), resource, reason);
}

HeldLeases EtcdStore::heldLeases(const QByteArray &prefix, const std::stop_token &stop)
{
    return readHeldLeases(m_private->link.client(), prefix, stop);
}

/// There is no record of it: etcd keeps none.
ForcedRelease EtcdStore::forceRelease(const QByteArray &resource, quint64 token, const QString & /*operatorName*/,
                                      const QString & /*reason*/)
{
    return endByForce(m_private->link.client(), resource, token);
}

} // namespace lockscope
