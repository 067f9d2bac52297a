// SPDX-License-Identifier: MIT
#include "sessionkill.h"

#include "session/validation_p.h"
#include "waits/sessionfacts.h"

namespace lockscope {

namespace {

using detail::badRequest;
using Outcome = KillReport::Outcome;

/// Server errors: no such session; not this user's to end; a privilege is missing.
constexpr int kNoSuchThread = 1094;
constexpr int kKillDenied = 1095;
constexpr int kMissingPrivilege = 1227;

/// How often an old list of transactions is asked for again.
constexpr int kMaxReadings = 20;

Params accountParams(const KillOrder &order)
{
    const KillTarget &target = order.target;
    Params params;
    params.text("user", target.user).text("host", target.host).null("since").null("statement");
    params.number("bytes", qint64(target.statement.size()));
    if (!target.isKnownByStatement(order.kind))
        return params;
    if (target.since)
        params.number("since", qint64(target.since->time_since_epoch().count()));
    if (!target.statement.isEmpty())
        params.bytes("statement", target.statement);
    return params;
}

/// The statements that leave the number in @lockscope_target only while it still is that session's.
class Check
{
public:
    Check(const KillOrder &order, const Capabilities &server)
        : m_target(order.target)
        , m_kind(order.kind)
        , m_server(server)
    {
        add("waits/target", Params().number("session", m_target.session));
        if (m_target.transaction)
            addTransaction();
        const bool byProcessList = isMySql() && !server.hasPerformanceSchema;
        add(byProcessList ? "waits/target_processlist" : "waits/target_session", accountParams(order));
        if (m_target.lock)
            addLock(*m_target.lock);
        // MariaDB gives a number to each statement within a procedure too; old ones are told by their time.
        if (m_target.statementNumber && m_target.isKnownByStatement(m_kind)
            && (isMySql() || m_target.hasYoungStatement()))
            add("waits/target_number", Params().number("number", *m_target.statementNumber));
    }

    const QByteArray &packet() const { return m_packet; }

private:
    bool isMySql() const { return m_server.family == Family::MySql; }
    void add(const QByteArray &name, const Params &params)
    {
        m_packet += renderSql(sqlText(name, m_server.family), params) + ";\n";
    }
    void addTransaction();
    void addLock(const TargetLock &lock);
    void addShownLock(const TargetLock &lock);
    void addLockOfPlugin(const TargetLock &lock);

    const KillTarget &m_target;
    const KillKind m_kind;
    const Capabilities &m_server;
    QByteArray m_packet;
};

void Check::addTransaction()
{
    const ServerTime started = m_target.transactionStarted.value_or(ServerTime{});
    add("waits/target_snapshot", Params());
    add("waits/target_transaction",
        Params()
            .number("transaction", *m_target.transaction)
            .number("started", qint64(started.time_since_epoch().count())));
}

void Check::addLock(const TargetLock &lock)
{
    if (lock.object.kind == ServerLockKind::User)
        add("waits/target_name", Params().bytes("name", lock.object.name));
    if (m_server.hasMetadataLocks)
        addShownLock(lock);
    else if (m_server.hasMetadataPlugin)
        addLockOfPlugin(lock);
    else if (lock.object.kind != ServerLockKind::User) // it was told at the look, and is not any more
        add("waits/target_untold", Params());
}

void Check::addShownLock(const TargetLock &lock)
{
    const ServerObject &object = lock.object;
    const bool isUser = object.kind == ServerLockKind::User;
    Params params;
    params.text("type", isUser ? QStringLiteral("USER LEVEL LOCK") : object.scope)
        .text("schema", object.schema)
        .bytes("name", object.name)
        .null("event");
    if (lock.event)
        params.number("event", *lock.event);
    add("waits/target_lock", params);
}

/// It has the name of a user-level lock in the place of the schema.
void Check::addLockOfPlugin(const TargetLock &lock)
{
    const ServerObject &object = lock.object;
    const bool isUser = object.kind == ServerLockKind::User;
    Params params;
    params.text("type", isUser ? QStringLiteral("USER") : object.scope)
        .bytes("schema", isUser ? object.name : object.schema.toUtf8())
        .bytes("name", isUser ? QByteArray() : object.name)
        .null("held")
        .null("since");
    if (lock.since)
        params.identifier("held", QStringLiteral("LOCK_TIME_MS"))
            .number("since", qint64(lock.since->time_since_epoch().count()));
    add("waits/target_lock_plugin", params);
}

QByteArray checkOf(const KillOrder &order, const Capabilities &capabilities)
{
    return Check(order, capabilities).packet();
}

QByteArray killName(KillKind kind)
{
    return kind == KillKind::Connection ? "waits/kill_connection" : "waits/kill_query";
}

/// It still runs what was to be ended, and not the same text anew.
bool isAtWork(const KillTarget &target, const ServerSession &left)
{
    const bool isOther =
        (target.statementNumber && left.statementNumber && *target.statementNumber != *left.statementNumber)
        || !isSameTime(target.since, left.commandSince);
    return left.statement.source == Statement::Source::Running && !isOther
        && (target.statement.isEmpty() || left.statement.text == target.statement);
}

bool isDenied(const LockError &error)
{
    return error.code == kKillDenied || error.code == kMissingPrivilege;
}

KillReport refused(const QString &message)
{
    KillReport report;
    report.outcome = Outcome::Refused;
    report.error = badRequest(message);
    return report;
}

} // namespace

QByteArray killCommand(const KillOrder &order)
{
    return (order.kind == KillKind::Connection ? "KILL CONNECTION " : "KILL QUERY ")
        + QByteArray::number(order.target.session);
}

QByteArray killStatement(const KillOrder &order, const Capabilities &capabilities)
{
    return checkOf(order, capabilities) + sqlText(killName(order.kind), capabilities.family);
}

bool KillReport::mayBeDone() const
{
    return outcome == Outcome::Failed && !statement.isEmpty() && error
        && error->kind == LockError::Kind::ConnectionLost;
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
    if (order.target.isInDoubt(order.kind)) {
        report.outcome = Outcome::TargetChanged;
        report.error = badRequest(QStringLiteral("What it does began too shortly before the look to be told from "
                                                 "what may have come after. Look again."));
        return report;
    }
    for (int look = 0; look < kMaxReadings; ++look) {
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
    report.error = readSessions(m_session, m_capabilities, {{number}, 0}, &sessions);
    if (!report.error && m_capabilities.hasPerformanceSchema)
        report.error = readAttributes(m_session, {number}, &sessions);
    if (report.error)
        return report;
    if (!sessions.contains(number)) {
        report.outcome = Outcome::AlreadyGone;
        return report;
    }
    protect(&sessions, m_session);
    if (sessions[number].protection == Protection::None)
        return std::nullopt;
    return refused(protectionText(sessions[number].protection));
}

/// Checks and kills in one packet.
KillReport SessionKill::send(const KillOrder &order)
{
    KillReport report;
    report.statement = killStatement(order, m_capabilities);
    Reply reply = m_session.run(report.statement, killName(order.kind));
    if (reply.error && isDenied(*reply.error)) {
        const QByteArray procedure =
            order.kind == KillKind::Connection ? m_capabilities.killProcedure : m_capabilities.killQueryProcedure;
        if (!procedure.isEmpty()) {
            endSnapshot(order);
            const auto name = Params().table("procedure", QStringLiteral("mysql"), QString::fromLatin1(procedure));
            report.statement =
                checkOf(order, m_capabilities) + renderSql(sqlText("waits/kill_hosted", m_capabilities.family), name);
            reply = m_session.run(report.statement, "waits/kill_hosted");
        }
    }
    const Reply found = m_session.run("waits/target_found", Params());
    endSnapshot(order);
    const qint64 target = found.value().toLongLong();
    m_isOld = !found.error && target == -1;
    if (!found.error && target == 0)
        return whatIsThere(order, std::move(report));
    if (reply.error && reply.error->code != kNoSuchThread) {
        report.error = reply.error;
        return report;
    }
    if (!reply.error) {
        report.outcome = Outcome::RollingBack; // accepted: what cannot be seen from here on takes nothing back
        return follow(order, std::move(report));
    }
    report.error = found.error; // nobody has that number: since the check, or by it
    report.outcome = found.error ? Outcome::TargetChanged : Outcome::AlreadyGone;
    return report;
}

void SessionKill::endSnapshot(const KillOrder &order)
{
    if (order.target.transaction && !m_session.isGone())
        m_session.run("engine/commit", Params());
}

/// The check did not find the session as it was: is it gone, or somebody else?
KillReport SessionKill::whatIsThere(const KillOrder &order, KillReport report)
{
    std::optional<ServerSession> left;
    report.error = checkAfter(order, &left);
    report.outcome = report.error || left ? Outcome::TargetChanged : Outcome::AlreadyGone;
    return report;
}

std::optional<LockError> SessionKill::checkAfter(const KillOrder &order, std::optional<ServerSession> *left)
{
    QHash<quint64, ServerSession> sessions;
    const quint64 number = order.target.session;
    auto error = readSessions(m_session, m_capabilities, {{number}, 0}, &sessions);
    if (!error && order.kind == KillKind::Query && m_capabilities.hasStatements)
        error = readStatements(m_session, {number}, &sessions);
    if (!error && sessions.contains(number))
        *left = sessions.value(number);
    return error;
}

KillReport SessionKill::follow(const KillOrder &order, KillReport report)
{
    std::optional<ServerSession> left;
    report.error = checkAfter(order, &left);
    if (report.error)
        return report;
    const KillTarget &target = order.target;
    const bool isOther = !left || left->user != target.user || left->host != target.host
        || !isSameRun(target.identity, m_capabilities.identity);
    const bool isDone = isOther || (order.kind == KillKind::Query && !isAtWork(target, *left));
    report.outcome = isDone ? Outcome::Ended : Outcome::RollingBack;
    report.rowsLeft = 0;
    if (!isDone && target.transaction && m_capabilities.mayProcess) {
        const Reply rows = m_session.run("waits/rollback_left", Params().number("transaction", *target.transaction));
        report.rowsLeft = rows.value().toULongLong();
    }
    return report;
}

} // namespace lockscope
