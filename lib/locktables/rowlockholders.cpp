// SPDX-License-Identifier: MIT
#include "rowlockholders.h"

#include <algorithm>

namespace lockscope {

namespace {

/// As InnoDB names a record of an index with these columns: "'s', 'TRIGGER_ACCESS'".
QByteArray recordOf(const TableLock &lock, const QStringList &columns)
{
    QByteArrayList parts;
    for (const QString &column : columns) {
        const ProfileColumn *known = lock.table.profile.column(column);
        QByteArray value = lock.values.value(lock.table.indexOf(column)).value_or("NULL");
        const bool isText = known && known->family == ColumnFamily::Text;
        parts.append(isText ? '\'' + value.replace("'", "''") + '\'' : value);
    }
    return parts.join(", ");
}

/// Who holds up others in the gap before a row need not have locked the row.
bool isRowOf(const ServerObject &object, const TableLock &lock)
{
    if (object.kind != ServerLockKind::Record || object.isGap || object.schema != lock.table.schema
        || QString::fromUtf8(object.name) != lock.table.name)
        return false;
    const auto columns = lock.table.recordColumns.constFind(object.index);
    if (columns == lock.table.recordColumns.cend())
        return false;
    const QByteArray record = recordOf(lock, *columns);
    return object.record == record || object.record.startsWith(record + ", "); // other columns may follow
}

QByteArray holderOf(const ServerWaits &waits, quint64 number)
{
    const ServerSession *session = waits.session(number);
    const QByteArray text =
        isPreparedNumber(number) ? QByteArray("a prepared transaction") : "session " + QByteArray::number(number);
    return session ? text + ' ' + session->account().toUtf8() : text;
}

} // namespace

void judgeByRowLocks(const QList<HeldLock> &held, const ServerWaits &waits, QList<TableLock> *locks)
{
    for (TableLock &lock : *locks) {
        if (!lock.table.profile.isOfTransaction)
            continue;
        const auto holder = std::find_if(held.cbegin(), held.cend(),
                                         [&lock](const HeldLock &one) { return isRowOf(one.lock.object, lock); });
        if (holder == held.cend())
            continue;
        lock.state = TableLockState::Held;
        lock.reason.clear();
        lock.unread.clear();
        lock.holder = holderOf(waits, holder->lock.session);
    }
}

} // namespace lockscope
