// SPDX-License-Identifier: MIT
// Ways that textbooks show or warn of, as they are written there. Their faults are the point; none of this is the
// engine.
#include "labevent.h"
#include "labpolling.h"

#include <QtSql/QSqlDatabase>

#include <algorithm>
#include <thread>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr auto kPollEvery = 5ms;

class SqlLock : public LabLock
{
public:
    explicit SqlLock(const LabShared &shared)
        : m_shared(shared)
        , m_session(shared.target)
    {
    }

    bool work(const Job &job) override
    {
        m_session.work(job);
        return true;
    }

protected:
    const LabPlan &plan() const { return m_shared.plan; }
    Reply run(const QByteArray &name, const Params &params) { return m_session.run(name, params); }
    LabSession &session() { return m_session; }

private:
    const LabShared &m_shared;
    LabSession m_session;
};

/// Nobody is kept out.
class NoLock : public SqlLock
{
public:
    using SqlLock::SqlLock;
    Entry enter(const QByteArray &, Duration, const std::stop_token &) override { return {Outcome::Granted}; }
    bool leave() override { return true; }
};

/// A row is the lock, and whoever does not get it asks again and again.
class PollingLock : public SqlLock
{
public:
    using SqlLock::SqlLock;

    Entry enter(const QByteArray &resource, Duration wait, const std::stop_token &stop) override
    {
        m_resource = resource;
        Entry entry = pollForLock(
            wait, stop, [this](bool *isOurs) { return tryOnce(isOurs); },
            [] { std::this_thread::sleep_for(kPollEvery); });
        m_takenAt = LabEvent::now();
        if (entry.outcome == Outcome::Granted && plan().way == LabWay::AutoIncrement)
            entry.token = m_id;
        return entry;
    }

    qint64 heldUntil() const override
    {
        return plan().way == LabWay::ReleaseByName ? m_takenAt + plan().ttl.count() : 0;
    }

    bool leave() override
    {
        const auto params = Params().bytes("resource", m_resource).number("id", m_id);
        const char *how = plan().way == LabWay::ReleaseByName ? "lab/delete_by_name"
            : plan().way == LabWay::CheckThenInsert           ? "lab/delete_note"
                                                              : "lab/delete_lock";
        return run(how, params).set(-1).affected > 0;
    }

private:
    std::optional<LockError> tryOnce(bool *isOurs)
    {
        const auto params = Params().bytes("resource", m_resource).microseconds("ttl", plan().ttl);
        if (plan().way == LabWay::CheckThenInsert) {
            const Reply look = run("lab/look_note", params);
            if (!look || look.value().toInt() > 0)
                return look.error;
        }
        const Reply reply = run(plan().way == LabWay::CheckThenInsert     ? "lab/insert_note"
                                    : plan().way == LabWay::ReleaseByName ? "lab/insert_ttl"
                                                                          : "lab/insert_lock",
                                params);
        *isOurs = reply && reply.set(-1).affected == 1;
        m_id = reply.set(-1).insertId;
        if (reply.error && reply.error->kind == LockError::Kind::Contention) // deadlock among inserts: try again
            return std::nullopt;
        return reply.error;
    }

    QByteArray m_resource;
    quint64 m_id = 0;
    qint64 m_takenAt = 0;
};

/// The lock is what an open transaction has locked.
class TransactionLock : public SqlLock
{
public:
    using SqlLock::SqlLock;

    Entry enter(const QByteArray &resource, Duration wait, const std::stop_token &stop) override
    {
        m_resource = resource;
        const auto end = std::chrono::steady_clock::now() + wait;
        for (;;) { // a second at a time, so that a run can be stopped
            const Reply reply = lockOnce(resource);
            if (reply) {
                m_connection = session().connection();
                m_provenAt = LabEvent::now();
                return {Outcome::Granted};
            }
            rollBack();
            if (reply.error->code == 1213)
                return {Outcome::Deadlock};
            if (reply.error->code != 1205)
                return {Outcome::Failed, 0, reply.error->message};
            if (stop.stop_requested())
                return {Outcome::Cancelled};
            if (std::chrono::steady_clock::now() >= end)
                return {wait == Duration::zero() ? Outcome::Busy : Outcome::TimedOut};
        }
    }

    bool work(const Job &job) override
    {
        const qint64 askedAt = LabEvent::now(); // the answer may be long on its way, and the session gone meanwhile
        SqlLock::work([&](const QSqlDatabase &database) { return isOurs() && job(database); });
        if (isOurs())
            m_provenAt = askedAt;
        return isOurs();
    }

    qint64 heldUntil() const override { return m_provenAt; }

    bool leave() override
    {
        if (!isOurs())
            return false;
        if (plan().way == LabWay::MissingRow)
            run("lab/delete_by_name", Params().bytes("resource", m_resource)); // gone again, for the next one to miss
        const Reply done = session().run("engine/commit", Params());
        if (!done)
            session().drop();
        return !done.error;
    }

private:
    Reply lockOnce(const QByteArray &resource)
    {
        const bool isRepeatable = plan().way != LabWay::DuplicateKey;
        const Reply begun =
            run(isRepeatable ? "lab/begin_repeatable" : "lab/begin", Params().number("seconds", qint64(1)));
        if (!begun)
            return begun;
        const auto params = Params().bytes("resource", resource);
        if (plan().way == LabWay::DuplicateKey)
            return run("lab/duplicate_key", params);
        if (plan().way == LabWay::NoIndex)
            return run("lab/no_index", params);
        const Reply looked = run("lab/missing_row", params);
        return looked ? run("lab/missing_insert", params) : looked;
    }

    void rollBack()
    {
        if (Session *open = session().get(); !open || !open->run("ROLLBACK", "lab/rollback"))
            session().drop();
    }

    /// False once another connection stands in its place: the transaction ended with the old one.
    bool isOurs() { return session().connection() == m_connection; }

    QByteArray m_resource;
    quint64 m_connection = 0;
    qint64 m_provenAt = 0;
};

} // namespace

std::unique_ptr<LabLock> makeSqlLock(const LabShared &shared)
{
    switch (shared.plan.way) {
    case LabWay::None:
        return std::make_unique<NoLock>(shared);
    case LabWay::InsertPoll:
    case LabWay::AutoIncrement:
    case LabWay::ReleaseByName:
    case LabWay::CheckThenInsert:
    case LabWay::Cleaner:
        return std::make_unique<PollingLock>(shared);
    case LabWay::DuplicateKey:
    case LabWay::MissingRow:
    case LabWay::NoIndex:
        return std::make_unique<TransactionLock>(shared);
    default:
        return nullptr;
    }
}

} // namespace lockscope
