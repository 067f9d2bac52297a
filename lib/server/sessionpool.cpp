#include "sessionpool.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace lockscope {

/// What threads and pool both reach; outlives either.
struct SessionPool::Shared
{
    std::mutex mutex;
    int limit = 0;
    int homes = 0;
    int lanes = 0; ///< idle and borrowed
    int waits = 0; ///< lanes borrowed for Use::Wait
    std::condition_variable laneReturned;
    std::vector<std::unique_ptr<Lane>> idleLanes;
    std::set<quint64> homeConnections;
    HomeChanged onHomeChanged;
    bool closed = false;

    /// Call with the mutex held.
    void changeHome(quint64 previous, quint64 now)
    {
        homeConnections.erase(previous);
        if (now != 0)
            homeConnections.insert(now);
        if (!closed && onHomeChanged)
            onHomeChanged(previous, now);
    }
};

/// One thread's own connection of one pool.
struct SessionPool::Home
{
    explicit Home(const SessionTarget &target, std::shared_ptr<Shared> owner)
        : shared(std::move(owner))
        , link(target, [this](Session &session, quint64 previous) {
            const std::lock_guard lock(shared->mutex);
            shared->changeHome(previous, session.connectionId());
        })
    {
    }
    ~Home()
    {
        const std::lock_guard lock(shared->mutex);
        shared->changeHome(link.connectionId(), 0);
        --shared->homes;
    }

    std::shared_ptr<Shared> shared;
    Link link;
};

struct SessionPool::Homes
{
    ~Homes() { leaveToParent(); }
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

SessionPool::Homes &SessionPool::homesOfThisThread()
{
    thread_local Homes homes;
    homes.leaveToParent();
    return homes;
}

SessionPool::SessionPool(SessionTarget target, int maxSessions, HomeChanged onHomeChanged)
    : m_target(std::move(target))
    , m_shared(std::make_shared<Shared>())
{
    m_shared->limit = std::max(2, maxSessions);
    m_shared->onHomeChanged = std::move(onHomeChanged);
}

SessionPool::~SessionPool()
{
    homesOfThisThread().byPool.erase(m_shared.get());
    std::vector<std::unique_ptr<Lane>> lanes;
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->closed = true;
        lanes.swap(m_shared->idleLanes);
    }
}

Link *SessionPool::home()
{
    auto &mine = homesOfThisThread().byPool;
    if (const auto found = mine.find(m_shared.get()); found != mine.end())
        return &found->second->link;
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->homes >= m_shared->limit / 2)
            return nullptr;
        ++m_shared->homes;
    }
    // Homes of pools that are gone would otherwise stay until this thread ends.
    std::erase_if(mine, [](const auto &entry) {
        const std::lock_guard lock(entry.second->shared->mutex);
        return entry.second->shared->closed;
    });
    return &mine.emplace(m_shared.get(), std::make_unique<Home>(m_target, m_shared)).first->second->link;
}

std::unique_ptr<Lane> SessionPool::borrow(Use use)
{
    const int mostLanes = m_shared->limit - m_shared->limit / 2;
    std::unique_lock lock(m_shared->mutex);
    for (;;) {
        const bool canTake = !m_shared->idleLanes.empty() || m_shared->lanes < mostLanes;
        if (!canTake && (use == Use::Quick || m_shared->waits >= mostLanes))
            return nullptr;
        if (canTake)
            break;
        m_shared->laneReturned.wait(lock); // quick work has it
    }
    m_shared->waits += use == Use::Wait ? 1 : 0;
    if (m_shared->idleLanes.empty()) {
        ++m_shared->lanes;
        return std::make_unique<Lane>(m_target);
    }
    auto lane = std::move(m_shared->idleLanes.back());
    m_shared->idleLanes.pop_back();
    return lane;
}

void SessionPool::giveBack(Shared &shared, Use use, std::unique_ptr<Lane> lane)
{
    const std::lock_guard lock(shared.mutex);
    shared.waits -= use == Use::Wait ? 1 : 0;
    if (!shared.closed) // else it ends with this call's argument, after the lock
        shared.idleLanes.push_back(std::move(lane));
    shared.laneReturned.notify_all();
}

std::shared_ptr<Lane> SessionPool::lend()
{
    auto lane = borrow(Use::Wait);
    if (!lane)
        return nullptr;
    return {lane.release(),
            [shared = m_shared](Lane *raw) { giveBack(*shared, Use::Wait, std::unique_ptr<Lane>(raw)); }};
}

bool SessionPool::tryRun(Use use, const Work &work)
{
    if (Link *own = home()) {
        work(*own);
        return true;
    }
    auto lane = borrow(use);
    if (!lane)
        return false;
    lane->run(work);
    giveBack(*m_shared, use, std::move(lane));
    return true;
}

Link *SessionPool::ownLink() const
{
    const auto &mine = homesOfThisThread().byPool;
    const auto own = mine.find(m_shared.get());
    return own == mine.end() ? nullptr : &own->second->link;
}

std::vector<quint64> SessionPool::foreignConnections() const
{
    const Link *own = ownLink();
    const quint64 ownId = own ? own->connectionId() : 0;
    const std::lock_guard lock(m_shared->mutex);
    std::vector<quint64> ids;
    std::copy_if(m_shared->homeConnections.begin(), m_shared->homeConnections.end(), std::back_inserter(ids),
                 [&](quint64 id) { return id != ownId; });
    return ids;
}

} // namespace lockscope
