// SPDX-License-Identifier: MIT
// What happens to processes, connections and servers.
#include "lockmodel.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

/// Long enough for the step that stops whoever could renew it.
constexpr auto kLastTtl = "2s";

QString renewal(const QString &ref, const QString &resource)
{
    return u"%1: renew %2 %3 -> renewed"_s.arg(ref, QLatin1String(kLastTtl), resource);
}

} // namespace

/// What ends a lease by its TTL takes seconds, and the engines' patience with bad networks is not modelled.
bool LockModel::mayTakeLong() const
{
    return !m_state.hasBadNetwork();
}

bool LockModel::expire(const Move &move)
{
    const Handle *handle = m_state.find(move.who, move.resource);
    if (!handle || handle->isReleased || !m_state.isAble(move.who) || !mayTakeLong())
        return false;
    const int number = handle->grant;
    const Grant grant = m_state.grant(number);
    if (grant.belief != Belief::Held || !grant.isManual)
        return false;
    settleQueues();
    say(renewal(move.who, move.resource));
    if (!endByTtl(number))
        return false;
    say(u"%1: held %2 -> no"_s.arg(move.who, move.resource));
    return true;
}

/// The process of a holder stops, and does not hear that its lease ends.
bool LockModel::losePastEnd(const Move &move)
{
    const Handle *handle = m_state.find(move.who, move.resource);
    if (!handle || handle->isReleased || !m_state.isAble(move.who) || !mayTakeLong())
        return false;
    const int number = handle->grant;
    if (m_state.grant(number).belief != Belief::Held)
        return false;
    const QString name = LockState::processOf(move.who);
    settle(m_state.waitsOf(name));
    settleQueues();
    say(renewal(move.who, move.resource));
    Move stop = move;
    stop.who = name;
    stop.kind = move.kind == Move::Kind::CutPastEnd ? Move::Kind::Cut : Move::Kind::Stall;
    return (move.kind == Move::Kind::FreezePastEnd ? freeze(stop) : breakNetwork(stop)) && endByTtl(number);
}

bool LockModel::freeze(const Move &move)
{
    if (!m_state.isStarted(move.who) || !m_state.process(move.who).isReachable())
        return false;
    settle(m_state.waitsOf(move.who)); // or nobody knows what the server thinks of them
    m_state.process(move.who).isFrozen = true;
    say(u"freeze "_s + move.who);
    return true;
}

bool LockModel::thaw(const Move &move)
{
    if (!m_state.isStarted(move.who) || !m_state.process(move.who).isFrozen)
        return false;
    m_state.process(move.who).isFrozen = false;
    say(u"thaw "_s + move.who);
    return comeBack(move.who);
}

/// Rows end with their sessions, and what waits for one is told that the server is away.
bool LockModel::breakNetwork(const Move &move)
{
    if (!m_state.isStarted(move.who) || !m_state.process(move.who).isReachable()
        || !m_state.process(move.who).isConnected || (m_isPessimistic && !m_state.waitsOf(move.who).isEmpty()))
        return false;
    const QString how = move.kind == Move::Kind::Cut ? u"cut"_s : u"stall"_s;
    const bool isCut = move.kind == Move::Kind::Cut && m_store.livesByConnection;
    if (!isCut)
        settle(m_state.waitsOf(move.who));
    settleQueues();
    Process &process = m_state.process(move.who);
    process.network = isCut ? Network::Cut : Network::Stalled;
    process.hasLostSessions = process.hasLostSessions || move.kind == Move::Kind::Cut; // its connections are closed
    say(u"%1 network of %2"_s.arg(how, move.who));
    if (!isCut)
        return true;
    say(move.who + u" is gone"_s);
    return loseSessions({move.who});
}

bool LockModel::heal(const Move &move)
{
    if (!m_state.isStarted(move.who) || m_state.process(move.who).network == Network::Open)
        return false;
    m_state.process(move.who).network = Network::Open;
    say(u"heal network of "_s + move.who);
    return comeBack(move.who);
}

/// Every connection is closed, and new ones come through.
bool LockModel::reset(const Move &move)
{
    if (!m_state.isStarted(move.who) || m_state.process(move.who).isFrozen
        || m_state.process(move.who).network == Network::Cut
        || (m_isPessimistic && !m_state.waitsOf(move.who).isEmpty()))
        return false;
    settleQueues();
    m_state.process(move.who).network = Network::Open;
    say(u"reset network of "_s + move.who);
    return loseSessions({move.who}) && comeBack(move.who);
}

/// The sessions of these processes have ended. What can come back does.
bool LockModel::loseSessions(const QStringList &names)
{
    QList<int> rows;
    for (const QString &name : names) {
        Process &process = m_state.process(name);
        const QStringList waits = m_state.waitsOf(name);
        const QList<int> held = m_state.heldBy(name);
        process.hasLostSessions = true;
        process.isAway = process.isAway || (m_store.livesByConnection && !process.isReachable());
        process.isConnected = !waits.isEmpty() || (!m_isPessimistic && !held.isEmpty());
        if (m_isPessimistic && process.isAway && !waits.isEmpty())
            return false; // they are no requests any more
        for (const QString &ref : waits)
            m_state.thread(ref).wait->isUnsettled = true;
        if (m_isPessimistic)
            rows += held;
    }
    return loseRows(rows);
}

/// Told at once where somebody can be told.
void LockModel::notifyLoss(int number)
{
    Grant &grant = m_state.grant(number);
    const Handle *handle = m_state.find(grant.ref, grant.resource);
    grant.belief = Belief::Unaware;
    if (!m_state.isAble(grant.ref) || !handle || handle->grant != number || !handle->isFirst || handle->isReleased)
        return;
    say(u"%1: lost %2 -> session ended"_s.arg(grant.ref, grant.resource));
    grant.belief = Belief::Lost;
}

bool LockModel::loseRows(const QList<int> &grants)
{
    for (const int number : grants) {
        notifyLoss(number);
        if (!passOn(m_state.grant(number).resource))
            return false;
    }
    return true;
}

bool LockModel::kill(const Move &move)
{
    const bool isAtEnd = move.kind == Move::Kind::KillAtEnd;
    const QList<int> held = m_state.isStarted(move.who) ? m_state.heldBy(move.who) : QList<int>();
    if (!m_state.isStarted(move.who) || (m_isPessimistic && !m_state.waitsOf(move.who).isEmpty())
        || (isAtEnd && (held.isEmpty() || !mayTakeLong() || !m_state.process(move.who).isReachable())))
        return false;
    const bool leaves = !m_state.waitsOf(move.who).isEmpty() || (!isAtEnd && !held.isEmpty());
    if (leaves && !m_store.livesByConnection)
        return false; // for the whole TTL
    settleQueues();
    for (const int number : held) {
        const Grant &grant = m_state.grant(number);
        const Handle *handle = m_state.find(grant.ref, grant.resource);
        const bool canRenew = handle && handle->grant == number && !handle->isReleased && m_state.isAble(grant.ref);
        if (isAtEnd && !canRenew)
            return false;
        if (isAtEnd)
            say(renewal(grant.ref, grant.resource));
    }
    say(u"kill "_s + move.who);
    say(move.who + u" is gone"_s);
    m_state.forget(move.who);
    if (m_isPessimistic)
        return std::all_of(held.begin(), held.end(), [this](int i) { return passOn(m_state.grant(i).resource); });
    return !isAtEnd || std::all_of(held.begin(), held.end(), [this](int i) { return endByTtl(i); });
}

/// It releases what it holds and cancels what it waits for.
bool LockModel::end(const Move &move)
{
    if (!m_state.isStarted(move.who) || !m_state.process(move.who).isReachable())
        return false;
    settleQueues();
    const QList<int> held = m_state.heldBy(move.who);
    for (const QString &ref : m_state.threadsOf(move.who)) {
        for (const Handle &handle : std::as_const(m_state.thread(ref).handles)) {
            if (!handle.isReleased && mayFreeLate(handle.grant))
                return false;
        }
    }
    say(u"end "_s + move.who);
    m_state.forget(move.who);
    for (const int number : held) {
        const Grant grant = m_state.grant(number);
        if (grant.isKept)
            m_state.resource(grant.resource).status = Status::Kept;
        else if (!passOn(grant.resource))
            return false;
    }
    return true;
}

/// What waits for a row and loses its connection a second time while it opens a new one is told so.
void LockModel::settleRows(const QString &process)
{
    if (m_isPessimistic && m_state.process(process).isReachable())
        settle(m_state.waitsOf(process));
}

bool LockModel::killConnections(const Move &move)
{
    if (!m_state.isStarted(move.who) || !m_state.process(move.who).isConnected || m_state.process(move.who).mayBeAway())
        return false;
    settleQueues();
    settleRows(move.who);
    say(u"kill connections of "_s + move.who);
    return loseSessions({move.who});
}

/// A waiting session stands still at the server only where another process has it and everybody before it lives.
bool LockModel::killWait(const Move &move)
{
    if (!m_state.isStarted(move.who) || !m_state.process(move.who).isReachable())
        return false;
    for (const QString &ref : m_state.waitsOf(move.who)) {
        const QString name = m_state.thread(ref).wait->resource;
        const Resource &resource = m_state.resource(name);
        const QStringList queue = m_state.queue(name);
        const bool areAlive = std::all_of(queue.begin(), queue.end(), [this](const QString &other) {
            return !m_state.process(LockState::processOf(other)).mayBeAway()
                && !m_state.thread(other).wait->isUnsettled;
        });
        const QString holder = LockState::processOf(m_state.grant(resource.grant).ref);
        if (resource.status != Status::Held || !areAlive || m_state.grant(resource.grant).owner.isEmpty()
            || holder == move.who || m_state.process(holder).mayBeAway())
            continue;
        settleRows(move.who);
        say(u"kill waiting connection of "_s + move.who);
        for (const QString &killed : m_state.waitsOf(move.who))
            m_state.thread(killed).wait->isUnsettled = m_isPessimistic;
        return true;
    }
    return false;
}

bool LockModel::forceRelease(const Move &move)
{
    const Resource resource = m_state.resource(move.resource);
    const bool isTaken = resource.status == Status::Held || resource.status == Status::Kept;
    if (!isTaken || m_state.grant(resource.grant).token.isEmpty())
        return false;
    Grant &grant = m_state.grant(resource.grant);
    settleQueues();
    say(u"force release %1 %2 -> released"_s.arg(move.resource, grant.token));
    if (m_isPessimistic)
        notifyLoss(resource.grant);
    else if (resource.status == Status::Held)
        grant.belief = Belief::Unaware;
    return passOn(move.resource);
}

bool LockModel::forceReleaseOld(const Move &move)
{
    const Resource resource = m_state.resource(move.resource);
    const QString token = m_state.oldToken(move.resource);
    const bool isUntold = resource.status == Status::Held && m_state.grant(resource.grant).token.isEmpty();
    if (token.isEmpty() || resource.status == Status::Expired || isUntold) // a row's token is raised with the telling
        return false;
    say(u"force release %1 %2 -> changed"_s.arg(move.resource, token));
    return true;
}

bool LockModel::restart(const Move &move)
{
    const QStringList names = m_state.processes();
    const bool areWaiting = std::any_of(names.begin(), names.end(),
                                        [this](const QString &name) { return !m_state.waitsOf(name).isEmpty(); });
    if (m_isPessimistic && areWaiting)
        return false; // one that cannot reach the server for a moment may be told so
    const bool areHolding = std::any_of(names.begin(), names.end(),
                                        [this](const QString &name) { return !m_state.heldBy(name).isEmpty(); });
    if (!m_store.hasTtlOfItsOwn && areHolding)
        return false; // it may take longer than they may believe in their leases
    settleQueues();
    say(move.kind == Move::Kind::Crash ? u"crash server"_s : u"restart server"_s);
    return loseSessions(names);
}

} // namespace lockscope::test
