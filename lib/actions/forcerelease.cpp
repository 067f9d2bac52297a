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

/// What the local record says of a release.
AuditEntry releaseEntry(const ReleaseOrder &order, const ForcedRelease &release, const ReconnectingSession &link)
{
    AuditEntry entry;
    entry.server = link.server();
    entry.account = link.account();
    entry.target = recordedTarget(order);
    entry.statement = QString::fromUtf8(releaseStatement(order, link.family()));
    entry.reason = order.reason;
    entry.outcome = outcomeOf(release);
    return entry;
}

} // namespace

QByteArray releaseStatement(const ReleaseOrder &order, Family family)
{
    return detail::endStatement(leaseOf(order), noteOf(order), family);
}

std::optional<LockError> previewRelease(Session &session, const LockKey &key, ReleasePreview *preview)
{
    LeaseReader reader(session);
    if (auto error = reader.one(key, &preview->lock, &preview->clock))
        return error;
    return reader.waiters(key, &preview->queue);
}

ForcedRelease endLease(ReconnectingSession &link, const ReleaseOrder &order, AuditFile *audit, QString *unrecorded)
{
    ForcedRelease done;
    done.error = detail::validate(noteOf(order));
    LockError cannotOpen;
    if (!done.error && !link.session(&cannotOpen)) // which tells how the statement is written
        done.error = cannotOpen;
    if (!done.error)
        done.error = recordIntent(audit, releaseEntry(order, {}, link));
    if (!done.error)
        done = detail::endLease(link, leaseOf(order), noteOf(order));
    *unrecorded = audit->append(releaseEntry(order, done, link));
    return done;
}

ReleaseReport releaseByForce(ReconnectingSession &link, const ReleaseOrder &order, const ServerAccess &access,
                             AuditFile *audit)
{
    ReleaseReport report;
    report.error = access.refusal();
    if (!report.error)
        report.error = openRecord(audit);
    if (report.error)
        return report;
    QString unrecorded;
    report = {endLease(link, order, audit, &unrecorded), {}, unrecorded};
    LockError unread;
    Session *const session = report.outcome == ReleaseReport::Outcome::Failed ? nullptr : link.session(&unread);
    if (session && !LeaseReader(*session).one(order.key, &report.lockNow) && !report.lockNow)
        report.isNextNotified = true; // there is none
    return report;
}

} // namespace lockscope
