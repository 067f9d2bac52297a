// SPDX-License-Identifier: MIT
#include "eventremoval.h"

#include "console/duration.h"
#include "engine/records/cleanup_p.h"
#include "recordedacts.h"
#include "session/validation_p.h"

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

std::optional<LockError> refusalOf(Duration kept, const ServerAccess &access)
{
    if (kept < MinEventAge)
        return detail::badRequest(u"Events of the last 24 hours are not removed."_s);
    return access.refusal();
}

/// The ids of its batches are not known before.
QString statementFor(Duration kept)
{
    return u"DELETE FROM lock_event WHERE at < UTC_TIMESTAMP(6) - INTERVAL %1 SECOND, in batches by id"_s.arg(
        std::chrono::duration_cast<std::chrono::seconds>(kept).count());
}

QString outcomeOf(const EventRemoval &removal)
{
    const QString done = u"%1 events were removed"_s.arg(removal.removed);
    return removal.error ? done + u"; then "_s + failureText(removal.error, false) : done;
}

} // namespace

EventRemoval removeEvents(ReconnectingSession &link, Duration kept, const ServerAccess &access, AuditFile *audit)
{
    EventRemoval removal;
    AuditEntry entry;
    removal.error = refusalOf(kept, access);
    if (!removal.error)
        removal.error = openRecord(audit);
    LockError unreachable;
    if (!removal.error && !link.session(&unreachable))
        removal.error = unreachable;
    if (!removal.error) {
        entry.server = link.server();
        entry.account = link.account();
        entry.target = u"events older than %1"_s.arg(formatDuration(kept));
        entry.statement = statementFor(kept);
        removal.error = recordIntent(audit, entry);
    }
    removal.isRefused = removal.error.has_value();
    if (removal.isRefused)
        return removal;
    removal.error = detail::removeOldEvents(link, kept, &removal.removed);
    entry.outcome = outcomeOf(removal);
    removal.recordError = audit->append(entry);
    return removal;
}

} // namespace lockscope
