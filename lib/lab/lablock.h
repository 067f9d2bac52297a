// SPDX-License-Identifier: MIT
#pragma once

#include "labplan.h"
#include "lockscope/lockengine.h"
#include "lockscope/lockstore.h"
#include "session/session.h"

#include <QtSql/QSqlDatabase>

#include <functional>
#include <memory>
#include <stop_token>

namespace lockscope {

/// One worker's way to keep the others out, for ways that hold something. Thread: the worker's, from its making on.
class LabLock
{
public:
    struct Entry
    {
        Outcome outcome = Outcome::Failed;
        quint64 token = 0; ///< 0: this way has none
        QString error = {};
    };

    virtual ~LabLock() = default;

    /// Asks for a resource; gives up when the budget is spent or `stop` says so.
    virtual Entry enter(const QByteArray &resource, Duration wait, const std::stop_token &stop) = 0;
    /// Until when the holder believes that it holds, by the machine's monotonic clock in microseconds; 0 = no end. Of a
    /// lock that ends with its session: until when the session is known to have been there, and 0 = not known.
    virtual qint64 heldUntil() const { return 0; }
    /// Does something on the connection that the guarded work belongs to; false when that failed.
    using Job = std::function<bool(const QSqlDatabase &)>;
    /// False: the lock is lost, so `job` was not run, or what it did is undone.
    virtual bool work(const Job &job) = 0;
    /// False: it was not ours any more.
    virtual bool leave() = 0;

    /// `onHalfway` is called within enter() by ways that take a lock in two steps: between them.
    void setOnHalfway(std::function<void()> onHalfway) { m_onHalfway = std::move(onHalfway); }

protected:
    void tellHalfway() const
    {
        if (m_onHalfway)
            m_onHalfway();
    }

private:
    std::function<void()> m_onHalfway;
};

/// How a run's nodes are reached.
struct LabNodeAccess
{
    QStringList addresses; ///< each the path of a socket, or 127.0.0.1 with a port
    QString password = {}; ///< empty: they have none
};

/// What the workers of a process share.
struct LabShared
{
    const LabPlan &plan;
    SessionTarget target; ///< with the run's schema
    LockEngine *engine;   ///< null where the way needs none
    LabNodeAccess nodes;
};

/// The lock of a plan that holds something; null for compare-and-swap.
std::unique_ptr<LabLock> makeLabLock(const LabShared &shared);
/// … of the ways without the engine; null for others.
std::unique_ptr<LabLock> makeSqlLock(const LabShared &shared);

/// A session that opens itself again after its connection broke.
class LabSession
{
public:
    explicit LabSession(SessionTarget target)
        : m_target(std::move(target))
    {
    }

    /// Null when the server cannot be reached.
    Session *get()
    {
        if (!m_session || m_session->isGone()) {
            LockError ignored;
            m_session.reset();
            m_session = Session::open(m_target, &ignored);
        }
        return m_session.get();
    }
    Reply run(const QByteArray &name, const Params &params)
    {
        Session *session = get();
        return session ? session->run(name, params) : Reply{{}, lockErrorFor(2006, {}, name)};
    }
    /// Runs `job`, and leaves a connection on which it failed.
    void work(const LabLock::Job &job)
    {
        Session *session = get();
        if (!session || !job(session->database()))
            drop();
    }
    /// The connection that is open; 0 when there is none.
    quint64 connection() const { return m_session && !m_session->isGone() ? m_session->connectionId() : 0; }
    void drop() { m_session.reset(); }

private:
    SessionTarget m_target;
    std::unique_ptr<Session> m_session;
};

} // namespace lockscope
