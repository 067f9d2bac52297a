// SPDX-License-Identifier: MIT
#include "foldedleases.h"

#include "engine/unique/leaseview_p.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

namespace lockscope {

namespace {

bool isOfLease(const WaitEdge &edge)
{
    return edge.object.kind == ServerLockKind::User && isEngines(edge.object.name);
}

/// Of the edges of leases, those behind somebody who waits, directly or over further leases, for another kind of lock.
QList<WaitEdge> hangingEdges(const QList<WaitEdge> &leases, const QList<WaitEdge> &others)
{
    QSet<quint64> waiters;
    for (const WaitEdge &edge : others)
        waiters.insert(edge.waiter);
    QList<WaitEdge> left = leases;
    QList<WaitEdge> kept;
    for (bool grows = true; grows;) {
        grows = false;
        for (qsizetype i = left.size() - 1; i >= 0; --i) {
            if (!waiters.contains(left[i].blocker))
                continue;
            grows = !waiters.contains(left[i].waiter) || grows;
            waiters.insert(left[i].waiter);
            kept.append(left.takeAt(i));
        }
    }
    return kept;
}

/// Without lock tables, or the right to read them, the lease stays without a name and its holder without an owner.
std::optional<LockError> nameLeases(Session &session, QList<WaitEdge> *edges, QHash<quint64, ServerSession> *sessions)
{
    struct Lease
    {
        QByteArray resource;
        Owner owner;
        std::optional<ServerTime> since; ///< whoever is next has waited: the statement that waits is another each time
    };
    QSet<QByteArray> names;
    for (const WaitEdge &edge : std::as_const(*edges))
        names.insert(edge.object.name);
    const Reply reply = session.run("waits/leases", Params().bytesList("names", names.values()));
    if (reply.error && reply.error->connectionGone)
        return reply.error;
    QHash<QByteArray, Lease> leases;
    for (const QVariantList &row : reply.set(-1).rows) {
        const QByteArray resource = row.value(1).toByteArray();
        QByteArray name = row.value(0).toByteArray();
        leases.insert(name, {resource, Owner::fromJson(row.value(2).toByteArray()), {}});
        for (const detail::QueueEntry &waiting : detail::parseQueue(row.value(3).toByteArray())) {
            leases[name].since = ServerTime(Microseconds(waiting.since));
            name = waiting.name;
            leases.insert(name, {resource, Owner::fromJson(waiting.owner), {}});
        }
    }
    for (WaitEdge &edge : *edges) {
        const Lease lease = leases.value(edge.object.name);
        edge.object.scope = QStringLiteral("LEASE");
        edge.object.name = lease.resource;
        if (lease.since && (!edge.since || *lease.since < *edge.since))
            edge.since = lease.since;
        const auto holder = sessions->find(edge.blocker);
        if (holder != sessions->end() && lease.owner != Owner())
            holder->owner = lease.owner;
    }
    return std::nullopt;
}

} // namespace

bool isEngines(const QByteArray &userLock)
{
    static const QRegularExpression pattern(QStringLiteral("^ls:[0-9a-f]{32}:"));
    return pattern.match(QString::fromLatin1(userLock)).hasMatch();
}

std::optional<LockError> foldLeases(Session &session, ServerWaits *waits)
{
    waits->locks.removeIf(
        [](const ServerLock &lock) { return lock.object.kind == ServerLockKind::User && isEngines(lock.object.name); });
    QList<WaitEdge> leases;
    QList<WaitEdge> others;
    for (const WaitEdge &edge : std::as_const(waits->edges))
        (isOfLease(edge) ? leases : others).append(edge);
    if (leases.isEmpty())
        return std::nullopt;
    QList<WaitEdge> kept = hangingEdges(leases, others);
    if (!kept.isEmpty()) {
        if (auto error = nameLeases(session, &kept, &waits->sessions))
            return error;
    }
    waits->edges = others + kept;
    return std::nullopt;
}

} // namespace lockscope
