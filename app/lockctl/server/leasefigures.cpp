// SPDX-License-Identifier: MIT
#include "leasefigures.h"

#include <utility>

namespace lockscope::ctl {

namespace {

/// The first error is what a person is told.
void noteUnread(const std::optional<LockError> &error, LeaseFigures *figures)
{
    if (error && figures->unread.isEmpty())
        figures->unread = error->toString();
}

/// One that is held and has no age is counted in `*untold`.
void addHeld(const LockRow &lock, ServerTime now, LeaseFigures *figures, int *untold)
{
    const auto held = lock.heldFor(now);
    const bool isHeld = lock.state == LockState::Held || lock.state == LockState::Orphan;
    *untold += isHeld && !held ? 1 : 0;
    if (!held || *held < figures->held)
        return;
    figures->held = *held;
    figures->heldName = lock.key.resource;
    figures->holder = lock.owner;
}

void addWait(const Waiter &waiter, const QByteArray &lease, ServerTime now, LeaseFigures *figures)
{
    if (!waiter.since) {
        if (figures->waitsUntold++ == 0)
            figures->untoldFor = lease;
        return;
    }
    if (now - *waiter.since < figures->wait)
        return;
    figures->wait = now - *waiter.since;
    figures->waitsFor = lease;
}

void addQueue(LockSource &source, const LockRow &lease, ServerTime now, LeaseFigures *figures)
{
    QList<Waiter> queue;
    noteUnread(source.waiters(lease.key, &queue), figures);
    figures->queue += int(queue.size());
    for (const Waiter &waiter : std::as_const(queue))
        addWait(waiter, lease.key.resource, now, figures);
}

/// How long leases are held, and how long somebody has waited for them.
std::optional<LockError> measureOwn(LockSource &source, LeaseFigures *figures)
{
    const auto take = [&](const QList<LockRow> &leases, const SnapshotClock &clock) {
        for (const LockRow &lease : leases) {
            figures->unreadable += lease.state == LockState::Unknown ? 1 : 0;
            if (lease.waiters.value_or(0) > 0)
                addQueue(source, lease, clock.now(), figures);
            if (lease.state != LockState::Kept)
                addHeld(lease, clock.server, figures, &figures->heldUntold);
        }
    };
    return source.leases({}, take);
}

/// How long other programs hold theirs, where that is known, and whether all of them were seen.
std::optional<LockError> measureOthers(LockSource &source, LeaseFigures *figures)
{
    constexpr int most = 100'000;
    KeyLocks found;
    auto error = source.keyLocks({most}, {}, &found);
    figures->isOthersUnseen = error && error->kind == LockError::Kind::NoPermission;
    figures->othersUnreadable = found.unreadable;
    figures->areOthersTooMany = found.isCut;
    for (const LockRow &lock : std::as_const(found.rows)) {
        addHeld(lock, found.clock.server, figures, &figures->othersUntold);
        figures->othersQueue += lock.waiters.value_or(0);
    }
    return figures->isOthersUnseen ? std::nullopt : error;
}

} // namespace

LeaseFigures measureLeases(LockSource &source, bool withOthers)
{
    LeaseFigures figures;
    auto error = measureOwn(source, &figures);
    if (!error && withOthers)
        error = measureOthers(source, &figures);
    noteUnread(error, &figures);
    return figures;
}

} // namespace lockscope::ctl
