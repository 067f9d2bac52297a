// SPDX-License-Identifier: MIT
// A request that does not want to wait, for a lease that another engine holds.
#include "benchmark.h"
#include "rawlease.h"

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

constexpr int kBlocks = 200;
constexpr int kPerBlock = 40;

} // namespace

Report tryBenchmark(const Context &context)
{
    LockEngine holder(engineConfig(context));
    LockEngine engine(engineConfig(context));
    const LockRequest asked = request("bench:try");
    auto held = expect(Outcome::Granted, holder.acquire(asked));
    RawClient client(context.url);
    Owner owner = engine.owner();
    owner.thread = u"1"_s;
    RawLease raw(client, asked.resource, owner.toJson());

    const int blocks = context.blocks(kBlocks);
    const auto times =
        interleave(context, blocks,
                   {[&] { return timePerCall(kPerBlock, [&] { expect(Outcome::Busy, engine.acquire(asked)); }); },
                    [&] { return timePerCall(kPerBlock, [&] { raw.tryHeld(); }); }});
    expectReleased(std::move(held.handle));

    Report report;
    report.add(u"ratio"_s, u"try on a held lease: raw / engine"_s, medianInterval(ratios(times[1], times[0])), {});
    report.add(u"engineUs"_s, u"engine's try"_s, median(times[0]), u"us"_s);
    report.add(u"rawUs"_s, u"raw try"_s, median(times[1]), u"us"_s);
    report.note(u"blocks"_s, blocks);
    return report;
}

} // namespace lockscope::bench
