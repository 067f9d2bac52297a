// SPDX-License-Identifier: MIT
#pragma once

#include "engine/mysql/deadlockdetector_p.h"
#include "engine/mysql/waitcontrol_p.h"
#include "leaseview_p.h"
#include "lockscope/acquireresult.h"

namespace lockscope::detail {

/// One request's way to its lease in unique mode. Lives on the stack of `LockEngine::acquire`.
///
/// The row of the resource decides, and holds the queue as well. One packet takes a free row (engine/acquire).
/// Otherwise the request joins the queue (engine/join) and repeats look – decide – wait until the row names it, its
/// budget is over or it is cancelled.
///
/// The rule: what is decided is read in one view of the row, and carried out by a statement that changes the row only
/// if it is still so. Whether names are held is newer than the view; it says only whom to wait for, and after each wait
/// comes a look. A name is freed after the change that it tells of, so a request that waits for somebody before it in
/// the view cannot miss that change.
///
/// Functions that return an optional answer: nothing = not decided yet, go on.
class UniqueAcquire
{
public:
    UniqueAcquire(std::shared_ptr<EngineCore> core, const LockRequest &request, QByteArray owner);
    ~UniqueAcquire();
    UniqueAcquire(const UniqueAcquire &) = delete;
    UniqueAcquire &operator=(const UniqueAcquire &) = delete;

    AcquireResult run();

private:
    using Answer = std::optional<AcquireResult>;

    /// The statements of a first packet may wait a second each for two row locks; a smaller budget is watched from
    /// there on.
    static constexpr Duration kWatchBelow = std::chrono::seconds(2);
    /// Dead requests at the front of a queue that one packet removes.
    static constexpr std::size_t kDropsDead = 8;

    /// What to do after a look.
    enum class Next { Begin, Join, Rejoin, ReadAgain, Wait, Sleep, Claim };

    // uniqueacquire.cpp: without waiting, and how a request ends
    static LockError noTokenFloor();
    Answer tryFree();
    Answer afterTry(ReconnectingSession &link, const Reply &reply, LeaseClock::time_point sentAt, quint64 session);
    bool tookLong(LeaseClock::time_point sentAt) const;
    Answer taken(const Reply &reply, LeaseClock::time_point sentAt);
    Answer tryExpired();
    Answer claimAsNewcomer(ReconnectingSession &link);
    bool isKeptOut(const LockError &error) const;
    Answer claim(ReconnectingSession &link, Duration queuedGrace);
    Answer resolveDoubt(ReconnectingSession &link, const LockError &error);
    Answer askAgain(ReconnectingSession &link);
    Answer asked(const LeaseView &view, LeaseClock::time_point sentAt);
    Answer beginAgain(quint64 token);
    AcquireResult granted(quint64 token, LeaseClock::time_point deadline, bool contended);
    AcquireResult failed(std::optional<LockError> error, Outcome outcome = Outcome::Failed);
    void abandon(quint64 token);
    AcquireResult giveUp(ReconnectingSession &link, Outcome why, std::optional<LockError> error = {});
    Reply leaveForGood(ReconnectingSession &link);
    Reply leave(ReconnectingSession &link, int triesBehindLocks);
    Params params() const;
    bool takeName(LockError *error);

    // uniquewait.cpp: the queue
    AcquireResult wait();
    Answer waitForTurn();
    Answer goOnWithoutWaiting(ReconnectingSession &link);
    Answer answerCall(ReconnectingSession &link);
    Answer round(ReconnectingSession &link);
    Next decide();
    void noteEnd();
    Duration untilOverslept(std::size_t ahead) const;
    Next decideBehind(std::size_t ahead);
    Next decideAsFirst();
    Next decideExpired();
    LeaseClock::time_point endOnOurClock() const;
    Next waitForHolder(Duration atMost);
    Next waitFor(const QByteArray &name, Duration atMost);
    Duration leftOf(Duration atMost) const;
    Answer act(ReconnectingSession &link, Next next);
    Answer begin(ReconnectingSession &link);
    Answer join(ReconnectingSession &link);
    QByteArray ownLine() const;
    Answer rejoin(ReconnectingSession &link);
    QByteArray queueWithUs() const;
    Answer block(ReconnectingSession &link);
    QByteArray readPacket(ReconnectingSession &link, std::size_t dropsDead = 0);
    Answer look(ReconnectingSession &link, std::size_t dropsDead = 0);
    Answer readAfterWait(ReconnectingSession &link, bool wasFree);
    Answer takeIn(LeaseView view, LeaseClock::time_point sentAt, std::optional<qint64> sentClock);
    Answer takeGrant(LeaseClock::time_point sentAt, std::optional<qint64> sentClock);
    Answer afterError(ReconnectingSession &link, const LockError &error);
    Answer afterSilence(const LockError &error);
    void sleep(Duration duration);

    const std::shared_ptr<EngineCore> m_core;
    const LockRequest &m_request;
    const QByteArray m_owner;
    const std::shared_ptr<WaitControl> m_control;
    std::shared_ptr<DeadlockDetector> m_detector; ///< once it waits
    QByteArray m_name;           ///< the user-level lock that stands for this request, held by the keeper
    bool m_isNameUnknown = true; ///< nobody can wait for it, now or later: it may be used again

    // While waiting
    LocalQueue::Place m_local;
    quint64 m_arrival = 0; ///< number in the queue; 0 = never joined it, as far as we know
    QByteArray m_line;     ///< our own, as the queue had it; empty = it never did
    bool m_mayBeIn = false;
    bool m_isAdmitted = false; ///< it has waited for its turn here, or had a connection to wait on
    bool m_wasOut = false;     ///< it lost its place, as its process was taken for dead
    LeaseView m_view;
    LeaseClock::time_point m_viewedAt; ///< or a little before; the epoch = it has seen none
    bool m_isViewOld = false;
    QByteArray m_awaited;                 ///< for Next::Wait: the name
    Duration m_atMost = Duration::zero(); ///< for Next::Wait and Next::Sleep: from m_viewedAt on
    std::size_t m_skipped = 0;            ///< of those right before us, found dead
    quint64 m_brokenSession = 0;          ///< to be ended before what it was sent last can take effect
    std::optional<LeaseClock::time_point> m_unreachableSince;
    std::optional<LeaseClock::time_point> m_olderSeenAt; ///< when the lease before this one was seen last
    std::optional<quint64> m_livingToken;                ///< seen before its end: its end is no surprise …
    LeaseClock::time_point m_livingUntil;                ///< … from here on
    QByteArray m_orphan;                                 ///< the holder's name, seen once to be free
    std::optional<quint64> m_expiredToken;               ///< seen expired while its holder lives
    LeaseClock::time_point m_expiredSeen;
    std::optional<LeaseClock::time_point> m_leftAt; ///< seen first that the lease is over and its holder gone
    int m_inVain = 0;                               ///< steps in a row that should have led somewhere
};

} // namespace lockscope::detail
