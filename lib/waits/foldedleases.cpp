#include "foldedleases.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

namespace lockscope {

namespace {

bool isOfLease(const WaitEdge &edge)
{
    return edge.object.kind == ServerLockKind::User && isEngines(edge.object.name);
}

/// Of the edges of leases, those behind somebody who waits for another kind of lock, be it over further leases.
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

/// Without lock tables, or the right to read them, the lease stays without a name.
std::optional<LockError> nameLeases(Session &session, QList<WaitEdge> *edges)
{
    QSet<QByteArray> names;
    for (const WaitEdge &edge : std::as_const(*edges))
        names.insert(edge.object.name);
    const Reply reply = session.run("waits/leases", Params().bytesList("names", names.values()));
    if (reply.error && reply.error->connectionGone)
        return reply.error;
    QHash<QByteArray, QByteArray> resources;
    for (const QVariantList &row : reply.set(-1).rows)
        resources.insert(row.value(0).toByteArray(), row.value(1).toByteArray());
    for (WaitEdge &edge : *edges) {
        edge.object.scope = QStringLiteral("LEASE");
        edge.object.name = resources.value(edge.object.name);
    }
    return std::nullopt;
}

} // namespace

bool isEngines(const QByteArray &userLock)
{
    static const QRegularExpression pattern(QStringLiteral("^b?ls:[0-9a-f]{32}:"));
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
        if (auto error = nameLeases(session, &kept))
            return error;
    }
    waits->edges = others + kept;
    return std::nullopt;
}

} // namespace lockscope
