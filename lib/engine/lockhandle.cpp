// SPDX-License-Identifier: MIT
#include "lockscope/lockhandle.h"

#include "engine/core/enginecall_p.h"
#include "engine/core/requestcheck_p.h"
#include "engine/core/watchdog_p.h"
#include "session/validation_p.h"

namespace lockscope {

using detail::Hold;

LockHandle::LockHandle() = default;

LockHandle::LockHandle(std::shared_ptr<Hold> hold)
    : m_hold(std::move(hold))
{
}

LockHandle::~LockHandle()
{
    giveBack(false);
}

LockHandle::LockHandle(LockHandle &&other) noexcept = default;

LockHandle &LockHandle::operator=(LockHandle &&other) noexcept
{
    if (this != &other) {
        giveBack(false);
        m_hold = std::move(other.m_hold);
        m_released = other.m_released;
    }
    return *this;
}

bool LockHandle::isHeld() const
{
    return m_hold && !m_released && m_hold->isHeld();
}

QByteArray LockHandle::resource() const
{
    return m_hold ? m_hold->resource.mid(m_hold->prefixSize) : QByteArray();
}

quint64 LockHandle::token() const
{
    return m_hold ? m_hold->token : 0;
}

Duration LockHandle::remaining() const
{
    return m_hold && !m_released ? m_hold->remaining() : Duration::zero();
}

RenewOutcome LockHandle::renew(Duration ttl)
{
    if (!isHeld())
        return RenewOutcome::NotHeld;
    LockRequest asked;
    asked.mode = m_hold->mode;
    asked.resource = m_hold->resource;
    asked.ttl = ttl;
    if (auto wrong = detail::validate(asked, 0)) {
        m_hold->setLastError(std::move(wrong));
        return RenewOutcome::Failed;
    }
    const auto core = m_hold->engine.lock();
    if (!core || core->isClosing())
        return RenewOutcome::NotHeld;
    return m_hold->renew(core, ttl);
}

ReleaseOutcome LockHandle::release()
{
    if (isHeld() && m_hold->isInOwnWork()) {
        m_hold->setLastError(
            detail::badRequest(QStringLiteral("The lock is at work: release it when inTransaction() has returned.")));
        return ReleaseOutcome::Failed;
    }
    return giveBack(true);
}

std::optional<LockError> LockHandle::inTransaction(const std::function<void(QSqlDatabase &)> &work)
{
    if (!work)
        return detail::badRequest(QStringLiteral("The function of LockHandle::inTransaction is empty."));
    const auto core = m_hold ? m_hold->engine.lock() : nullptr;
    if (!isHeld() || !core || core->isClosing()) {
        LockError error;
        error.kind = LockError::Kind::LockLost;
        error.message = QStringLiteral("The lock is not held. Take it again and repeat the work.");
        return error;
    }
    const auto hold = m_hold; // `work` may move the handle away
    return hold->runInTransaction(core, work);
}

ReleaseOutcome LockHandle::giveBack(bool keepsWork)
{
    if (!m_hold || m_released)
        return ReleaseOutcome::NotHeld;
    m_released = true;
    if (m_hold->process.isForeign()) {
        ForkGuard::keep(m_hold);
        return ReleaseOutcome::NotHeld;
    }
    const auto core = m_hold->engine.lock();
    if (!core)
        return ReleaseOutcome::NotHeld;
    const detail::EngineCall call(core);
    if (!call) // its end releases what is held
        return ReleaseOutcome::NotHeld;
    const bool wasHeld = m_hold->isHeld();
    if (!core->dropHandle(m_hold))
        return wasHeld ? ReleaseOutcome::Released : ReleaseOutcome::NotHeld;
    if (!core->endHold(*m_hold, Hold::State::Released))
        return ReleaseOutcome::NotHeld;
    unwatch(*core, *m_hold);
    // Past the deadline the row may still be ours: freeing it lets the next one go on at once. The caller did not hold
    // it any more, also where nobody can tell what became of that.
    const ReleaseOutcome outcome = m_hold->release(*core, keepsWork && wasHeld);
    return wasHeld || outcome == ReleaseOutcome::Failed ? outcome : ReleaseOutcome::NotHeld;
}

std::optional<LockError> LockHandle::lastError() const
{
    return m_hold && !m_hold->process.isForeign() ? m_hold->lastError() : std::nullopt;
}

} // namespace lockscope
