// SPDX-License-Identifier: MIT
#include "forcerelease.h"

#include "engine/unique/leaserelease_p.h"
#include "recordedacts.h"

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

QString outcomeOf(const ForcedRelease &release)
{
    if (release.outcome == ForcedRelease::Outcome::Released)
        return QStringLiteral("released");
    if (release.outcome == ForcedRelease::Outcome::TargetChanged)
        return QStringLiteral("nothing was done: it changed hands");
    const LockError error = release.error.value_or(LockError());
    const bool isUnknown = error.kind == LockError::Kind::ConnectionLost;
    return (isUnknown ? QStringLiteral("not known, it may be released: ") : QStringLiteral("failed: "))
        + error.toString();
}

} // namespace

AuditEntry releaseEntry(const ReleaseOrder &order, const ForcedRelease &release, const LockSource &source)
{
    AuditEntry entry;
    entry.server = source.server();
    entry.account = source.account();
    entry.target = recordedTarget(order);
    entry.statement = QString::fromUtf8(releaseStatement(order, source));
    entry.reason = order.reason;
    entry.outcome = outcomeOf(release);
    return entry;
}

bool isOfOtherProgram(const LockRow &lease)
{
    return lease.owner.session.isEmpty(); // which every engine writes down
}

QByteArray releaseStatement(const ReleaseOrder &order, Family family)
{
    return detail::endStatement(leaseOf(order), noteOf(order), family);
}

QByteArray releaseStatement(const ReleaseOrder &order, const LockSource &source)
{
    return source.statement(leaseOf(order), noteOf(order));
}

std::optional<LockError> previewRelease(LockSource &source, const LockKey &key, ReleasePreview *preview)
{
    if (auto error = source.one(key, &preview->lock, &preview->clock))
        return error;
    return source.waiters(key, &preview->queue);
}

ForcedRelease endLease(LockSource &source, const ReleaseOrder &order, AuditFile *audit, QString *unrecorded)
{
    ForcedRelease done;
    done.error = detail::validate(noteOf(order));
    if (!done.error)
        done.error = source.open(); // which tells how the statement is written
    if (!done.error)
        done.error = recordIntent(audit, releaseEntry(order, {}, source));
    if (!done.error)
        done = source.endLease(leaseOf(order), noteOf(order));
    *unrecorded = audit->append(releaseEntry(order, done, source));
    return done;
}

ReleaseReport releaseByForce(LockSource &source, const ReleaseOrder &order, const ServerAccess &access,
                             AuditFile *audit)
{
    ReleaseReport report;
    report.error = access.refusal();
    if (!report.error)
        report.error = openRecord(audit);
    if (report.error)
        return report;
    QString unrecorded;
    report = {endLease(source, order, audit, &unrecorded), {}, unrecorded};
    SnapshotClock clock;
    if (report.outcome != ReleaseReport::Outcome::Failed && !source.one(order.key, &report.lockNow, &clock)
        && !report.lockNow)
        report.isNextNotified = true; // there is none
    return report;
}

} // namespace lockscope
