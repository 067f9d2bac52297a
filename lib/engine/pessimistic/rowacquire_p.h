// SPDX-License-Identifier: MIT
#pragma once

#include "engine/mysql/deadlockdetector_p.h"
#include "lockscope/acquireresult.h"

namespace lockscope::detail {

/// One request's way to its row in pessimistic mode: autocommit = 0, SELECT … FOR UPDATE, and the holder's name, in one
/// packet on a connection of its own. The server queues, wakes and finds deadlocks.
///
/// The request waits in the caller's thread for what the connection thread finds. A connection that was cut without a
/// word keeps its thread for as long as the system likes, and is left to it: then this object lives as long as that
/// thread's work does. Whether it was cut is asked every few seconds.
class RowAcquire : public std::enable_shared_from_this<RowAcquire>
{
public:
    /// `rows`: one row, or several of which any free one will do.
    RowAcquire(std::shared_ptr<EngineCore> core, const LockRequest &request, QByteArray owner, QList<QByteArray> rows,
               WaitControl::Clock::time_point budgetEnd);

    /// In the place of a thread that another request has left, if any.
    AcquireResult run(const ConnectionThread *insteadOf);
    /// It failed as its connection was cut, while there was time. Another may do, in the place of its thread.
    bool isCutOff() const { return m_isCutOff; }
    /// Others may have a thread in the place of the one that was left, if it was.
    void writeOffLeftThread();
    const ConnectionThread *thread() const { return m_thread.get(); }
    const std::shared_ptr<WaitControl> &control() const { return m_control; }

private:
    using Answer = std::optional<AcquireResult>;
    /// What was seen of the session over another connection. None: not asked, or no answer.
    enum class Sight { None, Asked, AtWork, Idle };

    // in the caller's thread
    AcquireResult acquire();
    AcquireResult inThread();
    Sight look();
    AcquireResult leaveThread();

    // in the connection thread's
    AcquireResult onThread(ReconnectingSession &link);
    Answer tryOnce(ReconnectingSession &link);
    std::optional<LockError> ensureRows(ReconnectingSession &link);
    Params holder(const ReconnectingSession &link, const QByteArray &row) const;
    QByteArray packet(ReconnectingSession &link) const;
    Reply send(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name);
    Answer afterReply(ReconnectingSession &link, const Reply &reply, LeaseClock::time_point sentAt);
    Answer afterError(ReconnectingSession &link, const LockError &error);
    std::optional<LockError> check(ReconnectingSession &link);
    Reply raiseToken(const QByteArray &row);
    std::optional<Answer> fence(ReconnectingSession &link, Hold &hold, LeaseClock::time_point *sentAt);
    Answer goOn(ReconnectingSession &link);
    Answer granted(ReconnectingSession &link, const QByteArray &row, LeaseClock::time_point sentAt);
    AcquireResult leave(ReconnectingSession &link, Outcome outcome, std::optional<LockError> error = {});
    qint64 millisecondsLeft() const;
    Outcome cancelled() const { return m_detector && m_detector->foundOne() ? Outcome::Deadlock : Outcome::Cancelled; }

    const std::shared_ptr<EngineCore> m_core;
    std::shared_ptr<ConnectionThread> m_thread; // goes after the request, whose callbacks may end the engine
    const LockRequest m_request;
    const QByteArray m_owner;
    const QList<QByteArray> m_rows;
    bool m_rowsMayBeMissing;
    const std::shared_ptr<WaitControl> m_control;
    std::shared_ptr<DeadlockDetector> m_detector; ///< once it waits
    bool m_waits;                                 ///< false: told at once when the row is locked
    const std::shared_ptr<std::atomic<Sight>> m_sight;
    std::atomic<bool> m_asksElsewhere = false; ///< while its own connection is silent, as it should be
    int m_broken = 0;                          ///< connections that broke on the way
    /// By whoever sets it: the thread has the row, or the caller has left the thread.
    std::atomic<bool> m_isDecided = false;
    AcquireResult m_result; ///< the thread's, for the caller when it is through
    bool m_hasLeftThread = false;
    bool m_isCutOff = false;
};

/// Acquires one of `rows`, over another connection when one was cut.
AcquireResult acquireRow(const std::shared_ptr<EngineCore> &core, const LockRequest &request, const QByteArray &owner,
                         const QList<QByteArray> &rows);

/// The name of the row that stands for `resource` when it shares `stripes` rows with all other names.
QByteArray stripeOf(const QByteArray &resource, int stripes);

} // namespace lockscope::detail
