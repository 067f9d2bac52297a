// SPDX-License-Identifier: MIT
#include "forcerelease.h"

#include "engine/unique/leaserelease_p.h"

namespace lockscope {

namespace {

detail::LeaseId leaseOf(const ReleaseOrder &order)
{
    return {order.key.resource, order.key.slot, order.token};
}

detail::ReleaseNote noteOf(const ReleaseOrder &order)
{
    return {order.operatorName, order.reason};
}

} // namespace

QByteArray releaseStatement(const ReleaseOrder &order, Family family)
{
    return detail::endStatement(leaseOf(order), noteOf(order), family);
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
    ReleaseReport report{detail::endLease(m_session, leaseOf(order), noteOf(order)), {}, {}};
    if (report.outcome != ReleaseReport::Outcome::Failed)
        LeaseReader(m_session).one(order.key, &report.lockNow);
    return report;
}

std::optional<LockError> ForceRelease::isRecorded(const ReleaseOrder &order, bool *recorded)
{
    return detail::isEndRecorded(m_session, leaseOf(order), noteOf(order), recorded);
}

AuditEntry releaseEntry(const ReleaseOrder &order, const ForcedRelease &release, const QString &server, Family family)
{
    AuditEntry entry;
    entry.server = server;
    entry.target = QStringLiteral("lease %1, token %2").arg(QString::fromUtf8(order.key.resource)).arg(order.token);
    entry.statement = QString::fromUtf8(releaseStatement(order, family));
    entry.reason = order.reason;
    if (release.outcome == ForcedRelease::Outcome::Released)
        entry.outcome = QStringLiteral("released");
    else if (release.error)
        entry.outcome = QStringLiteral("failed: ") + release.error->toString();
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
