// How a lease of unique mode ends: freed, kept for its minimum time, or handed to the next waiter.
#include "enginecore_p.h"

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

bool isUnreachable(const LockError &error)
{
    return error.kind == Kind::ConnectionLost || error.kind == Kind::Unavailable;
}

class UniqueRelease
{
public:
    UniqueRelease(EngineCore &core, Hold &hold)
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
    Step handToHeir();
    Step transfer();
    Step letGo();
    void ring();
    Step afterError(const LockError &error);
    bool isLate() const { return LeaseClock::now() >= m_giveUpAt; }
    Reply ask();
    bool isKept(const Reply &asked) const;
    template<typename Function>
    Step repeat(Function step);

    EngineCore &m_core;
    Hold &m_hold;
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
        .lockName("presence", m_hold.presence);
}

UniqueRelease::Step UniqueRelease::keepForMinimum()
{
    if (m_hold.holdAtLeast <= Duration::zero())
        return Step::Next;
    Reply reply;
    const auto values = params().microseconds("hold", m_hold.holdAtLeast);
    m_core.runQuick([&](Link &link) { reply = link.run("engine/keep", values); });
    if (!reply)
        return afterError(*reply.error);
    if (reply.set(0).affected == 1)
        return letGo();
    if (!m_mayBeDone)
        return Step::Next;
    const Reply asked = ask(); // the first one, whose answer was lost, may have come late
    if (!asked)
        return afterError(*asked.error);
    return isKept(asked) ? letGo() : Step::Next;
}

/// The lease has ended: who waits on the presence, or on the bell, looks.
UniqueRelease::Step UniqueRelease::letGo()
{
    m_core.keeper.drop(m_hold.presence);
    ring();
    return Step::Done;
}

UniqueRelease::Step UniqueRelease::freeUncontended()
{
    if (m_hold.contended)
        return Step::Next;
    Reply reply;
    SessionPool::Statement free{"engine/release", params()};
    m_core.runQuick([&](Link &link) { reply = link.run(free.name, free.params); }, &free);
    if (free.reply)
        reply = std::move(*free.reply);
    if (!reply)
        return afterError(*reply.error);
    if (reply.set(0).affected != 1)
        return Step::Next;
    m_core.keeper.giveBack(m_hold.presence, m_hold.bell);
    return Step::Done;
}

/// Over the connection that holds what the heir waits on. That is this thread's own if it acquired, as long as that has
/// not been replaced; else the keeper's.
UniqueRelease::Step UniqueRelease::handToHeir()
{
    Reply reply;
    const bool here = m_core.pool.runOnOwn(m_hold.bell, [&](Link &link) {
        reply = link.run("engine/release_to_heir", params().lockName("awaited", bellOf(m_hold.presence)));
    });
    if (!here)
        reply = m_core.keeper.run("engine/release_to_heir", params().lockName("awaited", m_hold.presence));
    if (!reply)
        return afterError(*reply.error);
    if (reply.set(0).affected != 1)
        return Step::Next;
    if (here) {
        m_core.keeper.dropLater(m_hold.presence);
        return Step::Done;
    }
    m_core.keeper.forget(m_hold.presence);
    ring();
    return Step::Done;
}

/// Lets go of the bell, so that an heir who waits on it looks. Another thread's bell falls with its connection, which
/// holds nothing else and opens again.
void UniqueRelease::ring()
{
    if (m_hold.bell == 0)
        return;
    const QByteArray bell = bellOf(m_hold.presence);
    const auto letGo = [&](Link &link) { link.run("engine/unwait", Params().lockName("name", bell)); };
    if (!m_core.pool.runOnOwn(m_hold.bell, letGo))
        m_core.service.post([bell](Link &link) { link.killHolder(bell); });
}

UniqueRelease::Step UniqueRelease::transfer()
{
    Reply reply;
    m_core.runQuick([&](Link &link) {
        const QByteArray packet = link.render("engine/transfer", params()) + "; " + link.render("engine/commit", {});
        reply = link.run(packet, "engine/transfer");
        if (!reply && !reply.error->connectionGone)
            link.run("ROLLBACK", "engine/transfer");
    });
    if (!reply)
        return afterError(*reply.error);
    const QVariantList answer = reply.set(-2).rows.value(0);
    if (answer.value(1).toBool())
        return Step::Again; // the chosen waiter left meanwhile
    m_core.keeper.drop(m_hold.presence);
    ring();
    return answer.value(0).toBool() || m_mayBeDone ? Step::Done : Step::NotOurs;
}

Reply UniqueRelease::ask()
{
    Reply reply;
    m_core.runQuick([&](Link &link) { reply = link.run("engine/ask", params()); });
    return reply;
}

bool UniqueRelease::isKept(const Reply &asked) const
{
    const QVariantList row = asked.set(-1).rows.value(0);
    return row.value(0).toULongLong() == m_hold.token && row.value(4).toBool();
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
    const Reply asked = ask();
    if (!asked && isUnreachable(*asked.error) && !(isLate() && asked.error->kind == Kind::Unavailable)) {
        std::this_thread::sleep_for(kRetryPause);
        return Step::Again;
    }
    if (!asked)
        return Step::Failed;
    return asked.set(-1).rows.isEmpty() || isKept(asked) ? letGo() : Step::Again;
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
    m_hold.setLastError(std::nullopt);
    Step step = Step::Next;
    for (auto way : {&UniqueRelease::keepForMinimum, &UniqueRelease::freeUncontended, &UniqueRelease::handToHeir,
                     &UniqueRelease::transfer}) {
        step = repeat(way);
        if (step != Step::Next)
            break;
    }
    if (step == Step::Done)
        return ReleaseOutcome::Released;
    if (step == Step::NotOurs)
        return ReleaseOutcome::NotHeld;
    m_core.keeper.drop(m_hold.presence, m_hold.bell);
    const auto error = m_hold.lastError();
    return error && isUnreachable(*error) ? ReleaseOutcome::Unknown : ReleaseOutcome::Failed;
}

} // namespace

ReleaseOutcome releaseOnServer(EngineCore &core, Hold &hold)
{
    return UniqueRelease(core, hold).run();
}

} // namespace lockscope::detail
