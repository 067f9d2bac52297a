// SPDX-License-Identifier: MIT
#include "storebackend_p.h"

#include "engine/core/watchdog_p.h"
#include "lockscope/acquireresult.h"
#include "session/validation_p.h"
#include "storehold_p.h"
#include "storettl_p.h"

namespace lockscope::detail {

namespace {

/// A waiting request's place among those that the engine's end cancels.
class Waiting
{
public:
    Waiting(EngineCore &core, const LockRequest &request)
        : m_core(core)
        , m_wait(std::make_shared<Wait>(Wait::endOf(request.wait)))
        , m_onStop(request.stop, [wait = m_wait] { wait->cancel(); })
    {
        m_core.addWait(m_wait);
    }
    ~Waiting() { m_core.removeWait(m_wait); }
    Waiting(const Waiting &) = delete;
    Waiting &operator=(const Waiting &) = delete;

    const std::shared_ptr<Wait> &wait() const { return m_wait; }

private:
    EngineCore &m_core;
    const std::shared_ptr<Wait> m_wait;
    const std::stop_callback<std::function<void()>> m_onStop;
};

} // namespace

StoreBackend::StoreBackend(EngineCore &core, LockStore &store)
    : m_core(core)
    , m_store(store)
    , m_traits(store.traits())
    , m_renewals(std::make_shared<ConnectionThread>(SessionTarget()))
{
}

std::optional<LockError> StoreBackend::validate(const LockRequest &request) const
{
    if (request.mode != Mode::Unique)
        return notWithoutMySql(QStringLiteral("A pessimistic lock"));
    if (request.holdAtLeast > Duration::zero() && !m_traits.hasMinimumHold)
        return badRequest(QStringLiteral("A minimum hold time is not possible in %1.").arg(m_traits.name));
    return validateTtl(request.ttl, m_traits);
}

std::optional<LockError> StoreBackend::check()
{
    LockStore::Listener listener;
    listener.onLost = [weak = m_core.weak_from_this()](const LockStore::Lease &lease, LossReason reason) {
        const auto core = weak.lock();
        const auto hold = core ? core->findHold(Mode::Unique, lease.resource, lease.token) : nullptr;
        if (hold) // not in the store's thread, which what it has to tell may wait for
            core->timer.post([core, hold, reason](ReconnectingSession &) { notifyLoss(core, hold, reason); });
    };
    listener.onAsked = [weak = m_core.weak_from_this()](const LockStore::Lease &lease, const QString &reason) {
        if (const auto core = weak.lock())
            core->tellReleaseRequest(Mode::Unique, lease.resource, lease.token, reason);
    };
    return m_store.connect(m_core.owner, listener);
}

AcquireResult StoreBackend::acquire(const LockRequest &request, QByteArray owner)
{
    const Waiting waiting(m_core, request);
    StoreWait wait(waiting.wait(), request.wait == Duration::zero());
    const LockStore::Ask ask{request.resource, owner, request.note, request.ttl};
    const LockStore::Grant grant = m_store.acquire(ask, wait);
    if (grant.outcome != Outcome::Granted)
        return {grant.outcome, {}, grant.error};
    const auto core = m_core.shared_from_this();
    auto hold = std::make_shared<StoreHold>(core, m_store, m_renewals, request, std::move(owner), grant.lease);
    hold->setDeadline(grant.deadline, believedTtl(request.ttl, m_traits));
    core->addHold(hold);
    watch(core, hold);
    return {Outcome::Granted, LockHandle(std::move(hold)), {}};
}

RequestResult StoreBackend::requestRelease(Mode mode, const QByteArray &resource, const QString &reason)
{
    if (mode != Mode::Unique)
        return {RequestOutcome::Failed, {}, notWithoutMySql(QStringLiteral("A pessimistic lock"))};
    return m_store.requestRelease(resource, reason);
}

HeldLeases StoreBackend::heldLeases(const LeaseSelection &selection, const std::stop_token &stop)
{
    const QByteArray &prefix = m_core.config.namePrefix;
    HeldLeases found = m_store.heldLeases(prefix + selection.prefix, stop);
    found.leases.removeIf([&](const HeldLease &lease) { return !isMeant(selection, lease.owner); });
    for (HeldLease &lease : found.leases)
        lease.resource.remove(0, prefix.size());
    return found;
}

ForcedRelease StoreBackend::endLease(const LeaseId &lease, const ReleaseNote &note)
{
    return m_store.forceRelease(lease.resource, lease.token, note.operatorName, note.reason);
}

void StoreBackend::stop()
{
    m_renewals->stop();
    m_store.close();
}

} // namespace lockscope::detail
