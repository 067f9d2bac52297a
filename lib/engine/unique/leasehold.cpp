// SPDX-License-Identifier: MIT
// How a lease is renewed.
#include "leasehold_p.h"

#include "engine/core/renewal_p.h"
#include "engine/core/watchdog_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

/// How long a renewal waits for a row, and how often one does, so that all others have nine tenths of the time.
constexpr std::chrono::milliseconds kMoment = 100ms;
constexpr Duration kBetweenMoments = 1s;

Params renewParams(const LeaseHold &hold, Duration ttl)
{
    return Params()
        .bytes("resource", hold.resource)
        .number("slot", qint64(0))
        .number("token", hold.token)
        .lockName("presence", hold.presence())
        .lockName("former", hold.former())
        .microseconds("ttl", ttlValue(ttl));
}

bool wasLocked(const LeaseHold &hold)
{
    const auto error = hold.lastError();
    return error && (error->kind == LockError::Kind::Contention || error->kind == LockError::Kind::Interrupted);
}

/// Goes before a renewal of the service thread, and ends its packet when the row is locked: a stranger may keep it so,
/// and the renewals of other leases must not wait for that. A row that others lock all the time, for an instant each,
/// would never be found free; so after a refusal the renewal takes a place in the line, now and then.
QByteArray probe(EngineCore &core, const LeaseHold &hold, ReconnectingSession &link)
{
    auto row = Params().bytes("resource", hold.resource).number("slot", qint64(0));
    const auto now = LeaseClock::now();
    if (!wasLocked(hold) || now < core.mysql().nextMoment)
        return link.render("engine/renew_try", row) + "; ";
    core.mysql().nextMoment = now + kBetweenMoments;
    return link.render("engine/renew_wait", row.number("milliseconds", qint64(kMoment.count()))) + "; ";
}

/// Sends one renewal behind `probe`, if any, with hold.renewing held. Nothing = the server did not answer properly;
/// false = the lease is gone. One that gives the lease another name frees the former one in the same packet, if it goes
/// over the keeper's session, which has it.
std::optional<bool> renewOnServer(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<LeaseHold> &self,
                                  ReconnectingSession &link, Duration ttl, const QByteArray &probe = {})
{
    LeaseHold &hold = *self;
    LockError error;
    if (!link.session(&error)) {
        hold.setLastError(error);
        return std::nullopt;
    }
    // One that comes after the next would move the end that the next has set.
    if (!core->mysql().endSession(link, hold.brokenSession))
        return std::nullopt;
    hold.brokenSession = 0;
    // The server renews what nobody has taken, whatever its clock says; so a holder whose time is over must not ask.
    if (!hold.isHeld())
        return std::nullopt;
    const quint64 session = link.sessionNumber();
    QByteArray packet = probe + link.render("engine/renew", renewParams(hold, ttl));
    const QByteArray former = hold.former();
    if (!former.isEmpty())
        packet += "; " + link.render("engine/unwait", Params().lockName("name", former));
    const auto sentAt = LeaseClock::now();
    const auto end = bringForward(core, self, deadlineFrom(sentAt, ttl));
    const Reply reply = link.run(packet, "engine/renew");
    hold.setLastError(reply.error);
    const std::size_t before = probe.isEmpty() ? 0 : 1;
    if (!reply) {
        const bool isLost = reply.error->kind == LockError::Kind::ConnectionLost;
        if (isLost)
            hold.brokenSession = session;
        if (!isLost && reply.sets.size() <= before)
            hold.setDeadline(end, hold.ttl()); // not even its first statement was
        return std::nullopt;
    }
    const QVariantList answer = reply.set(int(before) + 1).rows.value(0);
    if (!answer.value(0).toBool())
        return false;
    hold.setDeadline(deadlineFrom(sentAt, ttl), ttl);
    if (!former.isEmpty()) {
        hold.setPresence(hold.presence());
        core->mysql().keeper.drop(former); // whoever waits for it looks, and sees the new end
    }
    if (!answer.value(1).toBool())
        core->mysql().keeper.checkSession(); // its session was killed; the lease lives on and gets its presence again
    return true;
}

/// For a lease that is cut short, see Hold::presence().
bool rename(EngineCore &core, LeaseHold &hold)
{
    LockError error;
    QByteArray name = core.mysql().keeper.take(&error);
    if (name.isEmpty()) {
        hold.setLastError(error);
        return false;
    }
    hold.setPresence(std::move(name), hold.presence());
    return true;
}

} // namespace

LeaseHold::LeaseHold(const std::shared_ptr<EngineCore> &core, const LockRequest &request, QByteArray ownerJson)
    : Hold(core, core->config.namePrefix.size(), request, std::move(ownerJson))
    , holdAtLeast(request.holdAtLeast)
{
}

Duration LeaseHold::keepInterval() const
{
    const Duration current = ttl();
    return isChecked(*this, current) ? intervalOf(current) : Forever;
}

void LeaseHold::keep(const std::shared_ptr<EngineCore> &core)
{
    const auto self = std::static_pointer_cast<LeaseHold>(shared_from_this());
    checkInTime(core, self, Forever); // also when the renewal finds no answer in time
    if (!isChecked(*this, ttl()))
        return;
    core->mysql().service.post([core, self](ReconnectingSession &link) {
        const std::unique_lock locked(self->renewing, std::try_to_lock); // this thread waits for no renewal by hand
        const Duration current = self->ttl();
        if (!isChecked(*self, current))
            return;
        const auto renewed =
            locked ? renewOnServer(core, self, link, current, probe(*core, *self, link)) : std::nullopt;
        if (renewed == std::optional(false))
            core->timer.post([core, self](ReconnectingSession &) { notifyLoss(core, self, LossReason::TakenOver); });
        else
            checkInTime(core, self, renewed ? intervalOf(current) : soonAfter(intervalOf(current)));
    });
}

void LeaseHold::letGo(EngineCore &core, LossReason reason)
{
    core.mysql().keeper.drop(presence());
    core.mysql().keeper.drop(former());
    const auto event =
        Params()
            .text("kind", QStringLiteral("lost"))
            .bytes("resource", resource)
            .number("slot", qint64(0))
            .number("token", token)
            .bytes("owner", owner)
            .text("reason",
                  reason == LossReason::TakenOver ? QStringLiteral("the row belongs to another token")
                                                  : QStringLiteral("the deadline passed without a renewal"));
    core.mysql().service.post([event](ReconnectingSession &link) { link.run("engine/event", event); });
}

RenewOutcome LeaseHold::renew(const std::shared_ptr<EngineCore> &core, Duration ttl)
{
    // One at a time, or an answer that comes late would set a deadline that is not the row's any more.
    const std::lock_guard lock(renewing);
    const auto hold = std::static_pointer_cast<LeaseHold>(shared_from_this());
    if (!hold->isHeld())
        return RenewOutcome::NotHeld;
    if (deadlineFrom(LeaseClock::now(), ttl) < hold->deadline() && hold->former().isEmpty() && !rename(*core, *hold))
        return RenewOutcome::Failed;
    std::optional<bool> renewed;
    const auto renew = [&](ReconnectingSession &link) {
        renewed = renewOnServer(core, hold, link, ttl);
        const auto error = renewed ? std::nullopt : hold->lastError();
        if (error && error->kind == LockError::Kind::ConnectionLost)
            renewed = renewOnServer(core, hold, link, ttl); // guarded by the token: sending it twice is harmless
    };
    hold->former().isEmpty() ? core->mysql().runQuick(renew) : core->mysql().keeper.thread().run(renew);
    if (!renewed) {
        checkInTime(core, hold, soonAfter(intervalOf(hold->ttl()))); // its end may have come nearer on the server, too
        return hold->isHeld() ? RenewOutcome::Failed : RenewOutcome::NotHeld;
    }
    if (!*renewed) {
        notifyLoss(core, hold, LossReason::TakenOver);
        return RenewOutcome::NotHeld;
    }
    watch(core, hold); // the new TTL may need earlier renewals than the one that is planned
    return hold->isHeld() ? RenewOutcome::Renewed : RenewOutcome::NotHeld; // it may have ended before its answer came
}

QByteArray LeaseHold::presence() const
{
    const std::lock_guard lock(m_mutex);
    return m_presence;
}

QByteArray LeaseHold::former() const
{
    const std::lock_guard lock(m_mutex);
    return m_former;
}

void LeaseHold::setPresence(QByteArray name, QByteArray formerName)
{
    const std::lock_guard lock(m_mutex);
    m_presence = std::move(name);
    m_former = std::move(formerName);
}

} // namespace lockscope::detail
