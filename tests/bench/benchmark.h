// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockengine.h"
#include "rawclient.h"
#include "report.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace lockscope::bench {

using Clock = std::chrono::steady_clock;

/// What every benchmark gets.
struct Context
{
    ServerUrl url;
    bool quick = false;                                     ///< few blocks: shows that it works, measures little
    std::vector<int> contenders = {1, 2, 4, 8, 16, 32, 64}; ///< of the `contended` benchmark

    int blocks(int usually) const { return quick ? std::max(3, usually / 10) : usually; }
};

/// The benchmarks, one file each.
Report pairBenchmark(const Context &context);
Report rowPairBenchmark(const Context &context);
Report versionPairBenchmark(const Context &context);
Report tryBenchmark(const Context &context);
Report handoverBenchmark(const Context &context);
Report rowHandoverBenchmark(const Context &context);
Report contendedBenchmark(const Context &context);
Report distinctBenchmark(const Context &context);
Report growthBenchmark(const Context &context);
Report latencyBenchmark(const Context &context);
Report factsBenchmark(const Context &context);

/// An engine as an application would make one.
EngineConfig engineConfig(const Context &context, int maxConnections = 32);
/// Resource, TTL 30 s, no wait, renewed by the watchdog.
LockRequest request(const QByteArray &resource, Duration wait = Duration::zero());
/// Ends the program with the reason when the answer is another one.
AcquireResult expect(Outcome outcome, AcquireResult result);
void expectReleased(LockHandle &&handle);

double microseconds(Clock::duration duration);
/// Calls `operation` `count` times; microseconds per call.
double timePerCall(int count, const std::function<void()> &operation);
/// Each side measures one block and returns its time per operation. Block by block, in turn, and every second round in
/// the opposite order, so that neither drift nor the order favours a side. The first result of each side is a warm-up
/// and dropped; then comes a pause, so that no connection is in its first seconds any more (see Session). Returns one
/// list per side.
std::vector<Values> interleave(const Context &context, int blocks, const std::vector<std::function<double()>> &sides);

/// Adds to `report` how a pair of the engine stands beside the same packets of the client library and of Qt's driver.
void addPair(Report &report, const QString &what, const Values &engine, const Values &raw, const Values &driven);
/// Adds how the engine stands beside a loop whose connections have threads of their own: the least that a connection
/// takes which is kept alive beside its user.
void addThreaded(Report &report, const QString &what, const Values &ratios, const Values &threaded);

/// Asks until `sql` gives a row; ends the program after 10 s.
void waitForRow(RawClient &client, const QByteArray &sql);

/// Gives a row when the first in the queue for `resource` blocks on the server.
QByteArray firstBlocksSql(const QByteArray &resource);
/// Gives a row when the second in the queue does.
QByteArray secondBlocksSql(const QByteArray &resource);

} // namespace lockscope::bench
