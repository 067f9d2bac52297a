// SPDX-License-Identifier: MIT
#include "heldlocks.h"

#include <algorithm>

namespace lockscope {

namespace {

bool isRowLock(const ServerObject &object)
{
    return object.kind == ServerLockKind::Record || object.kind == ServerLockKind::Table;
}

/// By blocker; whoever merely stands before somebody in the queue of a lock holds nothing of it.
QHash<quint64, QList<WaitEdge>> edgesOfHolders(const ServerWaits &waits)
{
    QSet<std::pair<quint64, ServerObject>> waiting;
    for (const WaitEdge &edge : waits.edges)
        waiting.insert({edge.waiter, edge.object});
    for (const LostWaiter &lost : waits.lost)
        waiting.insert({lost.session, lost.object});
    QHash<quint64, QList<WaitEdge>> edges;
    for (const WaitEdge &edge : waits.edges) {
        if (!waiting.contains({edge.blocker, edge.object}))
            edges[edge.blocker].append(edge);
    }
    for (QList<WaitEdge> &list : edges) {
        std::sort(list.begin(), list.end(), [](const WaitEdge &a, const WaitEdge &b) {
            return std::make_pair(a.since, a.waiter) < std::make_pair(b.since, b.waiter);
        });
    }
    return edges;
}

bool hasRows(const ServerSession &session)
{
    if (!session.transaction)
        return false;
    const quint64 waited = session.transaction->waitStarted ? 1 : 0; // counted as locked
    return session.transaction->rowsLocked > waited || session.transaction->rowsChanged > 0;
}

std::optional<HeldLock> rowsOf(const ServerSession &session, const QList<WaitEdge> &edges)
{
    HeldLock held;
    for (const WaitEdge &edge : edges) {
        if (isRowLock(edge.object))
            held.queue.append(edge);
    }
    if (held.queue.isEmpty() && !hasRows(session))
        return std::nullopt;
    held.lock.session = session.id;
    if (!held.queue.isEmpty())
        held.lock.object = held.queue.first().object;
    if (session.transaction)
        held.lock.age = {AgeOf::Transaction, session.transaction->started};
    return held;
}

} // namespace

QList<HeldLock> heldLocks(const ServerWaits &waits, const QSet<quint64> &known)
{
    const auto edges = edgesOfHolders(waits);
    const auto isOwn = [&waits](quint64 id) {
        const ServerSession *session = waits.session(id);
        return session && session->protection == Protection::Own;
    };
    QList<HeldLock> found;
    for (const ServerSession &session : waits.sessions) {
        if (known.contains(session.id) || isOwn(session.id))
            continue;
        if (auto rows = rowsOf(session, edges.value(session.id)))
            found.append(std::move(*rows));
    }
    for (const ServerLock &lock : waits.locks) {
        if (!lock.isGranted || isRowLock(lock.object) || isOwn(lock.session))
            continue;
        HeldLock held{lock, {}};
        for (const WaitEdge &edge : edges.value(lock.session)) {
            if (edge.object == lock.object)
                held.queue.append(edge);
        }
        found.append(std::move(held));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const HeldLock &a, const HeldLock &b) { return a.lock.session < b.lock.session; });
    return found;
}

} // namespace lockscope
