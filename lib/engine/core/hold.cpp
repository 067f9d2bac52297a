// SPDX-License-Identifier: MIT
#include "hold_p.h"

#include "session/validation_p.h"

#include <algorithm>
#include <utility>

namespace lockscope::detail {

Hold::Hold(std::weak_ptr<EngineCore> core, qsizetype sizeOfPrefix, const LockRequest &request, QByteArray ownerJson)
    : engine(std::move(core))
    , mode(request.mode)
    , resource(request.resource)
    , prefixSize(sizeOfPrefix)
    , owner(std::move(ownerJson))
    , ownerKey(request.ownerKey)
    , onLost(request.onLost)
    , onMaxHold(request.onMaxHold)
    , onReleaseRequested(request.onReleaseRequested)
    , maxHold(request.maxHold)
    , autoRenew(request.autoRenew)
    , grantedAt(LeaseClock::now())
    , m_deadline(LeaseClock::time_point::max())
    , m_ttl(request.ttl)
{
}

Hold::~Hold() = default;

std::optional<LockError> Hold::runInTransaction(const std::shared_ptr<EngineCore> & /*core*/, const Work & /*work*/)
{
    return badRequest(QStringLiteral("Only a pessimistic lock has a transaction: ask for that mode."));
}

bool Hold::isHeld() const
{
    return !process.isForeign() && m_state.load() == State::Held && LeaseClock::now() < deadline();
}

Duration Hold::remaining() const
{
    if (process.isForeign() || m_state.load() != State::Held)
        return Duration::zero();
    const auto end = deadline();
    if (end == LeaseClock::time_point::max())
        return Forever;
    return std::max(Duration::zero(), std::chrono::duration_cast<Duration>(end - LeaseClock::now()));
}

bool Hold::leaveHeld(State state)
{
    State expected = State::Held;
    return m_state.compare_exchange_strong(expected, state);
}

LeaseClock::time_point Hold::deadline() const
{
    const std::lock_guard lock(m_mutex);
    return m_deadline;
}

void Hold::setDeadline(LeaseClock::time_point deadline, Duration ttl)
{
    const std::lock_guard lock(m_mutex);
    m_deadline = deadline;
    m_ttl = ttl;
}

LeaseClock::time_point Hold::endBy(LeaseClock::time_point deadline)
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_deadline, std::min(m_deadline, deadline));
}

Duration Hold::ttl() const
{
    const std::lock_guard lock(m_mutex);
    return m_ttl;
}

bool Hold::isPastMaxHold() const
{
    return LeaseClock::now() >= deadlineFrom(grantedAt, maxHold);
}

void Hold::notifyMaxHold()
{
    if (isPastMaxHold() && !m_hasNotifiedMaxHold.exchange(true) && onMaxHold)
        onMaxHold();
}

Duration Hold::untilNews() const
{
    const auto end = deadlineFrom(grantedAt, maxHold);
    if (end == LeaseClock::time_point::max() || m_hasNotifiedMaxHold)
        return remaining();
    const auto untilMaxHold = std::chrono::ceil<Duration>(end - LeaseClock::now());
    return std::clamp(untilMaxHold, Duration::zero(), remaining());
}

LossReason Hold::reasonOfEnd() const
{
    return isPastMaxHold() ? LossReason::MaxHoldReached : LossReason::Expired;
}

ConnectionThread::Timed Hold::exchangeWatch(const std::function<ConnectionThread::Timed()> &plan)
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_watch, plan());
}

std::optional<LockError> Hold::lastError() const
{
    const std::lock_guard lock(m_mutex);
    return m_lastError;
}

void Hold::setLastError(std::optional<LockError> error)
{
    const std::lock_guard lock(m_mutex);
    m_lastError = std::move(error);
}

} // namespace lockscope::detail
