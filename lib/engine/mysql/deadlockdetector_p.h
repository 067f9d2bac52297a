// SPDX-License-Identifier: MIT
#pragma once

#include "mysqlserver_p.h"

namespace lockscope::detail {

/// Keeps one waiting request from waiting in a cycle: its owner holds what another one waits for, and that one holds
/// what it waits for itself, over any number of owners and both modes. No server sees that.
///
/// Only an owner that holds something can be part of one. Before such a request waits it writes into `lock_wait_for`
/// what it waits for, and then follows the holders (engine/cycle). So of two that come at once at least one sees the
/// cycle. The newest in it gives up; another that sees it too gives up when it is still there a moment later. Every
/// other request costs nothing but a look at this process's own holds now and then: an owner that waits in one thread
/// may be granted something in another.
///
/// An owner counts as standing still when any of its requests waits: threads that go on meanwhile need owner keys of
/// their own.
/// Thread: that of the request; looks again in the service thread.
class DeadlockDetector : public std::enable_shared_from_this<DeadlockDetector>
{
public:
    DeadlockDetector(EngineCore &core, const LockRequest &request, const QByteArray &owner,
                     std::shared_ptr<WaitControl> control);

    /// To be called before the wait.
    std::optional<Refusal> enter();
    /// To be called after it, and before anybody learns of a grant: a holder must not be seen waiting.
    void leave();
    /// The request was cancelled because of a cycle.
    bool foundOne() const { return m_foundOne.load(); }

private:
    enum class Sight { None, Ours, Others };

    bool concerns() const;
    bool isWaitOver() const;
    std::optional<LockError> look(ReconnectingSession &link, Sight *sight);
    void checkLater();
    void readAgain(ReconnectingSession &link);

    EngineCore &m_core; ///< waits for all requests before it ends
    const QByteArray m_ownerKey;
    const Params m_params;
    const std::shared_ptr<WaitControl> m_control;
    std::atomic<bool> m_foundOne = false;
    std::mutex m_mutex; // protects the members below; held while asking
    QByteArray m_place;
    quint64 m_edge = 0;       ///< our row in lock_wait_for; 0 = none
    bool m_sawOthers = false; ///< at the last look: a cycle in which another is the newest
    bool m_isOver = false;
    ConnectionThread::Timed m_next;
};

} // namespace lockscope::detail
