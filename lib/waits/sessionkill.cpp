#include "sessionkill.h"

#include "sessionfacts.h"

namespace lockscope {

namespace {

using Outcome = KillReport::Outcome;

/// Server errors: no such session; not this user's to end; a privilege is missing.
constexpr int kNoSuchThread = 1094;
constexpr int kKillDenied = 1095;
constexpr int kMissingPrivilege = 1227;

/// An old list of transactions is asked for again so often.
constexpr int kMaxLooks = 20;

Params victimParams(const KillOrder &order)
{
    const KillTarget &target = order.target;
    Params params;
    params.number("session", target.session)
        .text("user", target.user)
        .text("host", target.host)
        .number("bytes", qint64(ServerWaits::statementBytes));
    if (target.transaction)
        params.number("transaction", *target.transaction)
            .number("started", qint64(target.transactionStarted.value_or(ServerTime{}).time_since_epoch().count()));
    if (target.userLock.isEmpty())
        params.null("lock");
    else
        params.bytes("lock", target.userLock);
    // A connection may well go on to another statement of the same transaction; its statement may not.
    const bool comparesStatement = order.kind == KillKind::Query || (!target.transaction && target.userLock.isEmpty());
    if (comparesStatement && !target.statement.isEmpty())
        params.bytes("statement", target.statement);
    else
        params.null("statement");
    return params;
}

QByteArray checkOf(const KillOrder &order, Family family)
{
    const QByteArray name = order.target.transaction ? "waits/victim" : "waits/victim_without_transaction";
    const QByteArray check = renderSql(sqlText(name, family), victimParams(order));
    return order.target.transaction ? sqlText("waits/victim_snapshot", family) + ";\n" + check : check;
}

QByteArray killName(KillKind kind)
{
    return kind == KillKind::Connection ? "waits/kill_connection" : "waits/kill_query";
}

bool isDenied(const LockError &error)
{
    return error.code == kKillDenied || error.code == kMissingPrivilege;
}

KillReport refused(const QString &message)
{
    KillReport report;
    report.outcome = Outcome::Refused;
    report.error.emplace();
    report.error->kind = LockError::Kind::BadRequest;
    report.error->message = message;
    return report;
}

} // namespace

QByteArray killStatement(const KillOrder &order, Family family)
{
    return checkOf(order, family) + ";\n" + sqlText(killName(order.kind), family);
}

SessionKill::SessionKill(Session &session, const Capabilities &capabilities)
    : m_session(session)
    , m_capabilities(capabilities)
{
}

KillReport SessionKill::act(const KillOrder &order)
{
    if (auto wrong = checkOrder(order))
        return refused(wrong->message);
    if (!isSameRun(order.target.identity, m_capabilities.identity)) {
        KillReport report;
        report.outcome = Outcome::TargetChanged; // the number is from before a restart
        return report;
    }
    if (auto protectedBy = protection(order.target.session))
        return *protectedBy;
    KillReport report;
    for (int look = 0; look < kMaxLooks; ++look) {
        report = send(order);
        if (!m_isOld)
            return report;
    }
    report.outcome = Outcome::Failed;
    report.error.emplace();
    report.error->message = QStringLiteral("The server's list of transactions is too old to be sure, because something "
                                           "reads it all the time. Nothing was done; stop that and try again.");
    return report;
}

/// A report when the session must not be ended or cannot be looked at.
std::optional<KillReport> SessionKill::protection(quint64 number)
{
    KillReport report;
    QHash<quint64, ServerSession> sessions;
    report.error = readSessions(m_session, m_capabilities, {number}, &sessions);
    if (!report.error && m_capabilities.hasPerformanceSchema)
        report.error = readAttributes(m_session, {number}, &sessions);
    if (report.error)
        return report;
    if (!sessions.contains(number)) {
        report.outcome = Outcome::AlreadyGone;
        return report;
    }
    protect(&sessions, m_session.connectionId());
    if (sessions[number].protection == Protection::None)
        return std::nullopt;
    return refused(protectionText(sessions[number].protection));
}

/// Checks and kills in one packet.
KillReport SessionKill::send(const KillOrder &order)
{
    const Family family = m_session.info().family;
    KillReport report;
    report.statement = killStatement(order, family);
    Reply reply = m_session.run(report.statement, killName(order.kind));
    if (reply.error && isDenied(*reply.error)) {
        const QByteArray procedure =
            order.kind == KillKind::Connection ? m_capabilities.killProcedure : m_capabilities.killQueryProcedure;
        if (!procedure.isEmpty()) {
            endSnapshot(order);
            const auto name = Params().table("procedure", QStringLiteral("mysql"), QString::fromLatin1(procedure));
            report.statement = checkOf(order, family) + ";\n" + renderSql(sqlText("waits/kill_hosted", family), name);
            reply = m_session.run(report.statement, "waits/kill_hosted");
        }
    }
    const Reply found = m_session.run("waits/victim_found", Params());
    endSnapshot(order);
    const qint64 victim = found.value().toLongLong();
    m_isOld = !found.error && victim == -1;
    if (!found.error && victim == 0)
        return whatIsThere(order, std::move(report));
    if (reply.error && reply.error->code != kNoSuchThread) {
        report.error = reply.error;
        return report;
    }
    if (found.error) {
        report.error = found.error;
        return report;
    }
    if (reply.error) { // it ended between the check and the kill
        report.outcome = Outcome::AlreadyGone;
        return report;
    }
    return follow(order, std::move(report));
}

void SessionKill::endSnapshot(const KillOrder &order)
{
    if (order.target.transaction && !m_session.isGone())
        m_session.run("engine/commit", Params());
}

/// The check did not find the session as it was: is it gone, or somebody else?
KillReport SessionKill::whatIsThere(const KillOrder &order, KillReport report)
{
    const Reply left = after(order);
    report.error = left.error;
    if (!left.error)
        report.outcome = left.set(-1).rows.isEmpty() ? Outcome::AlreadyGone : Outcome::TargetChanged;
    return report;
}

Reply SessionKill::after(const KillOrder &order)
{
    return m_session.run(
        "waits/after_kill",
        Params().number("session", order.target.session).number("bytes", qint64(ServerWaits::statementBytes)));
}

KillReport SessionKill::follow(const KillOrder &order, KillReport report)
{
    const Reply left = after(order);
    if (!left) {
        report.outcome = Outcome::Failed;
        report.error = left.error;
        return report;
    }
    const QVariantList row = left.set(-1).rows.value(0);
    const bool isThere = !row.isEmpty();
    const bool runsIt = isThere && !row.value(1).isNull()
        && (order.target.statement.isEmpty() || row.value(1).toByteArray() == order.target.statement);
    const bool isDone = order.kind == KillKind::Connection ? !isThere : !runsIt;
    report.outcome = isDone ? Outcome::Ended : Outcome::RollingBack;
    report.rowsLeft = 0;
    if (!isDone && order.target.transaction && m_capabilities.mayProcess) {
        const Reply rows =
            m_session.run("waits/rollback_left", Params().number("transaction", *order.target.transaction));
        report.rowsLeft = rows.value().toULongLong();
    }
    return report;
}

} // namespace lockscope
