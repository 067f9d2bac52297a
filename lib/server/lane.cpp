#include "lane.h"

namespace lockscope {

Lane::Lane(SessionTarget target, Link::OpenHook onOpen)
    : m_target(std::move(target))
    , m_onOpen(std::move(onOpen))
    , m_thread([this] { work(); })
{
}

Lane::~Lane()
{
    stop();
}

void Lane::stop()
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

void Lane::post(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopping)
            return;
        m_jobs.push_back(std::move(job));
    }
    m_wake.notify_one();
}

Lane::Timed Lane::postAt(Clock::time_point when, Job job)
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

void Lane::cancel(const Timed &timed)
{
    Job forgotten; // what it captured goes when the lock is open again
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_timed.find(timed); found != m_timed.end()) {
        forgotten = std::move(found->second);
        m_timed.erase(found);
    }
}

void Lane::run(const Job &job)
{
    std::mutex mutex;
    std::condition_variable done;
    bool isDone = false;
    {
        const std::lock_guard posting(m_mutex);
        if (m_stopping)
            return;
        m_jobs.emplace_back([&](Link &link) {
            job(link);
            const std::lock_guard lock(mutex);
            isDone = true;
            done.notify_one(); // under the lock: the waiter may destroy `done` as soon as it sees the flag
        });
    }
    m_wake.notify_one();
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return isDone; });
}

bool Lane::takeNext(std::unique_lock<std::mutex> &lock, Job *job)
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
            return true;
        }
        if (m_stopping)
            return false;
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
}

void Lane::work()
{
    Link link(m_target, m_onOpen);
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
