// Renewal of held leases and the news of their loss.
#include "enginecore_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

/// A lease without end is looked at this often, so that its holder learns of a force release.
constexpr Duration kForeverCheck = 30s;
/// How long a renewal waits for a row, and how often one does, so that all others have nine tenths of the time.
constexpr std::chrono::milliseconds kMoment = 100ms;
constexpr Duration kBetweenMoments = 1s;

Params renewParams(const Hold &hold, Duration ttl)
{
    return Params()
        .bytes("resource", hold.resource)
        .number("slot", qint64(0))
        .number("token", hold.token)
        .lockName("presence", hold.presence())
        .lockName("former", hold.former())
        .microseconds("ttl", ttlValue(ttl));
}

bool wasLocked(const Hold &hold)
{
    const auto error = hold.lastError();
    return error && (error->kind == LockError::Kind::Contention || error->kind == LockError::Kind::Interrupted);
}

/// Goes before a renewal of the service lane, and ends its packet when the row is locked: a stranger may keep it so,
/// and the renewals of other leases must not wait for that. A row that others lock all the time, for an instant each,
/// would never be found free; so after a refusal the renewal takes a place in the line, now and then.
QByteArray probe(EngineCore &core, const Hold &hold, Link &link)
{
    auto row = Params().bytes("resource", hold.resource).number("slot", qint64(0));
    const auto now = LeaseClock::now();
    if (!wasLocked(hold) || now < core.nextMoment)
        return link.render("engine/renew_try", row) + "; ";
    core.nextMoment = now + kBetweenMoments;
    return link.render("engine/renew_wait", row.number("milliseconds", qint64(kMoment.count()))) + "; ";
}

/// Sends one renewal behind `probe`, if any, with hold.renewing held. Nothing = the server did not answer properly;
/// false = the lease is gone. One that gives the lease another name frees the former one in the same packet, if it goes
/// over the keeper's session, which has it.
std::optional<bool> renewOnServer(EngineCore &core, Hold &hold, Link &link, Duration ttl, const QByteArray &probe = {})
{
    LockError error;
    if (!link.session(&error)) {
        hold.setLastError(error);
        return std::nullopt;
    }
    // One that comes after the next would move the end that the next has set.
    if (!core.endConnection(link, hold.brokenConnection))
        return std::nullopt;
    hold.brokenConnection = 0;
    // The server renews what nobody has taken, whatever its clock says; so a holder whose time is over must not ask.
    if (!hold.isHeld())
        return std::nullopt;
    const quint64 connection = link.connectionId();
    QByteArray packet = probe + link.render("engine/renew", renewParams(hold, ttl));
    const QByteArray former = hold.former();
    if (!former.isEmpty())
        packet += "; " + link.render("engine/unwait", Params().lockName("name", former));
    const auto sentAt = LeaseClock::now();
    const Reply reply = link.run(packet, "engine/renew");
    hold.setLastError(reply.error);
    const std::size_t before = probe.isEmpty() ? 0 : 1;
    if (!reply) {
        // It, or its first statement, may have been carried out.
        const bool isLost = reply.error->kind == LockError::Kind::ConnectionLost;
        if (isLost)
            hold.brokenConnection = connection;
        if (isLost || reply.sets.size() > before)
            hold.endBy(deadlineFrom(sentAt, ttl));
        return std::nullopt;
    }
    const QVariantList answer = reply.set(int(before) + 1).rows.value(0);
    if (!answer.value(0).toBool())
        return false;
    hold.setDeadline(deadlineFrom(sentAt, ttl), ttl);
    if (!former.isEmpty()) {
        hold.setPresence(hold.presence());
        core.keeper.drop(former); // who waits for it looks, and sees the new end
    }
    if (!answer.value(1).toBool())
        core.keeper.checkSession(); // its session was killed; the lease lives on and gets its presence again
    return true;
}

/// A lease that is not to be renewed is left alone. One without end is looked at all the same: it changes nothing.
bool isLookedAt(const Hold &hold, Duration ttl)
{
    return ttl == Forever || (hold.autoRenew && !hold.isPastMaxHold());
}

Duration intervalOf(Duration ttl)
{
    return ttl == Forever ? kForeverCheck : ttl / 3;
}

/// After something that may be over soon.
Duration soon(Duration interval)
{
    return std::clamp<Duration>(interval / 3, 20ms, 1s);
}

void tick(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold)
{
    if (hold->state() != Hold::State::Held || core->isClosing())
        return;
    if (LeaseClock::now() >= hold->deadline())
        return tellLoss(core, hold, hold->reasonOfEnd());
    hold->tellMaxHold();
    lookInTime(core, hold, Forever, tick); // also when the renewal finds no answer in time
    if (!isLookedAt(*hold, hold->ttl()))
        return;
    core->service.post([core, hold](Link &link) {
        const std::unique_lock renewing(hold->renewing, std::try_to_lock); // this lane waits for no renewal by hand
        const Duration ttl = hold->ttl();
        if (!isLookedAt(*hold, ttl))
            return;
        const auto renewed =
            renewing ? renewOnServer(*core, *hold, link, ttl, probe(*core, *hold, link)) : std::nullopt;
        if (renewed == std::optional(false))
            core->timer.post([core, hold](Link &) { tellLoss(core, hold, LossReason::TakenOver); });
        else
            lookInTime(core, hold, renewed ? intervalOf(ttl) : soon(intervalOf(ttl)), tick);
    });
}

/// For a lease that is cut short, see Hold::presence().
bool rename(EngineCore &core, Hold &hold)
{
    LockError error;
    QByteArray name = core.keeper.take(&error);
    if (name.isEmpty()) {
        hold.setLastError(error);
        return false;
    }
    hold.setPresence(std::move(name), hold.presence());
    return true;
}

} // namespace

void tellLoss(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, LossReason reason)
{
    if (!hold->leaveHeld(Hold::State::Lost))
        return;
    core->forgetHold(hold);
    core->keeper.drop(hold->presence());
    core->keeper.drop(hold->former());
    core->service.post([hold, reason](Link &link) {
        const bool taken = reason == LossReason::TakenOver;
        link.run("engine/event",
                 Params()
                     .text("kind", QStringLiteral("lost"))
                     .bytes("resource", hold->resource)
                     .number("slot", qint64(0))
                     .number("token", hold->token)
                     .bytes("owner", hold->owner)
                     .text("reason",
                           taken ? QStringLiteral("the row belongs to another token")
                                 : QStringLiteral("the deadline passed without a renewal")));
    });
    if (hold->onLost) // not in the thread of who renews by hand
        core->timer.post([hold, reason](Link &) { hold->onLost(reason); });
}

void lookLater(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, Duration wait, Look look)
{
    const auto job = [weakCore = std::weak_ptr(core), weakHold = std::weak_ptr(hold), look](Link &) {
        const auto liveCore = weakCore.lock();
        const auto liveHold = weakHold.lock();
        if (liveCore && liveHold)
            look(liveCore, liveHold);
    };
    // One look is planned at a time; a renewal by hand may want an earlier one.
    const auto plan = [&] {
        return wait == Forever ? Lane::Timed() : core->timer.postAt(Lane::Clock::now() + wait, job);
    };
    core->timer.cancel(hold->exchangeWatch(plan));
}

void lookInTime(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, Duration wait, Look look)
{
    lookLater(core, hold, std::min(wait, hold->untilNews()), look);
}

void watch(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold)
{
    const Duration ttl = hold->ttl();
    lookInTime(core, hold, isLookedAt(*hold, ttl) ? intervalOf(ttl) : Forever, tick);
}

void unwatch(EngineCore &core, Hold &hold)
{
    core.timer.cancel(hold.exchangeWatch([] { return Lane::Timed(); }));
}

RenewOutcome renewNow(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, Duration ttl)
{
    // One at a time, or an answer that comes late would set a deadline that is not the row's any more.
    const std::lock_guard renewing(hold->renewing);
    if (!hold->isHeld())
        return RenewOutcome::NotHeld;
    const auto before = hold->deadline();
    if (deadlineFrom(LeaseClock::now(), ttl) < before && hold->former().isEmpty() && !rename(*core, *hold))
        return RenewOutcome::Failed;
    std::optional<bool> renewed;
    const auto renew = [&](Link &link) {
        renewed = renewOnServer(*core, *hold, link, ttl);
        const auto error = renewed ? std::nullopt : hold->lastError();
        if (error && error->kind == LockError::Kind::ConnectionLost)
            renewed = renewOnServer(*core, *hold, link, ttl); // guarded by the token: sending it twice is harmless
    };
    hold->former().isEmpty() ? core->runQuick(renew) : core->keeper.lane().run(renew);
    if (!renewed) {
        if (hold->deadline() < before) // it may have come nearer on the server as well
            lookInTime(core, hold, soon(intervalOf(hold->ttl())), tick);
        return hold->isHeld() ? RenewOutcome::Failed : RenewOutcome::NotHeld;
    }
    if (!*renewed) {
        tellLoss(core, hold, LossReason::TakenOver);
        return RenewOutcome::NotHeld;
    }
    watch(core, hold); // the new TTL may need earlier renewals than the one that is planned
    return RenewOutcome::Renewed;
}

} // namespace lockscope::detail
