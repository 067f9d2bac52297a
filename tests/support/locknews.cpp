// SPDX-License-Identifier: MIT
#include "locknews.h"

#include <map>

namespace lockscope::test {

std::string kindText(const std::optional<LockError> &error)
{
    using Kind = LockError::Kind;
    static const std::map<Kind, const char *> texts{{Kind::BadRequest, "bad request"},
                                                    {Kind::Unavailable, "unavailable"},
                                                    {Kind::AccessDenied, "access denied"},
                                                    {Kind::NoPermission, "no permission"},
                                                    {Kind::SchemaMissing, "schema missing"},
                                                    {Kind::SchemaTooNew, "schema too new"},
                                                    {Kind::UnsafeServer, "unsafe server"},
                                                    {Kind::ReadOnlyServer, "read-only server"},
                                                    {Kind::DiskFull, "disk full"},
                                                    {Kind::LimitReached, "limit reached"},
                                                    {Kind::ConnectionLost, "connection lost"}};
    if (!error)
        return "without an error";
    const auto found = texts.find(error->kind);
    return found != texts.end() ? found->second : error->toString().toStdString();
}

std::string outcomeText(const AcquireResult &result)
{
    switch (result.outcome) {
    case Outcome::Granted:
        return "granted " + std::to_string(result.handle.token());
    case Outcome::Busy:
        return "busy";
    case Outcome::TimedOut:
        return "timed out";
    case Outcome::Cancelled:
        return "cancelled";
    case Outcome::Unknown:
        return "unknown";
    case Outcome::Deadlock:
        return "deadlock";
    default:
        return "failed " + kindText(result.error);
    }
}

std::string outcomeText(ReleaseOutcome outcome)
{
    switch (outcome) {
    case ReleaseOutcome::Released:
        return "released";
    case ReleaseOutcome::NotHeld:
        return "not held";
    case ReleaseOutcome::Unknown:
        return "unknown";
    default:
        return "failed";
    }
}

void LossNews::tell(LossReason reason)
{
    const std::lock_guard lock(m_mutex);
    m_reason = reason;
    ++m_count;
    m_told.notify_all();
}

std::string LossNews::wait()
{
    std::unique_lock lock(m_mutex);
    m_told.wait(lock, [this] { return m_reason.has_value(); });
    switch (*m_reason) {
    case LossReason::Expired:
        return "expired";
    case LossReason::TakenOver:
        return "taken over";
    case LossReason::MaxHoldReached:
        return "max hold";
    case LossReason::SessionEnded:
        return "session ended";
    default:
        return "transaction ended";
    }
}

int LossNews::count()
{
    const std::lock_guard lock(m_mutex);
    return m_count;
}

} // namespace lockscope::test
