// SPDX-License-Identifier: MIT
#pragma once

#include "locknews.h"
#include "lockscope/lockhelpers.h"
#include "lockscope/optimistic.h"
#include "requestnews.h"
#include "session/reconnectingsession.h"

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
    std::chrono::milliseconds shortestTtl{0}; ///< of its store: what is shorter becomes as long
};

/// What all owners of the process share.
struct SessionProcessState
{
    /// What becomes of a lock and is told without being asked.
    struct News
    {
        /// Of the lock that `request` asks for.
        explicit News(LockRequest &request);

        std::shared_ptr<LossNews> losses = std::make_shared<LossNews>();
        std::shared_ptr<RequestNews> requests = std::make_shared<RequestNews>();
    };
    struct Held
    {
        QByteArray resource;
        LockHandle handle;
        News news;
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
    using News = SessionProcessState::News;

    void run();
    std::string carryOut(const Words &words);
    // Of locks.
    std::string acquire(const Words &words);
    std::string acquireAll(const Words &words);
    std::string acquireAny(const Words &words);
    std::string release(const Words &words);
    std::string renew(const Words &words);
    std::string drop(const Words &words);
    std::string tell(const Words &words);
    std::string rounds(const Words &words);
    std::string work(const Words &words);
    std::string ask(const Words &words);
    // Of versions.
    std::string read(const Words &words);
    std::string commit(const Words &words);
    std::string add(const Words &words);
    // Of the engine.
    std::string connect(const Words &words);
    std::string clean(const Words &words);
    std::string closeEngine(const Words &words);

    bool enter(ReconnectingSession &probe, const LockHandle &handle);
    void leave(ReconnectingSession &probe, const LockHandle &handle);
    LockRequest requestFrom(const Words &options);
    Duration ttlFrom(const QByteArray &word) const;
    void forgetCancel();
    void keep(const QByteArray &resource, LockHandle &&handle, const News &news);
    Held *find(const std::string &owner, const QByteArray &resource);
    Held *find(const Words &words, std::size_t at = 1);
    OptimisticStore &store();

    const std::string m_name;
    SessionProcessState &m_process;
    std::mutex m_mutex; // protects the three behind the condition
    std::condition_variable m_changed;
    std::deque<Words> m_queue;
    std::stop_source m_stop;
    bool m_ends = false;
    // Of the owner's thread.
    std::optional<OptimisticStore> m_store;
    std::map<QByteArray, Snapshot> m_snapshots; // by resource
    QByteArray m_lastRead;
    std::thread m_thread; // last: it uses the rest
};

} // namespace lockscope::test
