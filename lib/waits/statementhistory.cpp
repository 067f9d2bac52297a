// SPDX-License-Identifier: MIT
#include "statementhistory.h"

#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

namespace {

/// Columns of waits/history.
enum HistoryColumn { SessionCol, ThreadCol, EventCol, EndCol, NameCol, TextCol };

/// Events at which a session took what others wait for: of rows with its thread, of metadata with none.
using Origins = QMultiHash<quint64, LockOrigin>;

Origins originsOf(const ServerWaits &waits)
{
    QSet<std::pair<quint64, ServerObject>> wanted;
    Origins origins;
    for (const WaitEdge &edge : waits.edges) {
        wanted.insert({edge.blocker, edge.object});
        if (edge.origin && !origins.contains(edge.blocker, *edge.origin))
            origins.insert(edge.blocker, *edge.origin);
    }
    for (const ServerLock &lock : waits.locks) {
        if (lock.isGranted && lock.event && wanted.contains({lock.session, lock.object}))
            origins.insert(lock.session, {0, *lock.event});
    }
    return origins;
}

QList<quint64> blockersOf(const ServerWaits &waits)
{
    QSet<quint64> blockers;
    for (const WaitEdge &edge : waits.edges) {
        if (waits.session(edge.blocker))
            blockers.insert(edge.blocker);
    }
    QList<quint64> ids(blockers.cbegin(), blockers.cend());
    std::sort(ids.begin(), ids.end());
    return ids.mid(0, MaxHistories);
}

/// A commit or the begin of a transaction: what was before belongs to another one.
bool isBoundary(const QString &event)
{
    return event == QLatin1String("statement/sql/begin") || event == QLatin1String("statement/sql/commit")
        || event == QLatin1String("statement/sql/rollback");
}

/// Neither locks anything nor changes anything that others see.
bool isOfNoInterest(const QString &event)
{
    return event == QLatin1String("statement/sql/set_option") || event.startsWith(QLatin1String("statement/sql/show_"));
}

/// The number of a lock is that of the next event: each begins with the number as it is, and counts it up.
bool isOf(const LockOrigin &origin, const QVariantList &values)
{
    const bool isThread = origin.thread == 0 || origin.thread == values.value(ThreadCol).toULongLong();
    return isThread && origin.event > values.value(EventCol).toULongLong()
        && origin.event <= values.value(EndCol).toULongLong() + 1;
}

} // namespace

std::optional<LockError> readHistory(Session &session, ServerWaits *waits)
{
    const QList<quint64> ids = blockersOf(*waits);
    if (ids.isEmpty())
        return std::nullopt;
    const Reply reply = session.run(
        "waits/history", Params().numberList("ids", ids).number("bytes", qint64(ServerWaits::MaxStatementBytes)));
    const Origins origins = originsOf(*waits);
    for (const QVariantList &values : reply.set(-1).rows) {
        const auto one = waits->sessions.find(values.value(SessionCol).toULongLong());
        if (one == waits->sessions.end())
            continue;
        if (isBoundary(values.value(NameCol).toString())) {
            one->history.clear();
            continue;
        }
        if (isOfNoInterest(values.value(NameCol).toString()))
            continue;
        const auto [first, last] = origins.equal_range(one->id);
        const bool tookLock =
            std::any_of(first, last, [&values](const LockOrigin &origin) { return isOf(origin, values); });
        one->history.append({values.value(TextCol).toByteArray(), tookLock});
    }
    return reply.error;
}

} // namespace lockscope
