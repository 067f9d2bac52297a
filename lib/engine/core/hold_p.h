#pragma once

#include "leaseclock_p.h"
#include "lockscope/lockerror.h"
#include "lockscope/lockrequest.h"
#include "session/forkguard.h"
#include "session/lane.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace lockscope::detail {

class EngineCore;
struct RowLock;

/// One held lease of this process. Shared by its handles (a re-entrant grant adds one), the engine's table of holds
/// and the watchdog.
/// Thread: any.
class Hold
{
public:
    enum class State { Held, Released, Lost };

    Hold(std::weak_ptr<EngineCore> engine, const LockRequest &request, QByteArray ownerJson);

    bool isHeld() const;
    Duration remaining() const;
    State state() const { return m_state.load(); }
    /// Held → `state`; true for the one caller that made the change.
    bool leaveHeld(State state);

    /// The holder's own deadline; time_point::max() = never.
    LeaseClock::time_point deadline() const;
    void setDeadline(LeaseClock::time_point deadline, Duration ttl);
    /// Not later than `deadline`: an unanswered renewal may have brought it forward.
    void endBy(LeaseClock::time_point deadline);
    Duration ttl() const;

    bool isPastMaxHold() const;
    /// Tells that `maxHold` is over, the first time that it is. The watchdog's.
    void tellMaxHold();
    /// When the watchdog has to look at the latest: at the deadline, or when maxHold is to be told; Forever = never.
    Duration untilNews() const;
    /// Why a hold whose deadline has passed is lost.
    LossReason reasonOfEnd() const;

    /// Plans the watchdog's next look, and returns the one before for cancelling. One look plans at a time: the new one
    /// may begin at once, and plan another.
    Lane::Timed exchangeWatch(const std::function<Lane::Timed()> &plan);

    /// Pessimistic mode: the connection that holds the row; null once it was given back.
    std::shared_ptr<RowLock> row() const;
    void setRow(std::shared_ptr<RowLock> row);

    std::optional<LockError> lastError() const;
    void setLastError(std::optional<LockError> error);

    /// What a child of fork() has is a copy: it holds nothing.
    const ForkGuard process;
    const std::weak_ptr<EngineCore> core;
    const Mode mode;
    const QByteArray resource;  ///< as it is stored
    const qsizetype prefixSize; ///< of its part that the engine put in front
    const QByteArray owner;     ///< as stored: JSON
    const QByteArray ownerKey;
    const std::function<void(LossReason)> onLost;
    const std::function<void()> onMaxHold;
    const std::function<void(const QString &)> onReleaseRequested;
    const Duration maxHold;
    const Duration holdAtLeast;
    const bool autoRenew;

    /// The name by which the row says that this hold has it. A lease that is cut short gets another one, for those who
    /// wait for the old one have read its old end; `former` is not empty until it is known which of them the row has.
    QByteArray presence() const;
    QByteArray former() const;
    void setPresence(QByteArray name, QByteArray formerName = {});

    // Set once by the grant, before anybody else sees the hold.
    quint64 token = 0;
    bool contended = false; ///< others may have waited when it was granted: its name is not used again
    LeaseClock::time_point grantedAt;

    int handles = 1; ///< guarded by the engine's table of holds

    /// Held from before a renewal is sent until its deadline is set, and by a release.
    std::mutex renewing;
    /// The connection that broke under the last renewal, which may still arrive; 0 = none. Guarded by `renewing`.
    quint64 brokenConnection = 0;

private:
    std::atomic<State> m_state = State::Held;
    std::atomic<bool> m_toldMaxHold = false;
    mutable std::mutex m_mutex; // protects the members below
    QByteArray m_presence;
    QByteArray m_former;
    LeaseClock::time_point m_deadline;
    Duration m_ttl;
    Lane::Timed m_watch;
    std::shared_ptr<RowLock> m_row;
    std::optional<LockError> m_lastError;
};

} // namespace lockscope::detail
