// SPDX-License-Identifier: MIT
#include "tablerelease.h"

#include "locktables/tableeffects.h"
#include "locktables/tableerrors.h"
#include "locktables/tablejudge.h"
#include "locktables/tablestatements.h"
#include "recordedacts.h"
#include "session/session.h"
#include "session/validation_p.h"

#include <QtCore/QTimeZone>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

using Outcome = TableReleaseReport::Outcome;

/// Rows that are looked at before the COMMIT.
constexpr int kMaxChecked = 10;

QByteArray beginningOf(const TableLock &lock)
{
    return "START TRANSACTION;\n" + releaseStatement(lock);
}

AuditEntry entryFor(const TableReleaseOrder &order, const TableReleaseReport &report, const Session &session)
{
    AuditEntry entry;
    entry.server = session.server();
    entry.account = session.info().account;
    entry.target = recordedTarget(order);
    entry.statement = QString::fromUtf8(report.statement);
    entry.reason = order.reason;
    entry.outcome = outcomeOf(report);
    return entry;
}

QString changedText(qint64 rows)
{
    return rows == 0 ? u"the row is not as it was shown any more"_s
                     : u"%1 rows are as it was shown, and they cannot be told apart; this was rolled back"_s.arg(rows);
}

/// Also after an error, which may have left the transaction open.
void rollBack(Session &session)
{
    if (!session.isGone())
        session.run("ROLLBACK", QByteArray("locktables/release"));
}

/// What a profile says of the row now. None after an error: then `*error` is set.
std::optional<bool> isStillHeld(Session &session, const TableLock &lock, std::optional<LockError> *error)
{
    const Reply clock = session.run("monitor/clock", Params());
    const Reply rows = clock.error ? clock : session.run(checkStatement(lock, kMaxChecked), "locktables/release");
    *error = rows.error;
    if (rows.error)
        return std::nullopt;
    const ServerTime now = toServerTime(clock.value()).value_or(ServerTime{});
    const bool isDeletion = lock.table.profile.release.way == ProfileRelease::Way::Delete;
    for (const QVariantList &row : rows.set(-1).rows) {
        const TableLock after = judgeRow(lock.table, tableValues(row), QTimeZone(), now);
        // Without the application's zone its end is not known, and what was set is the program's own.
        const bool isUnclear = after.state == TableLockState::Unknown && !after.needsZone;
        if (isDeletion || after.state == TableLockState::Held || isUnclear)
            return true;
    }
    return false;
}

void act(Session &session, const TableReleaseOrder &order, TableReleaseReport *report)
{
    const Reply begun = session.run(beginningOf(order.lock), "locktables/release");
    report->error = begun.error;
    if (begun.error) { // not committed, so it is undone, also where the connection was lost
        rollBack(session);
        return;
    }
    report->rows = begun.set(-1).affected;
    if (report->rows != 1) {
        rollBack(session);
        report->outcome = Outcome::TargetChanged;
        return;
    }
    const auto isHeld = isStillHeld(session, order.lock, &report->error);
    if (isHeld.value_or(true)) {
        rollBack(session);
        report->outcome = isHeld ? Outcome::StillHeld : Outcome::Failed;
        return;
    }
    const Reply committed = session.run("COMMIT", QByteArray("locktables/release"));
    report->error = committed.error;
    report->mayBeDone = committed.error && committed.error->connectionGone;
    if (!committed.error)
        report->outcome = Outcome::Released;
}

/// Without a look at the server.
QString plainRefusal(const TableReleaseOrder &order)
{
    const TableLock &lock = order.lock;
    const TableProfile &profile = lock.table.profile;
    if (!order.profile.isEmpty() && order.profile != profile.id)
        return u"its table is read by the profile %1, not %2"_s.arg(profile.id, order.profile);
    if (lock.table.profile.release.way == ProfileRelease::Way::None)
        return lock.table.profile.release.reason;
    if (lock.state == TableLockState::Free)
        return u"it is free"_s;
    if (!lock.table.isTransactional())
        return u"its table is of the engine %1, which cannot undo a change that hits more than this row"_s.arg(
            lock.table.engine);
    if (lock.table.isLookAlike && order.profile.isEmpty())
        return u"its table looks like one of %1 and is not named so: it may be any program's; if it is that one's, add "
               "--profile %2"_s.arg(profile.title, profile.id);
    return {};
}

} // namespace

std::optional<LockError> lookUpTableRefusal(Session &session, const TableReleaseOrder &order, QString *why)
{
    *why = plainRefusal(order);
    const auto error = why->isEmpty() ? lookUpEffects(session, order.lock.table, why) : std::nullopt;
    return error ? std::optional(ofTable(*error, TableUse::Release)) : std::nullopt;
}

QByteArray tableReleaseStatement(const TableLock &lock)
{
    return beginningOf(lock) + ";\nCOMMIT";
}

TableReleaseReport releaseTableLock(Session &session, const TableReleaseOrder &order, const ServerAccess &access,
                                    AuditFile *audit)
{
    TableReleaseReport report;
    report.statement = tableReleaseStatement(order.lock);
    report.error = access.refusal();
    QString why;
    if (!report.error) {
        report.error = lookUpTableRefusal(session, order, &why);
        if (report.error)
            return report; // nothing was begun
    }
    if (!why.isEmpty())
        report.error = detail::badRequest(u"This lock cannot be released here: %1."_s.arg(why));
    if (!report.error)
        report.error = detail::validateRecord(u"A release"_s, order.operatorName, order.reason);
    if (!report.error)
        report.error = openRecord(audit);
    if (!report.error)
        report.error = recordIntent(audit, entryFor(order, report, session));
    if (report.error) {
        report.outcome = Outcome::Refused;
        return report;
    }
    act(session, order, &report);
    if (report.error)
        report.error = ofTable(*report.error, TableUse::Release);
    report.recordError = audit->append(entryFor(order, report, session));
    return report;
}

QString outcomeOf(const TableReleaseReport &report)
{
    switch (report.outcome) {
    case Outcome::Released:
        return u"released"_s;
    case Outcome::TargetChanged:
        return u"nothing was done: "_s + changedText(report.rows);
    case Outcome::StillHeld:
        return u"nothing was done: the row would be held after it, too; this was rolled back"_s;
    case Outcome::Refused:
        return u"nothing was done: "_s + (report.error ? report.error->message : QString());
    case Outcome::Failed:
        break;
    }
    return failureText(report.error, report.mayBeDone);
}

} // namespace lockscope
