// SPDX-License-Identifier: MIT
// What the number of rows in lock_lease does to a pair. Measured as the table grows; the raw loop beside each size
// tells growth from a change of the machine's mood.
#include "benchmark.h"
#include "rawlease.h"

#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 100;
constexpr int kPerBlock = 20;
constexpr int kRowsPerInsert = 1000;

/// Free rows, as names used once leave them, up to `wanted` of them.
void growTo(RawClient &client, const QByteArray &owner, int wanted)
{
    int rows = client.value("SELECT COUNT(*) FROM lock_lease WHERE resource LIKE 'bench:growth:row%'").toInt();
    while (rows < wanted) {
        QByteArray sql = "INSERT INTO lock_lease (resource, token, acquired_at, owner) VALUES ";
        for (const int end = std::min(wanted, rows + kRowsPerInsert); rows < end; ++rows) {
            // Names in no order, as those of real resources
            const QByteArray name = "bench:growth:row" + QByteArray::number(quint32(rows) * 2654435761U, 16);
            sql += "('" + name + "', 1, UTC_TIMESTAMP(6), x'" + owner.toHex() + "'),";
        }
        sql.chop(1);
        client.run(sql);
    }
    std::this_thread::sleep_for(2s); // the server purges and flushes behind so many inserts
}

} // namespace

Report growthBenchmark(const Context &context)
{
    LockEngine engine(engineConfig(context));
    const LockRequest asked = request("bench:growth:engine");
    RawClient client(context.url);
    Owner owner = engine.owner();
    owner.thread = u"1"_s;
    RawLease raw(client, "bench:growth:rawpair", owner.toJson());
    const auto engineBlock = [&] {
        return timePerCall(kPerBlock, [&] { expectReleased(expect(Outcome::Granted, engine.acquire(asked)).handle); });
    };
    const auto rawBlock = [&] {
        return timePerCall(kPerBlock, [&] {
            raw.acquire();
            raw.release();
        });
    };
    Report report;
    for (const int rows : {10, 1'000, 100'000}) {
        growTo(client, owner.toJson(), rows);
        const auto times = interleave(context, context.blocks(kBlocks), {engineBlock, rawBlock});
        const QString n = QString::number(rows);
        report.add(u"ratio"_s + n, u"%1 rows: raw / engine"_s.arg(n), medianInterval(ratios(times[1], times[0])), {});
        report.add(u"engineUs"_s + n, u"%1 rows: engine's pair"_s.arg(n), medianInterval(times[0]), u"us"_s);
        report.add(u"rawUs"_s + n, u"%1 rows: raw pair"_s.arg(n), medianInterval(times[1]), u"us"_s);
    }
    report.note(u"blocks"_s, context.blocks(kBlocks));
    return report;
}

} // namespace lockscope::bench
