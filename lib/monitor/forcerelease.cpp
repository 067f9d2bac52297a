#include "forcerelease.h"

namespace lockscope {

namespace {

using Outcome = ReleaseReport::Outcome;

/// Columns of the answer of engine/transfer.
enum TransferColumn { HeldColumn, RetryColumn, PresenceColumn, ConnectionColumn };

/// Each try waits at most one second for a row that somebody else has locked.
constexpr int kTries = 5;

Params keyParams(const LockKey &key)
{
    Params params;
    params.bytes("resource", key.resource).number("slot", qint64(key.slot));
    return params;
}

} // namespace

std::optional<LockError> checkOrder(const ReleaseOrder &order)
{
    return checkRecord(QStringLiteral("A release"), order.operatorName, order.reason);
}

QByteArray releaseStatement(const ReleaseOrder &order, Family family)
{
    Params params = keyParams(order.key);
    params.number("token", order.token).text("operator", order.operatorName).text("reason", order.reason);
    return renderSql(sqlText("engine/transfer", family), params) + ";\n"
        + renderSql(sqlText("engine/force_event", family), params) + ";\n" + sqlText("engine/commit", family);
}

ForceRelease::ForceRelease(Session &session)
    : m_session(session)
{
}

std::optional<LockError> ForceRelease::preview(const LockKey &key, ReleasePreview *preview)
{
    LeaseReader reader(m_session);
    if (auto error = reader.one(key, &preview->lock, &preview->clock))
        return error;
    return reader.waiters(key, &preview->queue);
}

ReleaseReport ForceRelease::act(const ReleaseOrder &order)
{
    ReleaseReport report;
    report.error = checkOrder(order);
    const QByteArray statement = releaseStatement(order, m_session.info().family);
    bool isDone = report.error.has_value();
    for (int attempt = 0; !isDone && attempt < kTries; ++attempt) {
        const Reply reply = m_session.run(statement, "engine/transfer");
        report.error = reply.error;
        if (reply.error) {
            if (!m_session.isGone())
                m_session.run("ROLLBACK", "rollback");
            isDone = reply.error->kind != LockError::Kind::Contention;
            continue;
        }
        const QVariantList answer = reply.set(-3).rows.value(0); // behind it: the event and COMMIT
        if (answer.value(RetryColumn).toBool())
            continue; // the chosen waiter left at this moment; nothing was written
        isDone = true;
        report.outcome = answer.value(HeldColumn).toBool() ? Outcome::Released : Outcome::TargetChanged;
        const QVariant connection = answer.value(ConnectionColumn);
        if (report.outcome == Outcome::Released && !connection.isNull())
            report.isAwake = wake(connection.toULongLong(), answer.value(PresenceColumn).toByteArray());
        LeaseReader(m_session).one(order.key, &report.lockNow);
    }
    if (!isDone && !report.error)
        report.error = lockErrorFor(1020, {}, "engine/transfer"); // the queue changed under every try
    return report;
}

std::optional<LockError> ForceRelease::isRecorded(const ReleaseOrder &order, bool *recorded)
{
    Params params = keyParams(order.key);
    params.number("token", order.token);
    const Reply reply = m_session.run("monitor/forced", params);
    *recorded = reply && !reply.set(-1).rows.isEmpty();
    return reply.error;
}

/// The heir blocks on the old holder's presence, which that holder's session still has. KILL ends only its
/// connection, which holds nothing; it connects again.
bool ForceRelease::wake(quint64 connection, const QByteArray &presence)
{
    Params params;
    params.number("connection", connection).text("pattern", QString::fromLatin1('%' + presence + '%'));
    const Reply waits = m_session.run("engine/nudge", params);
    if (!waits || waits.set(-1).rows.isEmpty())
        return waits.error == std::nullopt; // it does not wait any more, or may not be seen
    return !m_session.run("monitor/wake", params).error;
}

AuditEntry releaseEntry(const ReleaseOrder &order, const ReleaseReport &report, const QString &server, Family family)
{
    AuditEntry entry;
    entry.server = server;
    entry.target = QStringLiteral("lease %1, token %2").arg(QString::fromUtf8(order.key.resource)).arg(order.token);
    entry.statement = QString::fromUtf8(releaseStatement(order, family));
    entry.reason = order.reason;
    if (report.outcome == ReleaseReport::Outcome::Released)
        entry.outcome = QStringLiteral("released");
    else if (report.error)
        entry.outcome = QStringLiteral("failed: ") + report.error->toString();
    else
        entry.outcome = QStringLiteral("nothing was done: it changed hands");
    return entry;
}

ReleaseReport recordedRelease(Session &session, const ReleaseOrder &order, AuditFile *audit)
{
    ReleaseReport report;
    report.error = openRecord(audit);
    if (report.error)
        return report;
    report = ForceRelease(session).act(order);
    report.recordError = audit->append(releaseEntry(order, report, session.server(), session.info().family));
    return report;
}

} // namespace lockscope
