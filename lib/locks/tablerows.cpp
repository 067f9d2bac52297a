// SPDX-License-Identifier: MIT
#include "tablerows.h"

#include <QtCore/QSet>

#include <algorithm>
#include <span>

namespace lockscope {

namespace {

LockState stateOf(TableLockState state)
{
    switch (state) {
    case TableLockState::Held:
        return LockState::Held;
    case TableLockState::Free:
        return LockState::Open;
    case TableLockState::Expired:
        return LockState::Expired;
    case TableLockState::Unknown:
        break;
    }
    return LockState::Unknown;
}

LockRow toRow(const TableLock &lock)
{
    LockRow row;
    row.key.kind = LockKind::Table;
    row.key.resource = lock.fullName();
    row.state = stateOf(lock.stateNow());
    row.owner.service = QString::fromUtf8(lock.holder);
    row.note = lock.table.profile.title.toUtf8();
    row.acquiredAt = lock.since;
    row.expiresAt = lock.until;
    row.waiters.reset();
    row.table = lock;
    return row;
}

/// Whether both are the same lock: of the same table, with the same values in the columns of its key. Of recorded rows
/// these columns are not known.
bool isSameLock(const TableLock &a, const TableLock &b)
{
    if (a.table.schema != b.table.schema || a.table.name != b.table.name)
        return false;
    const QStringList &key = a.table.profile.key;
    if (key.isEmpty() || b.table.profile.key != key)
        return a.key == b.key;
    return std::all_of(key.cbegin(), key.cend(), [&a, &b](const QString &column) {
        return a.values.value(a.table.indexOf(column)) == b.values.value(b.table.indexOf(column));
    });
}

bool isSameRow(const TableLock &a, const TableLock &b)
{
    return isSameLock(a, b) && a.values == b.values;
}

/// Gives each of `rows`, which all have one name, a number, and lets them keep those that they had in `before`.
void numberEqualNames(std::span<LockRow> rows, std::span<const SharedLockRow> before)
{
    QSet<int> taken;
    for (const LockRow &row : before)
        taken.insert(row.key.slot); // also of one that is gone: a new one is not that one
    QList<bool> isNumbered(qsizetype(rows.size()), false);
    QList<bool> isFound(qsizetype(before.size()), false);
    for (const auto isSame : {&isSameRow, &isSameLock}) { // of rows without a unique key first those that stayed
        for (size_t i = 0; i < rows.size(); ++i) {
            for (size_t j = 0; j < before.size() && !isNumbered[qsizetype(i)]; ++j) {
                if (isFound[qsizetype(j)] || !isSame(*rows[i].table, *before[j]->table))
                    continue;
                rows[i].key.slot = before[j]->key.slot;
                isNumbered[qsizetype(i)] = isFound[qsizetype(j)] = true;
            }
        }
    }
    int next = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
        if (isNumbered[qsizetype(i)])
            continue;
        while (taken.contains(next))
            ++next;
        rows[i].key.slot = next++;
    }
}

/// Sorted by key. Rows that cannot be told apart by their names are told apart by a number.
void giveKeys(QList<LockRow> *rows, const QList<SharedLockRow> &before)
{
    const auto byKey = [](const LockRow &a, const LockRow &b) { return a.key < b.key; };
    std::stable_sort(rows->begin(), rows->end(), byKey);
    auto old = before.cbegin();
    for (auto first = rows->begin(); first != rows->end();) {
        const QByteArray name = first->key.resource;
        const auto isOther = [&name](const LockRow &row) { return row.key.resource != name; };
        const auto end = std::find_if(first, rows->end(), isOther);
        while (old != before.cend() && (*old)->key.resource < name)
            ++old;
        const auto oldEnd = std::find_if(old, before.cend(), isOther);
        if (end - first > 1 || old != oldEnd)
            numberEqualNames({first, end}, {old, oldEnd});
        std::sort(first, end, byKey);
        first = end;
    }
}

} // namespace

QList<SharedLockRow> tableRows(const QList<TableLock> &locks, const QList<SharedLockRow> &before)
{
    QList<LockRow> rows;
    rows.reserve(locks.size());
    for (const TableLock &lock : locks) {
        if (lock.state != TableLockState::Free)
            rows.append(toRow(lock));
    }
    giveKeys(&rows, before);
    QList<SharedLockRow> result;
    result.reserve(rows.size());
    auto old = before.cbegin();
    for (LockRow &row : rows) {
        while (old != before.cend() && (*old)->key < row.key)
            ++old;
        const bool isSame = old != before.cend() && **old == row;
        result.append(isSame ? *old : SharedLockRow(std::move(row)));
    }
    return result;
}

} // namespace lockscope
