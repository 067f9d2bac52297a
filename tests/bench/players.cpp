// SPDX-License-Identifier: MIT
#include "players.h"

#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::bench {

namespace {

constexpr int kPerBlock = 7;

} // namespace

Players::Players(const Context &context)
    : m_control(context.url)
{
}

double Players::block()
{
    Values times;
    for (int i = 0; i < kPerBlock; ++i)
        times.push_back(handOver());
    m_all.insert(m_all.end(), times.begin(), times.end());
    return median(times);
}

double Players::handOver()
{
    const std::size_t from = m_holder;
    const std::size_t to = 1 - from;
    auto taken = thread(to).post([this, to] {
        take(to);
        return Clock::now();
    });
    waitForRow(m_control, isBlockedSql(to));
    std::this_thread::sleep_for(500us); // the server has answered us and is at rest
    auto given = thread(from).post([this, from] {
        const auto start = Clock::now();
        give(from);
        return start;
    });
    m_holder = to;
    const auto start = given.get();
    return microseconds(taken.get() - start);
}

EnginePlayers::EnginePlayers(const Context &context, LockRequest asked, QByteArray isBlockedSql)
    : Players(context)
    , m_asked(std::move(asked))
    , m_isBlockedSql(std::move(isBlockedSql))
    , m_engines{LockEngine(engineConfig(context)), LockEngine(engineConfig(context))}
{
    thread(0).post([this] { EnginePlayers::take(0); }).get();
}

EnginePlayers::~EnginePlayers()
{
    thread(holder()).post([this] { expectReleased(std::move(m_handles[holder()])); }).get();
    thread(0).stop();
    thread(1).stop();
}

void EnginePlayers::take(std::size_t player)
{
    m_handles[player] = expect(Outcome::Granted, m_engines[player].acquire(m_asked)).handle;
}

void EnginePlayers::give(std::size_t player)
{
    expectReleased(std::move(m_handles[player]));
}

RawPlayers::RawPlayers(const Context &context, RawClient::Through through)
    : Players(context)
{
    for (std::size_t i = 0; i < m_clients.size(); ++i)
        thread(i).post([&, i] { m_clients[i] = std::make_unique<RawClient>(context.url, through); }).get();
}

RawPlayers::~RawPlayers()
{
    for (std::size_t i = 0; i < m_clients.size(); ++i) {
        thread(i).post([this, i] { m_clients[i].reset(); }).get();
        thread(i).stop();
    }
}

void RawPlayers::begin()
{
    thread(0).post([this] { take(0); }).get();
}

Report handoverReport(const Context &context, const QString &what, int blocks, Players &engines, Players &raw,
                      Players &driven, Target target, Players *threaded)
{
    std::vector<std::function<double()>> sides;
    for (Players *players : {&engines, &raw, &driven, threaded}) {
        if (players)
            sides.emplace_back([players] { return players->block(); });
    }
    const auto times = interleave(context, blocks, sides);
    Report report;
    report.add(u"ratio"_s, what + u": engine / raw two-session loop"_s, medianInterval(ratios(times[0], times[1])), {},
               target);
    report.add(u"driverRatio"_s, what + u": engine / the same by Qt's driver"_s,
               medianInterval(ratios(times[0], times[2])), {}, target);
    report.add(u"engineUs"_s, u"engine's hand-over, median"_s, median(engines.all()), u"us"_s);
    report.add(u"rawUs"_s, u"raw hand-over, median"_s, median(raw.all()), u"us"_s);
    report.add(u"driverUs"_s, u"hand-over by Qt's driver, median"_s, median(driven.all()), u"us"_s);
    report.add(u"engineP95Us"_s, u"engine's hand-over, 95th percentile"_s, quantile(engines.all(), 0.95), u"us"_s);
    report.add(u"rawP95Us"_s, u"raw hand-over, 95th percentile"_s, quantile(raw.all(), 0.95), u"us"_s);
    if (threaded)
        addThreaded(report, what + u": engine / threads of their own"_s, ratios(times[0], times[3]), threaded->all());
    report.note(u"blocks"_s, blocks);
    return report;
}

} // namespace lockscope::bench
