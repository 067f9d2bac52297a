// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"
#include "session/connectionthread.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace lockscope::detail {

/// Lets a waiting request be ended from outside: by its stop token, its budget or the engine's end. A request that
/// blocks on the server is woken by KILL of its connection (for an own one no privilege is needed). Nothing is lost
/// with it: it holds no user-level lock. KILL QUERY would be milder, but between two statements of a packet it makes
/// MariaDB end the packet without an answer, and the client waits for ever.
/// A KILL that comes late would hit a later packet, so `send()` returns only when none is under way.
/// Thread: any; one thread waits.
class WaitControl : public std::enable_shared_from_this<WaitControl>
{
public:
    using Clock = ConnectionThread::Clock;

    /// When a budget that begins now is over; a budget of Forever never is.
    static Clock::time_point endOf(Duration wait);

    /// `killer` sends the KILL and must outlive the request. None of its jobs may wait for anything in this process:
    /// who is killed may hold it, and waits for the KILL to be over.
    WaitControl(ConnectionThread &killer, Clock::time_point budgetEnd)
        : m_killer(killer)
        , m_budgetEnd(budgetEnd)
    {
    }

    /// Ends the wait for good.
    void cancel();
    /// Lets `timer` end what still runs on the server when the budget is over. It must outlive this object.
    void watchBudget(ConnectionThread &timer);
    ~WaitControl();

    bool isCancelled() const;
    /// When the wait ended, or will: at a cancel, or with the budget.
    Clock::time_point endsAt() const;
    /// The connection with the packet that is under way; 0 = none.
    quint64 blockedOn() const;
    bool isOver() const { return Clock::now() >= m_budgetEnd; }
    Clock::time_point budgetEnd() const { return m_budgetEnd; }

    /// Sends a packet that may block. Interrupted without having been sent: the request was cancelled. `*isKilled` is
    /// set when a KILL was sent for it, even if the answer came first; the connection has been closed then.
    Reply send(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name, bool *isKilled = nullptr);
    /// The same for a packet that sleeps on the server; Interrupted, too, when the request has been called.
    Reply sendUnlessCalled(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name);

    /// Waits in this process until `until`, the budget's end, a cancel, or a `wake()` that finds `ready()` true.
    template<typename Ready>
    void sleepUntil(Clock::time_point until, Ready ready)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_until(lock, std::min(until, m_budgetEnd), [&] { return m_cancelledAt || ready(); });
    }
    /// The same, until it is called, too.
    template<typename Ready>
    void sleepUntilCalled(Clock::time_point until, Ready ready)
    {
        sleepUntil(until, [&] { return m_isCalled || ready(); });
    }
    void wake();

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
    bool block(quint64 connectionId, If condition);
    bool unblocked();
    void postKill();
    void kill(ReconnectingSession &link);
    void killAgain(quint64 connectionId);

    ConnectionThread &m_killer;
    const Clock::time_point m_budgetEnd;
    mutable std::mutex m_mutex; // protects the members below
    std::condition_variable m_changed;
    std::optional<Clock::time_point> m_cancelledAt;
    bool m_isCalled = false;
    quint64 m_blockedOn = 0; ///< connection id while a packet is under way
    bool m_killing = false;  ///< a KILL is posted or runs
    ConnectionThread *m_timer = nullptr;
    ConnectionThread::Timed m_budgetWatch;
    bool m_killed = false; ///< a KILL was sent for this packet
};

} // namespace lockscope::detail
