// SPDX-License-Identifier: MIT
#include "bulkrelease.h"

#include "engine/unique/leaserelease_p.h"

#include <algorithm>

namespace lockscope {

BulkRelease::BulkRelease(LockSource &source)
    : m_source(source)
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
    return m_source.heldLeases(selection.prefix, stop, [&](const QList<LockRow> &rows, const SnapshotClock &clock) {
        plan->clock = clock;
        std::copy_if(rows.cbegin(), rows.cend(), std::back_inserter(plan->locks),
                     [&](const LockRow &row) { return detail::isMeant(selection, row.owner); });
    });
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
        const auto done = endLease(m_source, order, &m_audit, &unrecorded);
        if (recordError.isEmpty())
            recordError = unrecorded;
        if (progress)
            progress(order, done);
        return done;
    });
    return {total, recordError};
}

} // namespace lockscope
