// SPDX-License-Identifier: MIT
// Who is next.
#include "lockmodel.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::test {

/// `ref` is told of its grant.
void LockModel::granted(const QString &ref, Grant grant)
{
    Resource &resource = m_state.resource(grant.resource);
    resource.status = Status::Held;
    resource.grant = m_state.addGrant(std::move(grant));
    m_state.thread(ref).handles += Handle{resource.grant};
    rememberToken(resource.grant);
}

/// Tokens of a resource grow by the order of its grants.
void LockModel::rememberToken(int number)
{
    Grant &grant = m_state.grant(number);
    Resource &resource = m_state.resource(grant.resource);
    grant.token = grant.resource + QString::number(++resource.tokens);
    say(u"remember token of %1 as %2"_s.arg(grant.ref, grant.token));
    if (!resource.lastToken.isEmpty())
        say(u"%1 > %2"_s.arg(grant.token, resource.lastToken));
    resource.lastToken = grant.token;
}

/// The server makes `ref` the holder; it hears of that now, or when it can.
bool LockModel::grantWaiting(const QString &ref)
{
    Wait &wait = *m_state.thread(ref).wait;
    Resource &resource = m_state.resource(wait.resource);
    passOver(wait.resource, ref);
    resource.status = Status::Held;
    resource.grant = m_state.addGrant({wait.resource, ref, wait.owner, wait.isManual, false, {}});
    wait.grant = resource.grant;
    if (m_state.isReachable(ref))
        answerWaiting(ref);
    return true;
}

void LockModel::answerWaiting(const QString &ref)
{
    Thread &thread = m_state.thread(ref);
    const int grant = thread.wait->grant;
    thread.handles += Handle{grant};
    thread.wait.reset();
    say(u"%1: -> granted"_s.arg(ref));
    rememberToken(grant);
}

/// One handle of `number` was given back. `*isFree`: it was the last, and the resource goes on.
bool LockModel::letGo(int number, QString *answer, bool *isFree)
{
    Grant &grant = m_state.grant(number);
    *answer = grant.belief == Belief::Held ? u"released"_s : u"not held"_s;
    *isFree = false;
    if (m_state.liveHandles(number) > 0)
        return grant.belief != Belief::Unaware; // it depends on what its process has found out
    const Belief before = std::exchange(grant.belief, Belief::Lost);
    // Sent over a connection that is gone it is asked about, and nothing found to release says that it was done.
    if (before == Belief::Unaware && m_state.process(LockState::processOf(grant.ref)).hasLostSessions)
        *answer += u" | released"_s;
    if (before != Belief::Held)
        return !mayFreeLate(number);
    *isFree = !grant.isKept;
    if (grant.isKept)
        m_state.resource(grant.resource).status = Status::Kept;
    return true;
}

/// A release past the end frees what nobody took, if it comes before the loss was told.
bool LockModel::mayFreeLate(int number)
{
    const QString name = m_state.grant(number).resource;
    const Resource &resource = m_state.resource(name);
    return resource.status == Status::Expired && resource.grant == number && !m_state.queue(name).isEmpty();
}

/// A store gives one that does not answer less time than its TTL, or all of it: that is not modelled.
bool LockModel::isCertain(const QString &name) const
{
    return !m_store.isStore || m_state.awake(name) == m_state.candidates(name);
}

/// The holder is no more: who waits is next.
bool LockModel::passOn(const QString &name)
{
    m_state.resource(name).status = Status::Free;
    if (!isCertain(name))
        return false;
    const QStringList refs = m_state.candidates(name);
    if (refs.isEmpty()) {
        passOver(name, {});
        return true;
    }
    const QString first = certainlyFirst(refs);
    return first.isEmpty() ? drain(name, refs) : grantWaiting(first);
}

/// It ends under the eyes of those who are awake: the first of them takes it.
bool LockModel::claimAtEnd(const QString &name)
{
    if (!isCertain(name))
        return false;
    const QStringList awake = m_state.awake(name);
    if (awake.size() == 1)
        return grantWaiting(awake.first());
    const QStringList refs = m_state.candidates(name);
    const QString first = certainlyFirst(refs);
    if (!first.isEmpty() && m_state.isReachable(first))
        return grantWaiting(first);
    return drain(name, refs);
}

/// It is there for the taking, and these come back to it at the same time.
bool LockModel::claimLate(const QString &name)
{
    if (!isCertain(name))
        return false;
    const QStringList awake = m_state.awake(name);
    return awake.size() == 1 ? grantWaiting(awake.first()) : drain(name, m_state.candidates(name));
}

/// All of them in turn, in an order that nobody knows.
bool LockModel::drain(const QString &name, const QStringList &refs)
{
    if (refs.size() < 2
        || std::any_of(refs.begin(), refs.end(), [&](const QString &ref) { return !m_state.isReachable(ref); }))
        return false;
    say(u"any order: "_s + refs.join(u' '));
    passOver(name, {});
    for (const QString &ref : refs) {
        Thread &thread = m_state.thread(ref);
        const Wait wait = *thread.wait;
        thread.wait.reset();
        thread.handles +=
            Handle{m_state.addGrant({name, ref, wait.owner, wait.isManual, false, {}, Belief::Lost}), true, true};
    }
    m_state.resource(name).status = Status::Free;
    return true;
}

/// Empty: nobody knows.
QString LockModel::certainlyFirst(const QStringList &refs)
{
    if (refs.size() == 1)
        return refs.first();
    if (m_isPessimistic)
        return {};
    if (m_rules.newestFirst)
        return refs.last();
    const quint64 latest = m_state.thread(refs.first()).wait->latest;
    const bool isCertain = std::all_of(refs.begin() + 1, refs.end(),
                                       [&](const QString &ref) { return latest < m_state.thread(ref).wait->earliest; });
    return isCertain ? refs.first() : QString();
}

/// Those before `next`, or all, had a turn that they could not take.
void LockModel::passOver(const QString &resource, const QString &next)
{
    for (const QString &ref : m_state.queue(resource)) {
        if (ref == next)
            return;
        m_state.thread(ref).wait->isPassedOver = true;
    }
}

/// The lease of `number` has less than two seconds left, and nobody who could renew it does.
bool LockModel::endByTtl(int number)
{
    const QString name = m_state.grant(number).resource;
    Resource &resource = m_state.resource(name);
    m_state.grant(number).belief = Belief::Lost;
    if (!isCertain(name))
        return false;
    if (m_isPessimistic && !m_state.candidates(name).isEmpty()) // one of them has to show that it is over
        return !m_state.awake(name).isEmpty() && passOn(name);
    resource.status = m_isPessimistic ? Status::Free : Status::Expired;
    if (!m_state.awake(name).isEmpty())
        return claimAtEnd(name);
    passOver(name, {});
    say(u"lease of %1 has ended"_s.arg(name));
    return true;
}

/// Waits until the server knows that these are alive again.
void LockModel::settle(const QStringList &refs)
{
    for (const QString &ref : refs) {
        Wait &wait = *m_state.thread(ref).wait;
        if (!std::exchange(wait.isUnsettled, false) || wait.grant >= 0)
            continue;
        say(u"%1 waits for %2"_s.arg(ref, wait.resource));
        if (wait.latest == Wait::kUntilSettled)
            wait.latest = ++m_state.places;
    }
}

/// Where several wait, whose turn it is depends on that.
void LockModel::settleQueues()
{
    for (const QString &name : m_state.resources()) {
        if (m_state.candidates(name).size() > 1)
            settle(m_state.awake(name));
    }
}

/// Its sessions work again: it hears what it was granted, and takes what came free in its absence.
bool LockModel::comeBack(const QString &name)
{
    Process &process = m_state.process(name);
    const bool wasAway = std::exchange(process.isAway, false);
    const QStringList refs = m_state.waitsOf(name);
    for (const QString &ref : refs) {
        Wait &wait = *m_state.thread(ref).wait;
        if (wait.grant >= 0) {
            answerWaiting(ref);
            continue;
        }
        wait.isUnsettled = wait.isUnsettled || wasAway || wait.isPassedOver;
        if (std::exchange(wait.isPassedOver, false) && !m_rules.passedOverKeepTheirPlace)
            wait.latest = m_store.isStore ? Wait::kUntilSettled : ++m_state.places;
    }
    for (const QString &resource : m_state.resources()) {
        const Status status = m_state.resource(resource).status;
        const bool isForTheTaking = status == Status::Free || status == Status::Expired;
        if (isForTheTaking && !m_state.awake(resource).isEmpty() && !claimLate(resource))
            return false;
    }
    return true;
}

} // namespace lockscope::test
