// SPDX-License-Identifier: MIT
// Locks that other programs keep in tables, as rows of the one list.
#pragma once

#include "snapshot.h"

namespace lockscope {

/// Sorted by key, without those that are free. A row of `before` that has not changed is the same object again, and one
/// whose name several have keeps the number that tells it from the others. Pure; any thread.
QList<SharedLockRow> tableRows(const QList<TableLock> &locks, const QList<SharedLockRow> &before);

} // namespace lockscope
