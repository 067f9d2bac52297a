// SPDX-License-Identifier: MIT
#include "lockscope/lockhelpers.h"

#include "engine/pessimistic/rowacquire_p.h"
#include "session/validation_p.h"

#include <algorithm>
#include <map>

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

/// One name for each row that is asked for, in the order in which everybody takes these.
QList<QByteArray> inOrder(const QList<QByteArray> &names, int stripes)
{
    std::map<QByteArray, QByteArray> byRow;
    for (const QByteArray &name : names)
        byRow.try_emplace(stripes > 0 ? detail::stripeOf(name, stripes) : name, name);
    QList<QByteArray> ordered;
    for (const auto &[row, name] : byRow)
        ordered += name;
    return ordered;
}

LockError lockLost(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::LockLost;
    error.message = message;
    return error;
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
    LockRequest one = request;
    for (const QByteArray &name : resources) {
        one.resource = name;
        if (auto wrong = engine.validate(one))
            return {Outcome::Failed, {}, name, std::move(wrong)};
    }
    MultiResult result;
    result.outcome = Outcome::Granted;
    const QList<QByteArray> names = inOrder(resources, request.stripes);
    const auto start = Clock::now();
    for (const QByteArray &name : names) {
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
    const auto lost = std::find_if_not(result.handles.begin(), result.handles.end(), std::mem_fn(&LockHandle::isHeld));
    if (lost != result.handles.end()) {
        return {Outcome::Failed,
                {},
                names[lost - result.handles.begin()],
                lockLost(QStringLiteral("A lock was lost before the last one was granted. Try again, with a longer TTL "
                                        "or with autoRenew."))};
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
    const ReleaseOutcome ended = handle.release();
    if (ended == ReleaseOutcome::NotHeld) {
        result.error = lockLost(QStringLiteral("The lock was lost before the work under it ended. Take it again, and "
                                               "repeat what was undone or may have met the work of others."));
    } else if (ended != ReleaseOutcome::Released) {
        result.error = handle.lastError();
    }
    return result;
}

LockFailure::LockFailure(const AcquireResult &answer, const QByteArray &resource)
    : std::system_error(std::make_error_code(codeOf(answer.outcome)),
                        answer.error ? answer.error->toString().toStdString() : resource.toStdString())
    , m_outcome(answer.outcome)
    , m_error(answer.error)
{
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
        throw LockFailure(result, m_request.resource);
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
    // Once it is free the next one's lock() writes m_handle.
    LockHandle mine = std::move(m_handle);
    mine.release();
}

} // namespace lockscope
