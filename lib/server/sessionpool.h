#pragma once

#include "lane.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

/// Gives work a connection. A thread that asks gets a connection of its own as long as half of the bound is not
/// used up: no hand-over between threads lies on its way. Other threads borrow a lane.
/// A thread's connection closes when the thread ends.
/// Thread: every function may be called from any thread.
class LOCKSCOPE_EXPORT SessionPool
{
public:
    using Work = std::function<void(Link &link)>;

    enum class Use {
        Quick, ///< ends soon: never waits for a lock
        Wait   ///< may block on the server for long
    };

    /// Told when a thread's own connection opens (`now`) or ends (`previous`); 0 = none. Runs in that thread.
    using HomeChanged = std::function<void(quint64 previous, quint64 now)>;

    /// `maxSessions` is at least 2.
    SessionPool(SessionTarget target, int maxSessions, HomeChanged onHomeChanged = {});
    ~SessionPool();
    SessionPool(const SessionPool &) = delete;
    SessionPool &operator=(const SessionPool &) = delete;

    /// Runs `work` and waits for its end. False, without having run it: for Quick when all connections are busy, for
    /// Wait when all are blocked by other waits.
    bool tryRun(Use use, const Work &work);

    /// A connection with its thread for as long as the caller keeps it; null when all are taken. Never the last
    /// reference in that thread itself.
    std::shared_ptr<Lane> lend();

    /// The calling thread's own connection if it has one.
    Link *ownLink() const;

    /// Server ids of the connections that other threads keep; for ending them with the engine.
    std::vector<quint64> foreignConnections() const;

private:
    struct Shared;
    struct Home;
    struct Homes;

    Link *home();
    std::unique_ptr<Lane> borrow(Use use);
    static void giveBack(Shared &shared, Use use, std::unique_ptr<Lane> lane);
    static Homes &homesOfThisThread();

    SessionTarget m_target;
    std::shared_ptr<Shared> m_shared;
};

} // namespace lockscope
