// Pairs per second on resources of their own: threads of one engine beside as many raw sessions. A block ends when the
// last thread is through.
#include "benchmark.h"
#include "rawlease.h"
#include "worker.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 100;
constexpr int kPairsPerBlock = 32;

void measure(const Context &context, int threads, Report &report)
{
    // Threads get connections of their own from half of the bound.
    LockEngine engine(engineConfig(context, std::max(32, 2 * threads + 2)));
    Owner owner = engine.owner();
    owner.thread = u"1"_s;
    std::vector<std::unique_ptr<RawClient>> clients;
    std::vector<std::unique_ptr<RawLease>> leases;
    for (int i = 0; i < threads; ++i) {
        clients.push_back(std::make_unique<RawClient>(context.url));
        leases.push_back(std::make_unique<RawLease>(*clients.back(), "bench:distinct:rawrow" + QByteArray::number(i),
                                                    owner.toJson()));
    }
    std::vector<Worker> workers(static_cast<std::size_t>(threads));
    const int count = std::max(1, kPairsPerBlock / threads);
    const Turn enginePair = [&](std::size_t i) {
        auto result = engine.acquire(request("bench:distinct:engine" + QByteArray::number(i)));
        expectReleased(std::move(expect(Outcome::Granted, std::move(result)).handle));
    };
    const Turn rawPair = [&](std::size_t i) {
        leases[i]->acquire();
        leases[i]->release();
    };
    const auto times = interleave(context.blocks(kBlocks),
                                  {[&] { return timePerTurn(workers, count, enginePair); },
                                   [&] { return timePerTurn(workers, count, rawPair); }});
    for (Worker &worker : workers)
        worker.stop();

    const QString n = QString::number(threads);
    report.add(u"ratio"_s + n, u"%1 threads: raw / engine"_s.arg(n), medianInterval(ratios(times[1], times[0])), {});
    report.add(u"pairsPerSecond"_s + n, u"%1 threads of one engine"_s.arg(n), 1e6 / median(times[0]), u"pairs/s"_s);
    report.add(u"rawPairsPerSecond"_s + n, u"%1 raw sessions"_s.arg(n), 1e6 / median(times[1]), u"pairs/s"_s);
}

} // namespace

Report distinctBenchmark(const Context &context)
{
    Report report;
    for (const int threads : {1, 2, 4, 8, 16, 32, 64})
        measure(context, threads, report);
    report.note(u"blocks"_s, context.blocks(kBlocks));
    return report;
}

} // namespace lockscope::bench
