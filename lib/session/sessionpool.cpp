// SPDX-License-Identifier: MIT
#include "sessionpool_p.h"

#include <algorithm>
#include <map>

namespace lockscope {

using detail::currentSessionOfThisThread;
using detail::runHere;

namespace {

/// Threads get connections of their own again when nobody had to wait for one of the pool's for this long.
constexpr auto kCalmAfter = std::chrono::seconds(10);

/// The thread ends and has destroyed its connections. Has nothing to destroy itself, so it can be read later still.
thread_local bool sessionsAreGone = false;

} // namespace

detail::CurrentSession &detail::currentSessionOfThisThread()
{
    thread_local CurrentSession current;
    return current;
}

void detail::runHere(const void *pool, ReconnectingSession &link, const SessionPool::Work &work)
{
    CurrentSession &current = currentSessionOfThisThread();
    const CurrentSession before = std::exchange(current, {pool, &link});
    work(link);
    current = before;
}

struct SessionPool::ThreadSessions
{
    ~ThreadSessions()
    {
        leaveToParent();
        sessionsAreGone = true;
    }
    /// After fork() they are the parent's.
    void leaveToParent()
    {
        if (!process.isForeign())
            return;
        for (auto &[pool, session] : byPool)
            ForkGuard::keep(std::shared_ptr<ThreadSession>(std::move(session)));
        byPool.clear();
        process = ForkGuard();
    }

    ForkGuard process;
    std::map<Shared *, std::unique_ptr<ThreadSession>> byPool;
};

/// Null in the end of a thread, in which other objects of its own may be destroyed later than its connections.
SessionPool::ThreadSessions *SessionPool::sessionsOfThisThread()
{
    if (sessionsAreGone)
        return nullptr;
    thread_local ThreadSessions sessions;
    sessions.leaveToParent();
    return &sessions;
}

SessionPool::SessionPool(SessionTarget target, int maxSessions, ConnectionThread &service)
    : m_shared(std::make_shared<Shared>(std::move(target), maxSessions, service))
{
}

SessionPool::~SessionPool()
{
    close();
}

void SessionPool::close()
{
    if (ThreadSessions *sessions = sessionsOfThisThread())
        sessions->byPool.erase(m_shared.get());
    std::vector<std::unique_ptr<ConnectionThread>> threads;
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->closed = true;
        m_shared->idle.clear();
        threads.swap(m_shared->threads);
    }
    threads.clear(); // when they are through with what stands in line
    const std::lock_guard lock(m_shared->mutex);
    for (PendingWork *pending : std::exchange(m_shared->queue, {}))
        pending->done.tell(); // not run: all threads are lent, and those that come back end
}

/// The calling thread's own connection, in use; null when it has none and may have none.
SessionPool::ThreadSession *SessionPool::threadSession()
{
    ThreadSessions *const sessions = sessionsOfThisThread();
    if (!sessions)
        return nullptr;
    auto &mine = sessions->byPool;
    if (const auto found = mine.find(m_shared.get()); found != mine.end()) {
        if (found->second->enter())
            return found->second.get();
        if (found->second->state != ThreadSession::Ended)
            return nullptr; // it waits for us
        mine.erase(found);
    }
    // Sessions of pools that are gone would otherwise stay until this thread ends.
    std::erase_if(mine, [](const auto &entry) {
        const std::lock_guard lock(entry.second->shared->mutex);
        return entry.second->shared->closed;
    });
    std::unique_ptr<ConnectionThread> retired; // ends when the lock is open again
    const std::lock_guard lock(m_shared->mutex);
    if (!mayOpenSession(&retired))
        return nullptr;
    ThreadSession *opened = mine.emplace(m_shared.get(), std::make_unique<ThreadSession>(m_shared)).first->second.get();
    m_shared->sessions.insert(opened);
    opened->enter();
    return opened;
}

/// Call with the mutex held.
bool SessionPool::mayOpenSession(std::unique_ptr<ConnectionThread> *retired)
{
    Shared &shared = *m_shared;
    if (int(shared.sessions.size()) + shared.endingSessions < shared.mostThreadSessions)
        return true;
    if (shared.mostThreadSessions == shared.limit / 2 || ConnectionThread::Clock::now() - shared.lastCrowd < kCalmAfter)
        return false;
    if (shared.threadCount() + shared.mostThreadSessions >= shared.limit) {
        if (shared.idle.empty())
            return false;
        *retired = shared.takeOut(shared.idle.back());
        shared.idle.pop_back();
    }
    ++shared.mostThreadSessions;
    return true;
}

bool SessionPool::runOnCurrentSession(const Work &work)
{
    const detail::CurrentSession current = currentSessionOfThisThread();
    if (!current.link || current.pool != m_shared.get())
        return false;
    work(*current.link);
    return true;
}

bool SessionPool::runOnThreadSession(const Work &work)
{
    ThreadSession *own = threadSession();
    if (!own)
        return false;
    runHere(m_shared.get(), own->link, work);
    own->leave();
    return true;
}

bool SessionPool::runInThread(PendingWork &pending)
{
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->closed || m_shared->taken >= m_shared->mostThreads())
            return false;
        m_shared->taken += pending.waits ? 1 : 0;
        Shared::enqueue(m_shared, pending);
    }
    pending.done.wait();
    return true;
}

void SessionPool::runQuick(const Work &work, Statement *batchable)
{
    if (runOnCurrentSession(work) || runOnThreadSession(work))
        return;
    PendingWork pending{&work, false, batchable};
    if (!runInThread(pending))
        m_shared->service.run([&](ReconnectingSession &link) { runHere(m_shared.get(), link, work); });
}

bool SessionPool::tryWait(const Work &work)
{
    if (runOnThreadSession(work))
        return true;
    PendingWork pending{&work, true};
    return runInThread(pending);
}

std::shared_ptr<ConnectionThread> SessionPool::lend(const ConnectionThread *insteadOf)
{
    PendingWork pending{nullptr, true};
    bool isQueued = false;
    {
        const std::lock_guard lock(m_shared->mutex);
        if (insteadOf)
            m_shared->writeOff(*insteadOf);
        if (m_shared->closed || m_shared->taken >= m_shared->mostThreads())
            return nullptr;
        ++m_shared->taken;
        if (const ConnectionThread *thread = m_shared->freeThread()) {
            pending.lent = m_shared->takeOut(thread);
            ++m_shared->lent;
        } else {
            isQueued = true;
            Shared::enqueue(m_shared, pending);
        }
    }
    if (isQueued)
        pending.done.wait();
    if (!pending.lent)
        return nullptr; // the pool was closed meanwhile
    return {pending.lent.release(), [shared = m_shared](ConnectionThread *raw) {
                Shared::giveBack(shared, std::unique_ptr<ConnectionThread>(raw));
            }};
}

void SessionPool::writeOff(const ConnectionThread &thread)
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->writeOff(thread);
    Shared::startQueued(m_shared);
}

quint64 SessionPool::ownSession() const
{
    const ThreadSessions *const sessions = sessionsOfThisThread();
    if (!sessions)
        return 0;
    const auto own = sessions->byPool.find(m_shared.get());
    return own == sessions->byPool.end() || own->second->state == ThreadSession::Ended ? 0 : own->second->number;
}

std::vector<quint64> SessionPool::foreignSessions() const
{
    const quint64 own = ownSession();
    const std::lock_guard lock(m_shared->mutex);
    std::vector<quint64> numbers;
    for (const ThreadSession *session : m_shared->sessions) {
        if (session->number != 0 && session->number != own)
            numbers.push_back(session->number);
    }
    return numbers;
}

} // namespace lockscope
