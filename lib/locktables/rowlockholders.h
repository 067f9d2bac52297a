// SPDX-License-Identifier: MIT
#pragma once

#include "tablelock.h"
#include "waits/heldlocks.h"

namespace lockscope {

/// Locks that a transaction holds by locking their row: held by the session of it, where the server names that row, by
/// a record of any of LockTable::recordColumns, which it does while somebody waits for it. Pure; any thread.
void judgeByRowLocks(const QList<HeldLock> &held, const ServerWaits &waits, QList<TableLock> *locks);

} // namespace lockscope
