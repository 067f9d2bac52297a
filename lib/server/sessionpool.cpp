#include "sessionpool.h"

#include "done.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace lockscope {

namespace {

/// Statements in one packet, at most: the first is answered with the last.
constexpr std::size_t kMostShared = 16;
/// Threads get connections of their own again when nobody had to wait for a lane for this long.
constexpr auto kCalmAfter = std::chrono::seconds(10);

/// The connection on which a thread does somebody's work just now.
struct AtHand
{
    const void *pool = nullptr;
    Link *link = nullptr;
};

AtHand &atHandOfThisThread()
{
    thread_local AtHand atHand;
    return atHand;
}

void runHere(const void *pool, Link &link, const SessionPool::Work &work)
{
    AtHand &atHand = atHandOfThisThread();
    const AtHand before = std::exchange(atHand, {pool, &link});
    work(link);
    atHand = before;
}

} // namespace

/// One request that waits in its thread for a lane, or for its work's end.
struct SessionPool::Errand
{
    const Work *work = nullptr; ///< null: wants the lane itself
    bool waits = false;
    Statement *shareable = nullptr;
    std::unique_ptr<Lane> lent = {};
    Done done = {};
};

/// What threads, lanes and pool all reach; outlives each.
struct SessionPool::Shared
{
    Shared(SessionTarget lanesTarget, int maxSessions, Lane &serviceLane, HomeChanged homeChanged)
        : target(std::move(lanesTarget))
        , limit(std::max(2, maxSessions))
        , mostHomes(limit / 2)
        , service(serviceLane)
        , onHomeChanged(std::move(homeChanged))
    {
    }

    const SessionTarget target;
    const int limit;
    int mostHomes; ///< half of the limit, or less when lanes are wanted more
    Lane &service;
    HomeChanged onHomeChanged;
    std::mutex mutex; // protects the members below
    std::set<Home *> homes;
    int endingHomes = 0;                      ///< connections that are being ended for more lanes
    std::vector<std::unique_ptr<Lane>> lanes; ///< but those that are lent
    std::vector<Lane *> idle;
    int lent = 0;
    int taken = 0; ///< lanes that waits or loans have, or will have
    std::deque<Errand *> queue;
    Lane::Clock::time_point lastCrowd;
    bool closed = false;

    // Call these with the mutex held.
    int laneCount() const { return int(lanes.size()) + lent; }
    int mostLanes() const { return limit - std::max(mostHomes, int(homes.size()) + endingHomes); }
    void changeHome(quint64 previous, quint64 now)
    {
        if (!closed && onHomeChanged)
            onHomeChanged(previous, now);
    }
    bool isLineLong() const;
    Lane *freeLane();
    Errands nextErrands();
    std::unique_ptr<Lane> takeOut(const Lane *lane);

    static void start(const std::shared_ptr<Shared> &shared, Lane &lane, Errands errands);
    static void serve(Shared &shared, Lane &lane, Link &link, Errands errands);
    static void runAll(Shared &shared, Link &link, const Errands &errands);
    static void giveBack(const std::shared_ptr<Shared> &shared, std::unique_ptr<Lane> lane);
    static void enqueue(const std::shared_ptr<Shared> &shared, Errand &errand);
    static void makeRoom(const std::shared_ptr<Shared> &shared);
    static void startQueued(const std::shared_ptr<Shared> &shared);
};

/// One thread's own connection of one pool.
struct SessionPool::Home
{
    enum State { Idle, InUse, Ended };

    explicit Home(std::shared_ptr<Shared> owner)
        : shared(std::move(owner))
        , link(shared->target, [this](Session &session, quint64 previous) {
            const std::lock_guard lock(shared->mutex);
            connection = session.connectionId();
            shared->changeHome(previous, connection);
        })
    {
    }
    ~Home()
    {
        const std::lock_guard lock(shared->mutex);
        if (shared->homes.erase(this) > 0)
            shared->changeHome(connection, 0);
    }

    /// False: in use, or ended for a lane.
    bool enter()
    {
        int expected = Idle;
        return state.compare_exchange_strong(expected, InUse);
    }
    void leave() { state = Idle; }

    const std::shared_ptr<Shared> shared;
    quint64 connection = 0; ///< guarded by the pool's mutex, and written by this thread only
    std::atomic<int> state = Idle;
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

Lane *SessionPool::Shared::freeLane()
{
    if (!idle.empty()) {
        Lane *lane = idle.back();
        idle.pop_back();
        return lane;
    }
    if (laneCount() >= mostLanes())
        return nullptr;
    return lanes.emplace_back(std::make_unique<Lane>(target)).get();
}

/// One lane more is worth its while when as many stand in line as lanes are at work. Before that they wait for the next
/// lane that is through, which takes them together: each packet and each commit less is time for the others.
bool SessionPool::Shared::isLineLong() const
{
    return int(queue.size()) >= laneCount() - int(idle.size()) - taken;
}

/// The first in the queue, and those behind it where their statements can go together.
SessionPool::Errands SessionPool::Shared::nextErrands()
{
    Errands next;
    while (!queue.empty() && (next.empty() || (next.size() < kMostShared && queue.front()->shareable))) {
        next.push_back(queue.front());
        queue.pop_front();
        if (!next.back()->shareable)
            break;
    }
    return next;
}

std::unique_ptr<Lane> SessionPool::Shared::takeOut(const Lane *lane)
{
    const auto found = std::find_if(lanes.begin(), lanes.end(), [&](const auto &one) { return one.get() == lane; });
    std::unique_ptr<Lane> out = std::move(*found);
    lanes.erase(found);
    return out;
}

void SessionPool::Shared::start(const std::shared_ptr<Shared> &shared, Lane &lane, Errands errands)
{
    lane.post([shared, &lane, errands = std::move(errands)](Link &link) { serve(*shared, lane, link, errands); });
}

/// Works off errands as long as there are some. Runs in the lane.
void SessionPool::Shared::serve(Shared &shared, Lane &lane, Link &link, Errands errands)
{
    while (!errands.empty()) {
        Errand &first = *errands.front();
        runAll(shared, link, errands);
        Errands next;
        {
            const std::lock_guard lock(shared.mutex);
            if (!first.work) {
                first.lent = shared.takeOut(&lane);
                ++shared.lent;
            } else {
                shared.taken -= first.waits ? 1 : 0;
                next = shared.nextErrands();
                if (next.empty())
                    shared.idle.push_back(&lane);
            }
        }
        for (Errand *errand : errands)
            errand->done.tell();
        errands = std::move(next);
    }
}

/// Several go in one packet and one transaction: they share the way to the server and the commit. When one fails, none
/// was carried out; the others run by themselves then.
void SessionPool::Shared::runAll(Shared &shared, Link &link, const Errands &errands)
{
    if (errands.size() == 1) {
        if (errands.front()->work)
            runHere(&shared, link, *errands.front()->work);
        return;
    }
    QByteArray packet = "BEGIN; ";
    for (const Errand *errand : errands)
        packet += link.render(errand->shareable->name, errand->shareable->params) + "; ";
    const quint64 connection = link.connectionId();
    Reply reply = link.run(packet + "COMMIT", errands.front()->shareable->name);
    const std::size_t failed = reply ? errands.size() : std::max<std::size_t>(1, reply.sets.size()) - 1; // behind BEGIN
    const bool isGone = reply.error && reply.error->connectionGone;
    if (!reply && !isGone && !link.run("ROLLBACK", errands.front()->shareable->name))
        link.drop();
    for (std::size_t i = 0; i < errands.size(); ++i) {
        Statement &statement = *errands[i]->shareable;
        statement.connection = connection;
        if (reply)
            statement.reply = Reply{{std::move(reply.sets[i + 1])}, {}};
        else if (isGone || i == failed)
            statement.reply = Reply{{}, reply.error};
        else
            runHere(&shared, link, *errands[i]->work);
    }
}

void SessionPool::Shared::giveBack(const std::shared_ptr<Shared> &shared, std::unique_ptr<Lane> lane)
{
    const std::lock_guard lock(shared->mutex);
    --shared->taken;
    --shared->lent;
    if (shared->closed)
        return; // it ends with this call's argument, after the lock
    Lane &back = *shared->lanes.emplace_back(std::move(lane));
    if (Errands next = shared->nextErrands(); !next.empty())
        start(shared, back, std::move(next));
    else
        shared->idle.push_back(&back);
}

/// Call with the mutex held.
void SessionPool::Shared::enqueue(const std::shared_ptr<Shared> &shared, Errand &errand)
{
    shared->queue.push_back(&errand);
    if (!errand.shareable || shared->isLineLong())
        startQueued(shared);
    if (!errand.waits && int(shared->queue.size()) > shared->laneCount())
        makeRoom(shared);
}

/// Makes room for one lane more: an allowance that no thread uses, or the connection of a thread that does nothing with
/// it now. Call with the mutex held.
void SessionPool::Shared::makeRoom(const std::shared_ptr<Shared> &shared)
{
    shared->lastCrowd = Lane::Clock::now();
    if (int(shared->homes.size()) + shared->endingHomes >= shared->mostHomes) {
        const auto isIdle = [](Home *home) {
            int expected = Home::Idle;
            return home->state.compare_exchange_strong(expected, Home::Ended);
        };
        const auto found = std::find_if(shared->homes.begin(), shared->homes.end(), isIdle);
        if (found == shared->homes.end())
            return;
        const quint64 connection = (*found)->connection;
        shared->homes.erase(found);
        shared->changeHome(connection, 0);
        ++shared->endingHomes;
        shared->service.post([shared, connection](Link &link) {
            if (connection != 0)
                link.kill(connection); // only its own thread could close it
            const std::lock_guard lock(shared->mutex);
            --shared->endingHomes;
            startQueued(shared);
        });
    }
    --shared->mostHomes;
    startQueued(shared);
}

/// Call with the mutex held.
void SessionPool::Shared::startQueued(const std::shared_ptr<Shared> &shared)
{
    while (!shared->closed && !shared->queue.empty()) {
        Lane *lane = shared->freeLane();
        if (!lane)
            return;
        start(shared, *lane, shared->nextErrands());
    }
}

SessionPool::SessionPool(SessionTarget target, int maxSessions, Lane &service, HomeChanged onHomeChanged)
    : m_shared(std::make_shared<Shared>(std::move(target), maxSessions, service, std::move(onHomeChanged)))
{
}

SessionPool::~SessionPool()
{
    homesOfThisThread().byPool.erase(m_shared.get());
    std::vector<std::unique_ptr<Lane>> lanes;
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->closed = true;
        lanes.swap(m_shared->lanes);
    }
}

/// The calling thread's own connection, in use; null when it has none and may have none.
SessionPool::Home *SessionPool::home()
{
    auto &mine = homesOfThisThread().byPool;
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
    std::unique_ptr<Lane> retired; // ends when the lock is open again
    const std::lock_guard lock(m_shared->mutex);
    if (!mayOpenHome(&retired))
        return nullptr;
    Home *opened = mine.emplace(m_shared.get(), std::make_unique<Home>(m_shared)).first->second.get();
    m_shared->homes.insert(opened);
    opened->enter();
    return opened;
}

/// Call with the mutex held.
bool SessionPool::mayOpenHome(std::unique_ptr<Lane> *retired)
{
    Shared &shared = *m_shared;
    if (int(shared.homes.size()) + shared.endingHomes < shared.mostHomes)
        return true;
    if (shared.mostHomes == shared.limit / 2 || Lane::Clock::now() - shared.lastCrowd < kCalmAfter)
        return false;
    if (shared.laneCount() + shared.mostHomes >= shared.limit) {
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
    const AtHand atHand = atHandOfThisThread();
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

bool SessionPool::runInLane(Errand &errand)
{
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->taken >= m_shared->mostLanes())
            return false;
        m_shared->taken += errand.waits ? 1 : 0;
        Shared::enqueue(m_shared, errand);
    }
    errand.done.wait();
    return true;
}

void SessionPool::runQuick(const Work &work, Statement *shareable)
{
    if (runAtHand(work) || runAtHome(work))
        return;
    Errand errand{&work, false, shareable};
    if (!runInLane(errand))
        m_shared->service.run([&](Link &link) { runHere(m_shared.get(), link, work); });
}

bool SessionPool::tryWait(const Work &work)
{
    if (runAtHome(work))
        return true;
    Errand errand{&work, true};
    return runInLane(errand);
}

std::shared_ptr<Lane> SessionPool::lend()
{
    Errand errand{nullptr, true};
    bool isQueued = false;
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->taken >= m_shared->mostLanes())
            return nullptr;
        ++m_shared->taken;
        if (const Lane *lane = m_shared->freeLane()) {
            errand.lent = m_shared->takeOut(lane);
            ++m_shared->lent;
        } else {
            isQueued = true;
            Shared::enqueue(m_shared, errand);
        }
    }
    if (isQueued)
        errand.done.wait();
    return {errand.lent.release(),
            [shared = m_shared](Lane *raw) { Shared::giveBack(shared, std::unique_ptr<Lane>(raw)); }};
}

quint64 SessionPool::ownConnection() const
{
    const auto &mine = homesOfThisThread().byPool;
    const auto own = mine.find(m_shared.get());
    return own == mine.end() || own->second->state == Home::Ended ? 0 : own->second->connection;
}

bool SessionPool::runOnOwn(quint64 connection, const Work &work)
{
    if (connection == 0 || ownConnection() != connection)
        return false;
    Home &own = *homesOfThisThread().byPool.at(m_shared.get());
    if (atHandOfThisThread().link == &own.link)
        return runAtHand(work);
    if (!own.enter())
        return false;
    runHere(m_shared.get(), own.link, work);
    own.leave();
    return true;
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
