#pragma once

#include "server/lane.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace lockscope::detail {

/// A presence and where its bell is.
///
/// The heir of a lease waits on the presence of its holder, or on its *bell*: a second user-level lock, held by the
/// connection of the thread that acquired. What that thread releases it can tell its heir in the same packet; only the
/// keeper's own thread could free the presence itself. A bell says nothing about life, and losing it harms nobody: the
/// heir looks, and waits on the presence.
struct Presence
{
    QByteArray name;
    quint64 bell = 0;                   ///< the connection that holds the bell; 0 = none
    std::vector<QByteArray> stale = {}; ///< bells of that connection that nobody needs any more
};

inline QByteArray bellOf(const QByteArray &presence)
{
    return 'b' + presence;
}

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

    /// A name that is held now and belongs to the caller, if possible one whose bell `connection` holds. Empty with
    /// `*error` set when the server refuses.
    Presence take(quint64 connection, LockError *error);
    /// Takes back stale bells that were not let go.
    void leaveStale(quint64 connection, std::vector<QByteArray> bells);
    /// Takes back a name on which nobody has waited.
    void giveBack(const QByteArray &name, quint64 bell);
    /// Frees a name on the server, which wakes whoever waits on it. Does not wait for the server.
    void drop(const QByteArray &name, quint64 bell = 0);
    /// Drops a name whose heir was told by the bell: with others, for this thread's waking would slow the hand-over.
    void dropLater(const QByteArray &name);
    void dropCollected();
    /// Runs `packet`, which may free `name` by itself, on the connection that holds the names, and waits for it.
    Reply run(const QByteArray &statement, const Params &params);
    /// Forgets a name that a packet has freed.
    void forget(const QByteArray &name);
    /// The server said that a name of ours is not held: find out, and take all names again if the session is gone.
    void checkSession();
    /// A connection that held bells is gone, or another one came.
    void connectionChanged(quint64 previous, quint64 now);
    /// For more that never waits: the KILL of those that wait.
    Lane &lane() { return m_lane; }
    /// Frees all names by closing the connection. Nothing works afterwards.
    void stop() { m_lane.stop(); }

private:
    bool takeBatch(Link &link, LockError *error);
    void retake(Session &session, quint64 previousId);
    void keepAlive();

    QByteArray m_prefix;
    std::mutex m_mutex;                                 // protects the members up to m_lane
    std::map<quint64, std::vector<QByteArray>> m_free;  // by the connection that has the bell; 0 = without one
    std::map<quint64, std::vector<QByteArray>> m_stale; // bells left behind, by connection; every living one is here
    std::size_t m_freeCount = 0;
    std::vector<QByteArray> m_collected; // to be dropped together
    std::set<QByteArray> m_held;         // the free ones included
    quint64 m_next = 1;
    Lane m_lane; // last: its thread uses the rest
};

} // namespace lockscope::detail
