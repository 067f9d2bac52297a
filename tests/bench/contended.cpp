// SPDX-License-Identifier: MIT
// Grants per second of one resource that 1–64 contenders want all the time.
//
// Each contender is an engine of its own in a thread of its own, as in as many processes; beside them as many threads
// of one engine. The raw loop is what the server can do at all: sessions that take a user-level lock, send the engine's
// two updates inside, and free it. It is neither fair nor safe; it bounds what a queue can reach. Fairness is counted
// apart, over equal time for all, and so are the gaps between one grant and the next: a wake-up that is lost shows in
// the longest of them, not in medians of blocks.
#include "benchmark.h"
#include "race.h"
#include "rawlease.h"

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 100;
constexpr int kGrantsPerBlock = 32;
constexpr double kFair = 0.99;
/// Of 2 to 32 contenders.
constexpr int kMaxWithTargets = 32;
constexpr double kOfRaw = 0.45;
constexpr double kStatements = 15;
constexpr double kLongestGap = 50; ///< medians
const QByteArray kResource = "bench:contended:engine";

Clock::duration length(const Context &context)
{
    return context.quick ? 1s : 5s;
}

double serverStatements(RawClient &client)
{
    const auto answer = client.run("SHOW GLOBAL STATUS LIKE 'Questions'");
    return answer.row.at(1).toDouble();
}

/// The raw contenders.
class RawQueue
{
public:
    RawQueue(const Context &context, std::size_t contenders, const QByteArray &owner)
    {
        for (std::size_t i = 0; i < contenders; ++i) {
            m_clients.push_back(std::make_unique<RawClient>(context.url));
            m_leases.push_back(
                std::make_unique<RawLease>(*m_clients.back(), "bench:contended:rawrow", owner, "bench:contended"));
        }
    }
    Clock::time_point turn(std::size_t contender)
    {
        m_leases[contender]->acquire();
        const auto granted = Clock::now();
        m_leases[contender]->release();
        return granted;
    }

private:
    std::vector<std::unique_ptr<RawClient>> m_clients;
    std::vector<std::unique_ptr<RawLease>> m_leases;
};

Clock::time_point turnOf(LockEngine &engine)
{
    auto result = expect(Outcome::Granted, engine.acquire(request(kResource, Forever)));
    const auto granted = Clock::now();
    expectReleased(std::move(result.handle));
    return granted;
}

void stop(std::vector<Worker> &workers)
{
    for (Worker &worker : workers)
        worker.stop();
}

std::optional<Target> targetOf(int contenders, Target target)
{
    return contenders > 1 && contenders <= kMaxWithTargets ? std::optional(target) : std::nullopt;
}

void addGaps(Report &report, const QString &key, const QString &who, const Values &gaps, std::optional<Target> target)
{
    const double longest = *std::max_element(gaps.begin(), gaps.end());
    report.add(key + u"GapMedianUs"_s, who + u": gap between grants, median"_s, median(gaps), u"us"_s);
    report.add(key + u"GapP999Us"_s, who + u": gap, 99.9th percentile"_s, quantile(gaps, 0.999), u"us"_s);
    report.add(key + u"GapLongestUs"_s, who + u": gap, longest"_s, longest, u"us"_s);
    report.add(key + u"GapRatio"_s, who + u": longest / median"_s, longest / median(gaps), {}, target);
}

/// Takes turns block by block, and has a race of each afterwards.
void measure(const Context &context, int contenders, Report &report)
{
    const auto size = static_cast<std::size_t>(contenders);
    std::vector<std::unique_ptr<LockEngine>> engines;
    for (int i = 0; i < contenders; ++i)
        engines.push_back(std::make_unique<LockEngine>(engineConfig(context, 4)));
    LockEngine shared(engineConfig(context));
    Owner owner = shared.owner();
    owner.thread = u"1"_s;
    std::vector<Worker> workers(size);
    std::vector<Worker> threads(size);
    RawQueue raw(context, size, owner.toJson());
    const GrantedTurn engineTurn = [&](std::size_t i) { return turnOf(*engines[i]); };
    const GrantedTurn rawTurn = [&](std::size_t i) { return raw.turn(i); };
    const GrantedTurn threadTurn = [&](std::size_t) { return turnOf(shared); };
    const int count = std::max(1, kGrantsPerBlock / contenders);
    const auto times = interleave(context, context.blocks(kBlocks),
                                  {[&] { return timePerTurn(workers, count, engineTurn); },
                                   [&] { return timePerTurn(workers, count, rawTurn); },
                                   [&] { return timePerTurn(threads, count, threadTurn); }});
    RawClient control(context.url);
    const double before = serverStatements(control);
    const Race ofEngines = race(workers, length(context), engineTurn);
    const double statements = serverStatements(control) - before;
    // The turns before and after the counted time have sent statements as well.
    const double turns = std::accumulate(ofEngines.grants.begin(), ofEngines.grants.end(), 2.0 * contenders);
    const Race ofRaw = race(workers, length(context), rawTurn);
    const Race ofThreads = race(threads, length(context), threadTurn);
    stop(workers);
    stop(threads);

    const QString n = QString::number(contenders);
    const QString engine = u"%1 engines"_s.arg(n);
    const QString thread = u"%1 threads of one engine"_s.arg(n);
    report.add(u"ratio"_s + n, u"%1 contenders: raw / engine"_s.arg(n), medianInterval(ratios(times[1], times[0])), {},
               targetOf(contenders, atLeast(kOfRaw)));
    report.add(u"threadsRatio"_s + n, u"%1 contenders: engines / threads of one engine"_s.arg(n),
               medianInterval(ratios(times[0], times[2])), {}, targetOf(contenders, atLeast(1)));
    report.add(u"grantsPerSecond"_s + n, engine, 1e6 / median(times[0]), u"grants/s"_s);
    report.add(u"rawGrantsPerSecond"_s + n, u"%1 raw sessions"_s.arg(n), 1e6 / median(times[1]), u"grants/s"_s);
    report.add(u"threadsGrantsPerSecond"_s + n, thread, 1e6 / median(times[2]), u"grants/s"_s);
    report.add(u"statementsPerGrant"_s + n, engine + u": the server's Questions per grant"_s, statements / turns, {},
               targetOf(contenders, atMost(kStatements)));
    report.add(u"jain"_s + n, engine + u": Jain's fairness"_s, jain(ofEngines.grants), {},
               contenders == 32 ? std::optional(atLeast(kFair)) : std::nullopt);
    report.add(u"threadsJain"_s + n, thread + u": Jain's fairness"_s, jain(ofThreads.grants), {});
    addGaps(report, u"engines"_s + n, engine, ofEngines.gaps, targetOf(contenders, atMost(kLongestGap)));
    addGaps(report, u"raw"_s + n, u"%1 raw sessions"_s.arg(n), ofRaw.gaps, {});
    addGaps(report, u"threads"_s + n, thread, ofThreads.gaps, targetOf(contenders, atMost(kLongestGap)));
}

} // namespace

Report contendedBenchmark(const Context &context)
{
    Report report;
    for (const int contenders : context.contenders)
        measure(context, contenders, report);
    report.note(u"blocks"_s, context.blocks(kBlocks));
    return report;
}

} // namespace lockscope::bench
