// SPDX-License-Identifier: MIT
#include "keyrelease.h"

#include "recordedacts.h"
#include "session/validation_p.h"

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

QString refusalOf(const KeyLock &lock, const KeyReleaseOrder &order)
{
    const KeyRelease &release = lock.convention.release;
    if (!release.isOffered)
        return release.reason;
    if (lock.convention.isGuess)
        return u"it is only guessed that this is a lock: a convention of yours can say what it is"_s;
    if (release.isOfLeader && !order.isForLeader)
        return u"whoever holds it leads, and to end it makes another one the leader; if that is meant, add "
               "--change-leader"_s;
    return {};
}

QString outcomeOf(const ForcedRelease &release)
{
    if (release.outcome == ForcedRelease::Outcome::Released)
        return u"released"_s;
    if (release.outcome == ForcedRelease::Outcome::TargetChanged)
        return u"nothing was done: it has changed since it was shown"_s;
    const bool mayBeDone = release.error && release.error->kind == LockError::Kind::ConnectionLost;
    return failureText(release.error, mayBeDone);
}

AuditEntry entryFor(const KeyReleaseOrder &order, const KeyReleasePreview &seen, const LockSource &source,
                    const ForcedRelease &release)
{
    AuditEntry entry;
    entry.server = source.server();
    entry.account = source.account();
    entry.target = recordedTarget(order);
    entry.statement = QString::fromUtf8(seen.statement);
    entry.reason = order.reason;
    entry.outcome = outcomeOf(release);
    return entry;
}

/// Before anything is asked.
std::optional<LockError> validate(const KeyReleaseOrder &order, const ServerAccess &access, AuditFile *audit)
{
    if (auto error = access.refusal())
        return error;
    if (auto error = detail::validateRecord(u"A release"_s, order.operatorName, order.reason))
        return error;
    return openRecord(audit);
}

} // namespace

std::optional<LockError> previewKeyRelease(LockSource &source, const KeyReleaseOrder &order, KeyReleasePreview *seen)
{
    *seen = {};
    if (auto error = source.one(order.key, &seen->lock, &seen->clock))
        return error;
    if (!seen->lock || !seen->lock->keyLock)
        return std::nullopt;
    const KeyLock &lock = *seen->lock->keyLock;
    const KeyHolder *holder = lock.holder(order.guard);
    seen->refusal = refusalOf(lock, order);
    if (!holder)
        return std::nullopt;
    seen->holder = *holder;
    if (seen->refusal.isEmpty())
        seen->statement = source.keyStatement(lock, *holder);
    return std::nullopt;
}

KeyReleaseReport releaseKey(LockSource &source, const KeyReleaseOrder &order, const ServerAccess &access,
                            AuditFile *audit)
{
    KeyReleaseReport report;
    KeyReleasePreview seen;
    report.error = validate(order, access, audit);
    report.isRefused = report.error.has_value();
    if (!report.error)
        report.error = previewKeyRelease(source, order, &seen);
    if (report.error)
        return report;
    report.lockNow = seen.lock;
    if (!seen.holder) {
        report.outcome = ForcedRelease::Outcome::TargetChanged;
        return report;
    }
    if (!seen.refusal.isEmpty())
        report.error = detail::badRequest(u"This lock cannot be released here: %1."_s.arg(seen.refusal));
    else
        report.error = recordIntent(audit, entryFor(order, seen, source, {}));
    report.isRefused = report.error.has_value();
    if (report.error)
        return report;
    static_cast<ForcedRelease &>(report) = source.endKey(*seen.lock->keyLock, *seen.holder);
    report.recordError = audit->append(entryFor(order, seen, source, report));
    SnapshotClock clock;
    report.isNowKnown =
        report.outcome == ForcedRelease::Outcome::Failed || !source.one(order.key, &report.lockNow, &clock);
    if (!report.isNowKnown)
        report.lockNow.reset();
    return report;
}

} // namespace lockscope
