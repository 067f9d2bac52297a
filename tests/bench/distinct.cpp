// SPDX-License-Identifier: MIT
// Pairs per second on resources of their own: threads of one engine beside as many raw sessions. A block ends when the
// last thread is through. Last, more threads than connections: what is lost when they share.
#include "benchmark.h"
#include "rawlease.h"
#include "worker.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 100;
constexpr int kPairsPerBlock = 32;
/// Per thread that shares connections: waking so many threads for a pair each would be most of what is measured.
constexpr int kPairsPerSharer = 8;
constexpr int kSharingThreads = 64;
constexpr int kSharedConnections = 16;

/// Microseconds per pair of `threads` threads of `engine`, and of `sessions` raw ones, in blocks of `pairs`.
std::vector<Values> timesOf(const Context &context, LockEngine &engine, int threads, int sessions, int pairs)
{
    Owner owner = engine.owner();
    owner.thread = u"1"_s;
    std::vector<std::unique_ptr<RawClient>> clients;
    std::vector<std::unique_ptr<RawLease>> leases;
    for (int i = 0; i < sessions; ++i) {
        clients.push_back(std::make_unique<RawClient>(context.url));
        leases.push_back(std::make_unique<RawLease>(*clients.back(), "bench:distinct:rawrow" + QByteArray::number(i),
                                                    owner.toJson()));
    }
    std::vector<Worker> workers(static_cast<std::size_t>(threads));
    std::vector<Worker> rawWorkers(static_cast<std::size_t>(sessions));
    const Turn enginePair = [&](std::size_t i) {
        auto result = engine.acquire(request("bench:distinct:engine" + QByteArray::number(i)));
        expectReleased(std::move(expect(Outcome::Granted, std::move(result)).handle));
    };
    const Turn rawPair = [&](std::size_t i) {
        leases[i]->acquire();
        leases[i]->release();
    };
    return interleave(context, context.blocks(kBlocks),
                      {[&] { return timePerTurn(workers, pairs / threads, enginePair); },
                       [&] { return timePerTurn(rawWorkers, pairs / sessions, rawPair); }});
}

/// A thread has two connections to spare here: one of its own, from half of the bound, and a share of the rest.
void measure(const Context &context, int threads, Report &report)
{
    LockEngine engine(engineConfig(context, std::max(32, 2 * threads + 2)));
    const auto times = timesOf(context, engine, threads, threads, std::max(kPairsPerBlock, threads));
    const QString n = QString::number(threads);
    report.add(u"ratio"_s + n, u"%1 threads: raw / engine"_s.arg(n), medianInterval(ratios(times[1], times[0])), {});
    report.add(u"pairsPerSecond"_s + n, u"%1 threads of one engine"_s.arg(n), 1e6 / median(times[0]), u"pairs/s"_s);
    report.add(u"rawPairsPerSecond"_s + n, u"%1 raw sessions"_s.arg(n), 1e6 / median(times[1]), u"pairs/s"_s);
}

void measureShared(const Context &context, Report &report)
{
    LockEngine engine(engineConfig(context, kSharedConnections));
    const auto times = timesOf(context, engine, kSharingThreads, kSharedConnections, kSharingThreads * kPairsPerSharer);
    report.add(u"sharedRatio"_s,
               u"%1 threads on %2 connections: raw / engine"_s.arg(kSharingThreads).arg(kSharedConnections),
               medianInterval(ratios(times[1], times[0])), {}, atLeast(0.9));
    report.add(u"sharedPairsPerSecond"_s, u"these threads"_s, 1e6 / median(times[0]), u"pairs/s"_s);
    report.add(u"sharedRawPairsPerSecond"_s, u"%1 raw sessions"_s.arg(kSharedConnections), 1e6 / median(times[1]),
               u"pairs/s"_s);
}

} // namespace

Report distinctBenchmark(const Context &context)
{
    Report report;
    for (const int threads : {1, 2, 4, 8, 16, 32, 64})
        measure(context, threads, report);
    measureShared(context, report);
    report.note(u"blocks"_s, context.blocks(kBlocks));
    return report;
}

} // namespace lockscope::bench
