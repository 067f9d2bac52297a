// SPDX-License-Identifier: MIT
#include "tablerelease.h"

#include "locktables/tablestatements.h"
#include "recordedacts.h"
#include "session/session.h"
#include "session/validation_p.h"

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

using Outcome = TableReleaseReport::Outcome;

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
    const Reply committed = session.run("COMMIT", QByteArray("locktables/release"));
    report->error = committed.error;
    report->mayBeDone = committed.error && committed.error->connectionGone;
    if (!committed.error)
        report->outcome = Outcome::Released;
}

} // namespace

QString tableReleaseRefusal(const TableLock &lock)
{
    if (lock.table.profile.release.way == ProfileRelease::Way::None)
        return lock.table.profile.release.reason;
    if (lock.state == TableLockState::Free)
        return u"it is free"_s;
    if (!lock.table.isTransactional())
        return u"its table is of the engine %1, which cannot undo a change that hits more than this row"_s.arg(
            lock.table.engine);
    return {};
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
    if (const QString why = tableReleaseRefusal(order.lock); !report.error && !why.isEmpty())
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
    case Outcome::Refused:
        return u"nothing was done: "_s + (report.error ? report.error->message : QString());
    case Outcome::Failed:
        break;
    }
    return failureText(report.error, report.mayBeDone);
}

} // namespace lockscope
