// SPDX-License-Identifier: MIT
#include "tablelocktext.h"

#include "commontext.h"
#include "console/duration.h"
#include "tableprofiletext.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostPlaces = 3;
/// What a server says of a table that is not there.
constexpr int kNoTable = 1146;

} // namespace

QString TableLockText::program(const TableLock &lock)
{
    const QString &title = lock.table.profile.title;
    return lock.table.isLookAlike ? tr("looks like %1").arg(title) : title;
}

QString TableLockText::clock(const TableLock &lock)
{
    return lock.table.profile.clock == TableClock::Database ? tr("the server's")
                                                            : tr("that of the application's machine, which may be off");
}

QString TableLockText::reason(const TableLock &lock)
{
    if (!lock.unread.isEmpty())
        return tr("Its table is not read now, and this is how it was seen last. %1").arg(lock.unread);
    if (lock.needsZone)
        return tr("Its times depend on the time zone of the application's connections, which Lockscope has not been "
                  "told.");
    if (lock.state != TableLockState::Unknown)
        return {};
    if (lock.table.profile.isOfTransaction)
        return tr("Its row does not tell: it is held while a transaction has locked the row, which the server shows "
                  "once somebody waits for it.");
    return tr("Its row has a value that the program does not write: %1.").arg(lock.reason);
}

QString TableLockText::stateMeaning(const TableLock &lock)
{
    switch (lock.stateNow()) {
    case TableLockState::Held:
        return tr("Its row says that it is held, and its time is not up.");
    case TableLockState::Free:
        return tr("Its row says that it is free.");
    case TableLockState::Expired:
        return tr("Its time is up, and its program has not removed the row yet.");
    case TableLockState::Unknown:
        break;
    }
    return reason(lock);
}

QString TableLockText::left(const LockRow &row, ServerTime now)
{
    return row.expiresAt || row.table->isForever ? CommonText::countdown(row.remaining(now)) : CommonText::none();
}

/// Each of holder and age may be missing.
QString TableLockText::held(const LockRow &row, ServerTime now)
{
    const QString name = CommonText::shortened(CommonText::lock(row.key));
    const QString who = CommonText::shortened(CommonText::service(row.owner));
    if (!row.owner.service.isEmpty())
        return CommonText::held(who, name, row, now);
    return row.acquiredAt ? tr("%1 has been held for %2").arg(name, CommonText::heldFor(row, now))
                          : tr("%1 is held").arg(name);
}

QString TableLockText::summary(const LockRow &row, ServerTime now)
{
    const QString name = CommonText::shortened(CommonText::lock(row.key));
    const auto left = row.remaining(now);
    switch (row.state) {
    case LockState::Expired:
        return left ? tr("The time of %1 was up %2 ago; its row is still there.").arg(name, formatDuration(*left))
                    : tr("The time of %1 is up; its row is still there.").arg(name);
    case LockState::Unknown:
        return tr("Whether %1 is held is not known. %2").arg(name, reason(*row.table));
    default:
        break;
    }
    const QString head = held(row, now);
    if (row.table->isForever)
        return tr("%1; it has no end.").arg(head);
    if (!left)
        return tr("%1.").arg(head);
    return left->count() > 0 ? tr("%1; it ends in %2.").arg(head, formatDuration(*left))
                             : tr("%1; its time was up %2 ago.").arg(head, formatDuration(*left));
}

QStringList TableLockText::values(const TableLock &lock)
{
    QStringList lines;
    for (qsizetype i = 0; i < lock.table.columns.size(); ++i) {
        const TableValue value = lock.values.value(i);
        lines += lock.table.columns[i].name + u" = "_s
            + (value ? CommonText::shortened(CommonText::note(*value), 120) : u"NULL"_s);
    }
    return lines;
}

QString TableLockText::whyNotReleasable(const TableLock &lock)
{
    const ProfileRelease &release = lock.table.profile.release;
    if (release.way == ProfileRelease::Way::None)
        return release.reason.isEmpty()
            ? tr("It cannot be released here.")
            : tr("It cannot be released here: %1.").arg(TableProfileText::of(release.reason));
    if (!lock.table.isTransactional())
        return tr("It cannot be released here: its table is of the engine %1, which cannot undo a change that hits "
                  "more than this row.")
            .arg(lock.table.engine);
    return {};
}

QString TableLockText::outcome(const TableReleaseReport &report)
{
    if (report.outcome == TableReleaseReport::Outcome::StillHeld)
        return tr("Its row would be held after it, too. Nothing was done.");
    return report.rows == 0 ? tr("Its row is not as it was shown any more. Nothing was done.")
                            : tr("%1 rows are as it was shown, and they cannot be told apart. Nothing was done.")
                                  .arg(CommonText::count(report.rows));
}

QString TableLockText::unseen(const TableLocks &tables, const std::optional<LockError> &failure)
{
    QStringList texts;
    if (const QString text = unread(tables.unread); !text.isEmpty())
        texts += text;
    else if (failure)
        texts += tr("Lock tables of other programs cannot be read now. %1").arg(failure->toString());
    if (tables.serverTables > 0)
        texts += tr("The server has %1 tables: lock tables of other programs were looked for in the connection's own "
                    "schema alone. Connect to the schema that matters.")
                     .arg(CommonText::count(tables.serverTables));
    if (tables.isScanCut)
        texts += tr("Too many tables could be lock tables of other programs: there may be more of these. A connection "
                    "to one schema looks there first.");
    for (const QString &fault : tables.faultyProfiles)
        texts += tr("A profile of yours is not used: %1.").arg(CommonText::resource(fault.toUtf8()));
    return texts.join(u' ');
}

QString TableLockText::unread(const QList<UnreadTable> &tables)
{
    QStringList places;
    QString why;
    for (const UnreadTable &table : tables) {
        const bool isDropped = table.error && table.error->code == kNoTable;
        if (table.isLookAlike || isDropped) // whatever it is; the next look knows that it is gone
            continue;
        places += table.isPartly
            ? tr("%1 (only %2 of its held rows)").arg(table.place, CommonText::count(TableReader::MaxRows))
            : table.place;
        if (why.isEmpty() && table.error)
            why = table.error->toString();
    }
    if (places.isEmpty())
        return {};
    const qsizetype more = places.size() - kMostPlaces;
    QString text = more > 0 ? tr("%1 and %n more", nullptr, int(more)).arg(places.first(kMostPlaces).join(tr(", ")))
                            : places.join(tr(", "));
    text = tr("Of lock tables of other programs not all was read: %1.").arg(text);
    return why.isEmpty() ? text : text + u' ' + why;
}

} // namespace lockscope::ui
