// SPDX-License-Identifier: MIT
// What measuring costs: a record on the path of a request, and a flush off it.
#include "benchmark.h"
#include "engine/records/latencylog_p.h"
#include "session/reconnectingsession.h"

#include <barrier>
#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 100;
constexpr int kRecords = 100'000;
constexpr int kGrantsPerFlush = 10'000;

/// Nanoseconds of one thread per record while `threads` of them record into the same histogram.
double recordNs(int threads)
{
    detail::LatencyLog log(true, Owner());
    std::barrier ready(threads);
    std::vector<double> times(std::size_t(threads), 0.0);
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) {
        running.emplace_back([&, i] {
            ready.arrive_and_wait();
            const auto start = Clock::now();
            for (int n = 0; n < kRecords; ++n)
                log.record(MeasuredMode::Unique, Ending::Granted, Duration(300 + n % 1024));
            times[std::size_t(i)] = microseconds(Clock::now() - start) * 1000 / kRecords;
        });
    }
    for (std::thread &thread : running)
        thread.join();
    return median(times);
}

Values repeated(int blocks, const std::function<double()> &measure)
{
    measure();
    Values values;
    for (int i = 0; i < blocks; ++i)
        values.push_back(measure());
    return values;
}

/// Microseconds of one flush of kGrantsPerFlush grants and as many holds.
double flushUs(detail::LatencyLog &log, ReconnectingSession &link)
{
    for (int i = 0; i < kGrantsPerFlush; ++i) {
        log.record(MeasuredMode::Unique, Ending::Granted, Duration(200 + i % 800));
        log.record(MeasuredMode::Unique, Ending::Held, Duration(1000 + i % 4000));
    }
    const auto start = Clock::now();
    if (const auto error = log.flush(link))
        qFatal("Flush failed: %s", qPrintable(error->toString()));
    return microseconds(Clock::now() - start);
}

} // namespace

Report latencyBenchmark(const Context &context)
{
    const int blocks = context.blocks(kBlocks);
    EngineConfig config = engineConfig(context);
    config.measuresLatency = false; // what is measured here must not measure itself
    LockEngine engine(config);
    SessionTarget target;
    target.url = context.url;
    target.password = config.password;
    ReconnectingSession link(target);
    detail::LatencyLog log(true, engine.owner());
    const LockRequest asked = request("bench:latency");

    const auto pairs = [&] {
        return timePerCall(20, [&] {
            auto result = expect(Outcome::Granted, engine.acquire(asked));
            expectReleased(std::move(result.handle));
        });
    };
    const auto flush = [&] { return flushUs(log, link); };
    const auto times = interleave(context, blocks, {pairs, flush});
    Values shares;
    for (std::size_t i = 0; i < times[0].size(); ++i)
        shares.push_back(times[1][i] / kGrantsPerFlush / times[0][i] * 100);

    Report report;
    report.add(u"recordNs"_s, u"a record, 1 thread"_s, medianInterval(repeated(blocks, [] { return recordNs(1); })),
               u"ns"_s, atMost(100));
    report.add(u"record4Ns"_s, u"a record, 4 threads at one histogram"_s,
               medianInterval(repeated(blocks, [] { return recordNs(4); })), u"ns"_s, atMost(100));
    report.add(u"flushUs"_s, u"a flush of 10,000 grants and holds"_s, median(times[1]), u"us"_s);
    report.add(u"flushShare"_s, u"that flush per pair, of a pair"_s, medianInterval(shares), u"%"_s, atMost(1));
    report.note(u"blocks"_s, blocks);
    return report;
}

} // namespace lockscope::bench
