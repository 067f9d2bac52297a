// SPDX-License-Identifier: MIT
// What owners ask for and give back.
#include "lockmodel.h"

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

/// No history lasts so long.
constexpr auto kTtl = " ttl 300s";
constexpr int kCrowd = 4;

QString ownerOf(const Move &move)
{
    return move.option & Move::Keyed ? LockState::processOf(move.who) + u"/k"_s : move.who;
}

} // namespace

/// One that nobody renews ends there before its TTL.
QString LockModel::optionsOf(const Move &move) const
{
    QString options = QLatin1String(kTtl);
    if (move.option & Move::Manual && m_store.hasTtlOfItsOwn)
        options += u" manual"_s;
    if (move.option & Move::Keyed)
        options += u" key k"_s;
    return options;
}

bool LockModel::request(const Move &move)
{
    const QString owner = ownerOf(move);
    m_state.thread(move.who);
    if (!m_state.isAble(move.who) || m_state.isOwnerWaiting(owner))
        return false;
    m_state.process(LockState::processOf(move.who)).isConnected = true;
    const int own = m_state.believedGrant(owner, move.resource);
    const bool mustWait = move.kind == Move::Kind::Queue || move.kind == Move::Kind::TimeOut;
    if (own >= 0 && (mustWait || m_state.grant(own).belief != Belief::Held))
        return false;
    if (own >= 0) {
        reenter(move, own);
        return true;
    }
    const Status status = m_state.resource(move.resource).status;
    const bool isTaken = status == Status::Held || status == Status::Kept;
    if (isTaken)
        return requestTaken(move, owner);
    const bool mayAsk = status == Status::Free || (move.kind == Move::Kind::Acquire && mayTakeLong());
    if (mustWait || !mayAsk)
        return false;
    passOver(move.resource, {});
    sayGranted(move, move.kind == Move::Kind::Acquire ? u" wait 60s"_s : QString());
    return true;
}

/// Somebody else has it.
bool LockModel::requestTaken(const Move &move, const QString &owner)
{
    if (move.kind == Move::Kind::Acquire)
        return false;
    if (move.kind == Move::Kind::Try) {
        say(u"%1: acquire %2%3 -> busy"_s.arg(move.who, move.resource, optionsOf(move)));
        return true;
    }
    const LockState::Cycle cycle = m_state.cycle(owner, move.resource);
    const bool isFound = !m_store.isStore && move.kind != Move::Kind::Queue; // no store looks for cycles
    if (cycle == LockState::Cycle::Unknown || (cycle == LockState::Cycle::Yes && !isFound))
        return false;
    if (move.kind == Move::Kind::Queue)
        return queueFor(move, owner);
    const bool isCycle = cycle == LockState::Cycle::Yes;
    const QString key = move.option & Move::Keyed ? u" key k"_s : QString();
    say(u"%1: acquire %2%3 wait %4"_s.arg(move.who, move.resource, key,
                                          isCycle ? u"60s -> deadlock"_s : u"300ms -> timed out"_s));
    return true;
}

void LockModel::reenter(const Move &move, int grant)
{
    m_state.thread(move.who).handles += Handle{grant, false};
    const QString key = move.option & Move::Keyed ? u" key k"_s : QString();
    say(u"%1: acquire %2%3 -> granted"_s.arg(move.who, move.resource, key));
    if (!m_state.grant(grant).token.isEmpty())
        say(u"token of %1 = %2"_s.arg(move.who, m_state.grant(grant).token));
}

void LockModel::sayGranted(const Move &move, const QString &wait)
{
    const bool isKept = !m_isPessimistic && m_store.hasMinimumHold && move.option & Move::Kept;
    say(u"%1: acquire %2%3%4%5 -> granted"_s.arg(move.who, move.resource, optionsOf(move),
                                                 isKept ? u" keep 300s"_s : QString(), wait));
    granted(move.who, {move.resource, move.who, ownerOf(move), bool(move.option & Move::Manual), isKept, {}});
}

bool LockModel::queueFor(const Move &move, const QString &owner)
{
    say(u"%1 queues for %2%3"_s.arg(move.who, move.resource, optionsOf(move)));
    ++m_state.places;
    m_state.thread(move.who).wait =
        Wait{move.resource, owner, bool(move.option & Move::Manual), m_state.places, m_state.places};
    return true;
}

bool LockModel::cancel(const Move &move)
{
    if (!m_state.isWaiting(move.who) || !m_state.isReachable(move.who))
        return false;
    if (m_store.isStore) // while the server is away nobody can say whether it stands in the queue
        settle({move.who});
    say(move.who + u": cancel"_s);
    say(move.who + u": -> cancelled"_s);
    m_state.thread(move.who).wait.reset();
    return true;
}

/// The words of a release, by itself or by another thread, and what it frees.
bool LockModel::releaseBy(const QString &ref, const QString &command, Handle *handle)
{
    QString answer = u"not held"_s;
    bool isFree = false;
    const QString resource = m_state.grant(handle->grant).resource;
    if (!std::exchange(handle->isReleased, true) && !letGo(handle->grant, &answer, &isFree))
        return false;
    say(u"%1: %2 -> %3"_s.arg(ref, command, command.startsWith(u"drop") ? u"dropped"_s : answer));
    return !isFree || passOn(resource);
}

bool LockModel::release(const Move &move)
{
    Handle *handle = m_state.find(move.who, move.resource);
    if (!handle || !m_state.isAble(move.who) || (handle->isReleased && !(move.option & Move::Again)))
        return false;
    settleQueues();
    return releaseBy(move.who, u"release "_s + move.resource, handle);
}

bool LockModel::releaseOfOther(const Move &move)
{
    const QString process = LockState::processOf(move.who);
    for (const QString &other : m_state.threadsOf(process)) {
        Handle *handle = other == move.who ? nullptr : m_state.find(other, move.resource);
        if (!handle || handle->isReleased || !m_state.isAble(move.who))
            continue;
        settleQueues();
        return releaseBy(move.who, u"release %1 of %2"_s.arg(move.resource, other), handle);
    }
    return false;
}

bool LockModel::drop(const Move &move)
{
    Handle *handle = m_state.find(move.who, move.resource);
    if (!handle || handle->isReleased || !m_state.isAble(move.who))
        return false;
    settleQueues();
    return releaseBy(move.who, u"drop "_s + move.resource, handle);
}

bool LockModel::renew(const Move &move)
{
    const Handle *handle = m_state.find(move.who, move.resource);
    if (!handle || handle->isReleased || !m_state.isAble(move.who))
        return false;
    Grant &grant = m_state.grant(handle->grant);
    say(u"%1: renew 300s %2 -> %3"_s.arg(move.who, move.resource,
                                         grant.belief == Belief::Held ? u"renewed"_s : u"not held"_s));
    if (grant.belief == Belief::Unaware)
        grant.belief = Belief::Lost;
    return true;
}

/// Asks nobody, so it is told without a network too.
bool LockModel::held(const Move &move)
{
    if (m_state.isWaiting(move.who) || !m_state.isStarted(LockState::processOf(move.who))
        || m_state.process(LockState::processOf(move.who)).isFrozen)
        return false;
    const Handle *handle = m_state.find(move.who, move.resource);
    const Belief belief = handle ? m_state.grant(handle->grant).belief : Belief::Lost;
    if (belief == Belief::Unaware)
        return false;
    const bool isHeld = handle && !handle->isReleased && belief == Belief::Held;
    say(u"%1: held %2 -> %3"_s.arg(move.who, move.resource, isHeld ? u"yes"_s : u"no"_s));
    return true;
}

/// The packet, or with a reset the whole connection, is lost or late on the way.
bool LockModel::acquireOverNetwork(const Move &move)
{
    const QString process = LockState::processOf(move.who);
    const bool isFree =
        m_state.resource(move.resource).status == Status::Free && m_state.queue(move.resource).isEmpty();
    const bool wouldLose = m_isPessimistic && !m_state.heldBy(process).isEmpty();
    if (!m_state.isAble(move.who) || !isFree || wouldLose || !m_state.waitsOf(process).isEmpty()
        || !m_state.process(process).isConnected || m_state.believedGrant(move.who, move.resource) >= 0)
        return false;
    say(u"stall network of "_s + process);
    say(u"%1: acquire %2%3 wait 60s &"_s.arg(move.who, move.resource, QLatin1String(kTtl)));
    m_state.process(process).hasLostSessions = true;
    say((move.kind == Move::Kind::ResetAcquire ? u"reset network of "_s : u"heal network of "_s) + process);
    say(move.who + u": -> granted"_s);
    granted(move.who, {move.resource, move.who, move.who, false, false, {}});
    return true;
}

bool LockModel::releaseOverNetwork(const Move &move)
{
    const QString process = LockState::processOf(move.who);
    Handle *handle = m_state.find(move.who, move.resource);
    if (!handle || handle->isReleased || !m_state.isAble(move.who) || !m_state.waitsOf(process).isEmpty())
        return false;
    settleQueues();
    const QString before = u"stall network of "_s + process;
    m_state.process(process).hasLostSessions = true;
    const QString after =
        (move.kind == Move::Kind::ResetRelease ? u"reset network of "_s : u"heal network of "_s) + process;
    return releaseBetween(move, handle, {before}, {after});
}

bool LockModel::releaseOverServer(const Move &move)
{
    Handle *handle = m_state.find(move.who, move.resource);
    if (!handle || handle->isReleased || !m_state.isAble(move.who))
        return false;
    settleQueues();
    return releaseBetween(move, handle, {u"freeze server"_s}, {u"thaw server"_s});
}

/// The release goes on in the background from `before` to `after`.
bool LockModel::releaseBetween(const Move &move, Handle *handle, const QStringList &before, const QStringList &after)
{
    QString answer;
    bool isFree = false;
    handle->isReleased = true;
    if (!letGo(handle->grant, &answer, &isFree) || (answer != u"released"))
        return false;
    m_lines += before;
    say(u"%1: release %2 &"_s.arg(move.who, move.resource));
    m_lines += after;
    say(move.who + u": -> released"_s);
    return !isFree || passOn(move.resource);
}

/// Owners who have no part in anything else take and free one resource; one of them is disturbed meanwhile.
bool LockModel::crowd(const Move &move)
{
    QStringList refs;
    for (const QString &process : m_state.processes()) {
        for (const QString &ref : m_state.threadsOf(process)) {
            if (m_state.isAble(ref) && refs.size() < kCrowd && m_state.believedGrant(ref, move.resource) < 0)
                refs += ref;
        }
    }
    const Resource &resource = m_state.resource(move.resource);
    if (refs.size() < 2 || resource.status != Status::Free || !m_state.queue(move.resource).isEmpty())
        return false;
    constexpr int kRounds = 5;
    const QString all = refs.join(u' ');
    const QString disturbed = LockState::processOf(refs.first());
    say(u"outsider: INSERT IGNORE INTO conformance.probe (resource) VALUES ('%1')"_s.arg(move.resource));
    say(u"%1: rounds %2 %3 &"_s.arg(all).arg(kRounds).arg(move.resource));
    if (move.option % 3 == 1)
        m_lines += {u"freeze "_s + disturbed, u"thaw "_s + disturbed};
    else if (move.option % 3 == 2)
        m_lines += {u"stall network of "_s + disturbed, u"heal network of "_s + disturbed};
    say(u"%1: -> %2 grants"_s.arg(all).arg(kRounds));
    m_state.crowdGrants += kRounds * int(refs.size());
    say(u"outsider: SELECT SUM(overlaps), SUM(disorder), SUM(grants) FROM conformance.probe -> 0 0 %1"_s.arg(
        m_state.crowdGrants));
    return true;
}

} // namespace lockscope::test
