// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"

namespace lockscope {

/// A lock that a session holds of the server's own.
struct HeldLock
{
    /// Of a transaction's rows only those that are waited for are named, each a lock of its own. Where nobody waits
    /// they are one without a name, for a server does not name them all.
    ServerLock lock;
    /// Who waits for it because of this session, directly or behind others who wait for it; one edge of each, the
    /// longest wait first.
    QList<WaitEdge> queue;

    bool isOfTransaction() const
    {
        return lock.object.kind == ServerLockKind::Record || lock.object.kind == ServerLockKind::Table;
    }
};

/// Transactions with rows locked or changed, and granted metadata and user-level locks, by session. Not those of this
/// program itself.
QList<HeldLock> heldLocks(const ServerWaits &waits);

/// By session, what it holds that others wait for; first the lock with the longest wait.
QHash<quint64, QList<ServerObject>> wantedLocks(const ServerWaits &waits);

} // namespace lockscope
