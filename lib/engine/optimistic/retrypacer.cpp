// SPDX-License-Identifier: MIT
#include "engine/core/wait_p.h"
#include "optimisticcore_p.h"

#include <QtCore/QRandomGenerator>

namespace lockscope::detail {

namespace {

/// Longer sleeps are no back-off but a schedule; the bound keeps sums of durations in range.
constexpr Duration kLongestDelay = std::chrono::hours(1);

LeaseClock::time_point endOf(const RetryPolicy &policy)
{
    const auto now = LeaseClock::now();
    const auto most = LeaseClock::time_point::max();
    return policy.timeLimit == Forever || policy.timeLimit > std::chrono::duration_cast<Duration>(most - now)
        ? most
        : now + policy.timeLimit;
}

} // namespace

Duration longestDelayAfter(const RetryPolicy &policy, int attempts)
{
    Duration bound = policy.firstDelay;
    for (int i = 1; i < attempts && bound > Duration::zero() && bound < policy.maxDelay; ++i)
        bound *= 2;
    return std::min(bound, policy.maxDelay);
}

Duration delayAfter(const RetryPolicy &policy, int attempts)
{
    const auto most = quint64(longestDelayAfter(policy, attempts).count());
    return Duration(qint64(QRandomGenerator::global()->generate64() % (most + 1)));
}

std::optional<LockError> validatePolicy(const RetryPolicy &policy)
{
    if (policy.maxAttempts < 1)
        return badRequest(QStringLiteral("RetryPolicy::maxAttempts must be at least 1."));
    if (policy.timeLimit < Duration::zero())
        return badRequest(QStringLiteral("RetryPolicy::timeLimit may not be negative."));
    if (policy.firstDelay < Duration::zero() || policy.maxDelay < policy.firstDelay)
        return badRequest(QStringLiteral("RetryPolicy::firstDelay must be between 0 and maxDelay."));
    if (policy.maxDelay > kLongestDelay)
        return badRequest(QStringLiteral("RetryPolicy::maxDelay may be at most one hour."));
    return std::nullopt;
}

RetryPacer::RetryPacer(EngineCore &engine, const RetryPolicy &policy)
    : m_engine(engine)
    , m_policy(policy)
    , m_end(endOf(policy))
{
}

std::optional<RunOutcome> RetryPacer::pause(int attempts)
{
    if (attempts >= m_policy.maxAttempts)
        return RunOutcome::GaveUp;
    const Duration delay = delayAfter(m_policy, attempts);
    if (LeaseClock::now() + delay >= m_end)
        return RunOutcome::TimedOut; // at once: waiting for the end would help nobody
    const auto control = std::make_shared<Wait>(Wait::endOf(delay));
    m_engine.addWait(control);
    {
        const std::stop_callback onStop(m_policy.stop, [&] { control->cancel(); });
        control->sleepUntil(Wait::Clock::time_point::max(), [] { return false; });
    }
    m_engine.removeWait(control);
    return m_policy.stop.stop_requested() ? std::optional(RunOutcome::Cancelled) : std::nullopt;
}

} // namespace lockscope::detail
