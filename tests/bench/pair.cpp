// SPDX-License-Identifier: MIT
// Acquire and release of one resource that nobody else wants.
#include "benchmark.h"
#include "rawlease.h"

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 200;
constexpr int kPerBlock = 20;

/// The least that a lock without this engine costs: the same row goes in under a unique key, and out again by its id.
class RawInsert
{
public:
    RawInsert(RawClient &client, const QByteArray &owner)
        : m_client(client)
    {
        client.run("DROP TABLE IF EXISTS lock_bench_row; CREATE TABLE lock_bench_row LIKE lock_lease; "
                   "ALTER TABLE lock_bench_row DROP PRIMARY KEY, ADD UNIQUE KEY (resource, slot), "
                   "ADD COLUMN id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY FIRST");
        m_insert = renderSql("INSERT INTO lock_bench_row "
                             "(resource, slot, token, presence, acquired_at, expires_at, ttl_us, owner, note) "
                             "VALUES (:resource, 0, 1, :presence, UTC_TIMESTAMP(6), "
                             "UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND, :ttl, :owner, :note)",
                             Params()
                                 .bytes("resource", "bench:pair:insert")
                                 .lockName("presence", "ls:" + QByteArray(32, 'b') + ":0")
                                 .microseconds("ttl", std::chrono::seconds(30))
                                 .bytes("owner", owner)
                                 .bytes("note", {}));
    }
    ~RawInsert() { m_client.run("DROP TABLE IF EXISTS lock_bench_row"); }
    RawInsert(const RawInsert &) = delete;
    RawInsert &operator=(const RawInsert &) = delete;

    void pair()
    {
        const quint64 id = m_client.run(m_insert).insertId;
        m_client.run("DELETE FROM lock_bench_row WHERE id = " + QByteArray::number(id));
    }

private:
    RawClient &m_client;
    QByteArray m_insert;
};

} // namespace

Report pairBenchmark(const Context &context)
{
    LockEngine engine(engineConfig(context));
    const LockRequest asked = request("bench:pair:engine");
    RawClient client(context.url);
    Owner owner = engine.owner();
    owner.thread = u"1"_s;
    RawLease raw(client, "bench:pair:rawrow", owner.toJson());
    RawInsert insert(client, owner.toJson());
    RawClient driver(context.url, RawClient::Through::QtDriver);
    RawLease driven(driver, "bench:pair:driven", owner.toJson());

    const auto engineBlock = [&] {
        return timePerCall(kPerBlock, [&] {
            auto result = expect(Outcome::Granted, engine.acquire(asked));
            expectReleased(std::move(result.handle));
        });
    };
    const auto blockOf = [](RawLease &lease) {
        return [&lease] {
            return timePerCall(kPerBlock, [&lease] {
                lease.acquire();
                lease.release();
            });
        };
    };
    const auto insertBlock = [&] { return timePerCall(kPerBlock, [&] { insert.pair(); }); };
    const auto times =
        interleave(context, context.blocks(kBlocks), {engineBlock, blockOf(raw), insertBlock, blockOf(driven)});

    Report report;
    addPair(report, u"pair"_s, times[0], times[1], times[3]);
    report.add(u"insertRatio"_s, u"pair: engine / raw INSERT + DELETE by id"_s,
               medianInterval(ratios(times[0], times[2])), {}, atMost(1.15));
    report.add(u"insertUs"_s, u"raw INSERT + DELETE"_s, median(times[2]), u"us"_s);
    return report;
}

} // namespace lockscope::bench
