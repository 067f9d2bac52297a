// SPDX-License-Identifier: MIT
#include "soak.h"

#include "enginefixture.h"
#include "faultrun.h"
#include "locks/leasereader.h"
#include "nemesis.h"
#include "procfigures.h"

#include <QtCore/QDeadlineTimer>

#include <random>
#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::faults {

namespace {

constexpr int kKeepers = 4;
constexpr int kPlaces = 8;
constexpr int kFewLeases = 10;
constexpr auto kShortTtl = 3s;
constexpr auto kLongestFault = 1000ms; // far less than a third of the long TTL
constexpr auto kPatience = 1h;         // for all leases to be taken: a machine may be slow, and they may be many
/// What a process may have more than before: an allocator keeps pieces, and connections open when they are needed.
#ifdef FAULTS_SANITIZED // which keeps what was freed
constexpr qint64 kMoreRssKb = 1'000'000;
#else
constexpr qint64 kMoreRssKb = 8'192;
#endif
constexpr int kMoreThreads = 2;
constexpr int kMoreFiles = 4;

struct Measured
{
    ProcFigures process;
    qint64 connections = 0;
};

class Soak
{
public:
    Soak(const SoakPlan &plan, test::TestServer &server, const QString &folder)
        : m_plan(plan)
        , m_world(server, u"unique"_s)
        , m_folder(folder)
        , m_events(folder + u"/nemesis.events"_s)
        , m_random(plan.seed)
    {
        m_world.install();
    }

    SoakVerdict run()
    {
        {
            Crew crew(
                {kPlaces, QStringLiteral(FAULTS_HOLDER), [this](int place) { return orderFor(place); }, kPatience},
                m_world.server(), m_folder, m_events);
            settle();
            const std::vector<Measured> before = measure(crew);
            disturb(crew);
            settle();
            compare(before, measure(crew));
            crew.stop();
        }
        countLosses();
        LockEngine engine(test::configFor(m_world.server()));
        if (const QString left = leftAfterCleaning(m_world, &engine); !left.isEmpty())
            find(u"left behind"_s, left);
        return std::move(m_verdict);
    }

private:
    void find(const QString &rule, const QString &text) { m_verdict.findings.push_back({rule, text}); }

    QJsonObject orderFor(int place) const
    {
        const bool isKeeper = place < kKeepers;
        return {{u"prefix"_s, u"soak:%1:"_s.arg(place)},
                {u"leases"_s, isKeeper ? m_plan.leases / kKeepers : kFewLeases},
                {u"ttlMs"_s, qint64(isKeeper ? m_plan.ttl.count() : std::chrono::milliseconds(kShortTtl).count())}};
    }

    /// Until every lease is held, and then for as long as it takes to renew all of them.
    void settle()
    {
        const qint64 wanted = m_plan.leases / kKeepers * kKeepers + (kPlaces - kKeepers) * kFewLeases;
        const QDeadlineTimer deadline(kPatience);
        while (heldLeases() < wanted && !deadline.hasExpired())
            std::this_thread::sleep_for(200ms);
        if (const qint64 held = heldLeases(); held < wanted)
            find(u"not held"_s, u"%1 of %2 leases"_s.arg(held).arg(wanted));
        std::this_thread::sleep_for(m_plan.ttl / 2);
    }

    qint64 heldLeases()
    {
        LockError error;
        const auto session = Session::open(test::targetFor(m_world.server()), &error);
        LockSnapshot snapshot;
        return session && !LeaseReader(*session).list({.limit = 1}, &snapshot) ? snapshot.counts.held : 0;
    }

    std::vector<Measured> measure(const Crew &crew)
    {
        std::vector<Measured> all;
        for (int place = 0; place < kKeepers; ++place) {
            const QByteArray connections = m_world.connectionsOf(Crew::accountOf(place));
            all.push_back({ProcFigures::of(crew.pidAt(place)), m_world.number("SELECT COUNT(*)" + connections)});
            m_verdict.text += u"process %1: %2, %3 connections\n"_s.arg(crew.processAt(place))
                                  .arg(all.back().process.toString())
                                  .arg(all.back().connections);
        }
        m_verdict.text += u"server: %1\n"_s.arg(ProcFigures::of(m_world.server().pid()).toString());
        return all;
    }

    int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(m_random); }

    void disturb(Crew &crew)
    {
        for (int round = 0; round < m_plan.rounds; ++round) {
            const int frozen = upTo(kPlaces - 1);
            const int cut = upTo(kPlaces - 1);
            crew.kill(kKeepers + upTo(kPlaces - kKeepers - 1));
            crew.freeze(frozen);
            crew.setNetwork(cut, round % 2 == 0 ? FaultyProxy::State::Cut : FaultyProxy::State::Stalled);
            killSession(m_world, crew, upTo(kPlaces - 1), m_random(), m_events);
            std::this_thread::sleep_for(kLongestFault / 4
                                        + std::chrono::milliseconds(upTo(3 * int(kLongestFault.count()) / 4)));
            crew.thaw(frozen);
            crew.setNetwork(cut, FaultyProxy::State::Open);
            crew.findDead();
        }
    }

    void compare(const std::vector<Measured> &before, const std::vector<Measured> &after)
    {
        for (std::size_t place = 0; place < before.size(); ++place) {
            const ProcFigures &was = before[place].process;
            const ProcFigures &is = after[place].process;
            const bool isMore = is.rssKb > was.rssKb + std::max(kMoreRssKb, was.rssKb / 10)
                || is.threads > was.threads + kMoreThreads || is.files > was.files + kMoreFiles
                || after[place].connections > before[place].connections + kMoreFiles;
            if (isMore) {
                find(u"leak"_s,
                     u"process %1 had %2 and %3 connections, and has %4 and %5"_s.arg(place + 1)
                         .arg(was.toString())
                         .arg(before[place].connections)
                         .arg(is.toString())
                         .arg(after[place].connections));
            }
        }
    }

    /// Of the processes that were never killed, which are the first ones.
    void countLosses()
    {
        std::vector<Event> events;
        QString error;
        if (!readEvents(m_folder, &events, &error))
            return find(u"history"_s, error);
        std::map<Kind, int> counts;
        for (const Event &event : events) {
            const bool isLoss = event.kind == Kind::Gone;
            if (!isLoss || event.process <= kKeepers)
                ++counts[event.kind];
            if (event.kind == Kind::Died)
                find(u"history"_s, u"a process ended by itself: "_s + QString::fromUtf8(event.toLine().trimmed()));
        }
        m_verdict.text +=
            u"%1 kills, %2 freezes, %3 cuts, %4 stalls, %5 killed connections\n"_s.arg(counts[Kind::Killed])
                .arg(counts[Kind::Frozen])
                .arg(counts[Kind::Cut])
                .arg(counts[Kind::Stalled])
                .arg(counts[Kind::Session]);
        if (counts[Kind::Gone] > 0)
            find(u"lost lease"_s, u"%1 of those that were looked after"_s.arg(counts[Kind::Gone]));
    }

    const SoakPlan &m_plan;
    test::World m_world;
    const QString m_folder;
    EventFile m_events;
    std::mt19937_64 m_random;
    SoakVerdict m_verdict;
};

} // namespace

SoakVerdict soak(const SoakPlan &plan, test::TestServer &server, const QString &folder)
{
    return Soak(plan, server, folder).run();
}

} // namespace lockscope::faults
