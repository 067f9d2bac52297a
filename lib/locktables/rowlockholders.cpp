// SPDX-License-Identifier: MIT
#include "rowlockholders.h"

#include <algorithm>

namespace lockscope {

namespace {

/// The key as InnoDB names a record of the primary key, where that is made of the profile's key: "'s',
/// 'TRIGGER_ACCESS'".
QByteArray recordOf(const TableLock &lock)
{
    QByteArrayList parts;
    for (const QString &column : lock.table.profile.key) {
        const ProfileColumn *known = lock.table.profile.column(column);
        QByteArray value = lock.values.value(lock.table.indexOf(column)).value_or("NULL");
        const bool isText = known && known->family == ColumnFamily::Text;
        parts.append(isText ? '\'' + value.replace("'", "''") + '\'' : value);
    }
    return parts.join(", ");
}

bool isRowOf(const ServerObject &object, const TableLock &lock)
{
    return object.kind == ServerLockKind::Record && object.index == QLatin1String("PRIMARY")
        && object.schema == lock.table.schema && QString::fromUtf8(object.name) == lock.table.name
        && object.record == recordOf(lock);
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
