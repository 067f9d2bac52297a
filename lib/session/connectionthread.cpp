// SPDX-License-Identifier: MIT
#include "connectionthread.h"

#include "atwork.h"

#include <utility>

namespace lockscope {

namespace {

/// A packet, its commit included, mostly takes less. Of many callers each may stand behind another's.
constexpr auto kOnePacket = std::chrono::microseconds(800);
constexpr auto kTwoPackets = 2 * kOnePacket;

} // namespace

ConnectionThread::ConnectionThread(SessionTarget target, ReconnectingSession::OpenHook onOpen, Callers callers)
    : m_target(std::move(target))
    , m_onOpen(std::move(onOpen))
    , m_callers(callers)
    , m_runSpin(callers == Callers::One ? kOnePacket : kTwoPackets)
    , m_jobSpin(kOnePacket)
    , m_thread([this] { work(); })
{
}

ConnectionThread::~ConnectionThread()
{
    stop();
}

void ConnectionThread::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
        m_timed.clear();
    }
    m_wake.notify_one();
    if (m_thread.joinable())
        m_thread.join();
}

void ConnectionThread::endItself(std::unique_ptr<ConnectionThread> thread)
{
    ConnectionThread &self = *thread;
    const std::lock_guard lock(self.m_mutex);
    self.m_stopping = true;
    self.m_timed.clear();
    self.m_thread.detach();
    self.m_self = std::move(thread);
}

void ConnectionThread::post(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping)
            return;
        add(std::move(job));
    }
    m_wake.notify_one();
}

/// Call with the mutex held.
void ConnectionThread::add(Job job)
{
    m_jobs.push_back(std::move(job));
    m_posted.fetch_add(1);
}

ConnectionThread::Timed ConnectionThread::postAt(Clock::time_point when, Job job)
{
    Timed timed;
    bool isEarliest = false;
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping)
            return timed;
        timed = {when, m_nextTimed++};
        isEarliest = when < m_sleepsUntil;
        m_timed.emplace(timed, std::move(job));
    }
    if (isEarliest)
        m_wake.notify_one();
    return timed;
}

void ConnectionThread::cancel(const Timed &timed)
{
    Job forgotten; // what it captured goes when the lock is open again
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_timed.find(timed); found != m_timed.end()) {
        forgotten = std::move(found->second);
        m_timed.erase(found);
    }
}

/// False: the thread is stopping, and `job` will not run.
bool ConnectionThread::addRun(const Done &done, Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping)
            return false;
        add([this, done, job = std::move(job)](ReconnectingSession &link) mutable {
            job(link);
            job = nullptr;                               // what it captured goes before the waiter goes on
            m_mayBeRunAgain = m_callers == Callers::One; // of many each does something else first
            done.tell();
        });
    }
    m_wake.notify_one();
    return true;
}

void ConnectionThread::run(const Job &job)
{
    if (isThisThread())
        return job(*m_link);
    Done done;
    if (addRun(done, [&](ReconnectingSession &link) { job(link); }))
        done.wait(m_runSpin);
}

ConnectionThread::Running ConnectionThread::start(Job job)
{
    Running running(m_runSpin);
    if (isThisThread()) {
        job(*m_link);
        running.m_done.tell();
    } else {
        running.m_isAccepted = addRun(running.m_done, std::move(job));
    }
    return running;
}

bool ConnectionThread::takeNext(std::unique_lock<std::mutex> &lock, Job *job)
{
    for (;;) {
        if (!m_timed.empty() && m_timed.begin()->first.first <= Clock::now()) {
            *job = std::move(m_timed.begin()->second);
            m_timed.erase(m_timed.begin());
            return true;
        }
        if (!m_jobs.empty()) {
            *job = std::move(m_jobs.front());
            m_jobs.pop_front();
            m_posted.fetch_sub(1);
            return true;
        }
        if (m_stopping)
            return false;
        sleep(lock);
    }
}

/// Returns when there may be a job.
void ConnectionThread::sleep(std::unique_lock<std::mutex> &lock)
{
    if (std::exchange(m_mayBeRunAgain, false)) {
        lock.unlock();
        m_jobSpin.until([this] { return m_posted.load() > 0; });
        lock.lock();
        return;
    }
    if (m_timed.empty()) {
        m_sleepsUntil = Clock::time_point::max();
        m_wake.wait(lock);
    } else {
        m_sleepsUntil = m_timed.begin()->first.first;
        const auto next = m_sleepsUntil;
        m_wake.wait_until(lock, next);
    }
    m_sleepsUntil = Clock::time_point::min();
}

void ConnectionThread::work()
{
    workOff();
    const std::unique_ptr<ConnectionThread> self = std::move(m_self); // goes with this thread
}

void ConnectionThread::workOff()
{
    const AtWork atWork;
    ReconnectingSession link(m_target, m_onOpen);
    m_link = &link;
    std::unique_lock lock(m_mutex);
    Job job;
    while (takeNext(lock, &job)) {
        lock.unlock();
        job(link);
        job = nullptr; // what it captured goes before the next wait
        lock.lock();
    }
}

} // namespace lockscope
