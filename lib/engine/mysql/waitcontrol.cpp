// SPDX-License-Identifier: MIT
#include "waitcontrol_p.h"

namespace lockscope::detail {

namespace {

/// Statements end by themselves at the budget's end; the KILL is for those that wait for a row lock.
constexpr auto kBudgetGrace = std::chrono::milliseconds(15);
/// A KILL that the server could not be told is sent again after this.
constexpr auto kKillAgain = std::chrono::seconds(1);

} // namespace

void WaitControl::interrupt()
{
    if (m_blockedOn != 0)
        postKill();
}

void WaitControl::watchBudget(ConnectionThread &timer)
{
    if (m_timer || m_budgetEnd == Clock::time_point::max())
        return;
    m_timer = &timer;
    m_budgetWatch = timer.postAt(m_budgetEnd + kBudgetGrace, [weak = weak_from_this()](ReconnectingSession &) {
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

quint64 WaitControl::blockedOn() const
{
    const std::lock_guard lock(m_mutex);
    return m_blockedOn;
}

Reply WaitControl::send(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name, bool *isKilled)
{
    return send(link, packet, name, If::NotCancelled, isKilled);
}

Reply WaitControl::sendUnlessCalled(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name)
{
    return send(link, packet, name, If::NotCalled, nullptr);
}

Reply WaitControl::send(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name, If condition,
                        bool *isKilled)
{
    LockError error;
    if (!link.session(&error))
        return Reply{{}, error};
    if (!block(link.sessionNumber(), condition)) {
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

/// False: it is not to be sent. In one moment with the note of what it blocks on, by which a later call wakes it.
bool WaitControl::block(quint64 session, If condition)
{
    const std::lock_guard lock(m_mutex);
    if (m_cancelledAt || (condition == If::NotCalled && m_isCalled))
        return false;
    m_blockedOn = session;
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

void WaitControl::call(bool interrupts)
{
    const std::lock_guard lock(m_mutex);
    m_isCalled = true;
    m_changed.notify_all();
    if (interrupts && m_blockedOn != 0)
        postKill();
}

bool WaitControl::isCalled() const
{
    const std::lock_guard lock(m_mutex);
    return m_isCalled;
}

void WaitControl::answerCall()
{
    const std::lock_guard lock(m_mutex);
    m_isCalled = false;
}

/// Call with m_mutex held.
void WaitControl::postKill()
{
    if (m_killing)
        return;
    m_killing = true;
    m_killer.post([self = shared_from_this()](ReconnectingSession &link) { self->kill(link); });
}

void WaitControl::kill(ReconnectingSession &link)
{
    const quint64 target = blockedOn();
    Reply killed;
    if (target != 0)
        killed = link.kill(target);
    if (killed.error && killed.error->kind == LockError::Kind::ConnectionLost)
        killed = link.kill(target); // the killer's own connection had been cut; to kill twice harms nobody
    const std::lock_guard lock(m_mutex);
    m_killing = false;
    m_killed = target != 0;
    m_changed.notify_all();
    if (killed.error && killed.error->connectionGone)
        m_killer.postAt(Clock::now() + kKillAgain, [weak = weak_from_this(), target](ReconnectingSession &) {
            if (const auto self = weak.lock())
                self->killAgain(target);
        });
}

void WaitControl::killAgain(quint64 session)
{
    const std::lock_guard lock(m_mutex);
    if (m_blockedOn == session) // by the same packet: after a KILL the connection is closed
        postKill();
}

} // namespace lockscope::detail
