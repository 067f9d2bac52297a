// SPDX-License-Identifier: MIT
#pragma once

#include "session/connectionthread.h"

#include <atomic>
#include <functional>
#include <set>
#include <vector>

namespace lockscope::detail {

/// What the names of an engine begin with; `session` is its 32 hex digits.
inline QByteArray presencePrefix(const QByteArray &session)
{
    return "ls:" + session + ':';
}
/// SessionTarget::mark of an engine's sessions. No presence has a name like that.
inline QByteArray sessionMark(const QByteArray &session)
{
    return presencePrefix(session) + "c:";
}

/// Holds the user-level locks that tell the world that this process lives: one name per live lease or waiting request.
/// All are held by one connection that never waits for anything that others hold, and those that wait hold none of
/// them: so user-level locks cannot deadlock, a lease pins no connection, and any thread may release.
///
/// Names are taken in batches ahead of need and kept for the next lease as long as nobody has waited on them; so an
/// uncontended acquire sends nothing here.
///
/// Thread: any; but calls that wait for the server not from a job of the keeper's own thread.
class PresenceKeeper
{
public:
    /// `session` is the engine's 32 hex digits: it makes the names unique on the server. `onLost` is told, in the
    /// keeper's thread, when the names were free for a while, and have been taken again.
    PresenceKeeper(const SessionTarget &target, const QByteArray &session, std::function<void()> onLost);

    /// A name that is held now and belongs to the caller. Empty with `*error` set when the server refuses.
    QByteArray take(LockError *error);
    /// Takes back a name on which nobody has waited.
    void giveBack(const QByteArray &name);
    /// Frees a name on the server, which wakes whoever waits on it. Does not wait for the server.
    void drop(const QByteArray &name);
    /// The same, and waits until it is free.
    void free(const QByteArray &name);
    /// Runs a statement and, if it changed a row, frees `name`, which is not taken again from here on: in one packet on
    /// the connection that holds it, so whoever waits learns of it at once. Waits for the answer; its first result is
    /// the statement's.
    Reply freeAfter(const QByteArray &statement, const Params &params, const QByteArray &name);
    /// The server said that a name of ours is not held: find out, and take all names again if the session is gone.
    void checkSession();
    /// For more that never waits: the KILL of those that wait.
    ConnectionThread &thread() { return m_thread; }
    /// Frees all names by closing the connection. Nothing works afterwards.
    void stop() { m_thread.stop(); }

private:
    std::vector<QByteArray> newNames();
    bool takeBatch(ReconnectingSession &link, LockError *error);
    void retake(Session &session, quint64 previous);
    void takeLater(quint64 sessionNumber, std::optional<std::vector<QByteArray>> names);
    void keepAlive();
    void forget(const QByteArray &name);

    QByteArray m_prefix;
    std::function<void()> m_onLost;
    std::mutex m_mutex; // protects the members up to m_thread
    std::vector<QByteArray> m_free;
    std::set<QByteArray> m_held; // the free ones included
    quint64 m_next = 1;
    std::atomic<bool> m_isCheckPosted = false;
    ConnectionThread m_thread; // last: its thread uses the rest
};

} // namespace lockscope::detail
