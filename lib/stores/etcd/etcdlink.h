// SPDX-License-Identifier: MIT
#pragma once

#include "etcdclient.h"
#include "etcdnames.h"
#include "etcdwatches.h"

#include <condition_variable>
#include <map>
#include <thread>

namespace lockscope::detail {

/// A lease of etcd's own, of which each request has one to itself: what keeps its key. When the key is gone it serves
/// another request.
struct EtcdLease
{
    qint64 id = 0; ///< 0: none
    std::chrono::seconds ttl = {};
    LeaseClock::time_point goodUntil = {}; ///< it lives at least so long, if `term` is still the server's
    EtcdTerm term = {};                    ///< before its last sign of life; empty: since it was granted, in any term
    /// The answer to something that was sent for it is missing, so it may be carried out at any time until it ends.
    bool isTainted = false;

    /// Another sign of life would make it good for no more than a hundredth longer.
    bool isFresh() const { return goodUntil - LeaseClock::now() >= ttl - std::chrono::milliseconds(ttl) / 100; }
    bool livesIn(const EtcdTerm &other) const { return term == EtcdTerm() || term == other; }
};

/// How a sign of life for a key ended, confirmed by most members of the cluster.
struct EtcdProof
{
    enum class Outcome {
        Alive,
        Gone,   ///< the key, or another one has its name
        Unclear ///< see `error`
    };
    Outcome outcome = Outcome::Unclear;
    LeaseClock::time_point deadline = {}; ///< until when it lives at least
    EtcdKey mail = {};                    ///< what its process is told; without a key: nothing
    std::optional<LockError> error = {};
};

/// What keeps one key.
struct EtcdKeeping
{
    EtcdLease lease;
    EtcdLease next = {}; ///< the key was to get it, and may have it by now; its id is 0: nothing is open
    qint64 modified = 0; ///< the key's mod_revision: a move that finds another one does nothing
};

/// How the change of a key's etcd lease ended.
struct EtcdMove
{
    enum class Outcome {
        Done,
        Gone, ///< the key, or another one has its name, or somebody else gave it a lease
        Open  ///< see `error`
    };
    Outcome outcome = Outcome::Open;
    std::optional<LockError> error = {};
    EtcdKey mail = {}; ///< what its process was told until then; without a key: nothing
};

/// What a store's process has at its etcd: leases that it holds, etcd leases that are free, and such as nobody uses any
/// more. A thread of its own ends these, and hears what others want of it. Thread: any.
class EtcdLink
{
public:
    explicit EtcdLink(EtcdConfig config);
    ~EtcdLink();
    EtcdLink(const EtcdLink &) = delete;
    EtcdLink &operator=(const EtcdLink &) = delete;

    /// Begins its thread, once; from now on `listener` is called.
    void start(const QByteArray &session, const LockStore::Listener &listener);
    /// Ends what is left of leases, as far as the server answers.
    void stop();
    /// Is it an etcd that can be used, by this user? Reads from most of its members.
    std::optional<LockError> check(const QByteArray &session);

    EtcdClient &client() { return m_client; }
    EtcdWatches &watches() { return m_watches; }
    const EtcdUrl &server() const { return m_client.config().server; }

    /// A fresh one, whose key is to be made at once. A server that gives no such short ones: BadRequest.
    std::optional<LockError> grant(std::chrono::seconds ttl, EtcdLease *lease);
    /// A free one; its id is 0 where there is none.
    EtcdLease takeFree(std::chrono::seconds ttl);
    void giveBack(const EtcdLease &lease);
    void giveBack(const EtcdKeeping &keeping);
    /// It is to be ended, and `key` with it.
    void abandon(const EtcdLease &lease, const QByteArray &key);
    void abandon(const EtcdKeeping &keeping, const QByteArray &key);
    /// Is its lease still to be ended?
    bool isAbandoned(const QByteArray &key);

    /// A sign of life, which nobody confirms: a leader that was deposed may have answered. False: the lease has ended.
    std::optional<LockError> keepAlive(EtcdLease *lease, bool *isAlive);
    /// Keeps the lease alive, and proves that the key was there after that.
    EtcdProof prove(const QByteArray &key, quint64 token, EtcdLease *lease);

    /// etcd's leases keep their TTL: for another one, the key gets another lease. The old one is ended: its name is
    /// still the key's, so it may serve no other request. One that is Open is to be settled before anything else is
    /// done with the key.
    EtcdMove move(const QByteArray &key, quint64 token, std::chrono::seconds ttl, EtcdKeeping *keeping);
    /// Finds out which etcd lease the key has, and ends the other one. It does without space.
    EtcdMove settle(const QByteArray &key, quint64 token, EtcdKeeping *keeping);

    /// It is forgotten at its deadline, when nobody believes in it any more, and what keeps its key is ended. False:
    /// that has passed.
    bool hold(const LockStore::Lease &held, const EtcdKeeping &keeping, LeaseClock::time_point deadline);
    /// What keeps a lease that is held; none: it is not held any more.
    std::optional<EtcdKeeping> keepingOf(const LockStore::Lease &held);
    /// Its holder may believe in it until `deadline`, or for as long as it was told before. False: it is not held any
    /// more.
    bool keep(const LockStore::Lease &held, const EtcdKeeping &keeping, LeaseClock::time_point deadline);
    /// It is given back, or lost; its key is still to be removed. None: it was not held any more.
    std::optional<EtcdKeeping> forget(const LockStore::Lease &held);
    /// What was read beside a lease that is held.
    void sawMail(const LockStore::Lease &held, const EtcdKey &mail);

    QByteArray mailOf(quint64 token) const { return mailKey(server(), m_session, token); }

private:
    struct Held
    {
        LockStore::Lease held;
        EtcdKeeping keeping = {};
        LeaseClock::time_point deadline = {}; ///< the latest that its holder was told
        qint64 mail = 0;                      ///< the newest that was told, by mod_revision
        qint64 mailbox = 0;                   ///< its create_revision; another etcd lease begins another one
        qint64 asks = 0;                      ///< of that one, that were told
    };
    struct Abandoned
    {
        EtcdLease lease;
        QByteArray key;
    };
    using Lock = std::unique_lock<std::mutex>;

    void changeLease(EtcdKeeping *keeping);
    std::optional<LockError> endNext(const QByteArray &key, EtcdKeeping *keeping);
    EtcdProof proveOnce(const QByteArray &key, quint64 token, EtcdLease *lease);
    void work();
    void abandonOverdue();
    LeaseClock::time_point nextTime(LeaseClock::time_point now) const;
    void endAbandoned();
    void hearMail();
    void readMail();
    void tellEnd(const LockStore::Lease &held);
    void wakeUp();
    bool revoke(qint64 id);

    EtcdClient m_client;
    EtcdWatches m_watches;
    LockStore::Listener m_listener;
    QByteArray m_session;
    std::unique_ptr<EtcdWatches::Watch> m_mail; ///< of the thread alone, as the next one
    bool m_hasReadMail = false;
    std::thread m_thread;
    std::mutex m_mutex; // protects what follows
    std::condition_variable m_changed;
    bool m_isEnding = false;
    bool m_hasNews = false; ///< for the thread
    LeaseClock::time_point m_wakesAt = LeaseClock::time_point::max();
    std::map<QByteArray, Held> m_held; ///< by key
    std::vector<EtcdLease> m_free;
    std::vector<Abandoned> m_abandoned;
};

} // namespace lockscope::detail
