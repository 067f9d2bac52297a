// SPDX-License-Identifier: MIT
#pragma once

#include "done.h"
#include "sessionpool.h"

#include <atomic>
#include <deque>
#include <set>
#include <utility>

namespace lockscope {

namespace detail {

/// The connection on which a thread does somebody's work just now.
struct CurrentSession
{
    const void *pool = nullptr;
    ReconnectingSession *link = nullptr;
};

CurrentSession &currentSessionOfThisThread();
void runHere(const void *pool, ReconnectingSession &link, const SessionPool::Work &work);

} // namespace detail

/// One request that waits in its thread for one of the pool's, or for its work's end.
struct SessionPool::PendingWork
{
    const Work *work = nullptr; ///< null: wants the pool's thread itself
    bool waits = false;
    Statement *batchable = nullptr;
    std::unique_ptr<ConnectionThread> lent = {};
    Done done = {};
};

/// What the pool, its threads and those of callers all reach; outlives each.
struct SessionPool::Shared
{
    Shared(SessionTarget poolTarget, int maxSessions, ConnectionThread &serviceThread)
        : target(std::move(poolTarget))
        , limit(std::max(2, maxSessions))
        , mostThreadSessions(limit / 2)
        , service(serviceThread)
    {
    }

    const SessionTarget target;
    const int limit;
    int mostThreadSessions; ///< half of the limit, or less when the pool's threads are wanted more
    ConnectionThread &service;
    std::mutex mutex; // protects the members below
    std::set<ThreadSession *> sessions;
    int endingSessions = 0; ///< connections that are being ended for more of the pool's threads
    std::vector<std::unique_ptr<ConnectionThread>> threads; ///< but those that are lent
    std::vector<ConnectionThread *> idle;
    int lent = 0;
    /// Lent, and written off; no more than `limit`, for the server may know them still.
    std::set<const ConnectionThread *> lost;
    int taken = 0; ///< threads that waits or loans have, or will have
    std::deque<PendingWork *> queue;
    ConnectionThread::Clock::time_point lastCrowd;
    bool closed = false;

    // Call these with the mutex held.
    int threadCount() const { return int(threads.size()) + lent; }
    int mostThreads() const { return limit - std::max(mostThreadSessions, int(sessions.size()) + endingSessions); }
    void writeOff(const ConnectionThread &thread);
    bool isLineLong() const;
    ConnectionThread *freeThread();
    Batch nextBatch();
    std::unique_ptr<ConnectionThread> takeOut(const ConnectionThread *thread);

    static void start(const std::shared_ptr<Shared> &shared, ConnectionThread &thread, Batch batch);
    static void serve(Shared &shared, ConnectionThread &thread, ReconnectingSession &link, Batch batch);
    static void runAll(Shared &shared, ReconnectingSession &link, const Batch &batch);
    static void giveBack(const std::shared_ptr<Shared> &shared, std::unique_ptr<ConnectionThread> thread);
    static void enqueue(const std::shared_ptr<Shared> &shared, PendingWork &pending);
    static void makeRoom(const std::shared_ptr<Shared> &shared);
    static void startQueued(const std::shared_ptr<Shared> &shared);
};

/// One thread's own connection of one pool.
struct SessionPool::ThreadSession
{
    enum State { Idle, InUse, Ended };

    explicit ThreadSession(std::shared_ptr<Shared> owner)
        : shared(std::move(owner))
        , link(bounded(shared->target), [this](Session &session, quint64) {
            const std::lock_guard lock(shared->mutex);
            number = session.number();
        })
    {
    }
    ~ThreadSession()
    {
        const std::lock_guard lock(shared->mutex);
        shared->sessions.erase(this);
    }

    /// A connection that was cut without a word would keep its thread for ever. The longest that an engine sends on a
    /// thread's own connection is a GET_LOCK of half a minute; a commit that takes a minute, even because of an
    /// application's triggers, is taken for one whose answer was lost.
    static SessionTarget bounded(SessionTarget target)
    {
        target.readTimeout = std::chrono::minutes(1);
        return target;
    }

    /// False: in use, or ended for one of the pool's threads.
    bool enter()
    {
        int expected = Idle;
        return state.compare_exchange_strong(expected, InUse);
    }
    void leave() { state = Idle; }

    const std::shared_ptr<Shared> shared;
    quint64 number = 0; ///< of its session; guarded by the pool's mutex, and written by this thread only
    std::atomic<int> state = Idle;
    ReconnectingSession link;
};

} // namespace lockscope
