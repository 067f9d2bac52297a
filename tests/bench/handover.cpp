// From the release of a holder to the return of the acquire that waits first in the queue.
//
// Two engines play ping-pong, each in a thread of its own: whoever was handed the lease by waiting is the next to
// release it. The raw loop is two sessions: one updates the row and frees a user-level lock in one packet, the other
// blocks in GET_LOCK and then reads the row. A hand-over begins only when the server says that the waiter blocks.
#include "benchmark.h"
#include "worker.h"

#include <array>
#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 200;
constexpr int kPerBlock = 7;

/// Two threads that hand something to each other.
class Players
{
public:
    explicit Players(const Context &context)
        : m_control(context.url)
    {
    }
    virtual ~Players() = default;
    Players(const Players &) = delete;
    Players &operator=(const Players &) = delete;

    /// The median of a block of hand-overs, in microseconds.
    double block()
    {
        Values times;
        for (int i = 0; i < kPerBlock; ++i)
            times.push_back(handOver());
        m_all.insert(m_all.end(), times.begin(), times.end());
        return median(times);
    }

    /// Of every hand-over.
    const Values &all() const { return m_all; }

protected:
    virtual void take(std::size_t player) = 0;
    virtual void give(std::size_t player) = 0;
    /// Gives a row when this player blocks on the server.
    virtual QByteArray isBlockedSql(std::size_t player) const = 0;

    RawClient &control() { return m_control; }
    std::size_t holder() const { return m_holder; }
    Worker &thread(std::size_t player) { return m_threads[player]; }

private:
    double handOver()
    {
        const std::size_t from = m_holder;
        const std::size_t to = 1 - from;
        auto taken = thread(to).post([this, to] {
            take(to);
            return Clock::now();
        });
        waitForRow(m_control, isBlockedSql(to));
        std::this_thread::sleep_for(500us); // the server has answered us and is at rest
        auto given = thread(from).post([this, from] {
            const auto start = Clock::now();
            give(from);
            return start;
        });
        m_holder = to;
        const auto start = given.get();
        return microseconds(taken.get() - start);
    }

    RawClient m_control;
    std::size_t m_holder = 0;
    Values m_all;
    std::array<Worker, 2> m_threads;
};

class EnginePlayers : public Players
{
public:
    explicit EnginePlayers(const Context &context)
        : Players(context)
        , m_engines{LockEngine(engineConfig(context)), LockEngine(engineConfig(context))}
    {
        thread(0).post([this] { take(0); }).get();
    }
    ~EnginePlayers() override
    {
        thread(holder()).post([this] { expectReleased(std::move(m_handles[holder()])); }).get();
        thread(0).stop();
        thread(1).stop();
    }

    Owner owner() const { return m_engines[0].owner(); }

protected:
    void take(std::size_t player) override
    {
        auto result = m_engines[player].acquire(request("bench:handover:engine", Forever));
        m_handles[player] = expect(Outcome::Granted, std::move(result)).handle;
    }
    void give(std::size_t player) override { expectReleased(std::move(m_handles[player])); }
    QByteArray isBlockedSql(std::size_t) const override { return heirBlocksSql("bench:handover:engine"); }

private:
    std::array<LockEngine, 2> m_engines;
    std::array<LockHandle, 2> m_handles;
};

class RawPlayers : public Players
{
public:
    RawPlayers(const Context &context, const QByteArray &owner)
        : Players(context)
        , m_clients{RawClient(context.url), RawClient(context.url)}
    {
        control().run("INSERT IGNORE INTO lock_lease (resource, waited) VALUES ('bench:handover:rawrow', 1)");
        const auto params = Params()
                                .bytes("resource", "bench:handover:rawrow")
                                .lockName("lock", kLock)
                                .microseconds("ttl", 30s)
                                .bytes("owner", owner);
        m_give = renderSql("UPDATE lock_lease SET presence = :lock, token = token + 1, kept = 0, "
                           "acquired_at = UTC_TIMESTAMP(6), expires_at = UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND, "
                           "released_at = NULL, ttl_us = :ttl, owner = :owner, note = '' "
                           "WHERE resource = :resource AND slot = 0; DO RELEASE_LOCK(:lock)",
                           params);
        m_take = renderSql("SELECT GET_LOCK(:lock, 1000000); "
                           "SELECT presence, token, expires_at FROM lock_lease WHERE resource = :resource AND slot = 0",
                           params);
        RawPlayers::take(0);
    }
    ~RawPlayers() override
    {
        thread(0).stop();
        thread(1).stop();
    }

protected:
    void take(std::size_t player) override
    {
        if (m_clients[player].run(m_take).row.size() != 3)
            qFatal("The raw loop did not find its row");
    }
    void give(std::size_t player) override { m_clients[player].run(m_give); }
    QByteArray isBlockedSql(std::size_t player) const override
    {
        return "SELECT 1 FROM information_schema.processlist WHERE state = 'User lock' AND id = "
            + QByteArray::number(m_clients[player].connectionId());
    }

private:
    static constexpr auto kLock = "ls:bench:handover";

    std::array<RawClient, 2> m_clients;
    QByteArray m_give;
    QByteArray m_take;
};

} // namespace

Report handoverBenchmark(const Context &context)
{
    EnginePlayers engines(context);
    Owner owner = engines.owner();
    owner.thread = u"1"_s;
    RawPlayers raw(context, owner.toJson());
    const int blocks = context.blocks(kBlocks);
    const auto times = interleave(blocks, {[&] { return engines.block(); }, [&] { return raw.block(); }});

    Report report;
    report.add(u"ratio"_s, u"hand-over: engine / raw two-session loop"_s, medianInterval(ratios(times[0], times[1])),
               {}, atMost(1.3));
    report.add(u"engineUs"_s, u"engine's hand-over, median"_s, median(engines.all()), u"us"_s);
    report.add(u"rawUs"_s, u"raw hand-over, median"_s, median(raw.all()), u"us"_s);
    report.add(u"engineP95Us"_s, u"engine's hand-over, 95th percentile"_s, quantile(engines.all(), 0.95), u"us"_s);
    report.add(u"rawP95Us"_s, u"raw hand-over, 95th percentile"_s, quantile(raw.all(), 0.95), u"us"_s);
    report.note(u"blocks"_s, blocks);
    return report;
}

} // namespace lockscope::bench
