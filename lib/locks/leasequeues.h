// SPDX-License-Identifier: MIT
#pragma once

#include "engine/unique/leaseview_p.h"
#include "session/session.h"

#include <QtCore/QHash>

namespace lockscope {

/// Which of the requests that wait for leases live: those whose names are held.
/// Thread: that of `session`.
class LeaseQueues
{
public:
    explicit LeaseQueues(Session &session)
        : m_session(session)
    {
    }

    /// Asks for the names of these, as `lock_lease.queue` has them, whatever was asked before. One statement for some
    /// hundred names; none for none.
    std::optional<LockError> ask(const QList<QByteArray> &queues);
    /// The living requests of a queue that was asked about, in order.
    std::vector<detail::QueueEntry> livingOf(const QByteArray &queue) const;
    /// How many these are.
    int countLiving(const QByteArray &queue) const;
    /// The connection that holds a living request's name.
    quint64 connectionOf(const QByteArray &name) const { return m_holders.value(name); }

private:
    Session &m_session;
    QHash<QByteArray, quint64> m_holders;
};

} // namespace lockscope
