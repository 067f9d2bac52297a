// SPDX-License-Identifier: MIT
// How a lease of unique mode ends: freed, kept for its minimum time, or handed to the next waiter.
#include "leasehold_p.h"
#include "leaseview_p.h"
#include "session/validation_p.h"

#include <algorithm>
#include <thread>

namespace lockscope::detail {

namespace {

using Kind = LockError::Kind;

/// A release that cannot reach the server for this long gives up; the TTL ends the lease.
constexpr auto kGiveUpAfter = std::chrono::seconds(10);
/// Between two attempts to reach it.
constexpr auto kRetryPause = std::chrono::milliseconds(100);
/// Attempts more when the time is over as the engine ends: the connections of this thread and of the keeper may both
/// have been closed while they were idle.
constexpr int kLastAttempts = 2;
/// Dead requests at the front of a queue that one packet removes.
constexpr int kDropsDead = 8;

class UniqueRelease
{
public:
    UniqueRelease(EngineCore &core, LeaseHold &hold)
        : m_core(core)
        , m_hold(hold)
    {
    }

    ReleaseOutcome run();

private:
    enum class Step { Done, NotOurs, Next, Again, Failed };

    Params params() const;
    Step keepForMinimum();
    Step freeUncontended();
    Step handOver();
    Step dropDead();
    Step afterLock(const LockError &error);
    Step letGo();
    Step afterError(const LockError &error);
    bool isLate() const { return LeaseClock::now() >= m_giveUpAt; }
    std::optional<LeaseView> ask(LockError *error);
    bool isOurs(const LeaseView &view) const;
    template<typename Function>
    Step repeat(Function step);

    EngineCore &m_core;
    LeaseHold &m_hold;
    bool m_mayBeDone = false; ///< an answer was lost; the server may still be at it
    int m_lastAttempts = 0;   ///< left of this step when its time is over
    /// An engine that ends does not wait for a server that is away.
    const LeaseClock::time_point m_giveUpAt =
        std::min(LeaseClock::now() + (m_core.isClosing() ? Duration::zero() : kGiveUpAfter), m_hold.deadline());
};

Params UniqueRelease::params() const
{
    return Params()
        .bytes("resource", m_hold.resource)
        .number("slot", qint64(0))
        .number("token", m_hold.token)
        .lockName("presence", m_hold.presence())
        .lockName("former", m_hold.former());
}

UniqueRelease::Step UniqueRelease::keepForMinimum()
{
    // Past its end it is not held any more: kept now, it would be taken anew.
    if (m_hold.holdAtLeast <= Duration::zero() || LeaseClock::now() >= m_hold.deadline())
        return Step::Next;
    Reply reply;
    const auto values = params().microseconds("hold", m_hold.holdAtLeast);
    m_core.mysql().runQuick([&](ReconnectingSession &link) { reply = link.run("engine/keep", values); });
    if (!reply)
        return afterError(*reply.error);
    if (reply.set(0).affected == 1)
        return letGo();
    if (!m_mayBeDone)
        return Step::Next;
    LockError unasked;
    const auto view = ask(&unasked); // the first one, whose answer was lost, may have come late
    if (!view)
        return afterError(unasked);
    return isOurs(*view) && view->kept ? letGo() : Step::Next;
}

/// The lease has ended: whoever waits for it looks.
UniqueRelease::Step UniqueRelease::letGo()
{
    m_core.mysql().keeper.drop(m_hold.presence());
    return Step::Done;
}

UniqueRelease::Step UniqueRelease::freeUncontended()
{
    if (m_hold.contended)
        return Step::Next;
    Reply reply;
    SessionPool::Statement free{"engine/release", params()};
    m_core.mysql().runQuick([&](ReconnectingSession &link) { reply = link.runPrepared(free.name, free.params); },
                            &free);
    if (free.reply)
        reply = std::move(*free.reply);
    if (reply.error && reply.error->kind == Kind::Unavailable)
        return Step::Next; // no connection to be had for this thread; the keeper has one
    if (!reply)
        return afterError(*reply.error);
    if (reply.set(0).affected != 1)
        return Step::Next;
    m_core.mysql().keeper.giveBack(m_hold.presence());
    return Step::Done;
}

/// To the first in the queue; nobody: the row is free.
UniqueRelease::Step UniqueRelease::handOver()
{
    const Reply reply =
        m_core.mysql().keeper.freeAfter("engine/hand_over", params().number("kept", qint64(0)), m_hold.presence());
    if (!reply)
        return afterLock(*reply.error);
    return reply.set(0).affected == 1 ? Step::Done : dropDead();
}

/// Behind a row that a stranger keeps locked the keeper waits for a second at most: others release over it as well.
UniqueRelease::Step UniqueRelease::afterLock(const LockError &error)
{
    const Step step = afterError(error);
    bool isLocked = step == Step::Again && error.kind == Kind::Contention;
    while (isLocked && !isLate()) {
        Reply reply;
        m_core.mysql().runQuick([&](ReconnectingSession &link) { reply = link.run("engine/row_is_free", params()); });
        isLocked = reply.error && reply.error->kind == Kind::Contention;
    }
    return step;
}

/// The first in the queue is dead, or the lease is not ours any more.
UniqueRelease::Step UniqueRelease::dropDead()
{
    Reply reply;
    m_core.mysql().keeper.thread().run([&](ReconnectingSession &link) {
        QByteArray packet;
        for (int i = 0; i < kDropsDead; ++i)
            packet += link.render("engine/drop_dead", params()) + "; ";
        reply = link.run(packet + link.render("engine/look", params()), "engine/drop_dead");
    });
    if (!reply)
        return afterError(*reply.error);
    const LeaseView view = LeaseView::from(reply);
    if (isOurs(view) && !view.kept) {
        if (view.presence != m_hold.presence())
            m_hold.setPresence(m_hold.former(), m_hold.presence());
        return Step::Again;
    }
    m_core.mysql().keeper.drop(m_hold.presence());
    return m_mayBeDone ? Step::Done : Step::NotOurs;
}

std::optional<LeaseView> UniqueRelease::ask(LockError *error)
{
    Reply reply;
    m_core.mysql().keeper.thread().run([&](ReconnectingSession &link) { reply = link.run("engine/look", params()); });
    if (!reply) {
        *error = *reply.error;
        return std::nullopt;
    }
    return LeaseView::from(reply);
}

bool UniqueRelease::isOurs(const LeaseView &view) const
{
    const QByteArray former = m_hold.former(); // a renewal that renamed it may not have arrived
    return view.exists && view.token == m_hold.token
        && (view.presence == m_hold.presence() || (!former.isEmpty() && view.presence == former));
}

/// What an error means for a release. A broken connection leaves open whether the packet was carried out; the
/// presence in the row tells, because no other lease ever has it.
UniqueRelease::Step UniqueRelease::afterError(const LockError &error)
{
    m_hold.setLastError(error);
    if (isLate() && (m_lastAttempts == 0 || error.kind == Kind::Unavailable))
        return Step::Failed;
    if (error.kind == Kind::Contention || error.kind == Kind::Interrupted)
        return Step::Again;
    if (!isUnreachable(error))
        return Step::Failed;
    m_mayBeDone = m_mayBeDone || error.kind == Kind::ConnectionLost;
    LockError unasked;
    const auto view = ask(&unasked);
    if (!view && isUnreachable(unasked) && !(isLate() && unasked.kind == Kind::Unavailable)) {
        std::this_thread::sleep_for(kRetryPause);
        return Step::Again;
    }
    if (!view)
        return Step::Failed;
    return !isOurs(*view) || view->kept ? letGo() : Step::Again;
}

template<typename Function>
UniqueRelease::Step UniqueRelease::repeat(Function step)
{
    m_lastAttempts = m_core.isClosing() ? kLastAttempts : 0;
    for (;;) {
        const Step result = (this->*step)();
        if (result != Step::Again)
            return result;
        if (isLate() && m_lastAttempts-- == 0)
            return Step::Failed;
    }
}

ReleaseOutcome UniqueRelease::run()
{
    const std::lock_guard renewing(m_hold.renewing); // a renewal that is under way may rename it
    m_hold.setLastError(std::nullopt);
    Step step = Step::Next;
    for (auto way : {&UniqueRelease::keepForMinimum, &UniqueRelease::freeUncontended, &UniqueRelease::handOver}) {
        step = repeat(way);
        if (step != Step::Next)
            break;
    }
    m_core.mysql().keeper.drop(m_hold.former());
    if (step == Step::Done)
        return ReleaseOutcome::Released;
    if (step == Step::NotOurs)
        return ReleaseOutcome::NotHeld;
    m_core.mysql().keeper.drop(m_hold.presence());
    const auto error = m_hold.lastError();
    return error && isUnreachable(*error) ? ReleaseOutcome::Unknown : ReleaseOutcome::Failed;
}

} // namespace

ReleaseOutcome LeaseHold::release(EngineCore &core, bool /*keepsWork*/)
{
    return UniqueRelease(core, *this).run();
}

} // namespace lockscope::detail
