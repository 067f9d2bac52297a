// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"

#include <QtCore/QSet>

namespace lockscope {

/// A lock that a session holds of the server's own.
struct HeldLock
{
    /// Of a transaction's rows it is the one that is waited for, or an empty object where nobody waits: they are one
    /// lock here, for a server does not name them all.
    ServerLock lock;
    QList<WaitEdge> queue; ///< who waits for it because of this session, the longest wait first

    bool isOfTransaction() const
    {
        return lock.object.kind == ServerLockKind::Record || lock.object.kind == ServerLockKind::Table;
    }
};

/// Transactions with rows locked or changed, and granted metadata and user-level locks, by session. Not those of the
/// looking program itself, and not the rows of `known`: connections whose rows are shown as the engine's.
QList<HeldLock> heldLocks(const ServerWaits &waits, const QSet<quint64> &known = {});

} // namespace lockscope
