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

HeldLock rowsOf(quint64 holder, const std::optional<Transaction> &transaction, const QList<WaitEdge> &edges)
{
    HeldLock held;
    for (const WaitEdge &edge : edges) {
        if (isRowLock(edge.object))
            held.queue.append(edge);
    }
    held.lock.session = holder;
    if (!held.queue.isEmpty())
        held.lock.object = held.queue.first().object;
    if (transaction)
        held.lock.age = {AgeOf::Transaction, transaction->started};
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
        const PreparedTransaction *prepared = waits.preparedBy(session.id);
        if (known.contains(session.id) || isOwn(session.id) || (prepared && prepared->isAttached))
            continue;
        HeldLock rows = rowsOf(session.id, session.transaction, edges.value(session.id));
        if (!rows.queue.isEmpty() || hasRows(session))
            found.append(std::move(rows));
    }
    for (auto it = waits.prepared.cbegin(); it != waits.prepared.cend(); ++it)
        found.append(rowsOf(it.key(), it->transaction, edges.value(it.key())));
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
