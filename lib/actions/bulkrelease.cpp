// SPDX-License-Identifier: MIT
#include "bulkrelease.h"

#include "engine/unique/leaserelease_p.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockscope {

namespace {

/// Leases whose lines are written at once: it is the disk that one by one is waited for.
constexpr qsizetype kAtOnce = 100;
/// But not longer than this is an act without its outcome, should this program end meanwhile.
constexpr std::chrono::seconds kLongestUnwritten{1};

/// The record of leases that are ended in their order: the lines before the acts, and those after them, some at once.
class ReleaseRecord
{
public:
    ReleaseRecord(const LockSource &source, AuditFile &audit, QList<ReleaseOrder> orders)
        : m_source(source)
        , m_audit(audit)
        , m_orders(std::move(orders))
    {
    }

    const ReleaseOrder &order(qsizetype i) const { return m_orders[i]; }

    /// Before the act: an error says why it may not be done.
    std::optional<LockError> begin(qsizetype i)
    {
        if (i < m_begun)
            return std::nullopt;
        close();
        const auto end = std::min(i + (m_canWrite ? kAtOnce : 1), m_orders.size());
        QList<AuditEntry> entries;
        for (qsizetype next = i; next < end; ++next)
            entries.append(releaseEntry(m_orders[next], {}, m_source));
        auto error = recordIntents(&m_audit, entries);
        m_canWrite = !error;
        m_wroteAt = Clock::now();
        if (m_canWrite)
            m_begun = end;
        return error;
    }
    void end(qsizetype i, const ForcedRelease &done)
    {
        m_ended = i + 1;
        m_outcomes.append(releaseEntry(m_orders[i], done, m_source));
        if (Clock::now() - m_wroteAt >= kLongestUnwritten)
            write();
    }
    /// After the last act. Empty, or why lines of what was done are missing.
    QString close()
    {
        for (; m_ended < m_begun; ++m_ended) {
            m_outcomes.append(releaseEntry(m_orders[m_ended], {}, m_source));
            m_outcomes.last().outcome = QStringLiteral("nothing was done: it was left");
        }
        write();
        return m_error;
    }

private:
    using Clock = std::chrono::steady_clock;

    void write()
    {
        const QString error = m_outcomes.isEmpty() ? QString() : m_audit.append(m_outcomes);
        m_outcomes.clear();
        m_wroteAt = Clock::now();
        if (m_error.isEmpty())
            m_error = error;
    }

    const LockSource &m_source;
    AuditFile &m_audit;
    const QList<ReleaseOrder> m_orders;
    bool m_canWrite = true;
    qsizetype m_begun = 0; ///< so many have a line
    qsizetype m_ended = 0;
    QList<AuditEntry> m_outcomes; ///< which are not written yet
    Clock::time_point m_wroteAt{};
    QString m_error;
};

QList<ReleaseOrder> ordersOf(const ReleasePlan &plan, const detail::ReleaseNote &note)
{
    QList<ReleaseOrder> orders;
    for (const LockRow &lock : plan.locks)
        orders.append({lock.key, lock.token, note.operatorName, note.reason});
    return orders;
}

} // namespace

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
    ReleaseRecord record(m_source, m_audit, ordersOf(plan, note));
    const ForcedReleases total = detail::endAll(plan.locks.size(), stop, [&](qsizetype i) {
        const ReleaseOrder &order = record.order(i);
        ForcedRelease done;
        done.error = m_source.open(); // which tells how the statement is written
        if (!done.error)
            done.error = record.begin(i);
        if (!done.error)
            done = m_source.endLease({order.key.resource, order.key.slot, order.token}, note);
        record.end(i, done);
        if (progress)
            progress(order, done);
        return done;
    });
    return {total, record.close()};
}

} // namespace lockscope
