// SPDX-License-Identifier: MIT
#pragma once

#include "briefspin.h"
#include "done.h"
#include "reconnectingsession.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace lockscope {

/// A thread with a connection of its own that does jobs one by one. A job that never touches its session opens no
/// connection, so it can also serve as a timer. Thread: every function may be called from any thread.
class ConnectionThread
{
public:
    using Job = std::function<void(ReconnectingSession &link)>;
    using Clock = std::chrono::steady_clock;
    /// Names a timed job; the default names none.
    using Timed = std::pair<Clock::time_point, quint64>;

    /// A job that a connection thread, which must outlive this, has begun or will begin.
    class Running
    {
    public:
        /// False: it is not through by `end`, or never will be, as the thread is stopping.
        bool waitUntil(Clock::time_point end) { return m_isAccepted && m_done.waitUntil(end, *m_spin); }

    private:
        friend class ConnectionThread;
        explicit Running(BriefSpin &spin)
            : m_spin(&spin)
        {
        }

        Done m_done;
        BriefSpin *m_spin;
        bool m_isAccepted = true;
    };

    /// Of run(): one thread at a time, which mostly asks again soon, as the holder of a row does; or many.
    enum class Callers { One, Many };

    explicit ConnectionThread(SessionTarget target, ReconnectingSession::OpenHook onOpen = {},
                              Callers callers = Callers::One);
    ~ConnectionThread();
    ConnectionThread(const ConnectionThread &) = delete;
    ConnectionThread &operator=(const ConnectionThread &) = delete;

    /// Finishes what was posted, forgets what was only timed, closes the connection and ends the thread. Later calls
    /// of any function do nothing. The destructor does the same; neither may run in this thread's own jobs.
    void stop();
    /// The same for one that nobody else knows, in one of its own jobs: it goes when it is through with those posted.
    static void endItself(std::unique_ptr<ConnectionThread> thread);

    /// Runs `job` after those before it.
    void post(Job job);
    /// Runs `job` at `when`, or soon after when the thread is busy.
    Timed postAt(Clock::time_point when, Job job);
    /// Forgets a timed job that has not begun; nothing happens when it has.
    void cancel(const Timed &timed);
    /// Runs `job` and waits for its end; at once in one of this thread's own jobs.
    void run(const Job &job);
    /// The same, but waits for no longer than `end`. False: `job`, which owns all that it needs, ends some time later.
    bool runUntil(Clock::time_point end, Job job) { return start(std::move(job)).waitUntil(end); }
    /// The same in two steps, so that the waiter can look around in between.
    Running start(Job job);
    bool isThisThread() const { return std::this_thread::get_id() == m_thread.get_id(); }

private:
    void work();
    void workOff();
    bool takeNext(std::unique_lock<std::mutex> &lock, Job *job);
    void add(Job job);
    void sleep(std::unique_lock<std::mutex> &lock);
    bool addRun(const Done &done, Job job);

    SessionTarget m_target;
    ReconnectingSession::OpenHook m_onOpen;
    const Callers m_callers;
    std::mutex m_mutex; // protects the members below
    std::condition_variable m_wake;
    std::deque<Job> m_jobs;
    std::atomic<int> m_posted = 0; ///< size of m_jobs, for looking without the lock
    bool m_mayBeRunAgain = false;  ///< somebody has just got an answer by run()
    std::map<Timed, Job> m_timed;
    quint64 m_nextTimed = 1;
    Clock::time_point m_sleepsUntil = Clock::time_point::min(); ///< min: awake, and looks before it sleeps
    bool m_stopping = false;
    std::unique_ptr<ConnectionThread> m_self; ///< of one that ends itself
    BriefSpin m_runSpin;                      ///< of threads that wait for run()
    BriefSpin m_jobSpin;                      ///< of its own thread, for the next job
    ReconnectingSession *m_link = nullptr;    ///< its thread's
    std::thread m_thread;                     // last: starts when the rest is ready
};

} // namespace lockscope
