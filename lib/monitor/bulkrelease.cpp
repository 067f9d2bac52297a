#include "bulkrelease.h"

#include "engine/complaint_p.h"

#include <algorithm>

namespace lockscope {

namespace {

using detail::badRequest;
using Kind = LockError::Kind;
using Outcome = ReleaseReport::Outcome;

constexpr qsizetype kSessionDigits = 32;
/// Of one release: a connection that broke is opened again.
constexpr int kTries = 3;

bool isSession(const QByteArray &text)
{
    return text.size() == kSessionDigits && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

bool isMeant(const LockRow &row, const ReleaseSelection &selection)
{
    return row.state != LockState::Kept && (selection.session.isEmpty() || row.owner.session == selection.session);
}

/// Every further try would end alike, each after its time-out.
bool isAway(const LockError &error)
{
    return error.kind == Kind::Unavailable || error.kind == Kind::ConnectionLost || error.kind == Kind::AccessDenied;
}

} // namespace

BulkRelease::BulkRelease(Link &link)
    : m_link(link)
{
}

std::optional<LockError> BulkRelease::check(const ReleaseSelection &selection)
{
    if (selection.prefix.isEmpty() && selection.session.isEmpty())
        return badRequest(QStringLiteral("The prefix is empty: that would be every lock there is."));
    if (!selection.prefix.isEmpty() && !selection.session.isEmpty())
        return badRequest(QStringLiteral("Select by prefix or by owner, not by both."));
    if (!selection.session.isEmpty() && !isSession(selection.session))
        return badRequest(QStringLiteral("An owner is named by its session: 32 hex digits in lower case."));
    if (selection.prefix.size() > MaxResourceBytes) {
        return badRequest(QStringLiteral("The prefix has %1 bytes; a name has at most %2.")
                              .arg(selection.prefix.size())
                              .arg(MaxResourceBytes));
    }
    if (selection.prefix.contains('\0'))
        return badRequest(QStringLiteral("The prefix contains a NUL byte, which no name has."));
    return std::nullopt;
}

std::optional<LockError> BulkRelease::plan(const ReleaseSelection &selection, ReleasePlan *plan,
                                           const std::stop_token &stop)
{
    *plan = {};
    if (auto wrong = check(selection))
        return wrong;
    LeasePage page = LeasePage::ofPrefix(selection.prefix);
    while (!page.isLast && !stop.stop_requested()) {
        LockError cannotOpen;
        Session *session = m_link.session(&cannotOpen);
        if (!session)
            return cannotOpen;
        if (auto error = LeaseReader(*session).next(&page))
            return error;
        plan->clock = page.clock;
        std::copy_if(page.rows.cbegin(), page.rows.cend(), std::back_inserter(plan->locks),
                     [&](const LockRow &row) { return isMeant(row, selection); });
    }
    return std::nullopt;
}

BulkReport BulkRelease::act(const ReleasePlan &plan, const QString &operatorName, const QString &reason,
                            const std::stop_token &stop, const Progress &progress)
{
    BulkReport total;
    total.left = plan.locks.size();
    if ((total.firstError = checkOrder({{}, 0, operatorName, reason})))
        return total;
    if ((total.firstError = openRecord(&m_audit)))
        return total;
    for (const LockRow &lock : plan.locks) {
        if (stop.stop_requested())
            break;
        const ReleaseOrder order{lock.key, lock.token, operatorName, reason};
        const ReleaseReport report = release(order);
        const QString unrecorded = m_audit.append(releaseEntry(order, report, m_link.server(), m_link.family()));
        if (total.recordError.isEmpty())
            total.recordError = unrecorded;
        --total.left;
        total.released += report.outcome == Outcome::Released;
        total.changed += report.outcome == Outcome::TargetChanged;
        total.failed += report.outcome == Outcome::Failed;
        total.unwoken += report.outcome == Outcome::Released && !report.isAwake;
        if (report.outcome == Outcome::Failed && !total.firstError)
            total.firstError = report.error;
        if (progress)
            progress(order, report);
        if (report.outcome == Outcome::Failed && report.error && isAway(*report.error))
            break;
    }
    return total;
}

/// To send it again after a lost answer is safe, for the token guards it; then the record tells whose a change was.
ReleaseReport BulkRelease::release(const ReleaseOrder &order)
{
    ReleaseReport report;
    bool isInDoubt = false;
    for (int i = 0; i < kTries; ++i) {
        LockError cannotOpen;
        Session *session = m_link.session(&cannotOpen);
        if (!session) {
            report.error = cannotOpen;
            return report;
        }
        ForceRelease one(*session);
        report = one.act(order);
        bool isRecorded = false;
        if (isInDoubt && report.outcome == Outcome::TargetChanged && !one.isRecorded(order, &isRecorded) && isRecorded)
            report.outcome = Outcome::Released;
        if (!report.error || !report.error->connectionGone)
            return report;
        isInDoubt = true;
    }
    return report;
}

} // namespace lockscope
