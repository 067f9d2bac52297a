// SPDX-License-Identifier: MIT
// lockscope_stores_bench: leases on each store, each beside a bare client of that store; all in one run.
#include "benchmark.h"
#include "place.h"
#include "race.h"

#include <CLI/CLI.hpp>

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonDocument>

#include <array>
#include <cstdio>
#include <numeric>
#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

using namespace lockscope;
using namespace lockscope::bench;

constexpr int kPairBlocks = 60;
constexpr int kPairsPerBlock = 20;
constexpr int kHandoverBlocks = 40;
constexpr int kHandoversPerBlock = 7;
constexpr double kPair = 0.9;
constexpr double kHandover = 1.3;
/// After the second one was seen in the queue: it has its watch then, or hears its channel.
constexpr auto kRest = 3ms;

/// After these a program in Java or JavaScript has been compiled.
constexpr int kPeerWarmUpPairs = 300;
constexpr int kPeerWarmUpHandovers = 3;

QString keyOf(const Peer &peer, const QString &what)
{
    return peer.kind().name + u'.' + what;
}

/// Who they are, and what they do not promise.
Report introductions(const Peers &peers)
{
    Report report;
    for (const auto &peer : peers)
        report.say(keyOf(*peer, u"lacks"_s), peer->title(), peer->isThere() ? peer->kind().lacks : QString());
    return report;
}

/// Adds what `times` has from `from` on, one for each of `peers`, beside the engine's, which are the first.
void addPeers(Report &report, const QString &key, const QString &what, const std::vector<Peer *> &peers,
              const std::vector<Values> &times, std::size_t from)
{
    for (std::size_t i = 0; i < peers.size(); ++i) {
        const QString line = u"%1: %2"_s.arg(what, peers[i]->title());
        report.add(keyOf(*peers[i], key + u"Us"_s), line, medianInterval(times[from + i]), u"us"_s);
        report.add(keyOf(*peers[i], key + u"Ratio"_s), line + u" / engine"_s,
                   medianInterval(ratios(times[from + i], times[0])), {});
    }
}

std::vector<Peer *> thoseThere(const Peers &peers)
{
    std::vector<Peer *> there;
    for (const auto &peer : peers) {
        if (peer->isThere())
            there.push_back(peer.get());
    }
    return there;
}

std::vector<Peer *> thoseThatWait(const Peers &peers)
{
    std::vector<Peer *> waiting = thoseThere(peers);
    std::erase_if(waiting, [](const Peer *peer) { return !peer->kind().waits; });
    return waiting;
}

Report pairs(const Context &context, Place &place, const Peers &all)
{
    LockEngine engine(place.engineConfig());
    // One that would wait: a try looks before it joins a queue, which a bare client does not.
    const LockRequest asked = request("bench:pair:engine", Forever);
    const auto bare = place.bareLock("bench:pair:bare");
    std::vector<std::function<double()>> sides{[&] {
        return timePerCall(kPairsPerBlock,
                           [&] { expectReleased(expect(Outcome::Granted, engine.acquire(asked)).handle); });
    }};
    if (bare) {
        sides.emplace_back([&] {
            return timePerCall(kPairsPerBlock, [&] {
                bare->take();
                bare->give();
            });
        });
    }
    const std::size_t own = sides.size();
    const auto peers = thoseThere(all);
    for (Peer *peer : peers) {
        peer->pair(kPeerWarmUpPairs);
        sides.emplace_back([peer] { return peer->pair(kPairsPerBlock); });
    }
    const auto times = interleave(context, context.blocks(kPairBlocks), sides);
    Report report;
    report.add(u"pairUs"_s, u"pair: engine"_s, medianInterval(times[0]), u"us"_s);
    if (bare) {
        report.add(u"barePairUs"_s, u"pair: bare client"_s, medianInterval(times[1]), u"us"_s);
        report.add(u"pairRatio"_s, u"pair: bare / engine"_s, medianInterval(ratios(times[1], times[0])), {},
                   atLeast(kPair));
    }
    addPeers(report, u"pair"_s, u"pair"_s, peers, times, own);
    return report;
}

/// Two in threads of their own that hand a lock to each other; whoever waited for it is the next to give it.
class Pair
{
public:
    using Step = std::function<void(std::size_t player)>;

    Pair(Place &place, QByteArray resource, Step take, Step give)
        : m_place(place)
        , m_resource(std::move(resource))
        , m_take(std::move(take))
        , m_give(std::move(give))
    {
        m_threads[0].post([this] { m_take(0); }).get();
    }
    ~Pair()
    {
        m_threads[m_holder].post([this] { m_give(m_holder); }).get();
        for (Worker &thread : m_threads)
            thread.stop();
    }
    Pair(const Pair &) = delete;
    Pair &operator=(const Pair &) = delete;

    double block()
    {
        Values times;
        for (int i = 0; i < kHandoversPerBlock; ++i)
            times.push_back(handOver());
        return median(times);
    }

private:
    double handOver()
    {
        const std::size_t from = m_holder;
        const std::size_t to = 1 - from;
        auto taken = m_threads[to].post([this, to] {
            m_take(to);
            return Clock::now();
        });
        while (m_place.requests(m_resource) < 2)
            std::this_thread::sleep_for(200us);
        std::this_thread::sleep_for(kRest);
        auto given = m_threads[from].post([this, from] {
            const auto start = Clock::now();
            m_give(from);
            return start;
        });
        m_holder = to;
        const auto start = given.get();
        return microseconds(taken.get() - start);
    }

    Place &m_place;
    const QByteArray m_resource;
    const Step m_take;
    const Step m_give;
    std::size_t m_holder = 0;
    std::array<Worker, 2> m_threads;
};

Report handovers(const Context &context, Place &place, const Peers &all)
{
    const QByteArray resource = "bench:handover:engine";
    std::array<LockEngine, 2> engines{LockEngine(place.engineConfig()), LockEngine(place.engineConfig())};
    std::array<LockHandle, 2> handles;
    Pair engine(
        place, resource,
        [&](std::size_t player) {
            handles[player] = expect(Outcome::Granted, engines[player].acquire(request(resource, Forever))).handle;
        },
        [&](std::size_t player) { expectReleased(std::move(handles[player])); });
    std::vector<std::function<double()>> sides{[&] { return engine.block(); }};

    const QByteArray bareResource = "bench:handover:bare";
    std::array<std::unique_ptr<BareLock>, 2> locks{place.bareLock(bareResource), place.bareLock(bareResource)};
    std::optional<Pair> bare;
    if (locks[0]) {
        bare.emplace(
            place, bareResource, [&](std::size_t player) { locks[player]->take(); },
            [&](std::size_t player) { locks[player]->give(); });
        sides.emplace_back([&] { return bare->block(); });
    }
    const std::size_t own = sides.size();
    const auto peers = thoseThatWait(all);
    for (Peer *peer : peers) {
        for (int i = 0; i < kPeerWarmUpHandovers; ++i)
            peer->handOver();
        sides.emplace_back([peer] { return peer->handOver(); });
    }
    const auto times = interleave(context, context.blocks(kHandoverBlocks), sides);
    Report report;
    report.add(u"handoverUs"_s, u"hand-over: engine"_s, medianInterval(times[0]), u"us"_s);
    report.add(u"handoverLongestUs"_s, u"hand-over: engine, slowest block"_s,
               *std::max_element(times[0].begin(), times[0].end()), u"us"_s);
    if (bare) {
        report.add(u"bareHandoverUs"_s, u"hand-over: bare client"_s, medianInterval(times[1]), u"us"_s);
        report.add(u"handoverRatio"_s, u"hand-over: engine / bare"_s, medianInterval(ratios(times[0], times[1])), {},
                   atMost(kHandover));
    }
    addPeers(report, u"handover"_s, u"hand-over"_s, peers, times, own);
    return report;
}

/// `key` makes a key of each figure's name.
void addContest(Report &report, const std::function<QString(const QString &)> &key, const QString &who,
                const Values &grants, double longestGapUs, std::chrono::seconds length)
{
    const double all = std::accumulate(grants.begin(), grants.end(), 0.);
    report.add(key(u"grantsPerSecond"_s), who, all / double(length.count()), u"grants/s"_s);
    report.add(key(u"jain"_s), who + u": Jain's fairness"_s, jain(grants), {});
    report.add(key(u"longestGapUs"_s), who + u": longest gap"_s, longestGapUs, u"us"_s);
}

Report contenders(const Context &context, Place &place, const Peers &all)
{
    Report report;
    const auto length = context.quick ? 1s : 4s;
    for (const int count : context.contenders) {
        std::vector<std::unique_ptr<LockEngine>> engines;
        for (int i = 0; i < count; ++i)
            engines.push_back(std::make_unique<LockEngine>(place.engineConfig()));
        std::vector<Worker> workers(static_cast<std::size_t>(count));
        const Race found = race(workers, length, [&](std::size_t i) {
            auto result = expect(Outcome::Granted, engines[i]->acquire(request("bench:contended", Forever)));
            const auto granted = Clock::now();
            expectReleased(std::move(result.handle));
            return granted;
        });
        for (Worker &worker : workers)
            worker.stop();
        const QString n = QString::number(count);
        addContest(
            report, [&n](const QString &what) { return what + n; }, u"%1 engines"_s.arg(n), found.grants,
            *std::max_element(found.gaps.begin(), found.gaps.end()), length);
        for (Peer *peer : thoseThatWait(all)) {
            const Peer::Contest contest = peer->contend(count, length);
            addContest(
                report, [&](const QString &what) { return keyOf(*peer, what + n); },
                u"%1 of %2"_s.arg(n, peer->title()), contest.grants, contest.longestGapUs, length);
        }
    }
    return report;
}

struct Benchmark
{
    const char *name;
    Report (*run)(const Context &context, Place &place, const Peers &peers);
};

constexpr Benchmark kBenchmarks[] = {{"pair", pairs}, {"handover", handovers}, {"contended", contenders}};

struct Wanted
{
    Context context;
    bool json = false;
    bool noPeers = false;
    std::vector<std::string> stores{"redis", "zookeeper", "etcd", "mariadb"};
    std::vector<std::string> benchmarks{"pair", "handover", "contended"};

    bool has(const char *store) const { return std::find(stores.begin(), stores.end(), store) != stores.end(); }
};

std::vector<std::unique_ptr<Place>> placesOf(const Wanted &wanted, Keeping keeping)
{
    std::vector<std::unique_ptr<Place>> places;
    if (wanted.has("redis"))
        places.push_back(redisPlace(keeping));
    if (wanted.has("zookeeper"))
        places.push_back(zooKeeperPlace(keeping));
    if (wanted.has("etcd") && keeping == Keeping::Durable)
        places.push_back(etcdPlace());
    if (wanted.has("mariadb"))
        places.push_back(mariaDbPlace(keeping));
    return places;
}

void print(const QString &title, const Report &report)
{
    std::fputs((title + u'\n' + report.toText()).toUtf8().constData(), stdout);
    std::fflush(stdout);
}

QJsonObject measure(const Wanted &wanted, Place &place)
{
    const Peers peers = wanted.noPeers ? Peers() : place.peers();
    QJsonObject found;
    if (!peers.empty()) {
        const Report who = introductions(peers);
        found["peers"_L1] = who.json();
        if (!wanted.json)
            print(place.name() + u": peers"_s, who);
    }
    for (const Benchmark &benchmark : kBenchmarks) {
        const auto &names = wanted.benchmarks;
        if (std::find(names.begin(), names.end(), benchmark.name) == names.end())
            continue;
        const Report report = benchmark.run(wanted.context, place, peers);
        found[QLatin1StringView(benchmark.name)] = report.json();
        if (!wanted.json)
            print(place.name() + u": "_s + QLatin1StringView(benchmark.name), report);
    }
    return found;
}

} // namespace

int main(int argc, char **argv)
{
    CLI::App program("Measures the engine on Redis, ZooKeeper, etcd and MariaDB, on private servers, beside the bare "
                     "client of each store and other people's locks on it.");
    Wanted wanted;
    wanted.context.contenders = {2, 8, 32};
    program.add_flag("--json", wanted.json, "One line of JSON");
    program.add_flag("--quick", wanted.context.quick, "Shows that it works, measures little");
    program.add_flag("--no-peers", wanted.noPeers, "Without other people's locks");
    program.add_option("--contenders", wanted.context.contenders, "How many want the lock in `contended`")
        ->delimiter(',');
    program.add_option("--stores", wanted.stores, "redis, zookeeper, etcd, mariadb; all")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"redis", "zookeeper", "etcd", "mariadb"}));
    program.add_option("names", wanted.benchmarks, "pair, handover, contended; none: all")
        ->check(CLI::IsMember({"pair", "handover", "contended"}));
    CLI11_PARSE(program, argc, argv);
    int count = 1;
    QCoreApplication application(count, argv);

    QJsonObject all;
    for (const Keeping keeping : {Keeping::Memory, Keeping::Durable}) {
        for (const auto &place : placesOf(wanted, keeping))
            all[place->name()] = measure(wanted, *place);
    }
    if (wanted.json)
        std::fputs(QJsonDocument(all).toJson(QJsonDocument::Compact).append('\n').constData(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
}
