// SPDX-License-Identifier: MIT
// The engine's modes as a run uses them.
#include "labevent.h"
#include "labstores.h"

#include <QtSql/QSqlDatabase>

#include <atomic>
#include <thread>

namespace lockscope {

namespace {

constexpr int kStripes = 100;
constexpr auto kBargeEvery = std::chrono::milliseconds(5);

class EngineLock : public LabLock
{
public:
    explicit EngineLock(const LabShared &shared)
        : m_shared(shared)
        , m_session(shared.target)
    {
    }

    Entry enter(const QByteArray &resource, Duration wait, const std::stop_token &stop) override
    {
        LockRequest request;
        request.resource = resource;
        request.ttl = m_shared.plan.ttl;
        request.wait = wait;
        request.stop = stop;
        const LabWay way = m_shared.plan.way;
        if (traitsOf(way).isInTransaction)
            request.mode = Mode::Pessimistic;
        if (way == LabWay::Central)
            request.stripes = 1;
        else if (way == LabWay::Stripes)
            request.stripes = kStripes;
        m_lostAt = std::make_shared<std::atomic<qint64>>(0);
        request.onLost = [lostAt = m_lostAt](LossReason) { lostAt->store(LabEvent::now()); };
        AcquireResult result = m_shared.plan.isFair ? m_shared.engine->acquire(request) : barge(request);
        m_handle = std::move(result.handle);
        m_heldUntil = 0;
        // As the engine counts it, not when this thread woke up for it: the session may have been killed in between.
        m_provenAt = LabEvent::now() + (m_handle.remaining() - m_shared.plan.ttl).count();
        return {result.outcome, m_handle.token(), result.error ? result.error->message : QString()};
    }

    qint64 heldUntil() const override
    {
        if (traitsOf(m_shared.plan.way).isInTransaction)
            return m_provenAt;
        if (const qint64 lostAt = m_lostAt ? m_lostAt->load() : 0)
            return m_heldUntil > 0 ? std::min(m_heldUntil, lostAt) : lostAt;
        const qint64 now = LabEvent::now(); // first: this process may be frozen at any of these lines
        if (const Duration left = m_handle.remaining(); left > Duration::zero())
            m_heldUntil = now + left.count();
        return m_heldUntil;
    }

    bool work(const Job &job) override
    {
        if (!traitsOf(m_shared.plan.way).isInTransaction) {
            m_session.work(job);
            return true;
        }
        const qint64 askedAt = LabEvent::now(); // the answer may be long on its way, and the session gone meanwhile
        const bool isHeld = !m_handle.inTransaction([&](QSqlDatabase &database) { job(database); });
        if (isHeld)
            m_provenAt = askedAt;
        return isHeld;
    }

    bool leave() override { return m_handle.release() == ReleaseOutcome::Released; }

private:
    /// Without a place in the queue: tries, and tries again.
    AcquireResult barge(LockRequest request)
    {
        const auto end = std::chrono::steady_clock::now() + request.wait;
        const bool mayWait = request.wait > Duration::zero();
        for (request.wait = Duration::zero();;) {
            AcquireResult result = m_shared.engine->acquire(request);
            if (result.outcome != Outcome::Busy || !mayWait)
                return result;
            if (request.stop.stop_requested())
                result.outcome = Outcome::Cancelled;
            else if (std::chrono::steady_clock::now() >= end)
                result.outcome = Outcome::TimedOut;
            else {
                std::this_thread::sleep_for(kBargeEvery);
                continue;
            }
            return result;
        }
    }

    const LabShared &m_shared;
    LabSession m_session; ///< for the job, where it is not the lock's own transaction
    LockHandle m_handle;
    std::shared_ptr<std::atomic<qint64>> m_lostAt;
    qint64 m_provenAt = 0;          ///< in a transaction: its session was there, by what it answered
    mutable qint64 m_heldUntil = 0; ///< as it was when it was last held
};

} // namespace

std::unique_ptr<LabLock> makeLabLock(const LabShared &shared)
{
    const LabWayTraits &traits = traitsOf(shared.plan.way);
    if (traits.isCompareAndSwap)
        return nullptr;
    if (traits.isEngine)
        return std::make_unique<EngineLock>(shared);
    const LabStoreKit *kit = labStoreKit(traits.store);
    return kit ? kit->makeLock(shared) : makeSqlLock(shared);
}

} // namespace lockscope
