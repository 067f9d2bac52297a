// SPDX-License-Identifier: MIT
#include "bulkrelease.h"

#include "engine/unique/leaserelease_p.h"

#include <algorithm>

namespace lockscope {

BulkRelease::BulkRelease(ReconnectingSession &link)
    : m_link(link)
{
}

std::optional<LockError> BulkRelease::check(const LeaseSelection &selection)
{
    return detail::validate(selection);
}

std::optional<LockError> BulkRelease::plan(const LeaseSelection &selection, ReleasePlan *plan,
                                           const std::stop_token &stop)
{
    *plan = {};
    if (auto wrong = check(selection))
        return wrong;
    LeasePage page;
    page.walk = detail::LeaseWalk(selection.prefix);
    while (!page.walk.isAtEnd() && !stop.stop_requested()) {
        LockError cannotOpen;
        Session *session = m_link.session(&cannotOpen);
        if (!session)
            return cannotOpen;
        if (auto error = LeaseReader(*session).next(&page))
            return error;
        plan->clock = page.clock;
        std::copy_if(page.rows.cbegin(), page.rows.cend(), std::back_inserter(plan->locks),
                     [&](const LockRow &row) { return detail::isMeant(selection, row.owner); });
    }
    return std::nullopt;
}

BulkReport BulkRelease::act(const ReleasePlan &plan, const ServerAccess &access, const QString &operatorName,
                            const QString &reason, const std::stop_token &stop, const Progress &progress)
{
    const detail::ReleaseNote note{operatorName, reason};
    auto refused = detail::validate(note);
    if (!refused)
        refused = access.refusal();
    if (!refused)
        refused = openRecord(&m_audit);
    if (refused)
        return {{.left = plan.locks.size(), .firstError = std::move(refused)}, {}};
    QString recordError;
    const ForcedReleases total = detail::endAll(plan.locks.size(), stop, [&](qsizetype i) {
        const LockRow &lock = plan.locks[i];
        const ReleaseOrder order{lock.key, lock.token, operatorName, reason};
        QString unrecorded;
        const auto done = endLease(m_link, order, &m_audit, &unrecorded);
        if (recordError.isEmpty())
            recordError = unrecorded;
        if (progress)
            progress(order, done);
        return done;
    });
    return {total, recordError};
}

} // namespace lockscope
