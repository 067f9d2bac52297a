#pragma once

#include "locknews.h"
#include "server/link.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace lockscope::test {

/// What a session process is told when it starts.
struct SessionConfig
{
    EngineConfig engine;
    ServerUrl direct; ///< of the probes that `rounds` writes, past any failing network
    QByteArray mode;
};

/// What all owners of the process share.
struct SessionProcessState
{
    struct Held
    {
        QByteArray resource;
        LockHandle handle;
        std::shared_ptr<LossNews> news;
        bool released = false;
    };

    SessionConfig config;
    std::unique_ptr<LockEngine> engine;
    std::function<void(const std::string &owner, const std::string &answer)> say;
    std::mutex mutex; // protects `held`; a handle itself is used by one owner at a time, as the script has it
    std::map<std::string, std::list<Held>> held; // by owner, in the order of the grants
};

using Words = std::vector<QByteArray>;

/// One owner: a thread that carries out commands in the order in which they come.
class SessionOwner
{
public:
    SessionOwner(std::string name, SessionProcessState &process);
    /// Cancels what waits, carries out the rest and ends the thread.
    ~SessionOwner();
    SessionOwner(const SessionOwner &) = delete;
    SessionOwner &operator=(const SessionOwner &) = delete;

    void post(Words words);
    void cancel();

private:
    using Held = SessionProcessState::Held;

    void run();
    std::string carryOut(const Words &words);
    std::string acquire(const Words &words);
    std::string release(Words words);
    std::string renew(const Words &words);
    std::string drop(const Words &words);
    std::string rounds(const Words &words);
    bool enter(Link &probe, const QByteArray &resource, quint64 token);
    void leave(Link &probe, const QByteArray &resource, quint64 token);
    LockRequest requestFrom(const Words &words);
    Held *find(const std::string &owner, const QByteArray &resource);
    Held *find(const Words &words);

    const std::string m_name;
    SessionProcessState &m_process;
    std::mutex m_mutex; // protects the four below
    std::condition_variable m_changed;
    std::deque<Words> m_queue;
    std::stop_source m_stop;
    bool m_ends = false;
    std::thread m_thread; // last: it uses the rest
};

} // namespace lockscope::test
