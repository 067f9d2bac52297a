#include "lockscope/lockhandle.h"

#include "engine/core/enginecall_p.h"
#include "engine/pessimistic/rowlock_p.h"
#include "session/complaint_p.h"

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
    if (auto wrong = LockEngine::check(asked)) {
        m_hold->setLastError(std::move(wrong));
        return RenewOutcome::Failed;
    }
    const auto core = m_hold->core.lock();
    if (!core || core->isClosing())
        return RenewOutcome::NotHeld;
    return m_hold->mode == Mode::Pessimistic ? renewRow(core, m_hold, ttl) : renewNow(core, m_hold, ttl);
}

ReleaseOutcome LockHandle::release()
{
    if (isHeld() && isInOwnWork(*m_hold)) {
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
    const auto core = m_hold ? m_hold->core.lock() : nullptr;
    if (!isHeld() || !core || core->isClosing()) {
        LockError error;
        error.kind = LockError::Kind::LockLost;
        error.message = QStringLiteral("The lock is not held. Take it again and repeat the work.");
        return error;
    }
    if (m_hold->mode != Mode::Pessimistic)
        return detail::badRequest(QStringLiteral("Only a pessimistic lock has a transaction: ask for that mode."));
    const auto hold = m_hold; // `work` may move the handle away
    return detail::runInRow(core, hold, work);
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
    const auto core = m_hold->core.lock();
    if (!core)
        return ReleaseOutcome::NotHeld;
    const detail::EngineCall call(core);
    if (!call) // its end releases what is held
        return ReleaseOutcome::NotHeld;
    const bool wasHeld = m_hold->isHeld();
    if (!core->dropHandle(m_hold))
        return wasHeld ? ReleaseOutcome::Released : ReleaseOutcome::NotHeld;
    if (!m_hold->leaveHeld(Hold::State::Released))
        return ReleaseOutcome::NotHeld;
    unwatch(*core, *m_hold);
    // Past the deadline the row may still be ours: freeing it lets the next one go on at once.
    const ReleaseOutcome outcome =
        m_hold->mode == Mode::Pessimistic ? releaseRow(m_hold, keepsWork && wasHeld) : releaseOnServer(*core, *m_hold);
    return wasHeld || outcome != ReleaseOutcome::Released ? outcome : ReleaseOutcome::NotHeld;
}

std::optional<LockError> LockHandle::lastError() const
{
    return m_hold && !m_hold->process.isForeign() ? m_hold->lastError() : std::nullopt;
}

} // namespace lockscope
