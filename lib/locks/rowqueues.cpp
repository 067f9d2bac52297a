// SPDX-License-Identifier: MIT
#include "rowqueues.h"

namespace lockscope {

namespace {

/// Columns of monitor/row_waiters.
enum Column { ResourceCol, ConnectionCol, AccountCol, SinceCol };

constexpr std::chrono::milliseconds kBetweenReads{150};

} // namespace

std::optional<LockError> RowQueues::read(Session &session)
{
    const auto now = std::chrono::steady_clock::now();
    if (m_readAt && now - *m_readAt < kBetweenReads)
        return std::nullopt;
    m_readAt = now;
    m_queues.clear();
    m_isKnown = false;
    const Reply reply = session.run("monitor/row_waiters", Params());
    if (!reply)
        return reply.error->kind == LockError::Kind::NoPermission ? std::nullopt : reply.error;
    m_isKnown = reply.value(0).toBool();
    for (const QVariantList &values : reply.set(-1).rows) {
        QList<Waiter> &queue = m_queues[values.value(ResourceCol).toByteArray()];
        Waiter waiter;
        waiter.position = int(queue.size()) + 1;
        waiter.connectionId = values.value(ConnectionCol).toULongLong();
        waiter.account = values.value(AccountCol).toString();
        waiter.since = toServerTime(values.value(SinceCol));
        queue.append(std::move(waiter));
    }
    return std::nullopt;
}

std::optional<int> RowQueues::lengthOf(const QByteArray &resource) const
{
    return m_isKnown ? std::optional(int(m_queues.value(resource).size())) : std::nullopt;
}

} // namespace lockscope
