#include "lockhelpers.h"

#include "complaint_p.h"

#include <algorithm>
#include <system_error>

namespace lockscope {

namespace {

using Clock = std::chrono::steady_clock;

/// What is left of a budget that began at `start`.
Duration leftOf(Duration wait, Clock::time_point start)
{
    if (wait == Forever)
        return Forever;
    return std::max(Duration::zero(), wait - std::chrono::duration_cast<Duration>(Clock::now() - start));
}

std::errc codeOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Deadlock:
        return std::errc::resource_deadlock_would_occur;
    case Outcome::Cancelled:
        return std::errc::operation_canceled;
    case Outcome::TimedOut:
    case Outcome::Busy:
        return std::errc::timed_out;
    default:
        return std::errc::io_error;
    }
}

} // namespace

MultiResult acquireAll(LockEngine &engine, const QList<QByteArray> &resources, const LockRequest &request)
{
    QList<QByteArray> names = resources;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    MultiResult result;
    result.outcome = Outcome::Granted;
    for (const QByteArray &name : std::as_const(names)) {
        LockRequest checked = request;
        checked.resource = name;
        if (auto wrong = LockEngine::check(checked))
            return {Outcome::Failed, {}, name, std::move(wrong)};
    }
    const auto start = Clock::now();
    for (const QByteArray &name : std::as_const(names)) {
        LockRequest one = request;
        one.resource = name;
        one.wait = leftOf(request.wait, start);
        auto got = engine.acquire(one);
        if (got.outcome != Outcome::Granted) {
            // Out of time is what the caller has to be told, even where nothing was left to wait with.
            const bool isLate = got.outcome == Outcome::Busy && request.wait > Duration::zero();
            return {isLate ? Outcome::TimedOut : got.outcome, {}, name, std::move(got.error)};
        }
        result.handles.push_back(std::move(got.handle));
    }
    return result;
}

AcquireResult withLock(LockEngine &engine, const LockRequest &request, const std::function<void(LockHandle &)> &work)
{
    if (!work)
        return {Outcome::Failed, {}, detail::badRequest(QStringLiteral("The function of withLock is empty."))};
    AcquireResult result = engine.acquire(request);
    if (result.outcome != Outcome::Granted)
        return result;
    LockHandle handle = std::move(result.handle); // gone with this scope, also when `work` throws
    work(handle);
    handle.release();
    return result;
}

Lockable::Lockable(LockEngine &engine, LockRequest request)
    : m_engine(engine)
    , m_request(std::move(request))
{
}

void Lockable::lock()
{
    AcquireResult result = m_engine.acquire(m_request);
    if (result.outcome != Outcome::Granted)
        throw std::system_error(std::make_error_code(codeOf(result.outcome)),
                                result.error ? result.error->toString().toStdString()
                                             : m_request.resource.toStdString());
    m_handle = std::move(result.handle);
}

bool Lockable::try_lock()
{
    LockRequest now = m_request;
    now.wait = Duration::zero();
    AcquireResult result = m_engine.acquire(now);
    if (result.outcome != Outcome::Granted)
        return false;
    m_handle = std::move(result.handle);
    return true;
}

void Lockable::unlock()
{
    m_handle.release();
}

} // namespace lockscope
