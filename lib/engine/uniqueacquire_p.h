#pragma once

#include "circlewatch_p.h"
#include "lookresult_p.h"

namespace lockscope::detail {

/// One request's way to its lease in unique mode. Lives on the stack of `LockEngine::acquire`.
///
/// The row of the resource decides; waiting is only a way not to ask all the time. One packet takes a free row
/// (engine/acquire). Otherwise the request joins the queue (engine/enqueue) and then repeats look – decide – wait
/// until the row carries its presence, its budget is over or it is cancelled.
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

    static constexpr int kLeaveTries = 5;

    /// What to do after a look.
    enum class Next { MakeRow, Join, WaitForPlace, WaitForPresence, Sleep, Advance, Claim };

    // uniqueacquire.cpp: without waiting, and how a request ends
    Answer tryFree();
    Answer afterTry(Link &link, const Reply &reply, LeaseClock::time_point sentAt, quint64 connectionId);
    bool tookLong(LeaseClock::time_point sentAt) const;
    Answer taken(const Reply &reply, LeaseClock::time_point sentAt);
    Answer tryExpired();
    bool isKeptOut(const LockError &error) const;
    Answer claim(Link &link);
    Answer resolveDoubt(Link &link, const LockError &error);
    Answer askAgain(Link &link);
    Answer asked(const Reply &reply, LeaseClock::time_point sentAt);
    Answer beginAgain(quint64 token);
    AcquireResult granted(quint64 token, LeaseClock::time_point deadline, bool contended);
    AcquireResult failed(const LockError &error, Outcome outcome = Outcome::Failed);
    void abandon(quint64 token);
    AcquireResult giveUp(Link &link, Outcome why, std::optional<LockError> error = {});
    Reply leaveForGood(Link &link);
    Reply leaveQueue(Link &link, int triesBehindLocks);
    Params params() const;
    bool takePresence(LockError *error);
    QByteArray bellPacket(Link &link);

    // uniquewait.cpp: the queue
    AcquireResult wait();
    Answer waitForTurn();
    Answer round(Link &link);
    Next decide();
    Next decideAsFirst();
    Answer act(Link &link, Next next);
    Answer join(Link &link);
    Reply findTicket(Link &link);
    Answer blockOn(Link &link, const QByteArray &name, Duration atMost);
    Answer lookAgain(Link &link);
    Answer takeIn(const Reply &reply, LeaseClock::time_point sentAt, std::optional<qint64> sentClock);
    Answer takeGrant(const Grant &grant, LeaseClock::time_point sentAt, std::optional<qint64> sentClock);
    Answer afterError(Link &link, const LockError &error);
    void removeTicket();
    QByteArray stepAndLook(Link &link);
    bool isHeir() const { return m_look.heirPresence == m_presence; }
    void sleep(Duration duration);

    const std::shared_ptr<EngineCore> m_core;
    const LockRequest &m_request;
    const QByteArray m_owner;
    const std::shared_ptr<WaitControl> m_control;
    std::shared_ptr<CircleWatch> m_circle; ///< once it waits
    QByteArray m_presence;
    quint64 m_bell = 0;                   ///< the connection that holds the presence's bell; 0 = none
    std::vector<QByteArray> m_staleBells; ///< to be let go with the next packet over …
    quint64 m_staleOf = 0;                ///< … this connection

    // While waiting
    QByteArray m_place;
    LocalQueue::Place m_local;
    quint64 m_ticket = 0; ///< 0 = the heir, or not in the queue yet
    LookResult m_look;
    quint64 m_brokenConnection = 0; ///< to be ended before what it was sent last can take effect
    std::optional<LeaseClock::time_point> m_unreachableSince;
    std::optional<quint64> m_firstToken;   ///< of the lease that was there when we came
    std::optional<quint64> m_livingToken;  ///< seen before its end: its end is no surprise …
    LeaseClock::time_point m_livingUntil;  ///< … from here on
    std::optional<quint64> m_orphanToken;  ///< seen once with its holder's presence free
    std::optional<quint64> m_expiredToken; ///< seen expired while its holder lives
    LeaseClock::time_point m_expiredSeen;
    Duration m_sleep = Duration::zero(); ///< for Next::Sleep
    int m_advances = 0;                  ///< in a row, to notice when they lead nowhere

    bool m_presenceIsClean = true; ///< false: an unanswered packet may still write it, so it is never used again
    bool m_placeIsClean = false;   ///< nobody waits, or will, for it to be free
    bool m_isInQueue = false;      ///< as the heir or with a ticket, as far as we know
    bool m_joinIsInDoubt = false;  ///< an unanswered packet may have taken a ticket
    bool m_lookIsStale = false;
    bool m_avoidsBell =
        false; ///< waiting on one failed: its holder's thread waits too, in a circle or too long a chain
};

} // namespace lockscope::detail
