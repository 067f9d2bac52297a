// SPDX-License-Identifier: MIT
#include "killtarget.h"

#include <algorithm>
#include <tuple>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// By how much two readings of one time in whole seconds may differ.
constexpr Microseconds kJitter = 1s;
/// What is older than this at the look cannot be confused with something that begins after it.
constexpr Microseconds kYoung = 3s;

/// From here on MySQL makes them up.
constexpr quint64 kMadeUpNumber = quint64(1) << 48;

bool isYoung(const KillTarget &target, const std::optional<ServerTime> &began)
{
    return began && target.seen - *began < kYoung;
}

bool isHeldBy(quint64 session, const ServerLock &lock)
{
    return lock.session == session && lock.isGranted
        && (lock.object.kind == ServerLockKind::User || lock.object.kind == ServerLockKind::Metadata);
}

TargetLock toHeld(const ServerLock &lock)
{
    const bool isKnown = lock.age && lock.age->of == AgeOf::Lock;
    return {lock.object, lock.event, isKnown ? std::optional(lock.age->since) : std::nullopt};
}

/// The same one at every look, even when somebody comes to wait for another one.
std::optional<TargetLock> heldBy(const ServerWaits &waits, quint64 session)
{
    const auto rank = [](const ServerLock &lock) {
        const ServerObject &object = lock.object;
        return std::make_tuple(object.kind != ServerLockKind::User, !object.isOfTable(), lock.event.value_or(0),
                               object.schema, object.name, object.scope);
    };
    const ServerLock *first = nullptr;
    for (const ServerLock &lock : waits.locks) {
        if (isHeldBy(session, lock) && (!first || rank(lock) < rank(*first)))
            first = &lock;
    }
    return first ? std::optional(toHeld(*first)) : std::nullopt;
}

} // namespace

bool isSameTime(const std::optional<ServerTime> &a, const std::optional<ServerTime> &b)
{
    return a.has_value() == b.has_value() && (!a || std::chrono::abs(*a - *b) <= kJitter);
}

bool isOwnNumber(quint64 transaction)
{
    return transaction != 0 && transaction < kMadeUpNumber;
}

KillTarget KillTarget::of(const ServerWaits &waits, quint64 session)
{
    KillTarget target;
    target.session = isPreparedNumber(session) ? 0 : session; // nothing that KILL ends
    target.identity = waits.identity;
    target.seen = waits.clock.server;
    const ServerSession *found = waits.session(session);
    if (!found)
        return target;
    target.user = found->user;
    target.host = found->host;
    target.since = found->commandSince;
    target.statementNumber = found->statementNumber;
    if (found->statement.source == Statement::Source::Running)
        target.statement = found->statement.text;
    if (found->transaction) {
        target.transaction = found->transaction->id;
        target.transactionStarted = found->transaction->started;
    } else {
        target.lock = heldBy(waits, session);
    }
    return target;
}

bool KillTarget::isKnownByStatement(KillKind kind) const
{
    const bool isShownLock = lock && (lock->event || lock->since);
    return kind == KillKind::Query || (!transaction && !isShownLock);
}

bool KillTarget::hasYoungStatement() const
{
    return isYoung(*this, since);
}

bool KillTarget::isInDoubt(KillKind kind) const
{
    if (isKnownByStatement(kind) && !statementNumber && hasYoungStatement())
        return true;
    if (transaction)
        return !isOwnNumber(*transaction) && isYoung(*this, transactionStarted);
    return lock && !lock->event && isYoung(*this, lock->since);
}

bool isSameWork(const KillTarget &chosen, const ServerWaits &now, KillKind kind)
{
    const KillTarget target = KillTarget::of(now, chosen.session);
    if (target.transaction != chosen.transaction || target.transactionStarted != chosen.transactionStarted)
        return false;
    const auto isChosenLock = [&chosen](const ServerLock &lock) {
        const TargetLock held = toHeld(lock);
        return isHeldBy(chosen.session, lock) && held.object == chosen.lock->object && held.event == chosen.lock->event
            && isSameTime(held.since, chosen.lock->since);
    };
    if (chosen.lock && std::none_of(now.locks.cbegin(), now.locks.cend(), isChosenLock))
        return false;
    if (!chosen.isKnownByStatement(kind))
        return true;
    const bool isSameNumber = !chosen.hasYoungStatement() || target.statementNumber == chosen.statementNumber;
    return isSameNumber && isSameTime(target.since, chosen.since)
        && target.statement.isEmpty() == chosen.statement.isEmpty();
}

} // namespace lockscope
