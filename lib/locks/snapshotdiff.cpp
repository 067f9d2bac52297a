// SPDX-License-Identifier: MIT
#include "snapshotdiff.h"

#include <QtCore/QHash>

namespace lockscope {

ListDiff diffLists(const QList<LockItem> &before, const QList<LockItem> &after)
{
    ListDiff diff;
    QHash<LockKey, int> rowOf;
    rowOf.reserve(before.size());
    for (int row = 0; row < before.size(); ++row)
        rowOf.insert(before[row].row->key, row);

    diff.newRowOf.fill(-1, before.size());
    int highest = -1;
    for (int row = 0; row < after.size(); ++row) {
        const int old = rowOf.value(after[row].row->key, -1);
        if (old < 0) {
            diff.inserted.append(row);
            continue;
        }
        diff.newRowOf[old] = row;
        diff.moved = diff.moved || old < highest;
        highest = std::max(highest, old);
        if (before[old] != after[row])
            diff.changed.append(row);
    }
    for (int row = 0; row < before.size(); ++row) {
        if (diff.newRowOf[row] < 0)
            diff.removed.append(row);
    }
    return diff;
}

} // namespace lockscope
