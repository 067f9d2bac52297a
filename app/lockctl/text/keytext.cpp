// SPDX-License-Identifier: MIT
#include "keytext.h"

#include "console/duration.h"
#include "locks/lockjson.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QStringList cells(const LockRow &row, const KeyHolder &holder, ServerTime now)
{
    const KeyLock &lock = *row.keyLock;
    const std::optional<ServerTime> until = holder.until ? holder.until : lock.until;
    const QString note =
        lock.convention.title + (lock.convention.note.isEmpty() ? QString() : u": "_s) + lock.convention.note;
    // What has no end in ZooKeeper and etcd goes with a session or an etcd lease.
    const bool isForever = !until && lock.convention.store() == KeyStore::Redis;
    return {printable(lock.name),
            modeText(row.key.kind),
            stateText(row.state),
            printable(holder.guard()),
            holder.since ? formatDuration(now - *holder.since) : u"-"_s,
            until || isForever ? remainingText(until ? std::optional(*until - now) : std::nullopt) : u"-"_s,
            lock.waiters ? QString::number(*lock.waiters) : u"-"_s,
            printable(holder.text),
            printable(note)};
}

} // namespace

QList<QStringList> keyLockCells(const QList<LockRow> &locks, ServerTime now)
{
    QList<QStringList> rows;
    for (const LockRow &row : locks) {
        for (const KeyHolder &holder : row.keyLock->holders)
            rows.append(cells(row, holder, now));
    }
    return rows;
}

} // namespace lockscope::ctl
