// SPDX-License-Identifier: MIT
#include "tabletext.h"

#include "console/duration.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QString clockText(TableClock clock)
{
    return clock == TableClock::Database ? u"database"_s : u"application"_s;
}

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
    if (lock.state == TableLockState::Held && lock.isForever)
        return remainingText(std::nullopt);
    return lock.until && lock.state == TableLockState::Held ? remainingText(remaining(lock, now)) : u"-"_s;
}

QString noteText(const TableLock &lock)
{
    const QString note = lock.reason.isEmpty() ? lock.table.profile.note : lock.reason;
    return note.isEmpty() ? tableProfileText(lock) : tableProfileText(lock) + printable(u": "_s + note);
}

} // namespace

QString tableLockName(const TableLock &lock)
{
    const QString name = printable(lock.name());
    return name.isEmpty() ? printable(lock.table.place()) : printable(lock.table.place()) + u' ' + name;
}

QString tableProfileText(const TableLock &lock)
{
    return printable(lock.table.isLookAlike ? u"looks like "_s + lock.table.profile.title : lock.table.profile.title);
}

QString stateText(TableLockState state)
{
    switch (state) {
    case TableLockState::Held:
        return u"held"_s;
    case TableLockState::Free:
        return u"free"_s;
    case TableLockState::Expired:
        return u"expired"_s;
    case TableLockState::Unknown:
        break;
    }
    return u"unknown"_s;
}

QList<QStringList> tableLockCells(const QList<TableLock> &locks, ServerTime now)
{
    QList<QStringList> rows;
    for (const TableLock &lock : locks) {
        const auto held = age(lock, now);
        rows.append({tableLockName(lock), u"table"_s, stateText(lock.state), QString::number(lock.fingerprint()),
                     held ? formatDuration(*held) : u"-"_s, leftText(lock, now), u"-"_s,
                     lock.holder.isEmpty() ? u"-"_s : printable(lock.holder), noteText(lock)});
    }
    return rows;
}

QJsonObject toJson(const TableLock &lock, ServerTime now)
{
    const TableProfile &profile = lock.table.profile;
    QJsonObject json{{u"kind"_s, u"table"_s},
                     {u"mode"_s, u"table"_s},
                     {u"profile"_s, profile.id},
                     {u"looksLike"_s, lock.table.isLookAlike},
                     {u"schema"_s, lock.table.schema},
                     {u"table"_s, lock.table.name},
                     {u"state"_s, stateText(lock.state)},
                     {u"owner"_s, toJson(Owner())},
                     {u"holder"_s, textOrNull(printable(lock.holder))},
                     {u"connectionId"_s, QJsonValue()},
                     {u"token"_s, number(lock.fingerprint())},
                     {u"note"_s, tableProfileText(lock)},
                     {u"reason"_s, textOrNull(lock.reason)},
                     {u"clock"_s, clockText(profile.clock)},
                     {u"needsZone"_s, lock.needsZone},
                     {u"waiters"_s, QJsonValue()},
                     {u"sessionAlive"_s, QJsonValue()},
                     {u"acquiredAt"_s, toJson(lock.since)},
                     {u"ageMs"_s, milliseconds(age(lock, now))},
                     {u"expiresAt"_s, toJson(lock.until)},
                     {u"remainingMs"_s, milliseconds(remaining(lock, now))},
                     {u"ttlMs"_s, QJsonValue()}};
    addResource(&json, lock.name());
    return json;
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
