// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"
#include "waits/heldlocks.h"

namespace lockscope {

/// Without the rows of connections that hold them for the engine: `leases` are its own, and list them.
QList<HeldLock> withoutLeases(QList<HeldLock> locks, const QList<SharedLockRow> &leases);

/// The server's own locks as rows of the one list, sorted by key. `locks` are those of `waits`: see heldLocks().
QList<LockRow> serverRows(const QList<HeldLock> &locks, const ServerWaits &waits);

/// The queue of one of them; empty when it is gone.
QList<Waiter> serverQueue(const QList<HeldLock> &locks, const ServerWaits &waits, const LockKey &key);

} // namespace lockscope
