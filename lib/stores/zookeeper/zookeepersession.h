// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockstore.h"
#include "lockscope/zookeeperstore.h"

#include <QtCore/QByteArrayList>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

struct _zhandle; // NOLINT(bugprone-reserved-identifier): so the library calls it

namespace lockscope::detail {

/// Of a user without a password: ZooKeeper would let it in all the same, as another user, who owns what it makes then.
/// Nothing: there is no user, or it has one.
std::optional<LockError> missingPassword(const ZooKeeperConfig &config);

/// One session of the client library, from when it is asked for until the server has ended it or nobody uses it any
/// more. The library reconnects by itself, and has two threads for it: one for the socket, and one for all that is told
/// here. Thread: any, but the last reference must not go in the library's (it waits for both).
class ZooKeeperSession
{
public:
    /// What a session tells, in a thread of the library's that must not wait for an answer of the session.
    struct Listener
    {
        std::function<void()> onChanged;                                 ///< connected, cut off, ended
        std::function<void(const QByteArray &path, bool isGone)> onNode; ///< of which a watch was left
    };

    /// A waiting request's interest in a node, from before it is watched.
    class Watch
    {
    public:
        Watch(ZooKeeperSession &session, QByteArray path, StoreWait &wait);
        ~Watch();
        Watch(const Watch &) = delete;
        Watch &operator=(const Watch &) = delete;

        /// Until then, or something has become of the node or the session, or the wait is over.
        void wait(StoreWait::Clock::time_point until);

    private:
        friend class ZooKeeperSession;

        ZooKeeperSession &m_session;
        const QByteArray m_path;
        StoreWait &m_wait;
        std::atomic<bool> m_isNew = false; ///< set before its wake
    };

    /// Begins to connect; refuses a missingPassword(). Null: see `error`.
    static std::shared_ptr<ZooKeeperSession> open(const ZooKeeperConfig &config, Listener listener, LockError *error);
    ~ZooKeeperSession();
    ZooKeeperSession(const ZooKeeperSession &) = delete;
    ZooKeeperSession &operator=(const ZooKeeperSession &) = delete;

    /// Waits for a connection; why there is none.
    std::optional<LockError> reach();
    /// False: not in time, or the session has ended.
    bool waitConnected(std::chrono::milliseconds limit);
    bool isConnected();
    /// Has it ever been?
    bool wasConnected();
    /// Expired at the server, or its user was refused: for good.
    bool isOver();
    /// What the server gives it.
    std::chrono::milliseconds timeout() const;

    const ZooKeeperConfig &config() const { return m_config; }

private:
    friend class ZooKeeperFlight;

    ZooKeeperSession(const ZooKeeperConfig &config, Listener listener);
    void heardOfSession(int state);
    void heardOfNode(int type, const QByteArray &path);
    void wake(const QByteArray *path);

    const ZooKeeperConfig m_config;
    const Listener m_listener;
    _zhandle *m_handle = nullptr;
    std::mutex m_mutex; // protects what follows
    std::condition_variable m_changed;
    int m_state = 0;
    bool m_wasConnected = false;
    std::multimap<QByteArray, Watch *> m_watches; ///< by path
};

/// The answer to one request.
struct ZooKeeperReply
{
    int code = 0;         ///< ZOK, or one of zookeepererror.h
    QByteArray text;      ///< the path of a created node; the data of one that was read
    QByteArrayList names; ///< of children
    // Of a node that was created or read:
    qint64 token = 0;  ///< czxid
    qint64 madeAt = 0; ///< milliseconds, by the clock of a server
    int version = 0;   ///< of its data
    bool isEphemeral = false;
};

/// Requests that are sent at once, and answered in the order in which they were added here.
class ZooKeeperFlight
{
public:
    enum class Node { Persistent, Container, Ephemeral, EphemeralSequential };

    explicit ZooKeeperFlight(ZooKeeperSession &session);

    void create(const QByteArray &path, const QByteArray &data, Node kind);
    void children(const QByteArray &path);
    void get(const QByteArray &path, bool watched);
    void set(const QByteArray &path, const QByteArray &data, int version);
    void remove(const QByteArray &path, int version);
    /// That a node is there, confirmed by most servers of the ensemble; changes nothing and wakes nobody.
    void check(const QByteArray &path);
    /// What is read behind it is not older.
    void sync(const QByteArray &path);

    /// Until all are answered; false: some were not in time, and their code is ZOPERATIONTIMEOUT.
    bool wait();
    std::size_t size() const { return m_replies.size(); }
    const ZooKeeperReply &operator[](std::size_t number) const { return m_replies[number]; }

private:
    struct Board;
    struct Slot;

    template<typename Send>
    void add(const Send &send);
    template<typename Read>
    static void settle(Slot *sent, int code, const Read &read);
    static void settleCode(int code, const void *slot);
    static Slot *slotOf(const void *data);

    ZooKeeperSession &m_session;
    const std::shared_ptr<Board> m_board; ///< which late answers find
    std::vector<ZooKeeperReply> m_replies;
};

} // namespace lockscope::detail
