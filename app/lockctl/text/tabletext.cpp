// SPDX-License-Identifier: MIT
#include "tabletext.h"

#include "console/duration.h"
#include "locks/lockjson.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

std::optional<Microseconds> remaining(const TableLock &lock, ServerTime now)
{
    return lock.until ? std::optional(*lock.until - now) : std::nullopt;
}

std::optional<Microseconds> age(const TableLock &lock, ServerTime now)
{
    return lock.since ? std::optional(now - *lock.since) : std::nullopt;
}

QString leftText(const TableLock &lock, ServerTime now)
{
    const bool isHeld = lock.stateNow() == TableLockState::Held;
    if (isHeld && lock.isForever)
        return remainingText(std::nullopt);
    return lock.until && isHeld ? remainingText(remaining(lock, now)) : u"-"_s;
}

QString noteText(const TableLock &lock)
{
    if (!lock.unread.isEmpty())
        return tableProfileText(lock) + printable(u": not read now, and as seen last: "_s + lock.unread);
    const QString note = lock.reason.isEmpty() ? lock.table.profile.note : lock.reason;
    return note.isEmpty() ? tableProfileText(lock) : tableProfileText(lock) + printable(u": "_s + note);
}

} // namespace

QString tableLockName(const TableLock &lock)
{
    return printable(lock.fullName());
}

QString tableProfileText(const TableLock &lock)
{
    return printable(profileText(lock));
}

QList<QStringList> tableLockCells(const QList<TableLock> &locks, ServerTime now)
{
    QList<QStringList> rows;
    for (const TableLock &lock : locks) {
        const auto held = age(lock, now);
        rows.append({tableLockName(lock), u"table"_s, stateText(lock.stateNow()), QString::number(lock.fingerprint()),
                     held ? formatDuration(*held) : u"-"_s, leftText(lock, now), u"-"_s,
                     lock.holder.isEmpty() ? u"-"_s : printable(lock.holder), noteText(lock)});
    }
    return rows;
}

QString zoneHint(const QList<TableLock> &locks)
{
    QStringList profiles;
    for (const TableLock &lock : locks) {
        if (lock.needsZone && !profiles.contains(lock.table.profile.id))
            profiles.append(lock.table.profile.id);
    }
    return profiles.isEmpty()
        ? QString()
        : u"times of %1 depend on the time zone of the application's connections; tell it once: `lockctl profiles zone %2 ZONE`."_s
              .arg(profiles.join(u", "_s), profiles.first());
}

} // namespace lockscope::ctl
