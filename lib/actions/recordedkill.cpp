// SPDX-License-Identifier: MIT
#include "recordedkill.h"

#include "recordedacts.h"

namespace lockscope {

namespace {

using Result = KillReport::Outcome;

AuditEntry entryFor(const KillOrder &order, const KillReport &report, const Session &session)
{
    AuditEntry entry;
    const KillTarget &target = order.target;
    entry.server = QStringLiteral("%1 (%2)").arg(session.server(), target.identity);
    entry.account = session.info().account;
    entry.target = recordedTarget(target);
    entry.statement = QString::fromUtf8(report.statement);
    entry.reason = order.reason;
    entry.outcome = outcomeOf(report, order.kind);
    return entry;
}

} // namespace

RecordedKill::RecordedKill(Session &session, const Capabilities &capabilities, AuditFile *audit)
    : m_session(session)
    , m_capabilities(capabilities)
    , m_kill(session, capabilities)
    , m_audit(audit)
{
}

KillReport RecordedKill::act(const KillOrder &order, const ServerAccess &access)
{
    KillReport report;
    report.error = access.refusal();
    if (!report.error)
        report.error = openRecord(m_audit);
    if (!report.error) {
        KillReport intent;
        intent.statement = killStatement(order, m_capabilities);
        report.error = recordIntent(m_audit, entryFor(order, intent, m_session));
    }
    if (report.error) {
        report.outcome = Result::Refused;
        return report;
    }
    report = m_kill.act(order);
    record(order, &report);
    if (report.outcome == Result::Ended || report.outcome == Result::RollingBack)
        recordEvent(order, &report);
    return report;
}

KillReport RecordedKill::follow(const KillOrder &order, KillReport report)
{
    const bool wasRollingBack = report.outcome == Result::RollingBack;
    report = m_kill.follow(order, std::move(report));
    if (wasRollingBack && report.outcome == Result::Ended)
        record(order, &report);
    return report;
}

void RecordedKill::record(const KillOrder &order, KillReport *report)
{
    const QString error = m_audit->append(entryFor(order, *report, m_session));
    if (report->recordError.isEmpty())
        report->recordError = error;
}

void RecordedKill::recordEvent(const KillOrder &order, KillReport *report)
{
    Owner owner;
    owner.service = order.target.user;
    owner.host = order.target.host;
    const Reply reply = m_session.run("waits/kill_event",
                                      Params()
                                          .bytes("session", "session " + QByteArray::number(order.target.session))
                                          .bytes("owner", owner.toJson())
                                          .text("operator", order.operatorName)
                                          .text("reason",
                                                reasonWithResult(order.reason, QString::fromUtf8(killCommand(order)),
                                                                 outcomeOf(*report, order.kind))));
    if (report->recordError.isEmpty())
        report->recordError = whyNotOnServer(reply.error);
}

QString outcomeOf(const KillReport &report, KillKind kind)
{
    switch (report.outcome) {
    case Result::Ended:
        return kind == KillKind::Query ? QStringLiteral("the statement was ended") : QStringLiteral("ended");
    case Result::RollingBack:
        return report.error ? QStringLiteral("accepted; what became of it was not seen: ") + report.error->toString()
                            : (report.rowsLeft == 1 ? QStringLiteral("ended, %1 row to be undone")
                                                    : QStringLiteral("ended, %1 rows to be undone"))
                                  .arg(report.rowsLeft);
    case Result::AlreadyGone:
        return QStringLiteral("nothing was done: it is gone");
    case Result::TargetChanged:
        return QStringLiteral("nothing was done: ")
            + (report.error ? report.error->message : QStringLiteral("it does other work now"));
    case Result::Refused:
        return QStringLiteral("nothing was done: ") + (report.error ? report.error->message : QString());
    case Result::Failed:
        break;
    }
    return failureText(report.error, report.mayBeDone());
}

} // namespace lockscope
