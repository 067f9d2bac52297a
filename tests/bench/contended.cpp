// Grants per second of one resource that 1–64 contenders want all the time.
//
// Each contender is an engine of its own in a thread of its own, as in as many processes; a second run has as many
// threads of one engine. The raw loop is what the server can do at all: sessions that take a user-level lock, send the
// engine's two updates inside, and free it. It is neither fair nor safe; it bounds what a queue can reach.
// Fairness is counted apart, over equal time for all.
#include "benchmark.h"
#include "rawlease.h"
#include "worker.h"

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 100;
constexpr int kGrantsPerBlock = 32;
constexpr double kFair = 0.99;
const QByteArray kResource = "bench:contended:engine";

/// Grants of each contender in the same stretch of time. It begins when all have had a turn.
Values grantsInTime(std::vector<Worker> &workers, std::chrono::milliseconds howLong, const Turn &turn)
{
    timePerTurn(workers, 1, turn);
    std::vector<std::future<double>> counts;
    const auto end = Clock::now() + howLong;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        counts.push_back(workers[i].post([&turn, i, end] {
            double grants = 0;
            for (;;) {
                turn(i);
                if (Clock::now() > end)
                    return grants;
                ++grants;
            }
        }));
    }
    Values result;
    for (auto &count : counts)
        result.push_back(count.get());
    return result;
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
    void turn(std::size_t contender)
    {
        m_leases[contender]->acquire();
        m_leases[contender]->release();
    }

private:
    std::vector<std::unique_ptr<RawClient>> m_clients;
    std::vector<std::unique_ptr<RawLease>> m_leases;
};

void turnOf(LockEngine &engine)
{
    auto result = expect(Outcome::Granted, engine.acquire(request(kResource, Forever)));
    expectReleased(std::move(result.handle));
}

void stop(std::vector<Worker> &workers)
{
    for (Worker &worker : workers)
        worker.stop();
}

void measureEngines(const Context &context, int contenders, Report &report)
{
    std::vector<std::unique_ptr<LockEngine>> engines;
    engines.reserve(static_cast<std::size_t>(contenders));
    for (int i = 0; i < contenders; ++i)
        engines.push_back(std::make_unique<LockEngine>(engineConfig(context, 4)));
    Owner owner = engines.front()->owner();
    owner.thread = u"1"_s;
    std::vector<Worker> workers(static_cast<std::size_t>(contenders));
    RawQueue raw(context, workers.size(), owner.toJson());
    const Turn engineTurn = [&](std::size_t i) { turnOf(*engines[i]); };
    const Turn rawTurn = [&](std::size_t i) { raw.turn(i); };
    const int count = std::max(1, kGrantsPerBlock / contenders);
    const auto times = interleave(context, context.blocks(kBlocks),
                                  {[&] { return timePerTurn(workers, count, engineTurn); },
                                   [&] { return timePerTurn(workers, count, rawTurn); }});
    RawClient control(context.url);
    const auto howLong = context.quick ? 1s : 5s;
    const double before = serverStatements(control);
    const Values grants = grantsInTime(workers, howLong, engineTurn);
    const double statements = serverStatements(control) - before;
    // The turns before and after the counted time have sent statements as well.
    const double turns = std::accumulate(grants.begin(), grants.end(), 2.0 * contenders);
    stop(workers);

    const QString n = QString::number(contenders);
    report.add(u"ratio"_s + n, u"%1 contenders: raw / engine"_s.arg(n), medianInterval(ratios(times[1], times[0])), {});
    report.add(u"grantsPerSecond"_s + n, u"%1 engines"_s.arg(n), 1e6 / median(times[0]), u"grants/s"_s);
    report.add(u"rawGrantsPerSecond"_s + n, u"%1 raw sessions"_s.arg(n), 1e6 / median(times[1]), u"grants/s"_s);
    report.add(u"statementsPerGrant"_s + n, u"%1 engines: the server's Questions per grant"_s.arg(n),
               statements / turns, {});
    report.add(u"jain"_s + n, u"%1 engines: Jain's fairness"_s.arg(n), jain(grants), {},
               contenders == 32 ? std::optional(atLeast(kFair)) : std::nullopt);
}

/// The same with threads of one engine, which share its connections.
void measureThreads(const Context &context, int contenders, Report &report)
{
    LockEngine engine(engineConfig(context));
    std::vector<Worker> workers(static_cast<std::size_t>(contenders));
    const Values grants = grantsInTime(workers, context.quick ? 500ms : 3000ms, [&](std::size_t) { turnOf(engine); });
    stop(workers);
    const double seconds = context.quick ? 0.5 : 3;
    const QString n = QString::number(contenders);
    report.add(u"threadsGrantsPerSecond"_s + n, u"%1 threads of one engine"_s.arg(n),
               std::accumulate(grants.begin(), grants.end(), 0.0) / seconds, u"grants/s"_s);
    report.add(u"threadsJain"_s + n, u"%1 threads of one engine: Jain's fairness"_s.arg(n), jain(grants), {});
}

} // namespace

Report contendedBenchmark(const Context &context)
{
    Report report;
    for (const int contenders : {1, 2, 4, 8, 16, 32, 64}) {
        measureEngines(context, contenders, report);
        measureThreads(context, contenders, report);
    }
    report.note(u"blocks"_s, context.blocks(kBlocks));
    return report;
}

} // namespace lockscope::bench
