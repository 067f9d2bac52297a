// SPDX-License-Identifier: MIT
#pragma once

#include "zookeepersession.h"

#include <deque>
#include <thread>

namespace lockscope::detail {

/// A store's session, which is made anew when the server has ended it, and what this process has in it: the leases that
/// it holds, and nodes that are nobody's any more. A thread of its own takes leases back whose time is over, for a
/// session keeps them as long as the process lives, and tells what was lost. Thread: any.
class ZooKeeperLink
{
public:
    using Session = std::shared_ptr<ZooKeeperSession>;

    explicit ZooKeeperLink(ZooKeeperConfig config);
    ~ZooKeeperLink();
    ZooKeeperLink(const ZooKeeperLink &) = delete;
    ZooKeeperLink &operator=(const ZooKeeperLink &) = delete;

    /// From now on `listener` is called.
    void start(const LockStore::Listener &listener);
    /// Ends the session, and with it what it held.
    void stop();

    /// One that is connected, after waiting for that; null: see `error`.
    Session session(LockError *error);

    /// How long a holder may believe in its lease after what confirmed it was sent. A server that its ensemble has cut
    /// off may have kept the last signs of life to itself, so that is less than the session's time: half of it is
    /// enough as long as the server's tick is no longer than a third of it, and the client library gave its signs of
    /// life, one each third. What confirms a lease is none to the leader, unless that is the session's own server.
    Duration belief() const { return m_config.sessionTimeout / 2; }

    /// False: the session has ended, or the deadline passed.
    bool hold(const Session &session, const LockStore::Lease &lease, LeaseClock::time_point deadline);
    /// The session of a lease that is held; null: it is not held any more.
    Session sessionOf(const LockStore::Lease &lease);
    /// False: it is not held any more.
    bool extend(const LockStore::Lease &lease, LeaseClock::time_point deadline);
    /// It is given back; its node is still to be removed. Null: it was not held any more.
    Session forget(const LockStore::Lease &lease);
    /// What was read of the node of a lease that is held: perhaps somebody asks for it.
    void sawNode(const QByteArray &path, const ZooKeeperReply &reply);

    /// To be removed once it can be: the node whose path begins so, of which there is one.
    void abandon(const Session &session, const QByteArray &path);
    /// Is it still to be removed?
    bool isAbandoned(const QByteArray &path);

    const ZooKeeperConfig &config() const { return m_config; }

private:
    struct Held
    {
        Session session;
        LockStore::Lease lease;
        LeaseClock::time_point deadline;
        int version = 0; ///< of the node's data, as it was told to its holder
        qint64 asks = 0; ///< that were told
    };
    using Nodes = std::map<QByteArray, Session>; ///< by the path, or its beginning
    /// What the thread has to do without the mutex.
    struct Todo
    {
        std::deque<Held> lost;
        std::map<QByteArray, bool> nodes;
        Nodes abandoned;
    };
    using Lock = std::unique_lock<std::mutex>;

    Session current(LockError *error);
    void drop(const Session &session);
    std::optional<LockError> refuse(ZooKeeperSession &session) const;
    void wakeUp();
    void heardOfNode(const QByteArray &path, bool isGone);
    void work();
    Todo take(LeaseClock::time_point now);
    LeaseClock::time_point nextTime(LeaseClock::time_point now) const;
    void carryOut(const Todo &todo);
    void look(const QByteArray &path, bool isGone);
    bool isRemoved(const QByteArray &path, ZooKeeperSession &session);

    const ZooKeeperConfig m_config;
    LockStore::Listener m_listener;
    std::thread m_thread;
    std::mutex m_opening; // held while a session is made
    // Protects what follows. Nobody may let go of a session with it: that waits for threads which may want it.
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isEnding = false;
    bool m_hasNews = false; ///< for the thread
    LeaseClock::time_point m_wakesAt = LeaseClock::time_point::max();
    Session m_session;
    std::map<QByteArray, Held> m_held;  ///< by the path of the node
    std::map<QByteArray, bool> m_nodes; ///< that were changed by somebody; true: removed
    Nodes m_abandoned;
};

} // namespace lockscope::detail
