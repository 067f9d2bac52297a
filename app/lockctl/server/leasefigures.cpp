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

void addHeld(const LockRow &lock, ServerTime now, LeaseFigures *figures)
{
    const auto held = lock.heldFor(now);
    if (!held || *held < figures->held)
        return;
    figures->held = *held;
    figures->heldName = lock.key.resource;
    figures->holder = lock.owner;
}

void addQueue(LockSource &source, const LockRow &lease, ServerTime now, LeaseFigures *figures)
{
    QList<Waiter> queue;
    noteUnread(source.waiters(lease.key, &queue), figures);
    figures->queue += int(queue.size());
    for (const Waiter &waiter : std::as_const(queue)) {
        if (!waiter.since || now - *waiter.since < figures->wait)
            continue;
        figures->wait = now - *waiter.since;
        figures->waitsFor = lease.key.resource;
    }
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
                addHeld(lease, clock.server, figures);
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
    for (const LockRow &lock : std::as_const(found.rows))
        addHeld(lock, found.clock.server, figures);
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
