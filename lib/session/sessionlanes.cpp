// SPDX-License-Identifier: MIT
// The lanes of a pool, and the line of those who want one.
#include "sessionpool_p.h"

#include <algorithm>

namespace lockscope {

using detail::runHere;

namespace {

/// Statements in one packet, at most: the first is answered with the last.
constexpr std::size_t kMaxBatch = 16;

} // namespace

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
    const auto goesAlong = [&] {
        return next.empty() || (next.size() < kMaxBatch && next.back()->batchable && queue.front()->batchable);
    };
    while (!queue.empty() && goesAlong()) {
        next.push_back(queue.front());
        queue.pop_front();
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
        packet += link.render(errand->batchable->name, errand->batchable->params) + "; ";
    const quint64 connection = link.connectionId();
    Reply reply = link.run(packet + "COMMIT", errands.front()->batchable->name);
    const bool isGone = reply.error && reply.error->connectionGone;
    if (!reply && !isGone && !link.run("ROLLBACK", errands.front()->batchable->name))
        link.drop();
    for (std::size_t i = 0; i < errands.size(); ++i) {
        Statement &statement = *errands[i]->batchable;
        statement.connection = connection;
        if (reply)
            statement.reply = Reply{{std::move(reply.sets[i + 1])}, {}};
        else if (isGone || reply.sets.size() == i + 1) // it failed: those before it and BEGIN have answers
            statement.reply = Reply{{}, reply.error};
        else
            runHere(&shared, link, *errands[i]->work);
    }
}

void SessionPool::Shared::writeOff(const Lane &lane)
{
    if (int(lost.size()) == limit || !lost.insert(&lane).second)
        return;
    --taken;
    --lent;
}

void SessionPool::Shared::giveBack(const std::shared_ptr<Shared> &shared, std::unique_ptr<Lane> lane)
{
    const std::lock_guard lock(shared->mutex);
    const bool isLost = shared->lost.erase(lane.get()) > 0;
    shared->taken -= isLost ? 0 : 1;
    shared->lent -= isLost ? 0 : 1;
    if (isLost || shared->closed) {
        if (lane->isThisThread()) // a job that hung outlived its loan or the pool
            Lane::endItself(std::move(lane));
        return; // else it ends with this call's argument, after the lock
    }
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
    if (!errand.batchable || shared->isLineLong())
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

} // namespace lockscope
