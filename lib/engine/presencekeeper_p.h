#pragma once

#include "server/lane.h"

#include <optional>
#include <set>
#include <vector>

namespace lockscope::detail {

/// Holds the user-level locks that tell the world that this process lives: one name per live lease (presence) and one
/// per waiting request (place). All are held by one connection that never waits for anything, and the connections
/// that wait hold none: so user-level locks cannot deadlock, a lease pins no connection, and any thread may release.
///
/// Names are taken in batches ahead of need and kept for the next lease as long as nobody has waited on them; so an
/// uncontended acquire sends nothing here.
///
/// Thread: every function may be called from any thread, but not from a job of the keeper's own lane.
class PresenceKeeper
{
public:
    /// `session` is the engine's 32 hex digits: it makes the names unique on the server.
    PresenceKeeper(const SessionTarget &target, const QByteArray &session);

    /// A name that is held now and belongs to the caller. Empty with `*error` set when the server refuses.
    QByteArray take(LockError *error);
    /// Takes back a name on which nobody has waited.
    void giveBack(const QByteArray &name);
    /// Frees a name on the server, which wakes whoever waits on it. Does not wait for the server.
    void drop(const QByteArray &name);
    /// Runs `packet`, which may free `name` by itself, on the connection that holds the names, and waits for it.
    Reply run(const QByteArray &statement, const Params &params);
    /// Forgets a name that a packet has freed.
    void forget(const QByteArray &name);
    /// The server said that a name of ours is not held: find out, and take all names again if the session is gone.
    void checkSession();
    /// Frees all names by closing the connection. Nothing works afterwards.
    void stop() { m_lane.stop(); }

private:
    bool takeBatch(Link &link, LockError *error);
    void retake(Session &session, quint64 previousId);
    void keepAlive();

    QByteArray m_prefix;
    std::mutex m_mutex; // protects the members up to m_lane
    std::vector<QByteArray> m_free;
    std::set<QByteArray> m_held; // the free ones included
    quint64 m_next = 1;
    Lane m_lane; // last: its thread uses the rest
};

} // namespace lockscope::detail
