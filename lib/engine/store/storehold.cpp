// SPDX-License-Identifier: MIT
#include "storehold_p.h"

#include "engine/core/renewal_p.h"
#include "engine/core/watchdog_p.h"
#include "storettl_p.h"

#include <thread>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;
using Kind = LockError::Kind;

/// A release that finds the store away tries again for so long, but not past the lease's own end.
constexpr auto kTriesFor = 10s;
constexpr auto kTriesAgain = 100ms;

bool isUnreachable(const std::optional<LockError> &error)
{
    return error && (error->kind == Kind::Unavailable || error->kind == Kind::ConnectionLost);
}

} // namespace

StoreHold::StoreHold(const std::shared_ptr<EngineCore> &core, LockStore &store,
                     std::shared_ptr<ConnectionThread> renewals, const LockRequest &request, QByteArray ownerJson,
                     LockStore::Lease lease)
    : Hold(core, core->config.namePrefix.size(), request, std::move(ownerJson))
    , m_store(store)
    , m_traits(store.traits())
    , m_renewals(std::move(renewals))
    , m_lease(std::move(lease))
    , m_holdAtLeast(request.holdAtLeast)
{
    token = m_lease.token;
}

Duration StoreHold::keepInterval() const
{
    const Duration current = ttl();
    return isChecked(*this, current) ? intervalOf(current) : Forever;
}

void StoreHold::keep(const std::shared_ptr<EngineCore> &core)
{
    const auto self = std::static_pointer_cast<StoreHold>(shared_from_this());
    checkInTime(core, self, Forever); // also when the renewal finds no answer in time
    if (!isChecked(*this, ttl()))
        return;
    m_renewals->post([core, self](ReconnectingSession &) {
        const std::unique_lock locked(self->m_renewing, std::try_to_lock); // waits for no renewal by hand
        const Duration current = self->ttl();
        if (!isChecked(*self, current) || core->isClosing())
            return;
        const auto outcome = locked ? self->renewInStore(core, current) : RenewOutcome::Failed;
        const Duration interval = intervalOf(current);
        if (outcome == RenewOutcome::NotHeld)
            core->timer.post([core, self](ReconnectingSession &) { notifyLoss(core, self, LossReason::TakenOver); });
        else
            checkInTime(core, self, outcome == RenewOutcome::Renewed ? interval : soonAfter(interval));
    });
}

/// With m_renewing held. One whose answer was lost may have been carried out, so its end counts if it is nearer.
RenewOutcome StoreHold::renewInStore(const std::shared_ptr<EngineCore> &core, Duration ttl)
{
    if (!isHeld())
        return RenewOutcome::Failed; // the watchdog tells why
    const auto end = bringForward(core, shared_from_this(), deadlineFrom(LeaseClock::now(), ttl));
    const LockStore::Renewal renewal = m_store.renew(m_lease, ttl);
    setLastError(renewal.error);
    if (renewal.outcome == RenewOutcome::Renewed)
        setDeadline(renewal.deadline, believedTtl(ttl, m_traits));
    else if (renewal.outcome == RenewOutcome::Failed && (!renewal.error || renewal.error->kind == Kind::BadRequest))
        setDeadline(end, this->ttl()); // nothing of it was
    return renewal.outcome;
}

RenewOutcome StoreHold::renew(const std::shared_ptr<EngineCore> &core, Duration ttl)
{
    const std::lock_guard lock(m_renewing);
    const auto self = shared_from_this();
    if (!isHeld())
        return RenewOutcome::NotHeld;
    if (auto wrong = validateTtl(ttl, m_traits)) {
        setLastError(std::move(wrong));
        return RenewOutcome::Failed;
    }
    const auto outcome = renewInStore(core, ttl);
    if (outcome == RenewOutcome::NotHeld) {
        notifyLoss(core, self, LossReason::TakenOver);
        return outcome;
    }
    if (outcome == RenewOutcome::Failed && isChecked(*this, ttl))
        checkInTime(core, self, soonAfter(intervalOf(ttl))); // its end may have come nearer
    else
        watch(core, self); // another end than the one that is planned for
    // It may have ended before its answer came.
    return isHeld() ? outcome : RenewOutcome::NotHeld;
}

Duration StoreHold::leftOfMinimum() const
{
    const auto held = std::chrono::duration_cast<Duration>(LeaseClock::now() - grantedAt);
    return std::max(Duration::zero(), m_holdAtLeast - held);
}

ReleaseOutcome StoreHold::release(EngineCore &core, bool /*keepsWork*/)
{
    const std::lock_guard lock(m_renewing);
    const auto giveUpAt = std::min(deadline(), LeaseClock::now() + kTriesFor);
    for (bool mayBeDone = false;;) {
        const LockStore::Release release = m_store.release(m_lease, leftOfMinimum());
        setLastError(release.error);
        if (release.outcome == ReleaseOutcome::NotHeld && mayBeDone)
            return ReleaseOutcome::Released;
        if (!isUnreachable(release.error) || core.isClosing() || LeaseClock::now() >= giveUpAt)
            return release.outcome;
        mayBeDone = mayBeDone || release.outcome == ReleaseOutcome::Unknown;
        std::this_thread::sleep_for(kTriesAgain);
    }
}

} // namespace lockscope::detail
