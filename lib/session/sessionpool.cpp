// SPDX-License-Identifier: MIT
#include "sessionpool_p.h"

#include <algorithm>
#include <map>

namespace lockscope {

using detail::atHandOfThisThread;
using detail::runHere;

namespace {

/// Threads get connections of their own again when nobody had to wait for one of the pool's for this long.
constexpr auto kCalmAfter = std::chrono::seconds(10);

/// The thread ends and has destroyed its connections. Has nothing to destroy itself, so it can be read later still.
thread_local bool homesAreGone = false;

} // namespace

detail::AtHand &detail::atHandOfThisThread()
{
    thread_local AtHand atHand;
    return atHand;
}

void detail::runHere(const void *pool, ReconnectingSession &link, const SessionPool::Work &work)
{
    AtHand &atHand = atHandOfThisThread();
    const AtHand before = std::exchange(atHand, {pool, &link});
    work(link);
    atHand = before;
}

struct SessionPool::Homes
{
    ~Homes()
    {
        leaveToParent();
        homesAreGone = true;
    }
    /// After fork() they are the parent's.
    void leaveToParent()
    {
        if (!process.isForeign())
            return;
        for (auto &[pool, home] : byPool)
            ForkGuard::keep(std::shared_ptr<Home>(std::move(home)));
        byPool.clear();
        process = ForkGuard();
    }

    ForkGuard process;
    std::map<Shared *, std::unique_ptr<Home>> byPool;
};

/// Null in the end of a thread, in which other objects of its own may be destroyed later than its connections.
SessionPool::Homes *SessionPool::homesOfThisThread()
{
    if (homesAreGone)
        return nullptr;
    thread_local Homes homes;
    homes.leaveToParent();
    return &homes;
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
    if (Homes *homes = homesOfThisThread())
        homes->byPool.erase(m_shared.get());
    std::vector<std::unique_ptr<ConnectionThread>> threads;
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->closed = true;
        m_shared->idle.clear();
        threads.swap(m_shared->threads);
    }
    threads.clear(); // when they are through with what stands in line
    const std::lock_guard lock(m_shared->mutex);
    for (Errand *errand : std::exchange(m_shared->queue, {}))
        errand->done.tell(); // not run: all threads are lent, and those that come back end
}

/// The calling thread's own connection, in use; null when it has none and may have none.
SessionPool::Home *SessionPool::home()
{
    Homes *const homes = homesOfThisThread();
    if (!homes)
        return nullptr;
    auto &mine = homes->byPool;
    if (const auto found = mine.find(m_shared.get()); found != mine.end()) {
        if (found->second->enter())
            return found->second.get();
        if (found->second->state != Home::Ended)
            return nullptr; // it waits for us
        mine.erase(found);
    }
    // Homes of pools that are gone would otherwise stay until this thread ends.
    std::erase_if(mine, [](const auto &entry) {
        const std::lock_guard lock(entry.second->shared->mutex);
        return entry.second->shared->closed;
    });
    std::unique_ptr<ConnectionThread> retired; // ends when the lock is open again
    const std::lock_guard lock(m_shared->mutex);
    if (!mayOpenHome(&retired))
        return nullptr;
    Home *opened = mine.emplace(m_shared.get(), std::make_unique<Home>(m_shared)).first->second.get();
    m_shared->homes.insert(opened);
    opened->enter();
    return opened;
}

/// Call with the mutex held.
bool SessionPool::mayOpenHome(std::unique_ptr<ConnectionThread> *retired)
{
    Shared &shared = *m_shared;
    if (int(shared.homes.size()) + shared.endingHomes < shared.mostHomes)
        return true;
    if (shared.mostHomes == shared.limit / 2 || ConnectionThread::Clock::now() - shared.lastCrowd < kCalmAfter)
        return false;
    if (shared.threadCount() + shared.mostHomes >= shared.limit) {
        if (shared.idle.empty())
            return false;
        *retired = shared.takeOut(shared.idle.back());
        shared.idle.pop_back();
    }
    ++shared.mostHomes;
    return true;
}

bool SessionPool::runAtHand(const Work &work)
{
    const detail::AtHand atHand = atHandOfThisThread();
    if (!atHand.link || atHand.pool != m_shared.get())
        return false;
    work(*atHand.link);
    return true;
}

bool SessionPool::runAtHome(const Work &work)
{
    Home *own = home();
    if (!own)
        return false;
    runHere(m_shared.get(), own->link, work);
    own->leave();
    return true;
}

bool SessionPool::runInThread(Errand &errand)
{
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->closed || m_shared->taken >= m_shared->mostThreads())
            return false;
        m_shared->taken += errand.waits ? 1 : 0;
        Shared::enqueue(m_shared, errand);
    }
    errand.done.wait();
    return true;
}

void SessionPool::runQuick(const Work &work, Statement *batchable)
{
    if (runAtHand(work) || runAtHome(work))
        return;
    Errand errand{&work, false, batchable};
    if (!runInThread(errand))
        m_shared->service.run([&](ReconnectingSession &link) { runHere(m_shared.get(), link, work); });
}

bool SessionPool::tryWait(const Work &work)
{
    if (runAtHome(work))
        return true;
    Errand errand{&work, true};
    return runInThread(errand);
}

std::shared_ptr<ConnectionThread> SessionPool::lend(const ConnectionThread *insteadOf)
{
    Errand errand{nullptr, true};
    bool isQueued = false;
    {
        const std::lock_guard lock(m_shared->mutex);
        if (insteadOf)
            m_shared->writeOff(*insteadOf);
        if (m_shared->closed || m_shared->taken >= m_shared->mostThreads())
            return nullptr;
        ++m_shared->taken;
        if (const ConnectionThread *thread = m_shared->freeThread()) {
            errand.lent = m_shared->takeOut(thread);
            ++m_shared->lent;
        } else {
            isQueued = true;
            Shared::enqueue(m_shared, errand);
        }
    }
    if (isQueued)
        errand.done.wait();
    if (!errand.lent)
        return nullptr; // the pool was closed meanwhile
    return {errand.lent.release(), [shared = m_shared](ConnectionThread *raw) {
                Shared::giveBack(shared, std::unique_ptr<ConnectionThread>(raw));
            }};
}

void SessionPool::writeOff(const ConnectionThread &thread)
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->writeOff(thread);
    Shared::startQueued(m_shared);
}

quint64 SessionPool::ownConnection() const
{
    const Homes *const homes = homesOfThisThread();
    if (!homes)
        return 0;
    const auto own = homes->byPool.find(m_shared.get());
    return own == homes->byPool.end() || own->second->state == Home::Ended ? 0 : own->second->connection;
}

std::vector<quint64> SessionPool::foreignConnections() const
{
    const quint64 own = ownConnection();
    const std::lock_guard lock(m_shared->mutex);
    std::vector<quint64> ids;
    for (const Home *home : m_shared->homes) {
        if (home->connection != 0 && home->connection != own)
            ids.push_back(home->connection);
    }
    return ids;
}

} // namespace lockscope
