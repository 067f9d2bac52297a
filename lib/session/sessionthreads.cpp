// SPDX-License-Identifier: MIT The threads of a pool, and the queue of those who want one.
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
SessionPool::Batch SessionPool::Shared::nextBatch()
{
    Batch next;
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

void SessionPool::Shared::start(const std::shared_ptr<Shared> &shared, ConnectionThread &thread, Batch batch)
{
    thread.post([shared, &thread, batch = std::move(batch)](ReconnectingSession &link) {
        serve(*shared, thread, link, batch);
    });
}

/// Does pending work as long as there is some. Runs in the pool's thread.
void SessionPool::Shared::serve(Shared &shared, ConnectionThread &thread, ReconnectingSession &link, Batch batch)
{
    while (!batch.empty()) {
        PendingWork &first = *batch.front();
        runAll(shared, link, batch);
        Batch next;
        {
            const std::lock_guard lock(shared.mutex);
            if (!first.work) {
                first.lent = shared.takeOut(&thread);
                ++shared.lent;
            } else {
                shared.taken -= first.waits ? 1 : 0;
                next = shared.nextBatch();
                if (next.empty())
                    shared.idle.push_back(&thread);
            }
        }
        for (PendingWork *pending : batch)
            pending->done.tell();
        batch = std::move(next);
    }
}

/// Several go in one packet and one transaction: they share the way to the server and the commit. When one fails, none
/// was carried out, and each of the others then runs by itself.
void SessionPool::Shared::runAll(Shared &shared, ReconnectingSession &link, const Batch &batch)
{
    if (batch.size() == 1) {
        if (batch.front()->work)
            runHere(&shared, link, *batch.front()->work);
        return;
    }
    QByteArray packet = "BEGIN; ";
    for (const PendingWork *pending : batch)
        packet += link.render(pending->batchable->name, pending->batchable->params) + "; ";
    Reply reply = link.run(packet + "COMMIT", batch.front()->batchable->name);
    const quint64 session = link.sessionNumber(); // which the packet may have opened
    const bool isGone = reply.error && reply.error->connectionGone;
    if (!reply && !isGone && !link.run("ROLLBACK", batch.front()->batchable->name))
        link.drop();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        Statement &statement = *batch[i]->batchable;
        statement.session = session;
        if (reply)
            statement.reply = Reply{{std::move(reply.sets[i + 1])}, {}};
        else if (isGone || reply.sets.size() == i + 1) // it failed: those before it and BEGIN have answers
            statement.reply = Reply{{}, reply.error};
        else
            runHere(&shared, link, *batch[i]->work);
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
    if (Batch next = shared->nextBatch(); !next.empty())
        start(shared, back, std::move(next));
    else
        shared->idle.push_back(&back);
}

/// Call with the mutex held.
void SessionPool::Shared::enqueue(const std::shared_ptr<Shared> &shared, PendingWork &pending)
{
    shared->queue.push_back(&pending);
    if (!pending.batchable || shared->isLineLong())
        startQueued(shared);
    if (!pending.waits && int(shared->queue.size()) > shared->threadCount())
        makeRoom(shared);
}

/// Makes room for one thread more: an allowance that no caller's thread uses, or the connection of one that does
/// nothing with it now. Call with the mutex held.
void SessionPool::Shared::makeRoom(const std::shared_ptr<Shared> &shared)
{
    shared->lastCrowd = ConnectionThread::Clock::now();
    if (int(shared->sessions.size()) + shared->endingSessions >= shared->mostThreadSessions) {
        const auto isIdle = [](ThreadSession *session) {
            int expected = ThreadSession::Idle;
            return session->state.compare_exchange_strong(expected, ThreadSession::Ended);
        };
        const auto found = std::find_if(shared->sessions.begin(), shared->sessions.end(), isIdle);
        if (found == shared->sessions.end())
            return;
        const quint64 number = (*found)->number;
        shared->sessions.erase(found);
        ++shared->endingSessions;
        shared->service.post([shared, number](ReconnectingSession &link) {
            if (number != 0)
                link.kill(number); // only its own thread could close it
            const std::lock_guard lock(shared->mutex);
            --shared->endingSessions;
            startQueued(shared);
        });
    }
    --shared->mostThreadSessions;
    startQueued(shared);
}

/// Call with the mutex held.
void SessionPool::Shared::startQueued(const std::shared_ptr<Shared> &shared)
{
    while (!shared->closed && !shared->queue.empty()) {
        ConnectionThread *thread = shared->freeThread();
        if (!thread)
            return;
        start(shared, *thread, shared->nextBatch());
    }
}

} // namespace lockscope
