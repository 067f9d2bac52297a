// SPDX-License-Identifier: MIT
#include "heldlocks.h"

#include <algorithm>

namespace lockscope {

namespace {

bool isRowLock(const ServerObject &object)
{
    return object.kind == ServerLockKind::Record || object.kind == ServerLockKind::Table;
}

bool isEarlier(const WaitEdge &a, const WaitEdge &b)
{
    return std::make_pair(a.since, a.waiter) < std::make_pair(b.since, b.waiter);
}

/// The queues of all locks.
class Queues
{
public:
    explicit Queues(const ServerWaits &waits);

    QList<WaitEdge> at(quint64 holder, const ServerObject &object) const;
    /// What a session holds that others wait for, with those who do.
    QList<std::pair<ServerObject, QList<WaitEdge>>> of(quint64 holder) const;

    QList<quint64> holders() const { return m_held.keys(); }

private:
    using Place = std::pair<quint64, ServerObject>; ///< of a session at a lock

    QHash<Place, QList<WaitEdge>> m_edges;      ///< by blocker
    QHash<quint64, QList<ServerObject>> m_held; ///< by blocker, each once
};

/// Whoever merely stands before somebody in the queue of a lock holds nothing of it.
Queues::Queues(const ServerWaits &waits)
{
    QSet<Place> waiting;
    for (const WaitEdge &edge : waits.edges)
        waiting.insert({edge.waiter, edge.object});
    for (const WaitEdge &edge : waits.edges) {
        const Place place(edge.blocker, edge.object);
        QList<WaitEdge> &edges = m_edges[place];
        if (edges.isEmpty() && !waiting.contains(place))
            m_held[edge.blocker].append(edge.object);
        edges.append(edge);
    }
}

QList<WaitEdge> Queues::at(quint64 holder, const ServerObject &object) const
{
    if (!m_held.value(holder).contains(object))
        return {};
    QList<WaitEdge> queue = m_edges.value({holder, object});
    QSet<quint64> known{holder};
    queue.removeIf([&known](const WaitEdge &edge) {
        const bool isKnown = known.contains(edge.waiter);
        known.insert(edge.waiter);
        return isKnown;
    });
    for (qsizetype i = 0; i < queue.size(); ++i) {
        const QList<WaitEdge> next = m_edges.value({queue[i].waiter, object});
        for (const WaitEdge &edge : next) {
            if (known.contains(edge.waiter))
                continue;
            known.insert(edge.waiter);
            queue.append(edge);
        }
    }
    std::sort(queue.begin(), queue.end(), isEarlier);
    return queue;
}

QList<std::pair<ServerObject, QList<WaitEdge>>> Queues::of(quint64 holder) const
{
    QList<std::pair<ServerObject, QList<WaitEdge>>> queues;
    for (const ServerObject &object : m_held.value(holder))
        queues.append({object, at(holder, object)});
    std::sort(queues.begin(), queues.end(),
              [](const auto &a, const auto &b) { return isEarlier(a.second.first(), b.second.first()); });
    return queues;
}

bool hasRows(const ServerSession &session)
{
    if (!session.transaction)
        return false;
    const quint64 waited = session.transaction->waitStarted ? 1 : 0; // counted as locked
    return session.transaction->rowsLocked > waited || session.transaction->rowsChanged > 0;
}

QList<HeldLock> rowsOf(quint64 holder, const std::optional<Transaction> &transaction, const Queues &queues)
{
    HeldLock rows;
    rows.lock.session = holder;
    if (transaction)
        rows.lock.age = {AgeOf::Transaction, transaction->started};
    QList<HeldLock> found;
    for (const auto &[object, queue] : queues.of(holder)) {
        if (!isRowLock(object))
            continue;
        HeldLock &held = found.emplaceBack(rows);
        held.lock.object = object;
        held.queue = queue;
    }
    if (found.isEmpty())
        found.append(rows);
    return found;
}

} // namespace

QList<HeldLock> heldLocks(const ServerWaits &waits)
{
    const Queues queues(waits);
    const auto isOwn = [&waits](quint64 id) {
        const ServerSession *session = waits.session(id);
        return session && session->protection == Protection::Own;
    };
    QList<HeldLock> found;
    for (const ServerSession &session : waits.sessions) {
        const PreparedTransaction *prepared = waits.preparedBy(session.id);
        if (isOwn(session.id) || (prepared && prepared->isAttached))
            continue;
        const QList<HeldLock> rows = rowsOf(session.id, session.transaction, queues);
        if (!rows.first().queue.isEmpty() || hasRows(session))
            found += rows;
    }
    for (auto it = waits.prepared.cbegin(); it != waits.prepared.cend(); ++it)
        found += rowsOf(it.key(), it->transaction, queues);
    for (const ServerLock &lock : waits.locks) {
        if (!lock.isGranted || isRowLock(lock.object) || isOwn(lock.session))
            continue;
        found.append({lock, queues.at(lock.session, lock.object)});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const HeldLock &a, const HeldLock &b) { return a.lock.session < b.lock.session; });
    return found;
}

QHash<quint64, QList<ServerObject>> wantedLocks(const ServerWaits &waits)
{
    const Queues queues(waits);
    QHash<quint64, QList<ServerObject>> wanted;
    for (const quint64 holder : queues.holders()) {
        for (const auto &[object, queue] : queues.of(holder))
            wanted[holder].append(object);
    }
    return wanted;
}

} // namespace lockscope
