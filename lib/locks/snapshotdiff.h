// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

namespace lockscope {

/// A row of a list: a lock, and when it came or went on this process's clock.
struct LockItem
{
    SharedLockRow row;
    std::optional<std::chrono::steady_clock::time_point> appearedAt; ///< new, or in new hands; none for what was there
    std::optional<std::chrono::steady_clock::time_point> vanishedAt; ///< the lock is free now and leaves the list soon

    bool operator==(const LockItem &) const = default;
};

/// How one list became the next. Rows are positions: `removed` in the old list, the others in the new one, ascending.
struct ListDiff
{
    QList<int> removed;
    QList<int> inserted;
    QList<int> changed;
    QList<int> newRowOf; ///< for each old row its new one, -1 when removed
    bool moved = false;  ///< rows that stayed changed their order among themselves

    bool isEmpty() const { return removed.isEmpty() && inserted.isEmpty() && changed.isEmpty() && !moved; }
};

/// Compares by key, in linear time; the lists may be sorted by anything, and no key may stand in one of them twice.
/// Pure; any thread.
ListDiff diffLists(const QList<LockItem> &before, const QList<LockItem> &after);

} // namespace lockscope
