// SPDX-License-Identifier: MIT
#include "benchmark.h"

#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr auto kFirstSeconds = 6s;

} // namespace

EngineConfig engineConfig(const Context &context, int maxConnections)
{
    EngineConfig config;
    config.server = context.url;
    config.password = qEnvironmentVariable("LOCKSCOPE_PASSWORD");
    config.service = QStringLiteral("bench");
    config.maxConnections = maxConnections;
    return config;
}

LockRequest request(const QByteArray &resource, Duration wait)
{
    LockRequest asked;
    asked.resource = resource;
    asked.wait = wait;
    return asked;
}

AcquireResult expect(Outcome outcome, AcquireResult result)
{
    if (result.outcome != outcome) {
        qFatal("Acquire ended with outcome %d instead of %d: %ls", int(result.outcome), int(outcome),
               qUtf16Printable(result.error ? result.error->toString() : QString()));
    }
    return result;
}

void expectReleased(LockHandle &&handle)
{
    const ReleaseOutcome outcome = handle.release();
    if (outcome != ReleaseOutcome::Released) {
        const auto error = handle.lastError();
        qFatal("Release ended with outcome %d: %ls", int(outcome),
               qUtf16Printable(error ? error->toString() : QString()));
    }
}

double microseconds(Clock::duration duration)
{
    return std::chrono::duration<double, std::micro>(duration).count();
}

double timePerCall(int count, const std::function<void()> &operation)
{
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i)
        operation();
    return microseconds(Clock::now() - start) / count;
}

std::vector<Values> interleave(const Context &context, int blocks, const std::vector<std::function<double()>> &sides)
{
    std::vector<Values> times(sides.size());
    for (const auto &side : sides)
        side();
    if (!context.quick)
        std::this_thread::sleep_for(kFirstSeconds);
    for (int block = 0; block < blocks; ++block) {
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const std::size_t side = block % 2 == 0 ? i : sides.size() - 1 - i;
            times[side].push_back(sides[side]());
        }
    }
    return times;
}

void addPair(Report &report, const QString &what, const Values &engine, const Values &raw, const Values &driven)
{
    report.add(u"ratio"_s, what + u": raw / engine"_s, medianInterval(ratios(raw, engine)), {}, atLeast(0.95));
    report.add(u"driverRatio"_s, what + u": Qt's driver alone / engine"_s, medianInterval(ratios(driven, engine)), {},
               atLeast(0.95));
    report.add(u"engineUs"_s, u"engine's "_s + what, median(engine), u"us"_s);
    report.add(u"rawUs"_s, u"raw "_s + what, median(raw), u"us"_s);
    report.add(u"driverUs"_s, what + u" by Qt's driver alone"_s, median(driven), u"us"_s);
    report.note(u"blocks"_s, qint64(engine.size()));
}

void addThreaded(Report &report, const QString &what, const Values &ratios, const Values &threaded)
{
    report.add(u"threadedRatio"_s, what, medianInterval(ratios), {});
    report.add(u"threadedUs"_s, u"by Qt's driver in a thread of its own"_s, median(threaded), u"us"_s);
}

void waitForRow(RawClient &client, const QByteArray &sql)
{
    const auto giveUpAt = Clock::now() + 10s;
    while (client.run(sql).row.empty()) {
        if (Clock::now() > giveUpAt)
            qFatal("Nothing came of: %s", sql.constData());
        std::this_thread::sleep_for(200us);
    }
}

QByteArray firstBlocksSql(const QByteArray &resource)
{
    return "SELECT 1 FROM lock_lease l JOIN information_schema.processlist p "
           "ON p.info LIKE CONCAT('%GET_LOCK(%', l.presence, '''%') WHERE l.resource = '"
        + resource + "' AND l.queue <> '' AND p.state = 'User lock'";
}

QByteArray secondBlocksSql(const QByteArray &resource)
{
    return "SELECT 1 FROM lock_lease l JOIN information_schema.processlist p "
           "ON p.info LIKE CONCAT('%GET_LOCK(''', SUBSTRING_INDEX(l.queue, '\\t', 1), '''%') "
           "WHERE l.queue <> '' AND l.resource = '"
        + resource + "' AND p.state = 'User lock'";
}

} // namespace lockscope::bench
