#include "waitcontrol_p.h"

namespace lockscope::detail {

namespace {

/// Statements end by themselves at the budget's end; the KILL is for those that wait for a row lock.
constexpr auto kBudgetGrace = std::chrono::milliseconds(15);

} // namespace

WaitControl::Clock::time_point WaitControl::endOf(Duration wait)
{
    const auto now = Clock::now();
    const auto most = Clock::time_point::max();
    return wait == Forever || wait > most - now ? most : now + wait;
}

void WaitControl::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_cancelled = true;
    m_changed.notify_all();
    if (m_blockedOn != 0)
        postKill();
}

void WaitControl::watchBudget(Lane &timer)
{
    if (m_timer || m_budgetEnd == Clock::time_point::max())
        return;
    m_timer = &timer;
    m_budgetWatch = timer.postAt(m_budgetEnd + kBudgetGrace, [weak = weak_from_this()](Link &) {
        const auto self = weak.lock();
        if (!self)
            return;
        const std::lock_guard lock(self->m_mutex);
        if (self->m_blockedOn != 0)
            self->postKill();
    });
}

WaitControl::~WaitControl()
{
    if (m_timer)
        m_timer->cancel(m_budgetWatch);
}

bool WaitControl::isCancelled() const
{
    const std::lock_guard lock(m_mutex);
    return m_cancelled;
}

Reply WaitControl::send(Link &link, const QByteArray &packet, const QByteArray &name, bool *isKilled)
{
    LockError error;
    if (!link.session(&error))
        return Reply{{}, error};
    if (!block(link.connectionId())) {
        error.kind = LockError::Kind::Interrupted;
        return Reply{{}, error};
    }
    Reply reply = link.run(packet, name);
    if (unblocked()) {
        link.drop();
        if (!reply)
            reply.error = lockErrorFor(1927, reply.error->serverText, name);
        if (isKilled)
            *isKilled = true;
    }
    return reply;
}

/// False: cancelled.
bool WaitControl::block(quint64 connectionId)
{
    const std::lock_guard lock(m_mutex);
    if (m_cancelled)
        return false;
    m_blockedOn = connectionId;
    m_killed = false;
    return true;
}

/// True when the connection was, or is being, killed.
bool WaitControl::unblocked()
{
    std::unique_lock lock(m_mutex);
    m_blockedOn = 0;
    m_changed.wait(lock, [&] { return !m_killing; });
    return m_killed;
}

void WaitControl::wake()
{
    const std::lock_guard lock(m_mutex); // or a waiter between its check and its sleep would miss it
    m_changed.notify_all();
}

/// Call with m_mutex held.
void WaitControl::postKill()
{
    if (m_killing)
        return;
    m_killing = true;
    m_killer.post([self = shared_from_this()](Link &link) {
        quint64 target = 0;
        {
            const std::lock_guard lock(self->m_mutex);
            target = self->m_blockedOn;
        }
        if (target != 0)
            link.kill(target);
        const std::lock_guard lock(self->m_mutex);
        self->m_killing = false;
        self->m_killed = target != 0;
        self->m_changed.notify_all();
    });
}

} // namespace lockscope::detail
