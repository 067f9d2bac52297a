// SPDX-License-Identifier: MIT
#pragma once

#include "engine/core/wait_p.h"
#include "session/connectionthread.h"

#include <memory>

namespace lockscope::detail {

/// A wait of which a part is spent on the server: there a request that blocks is woken by KILL of its connection (for
/// an own one no privilege is needed). Nothing is lost with it: it holds no lock but its name. KILL QUERY would be
/// milder, but between two statements of a packet it makes MariaDB end the packet without an answer, and the client
/// waits for ever. A KILL that comes late would hit a later packet, so `send()` returns only when none is under way.
/// Thread: any; one thread waits.
class WaitControl : public Wait, public std::enable_shared_from_this<WaitControl>
{
public:
    /// `killer` sends the KILL and must outlive the request. None of its jobs may wait for anything in this process:
    /// who is killed may hold it, and waits for the KILL to be over.
    WaitControl(ConnectionThread &killer, Clock::time_point budgetEnd)
        : Wait(budgetEnd)
        , m_killer(killer)
    {
    }

    /// Lets `timer` end what still runs on the server when the budget is over. It must outlive this object.
    void watchBudget(ConnectionThread &timer);
    ~WaitControl() override;

    /// Number of the session with the packet that is under way; 0 = none.
    quint64 blockedOn() const;

    /// Sends a packet that may block. Interrupted without having been sent: the request was cancelled. `*isKilled` is
    /// set when a KILL was sent for it, even if the answer came first; the connection has been closed then.
    Reply send(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name, bool *isKilled = nullptr);
    /// The same for a packet that sleeps on the server; Interrupted, too, when the request has been called.
    Reply sendUnlessCalled(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name);

    /// sleepUntil() that a call ends, too.
    template<typename Ready>
    void sleepUntilCalled(Clock::time_point until, Ready ready)
    {
        sleepUntil(until, [&] { return m_isCalled || ready(); });
    }

    /// Somebody saw something that concerns this request: it looks, wherever it sleeps in this process. Where it sleeps
    /// on the server it is woken only if `interrupts`, as if its connection had broken.
    void call(bool interrupts);
    bool isCalled() const;
    /// Before it looks: calls from here on are new ones.
    void answerCall();

private:
    enum class If { NotCancelled, NotCalled };
    Reply send(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name, If condition,
               bool *isKilled);
    bool block(quint64 session, If condition);
    bool unblocked();
    void interrupt() override;
    void postKill();
    void kill(ReconnectingSession &link);
    void killAgain(quint64 session);

    ConnectionThread &m_killer;
    bool m_isCalled = false;
    quint64 m_blockedOn = 0; ///< a session's number while a packet is under way
    bool m_killing = false;  ///< a KILL is posted or runs
    ConnectionThread *m_timer = nullptr;
    ConnectionThread::Timed m_budgetWatch;
    bool m_killed = false; ///< a KILL was sent for this packet
};

} // namespace lockscope::detail
