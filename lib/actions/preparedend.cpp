// SPDX-License-Identifier: MIT
#include "preparedend.h"

#include "lockscope/lockrequest.h"
#include "recordedacts.h"
#include "session/validation_p.h"
#include "waits/preparedtransactions.h"

#include <algorithm>

namespace lockscope {

namespace {

using Outcome = PreparedReport::Outcome;

/// Server errors: no such name, or a session has it; out of range, which is how the guard ends the packet; the server
/// had rolled it back already, which is what it says when the name goes.
constexpr int kUnknownName = 1397;
constexpr int kGuarded = 1690;
constexpr int kRolledBack = 1402;

/// How often an old list of transactions is asked for again.
constexpr int kMaxReadings = 20;

PreparedReport refused(const QString &message)
{
    PreparedReport report;
    report.outcome = Outcome::Refused;
    report.error = detail::badRequest(message);
    return report;
}

AuditEntry entryFor(const PreparedOrder &order, const PreparedReport &report, const Session &session)
{
    AuditEntry entry;
    entry.server = QStringLiteral("%1 (%2)").arg(session.server(), order.target.identity);
    entry.account = session.info().account;
    entry.target = recordedTarget(order);
    entry.statement = QString::fromUtf8(report.statement);
    entry.reason = order.reason;
    entry.outcome = outcomeOf(report);
    return entry;
}

/// None: this user may not know.
std::optional<bool> isPrepared(Session &session, const Capabilities &capabilities, const Xid &xid)
{
    if (!capabilities.mayRecover)
        return std::nullopt;
    QList<Xid> xids;
    if (readXids(session, &xids))
        return std::nullopt;
    return xids.contains(xid);
}

/// The name is not there, or a session has it.
PreparedReport unknownName(PreparedReport report, std::optional<bool> isThere)
{
    report.outcome = isThere.value_or(true) ? Outcome::TargetChanged : Outcome::AlreadyGone;
    report.error.reset();
    if (!isThere)
        report.error = detail::badRequest(QStringLiteral("There is none of this name, or a session has it. This user "
                                                         "may not know which."));
    else if (*isThere)
        report.error = detail::badRequest(QStringLiteral("A session has it, and only that session can end it as long "
                                                         "as it is there."));
    return report;
}

PreparedReport send(Session &session, const Capabilities &capabilities, const PreparedOrder &order, bool *isOld)
{
    PreparedReport report;
    report.statement = preparedStatement(order, capabilities.family);
    const Reply reply = session.run(report.statement, "waits/prepared_guard");
    *isOld = false;
    report.error = reply.error;
    if (reply.error && reply.error->code == kGuarded) {
        const Reply found = session.run("waits/prepared_found", Params());
        *isOld = !found.error && found.value().toLongLong() == -1;
        report.outcome = Outcome::TargetChanged;
        report.error =
            detail::badRequest(QStringLiteral("That transaction has ended, or is its session's again; the name may be "
                                              "another one's by now."));
        return report;
    }
    if (reply.error && reply.error->code != kUnknownName && reply.error->code != kRolledBack)
        return report;
    const auto isThere = isPrepared(session, capabilities, order.target.xid);
    if (reply.error && reply.error->code == kUnknownName)
        return unknownName(std::move(report), isThere);
    report.error.reset();
    if (!isThere.value_or(false))
        report.outcome = Outcome::Ended;
    else
        report.error = detail::badRequest(QStringLiteral("The server took the statement, but it still has the name."));
    return report;
}

PreparedReport act(Session &session, const Capabilities &capabilities, const PreparedOrder &order)
{
    if (!isSameRun(order.target.identity, capabilities.identity)) // its numbers are from before a restart
        return refused(QStringLiteral("The server has been started anew since the look. Look again."));
    for (int look = 0; look < kMaxReadings; ++look) {
        bool isOld = false;
        PreparedReport report = send(session, capabilities, order, &isOld);
        if (!isOld)
            return report;
    }
    return refused(QStringLiteral("The server's list of transactions is too old to be sure, because something reads it "
                                  "all the time. Stop that and try again."));
}

void recordEvent(Session &session, const PreparedOrder &order, PreparedReport *report)
{
    const QString command =
        order.fate == PreparedFate::Commit ? QStringLiteral("XA COMMIT") : QStringLiteral("XA ROLLBACK");
    const Reply reply = session.run("waits/kill_event",
                                    Params()
                                        .bytes("session", preparedCommand(order).left(MaxResourceBytes))
                                        .bytes("owner", Owner().toJson())
                                        .text("operator", order.operatorName)
                                        .text("reason", reasonWithResult(order.reason, command, outcomeOf(*report))));
    if (report->recordError.isEmpty())
        report->recordError = whyNotOnServer(reply.error);
}

} // namespace

PreparedTarget PreparedTarget::of(const ServerWaits &waits, quint64 number, const Xid &xid)
{
    PreparedTarget target;
    target.identity = waits.identity;
    target.xid = xid;
    const PreparedTransaction *prepared = waits.preparedTransaction(number);
    if (prepared && prepared->isTold && prepared->xids.contains(xid)) {
        target.transaction = prepared->transaction.id;
        target.started = prepared->transaction.started;
    }
    return target;
}

QByteArray preparedCommand(const PreparedOrder &order)
{
    return (order.fate == PreparedFate::Commit ? "XA COMMIT " : "XA ROLLBACK ") + order.target.xid.toSql();
}

QByteArray preparedStatement(const PreparedOrder &order, Family family)
{
    QByteArray packet;
    const auto add = [&](const char *name, const Params &params) {
        packet += renderSql(sqlText(name, family), params) + ";\n";
    };
    const PreparedTarget &target = order.target;
    if (target.transaction != 0) {
        add("waits/target_snapshot", Params());
        add("waits/prepared_target",
            Params()
                .number("transaction", target.transaction)
                .number("started", qint64(target.started.time_since_epoch().count())));
        add("engine/commit", Params());
        add("waits/prepared_guard", Params());
    }
    return packet + preparedCommand(order);
}

QString preparedRefusal(const PreparedTransaction &prepared)
{
    if (prepared.isAttached)
        return QStringLiteral("Session %1 has it, and only that session can end it as long as it is there.")
            .arg(prepared.session);
    if (prepared.xids.isEmpty())
        return QStringLiteral("It has no name that this user may know.");
    return {};
}

PreparedReport endPrepared(Session &session, const Capabilities &capabilities, const PreparedOrder &order,
                           const ServerAccess &access, AuditFile *audit)
{
    PreparedReport report;
    report.statement = preparedStatement(order, capabilities.family);
    report.error = access.refusal();
    if (!report.error)
        report.error =
            detail::validateRecord(QStringLiteral("Ending a prepared transaction"), order.operatorName, order.reason);
    if (!report.error)
        report.error = openRecord(audit);
    if (!report.error)
        report.error = recordIntent(audit, entryFor(order, report, session));
    if (report.error) {
        report.outcome = Outcome::Refused;
        return report;
    }
    report = act(session, capabilities, order);
    report.recordError = audit->append(entryFor(order, report, session));
    if (report.outcome == Outcome::Ended)
        recordEvent(session, order, &report);
    return report;
}

bool PreparedReport::mayBeDone() const
{
    return outcome == Outcome::Failed && error && error->kind == LockError::Kind::ConnectionLost;
}

QString outcomeOf(const PreparedReport &report)
{
    const QString why = report.error ? report.error->message : QString();
    switch (report.outcome) {
    case Outcome::Ended:
        return QStringLiteral("ended");
    case Outcome::AlreadyGone:
        return QStringLiteral("nothing was done: there is no transaction of this name");
    case Outcome::TargetChanged:
    case Outcome::Refused:
        return QStringLiteral("nothing was done: ") + why;
    case Outcome::Failed:
        break;
    }
    return failureText(report.error, report.mayBeDone());
}

} // namespace lockscope
