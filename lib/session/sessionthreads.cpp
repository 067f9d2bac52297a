// SPDX-License-Identifier: MIT
// The threads of a pool, and the line of those who want one.
#include "sessionpool_p.h"

#include <algorithm>

namespace lockscope {

using detail::runHere;

namespace {

/// Statements in one packet, at most: the first is answered with the last.
constexpr std::size_t kMaxBatch = 16;

} // namespace

ConnectionThread *SessionPool::Shared::freeThread()
{
    if (!idle.empty()) {
        ConnectionThread *thread = idle.back();
        idle.pop_back();
        return thread;
    }
    if (threadCount() >= mostThreads())
        return nullptr;
    return threads.emplace_back(std::make_unique<ConnectionThread>(target)).get();
}

/// One thread more is worth its while when as many stand in line as threads are at work. Before that they wait for the
/// next thread that is through, which takes them together: each packet and each commit less is time for the others.
bool SessionPool::Shared::isLineLong() const
{
    return int(queue.size()) >= threadCount() - int(idle.size()) - taken;
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

std::unique_ptr<ConnectionThread> SessionPool::Shared::takeOut(const ConnectionThread *thread)
{
    const auto found =
        std::find_if(threads.begin(), threads.end(), [&](const auto &one) { return one.get() == thread; });
    std::unique_ptr<ConnectionThread> out = std::move(*found);
    threads.erase(found);
    return out;
}

void SessionPool::Shared::start(const std::shared_ptr<Shared> &shared, ConnectionThread &thread, Errands errands)
{
    thread.post([shared, &thread, errands = std::move(errands)](ReconnectingSession &link) {
        serve(*shared, thread, link, errands);
    });
}

/// Works off errands as long as there are some. Runs in the pool's thread.
void SessionPool::Shared::serve(Shared &shared, ConnectionThread &thread, ReconnectingSession &link, Errands errands)
{
    while (!errands.empty()) {
        Errand &first = *errands.front();
        runAll(shared, link, errands);
        Errands next;
        {
            const std::lock_guard lock(shared.mutex);
            if (!first.work) {
                first.lent = shared.takeOut(&thread);
                ++shared.lent;
            } else {
                shared.taken -= first.waits ? 1 : 0;
                next = shared.nextErrands();
                if (next.empty())
                    shared.idle.push_back(&thread);
            }
        }
        for (Errand *errand : errands)
            errand->done.tell();
        errands = std::move(next);
    }
}

/// Several go in one packet and one transaction: they share the way to the server and the commit. When one fails, none
/// was carried out; the others run by themselves then.
void SessionPool::Shared::runAll(Shared &shared, ReconnectingSession &link, const Errands &errands)
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

void SessionPool::Shared::writeOff(const ConnectionThread &thread)
{
    if (int(lost.size()) == limit || !lost.insert(&thread).second)
        return;
    --taken;
    --lent;
}

void SessionPool::Shared::giveBack(const std::shared_ptr<Shared> &shared, std::unique_ptr<ConnectionThread> thread)
{
    const std::lock_guard lock(shared->mutex);
    const bool isLost = shared->lost.erase(thread.get()) > 0;
    shared->taken -= isLost ? 0 : 1;
    shared->lent -= isLost ? 0 : 1;
    if (isLost || shared->closed) {
        if (thread->isThisThread()) // a job that hung outlived its loan or the pool
            ConnectionThread::endItself(std::move(thread));
        return; // else it ends with this call's argument, after the lock
    }
    ConnectionThread &back = *shared->threads.emplace_back(std::move(thread));
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
    if (!errand.waits && int(shared->queue.size()) > shared->threadCount())
        makeRoom(shared);
}

/// Makes room for one thread more: an allowance that no caller's thread uses, or the connection of one that does
/// nothing with it now. Call with the mutex held.
void SessionPool::Shared::makeRoom(const std::shared_ptr<Shared> &shared)
{
    shared->lastCrowd = ConnectionThread::Clock::now();
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
        shared->service.post([shared, connection](ReconnectingSession &link) {
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
        ConnectionThread *thread = shared->freeThread();
        if (!thread)
            return;
        start(shared, *thread, shared->nextErrands());
    }
}

} // namespace lockscope
