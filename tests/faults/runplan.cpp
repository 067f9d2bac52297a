// SPDX-License-Identifier: MIT
#include "runplan.h"

#include <algorithm>
#include <random>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

namespace {

constexpr const char *kWays[] = {"unique", "pessimistic", "optimistic"};

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kFirst = kSecond; // all have begun by then
constexpr qint64 kQuietEnd = 3 * kSecond;
constexpr qint64 kReturn = kSecond; // between two faults of one place

class Planner
{
public:
    explicit Planner(const RunPlan &plan)
        : m_plan(plan)
        , m_random(plan.seed)
        , m_busyUntil(std::size_t(plan.processes), 0)
    {
    }

    std::vector<Fault> plan()
    {
        const qint64 end = m_plan.seconds * kSecond - kQuietEnd;
        for (qint64 at = kFirst; at < end; at += between(kSecond * 4 / 10, kSecond * 16 / 10))
            disturb(at, end);
        if (!m_plan.freezesOnly)
            disturbServer(end);
        std::stable_sort(m_faults.begin(), m_faults.end(), [](const Fault &a, const Fault &b) { return a.at < b.at; });
        return std::move(m_faults);
    }

private:
    qint64 between(qint64 from, qint64 to) { return std::uniform_int_distribution<qint64>(from, to)(m_random); }

    void disturb(qint64 at, qint64 end)
    {
        const int place = freePlace(at);
        if (place < 0)
            return;
        const Kind kind = m_plan.freezesOnly ? Kind::Frozen : someKind();
        const qint64 length = std::min(lengthOf(kind), end - at);
        m_busyUntil[std::size_t(place)] = at + length + kReturn;
        m_faults.push_back({kind, at, length, place, m_random()});
    }

    /// -1: enough is being done, half of all are not at work.
    int freePlace(qint64 at)
    {
        std::vector<int> places;
        for (int place = 0; place < m_plan.processes; ++place) {
            if (m_busyUntil[std::size_t(place)] <= at)
                places.push_back(place);
        }
        const auto choice = std::size_t(between(0, m_plan.processes));
        const bool isEnough = 2 * places.size() <= std::size_t(m_plan.processes);
        return places.empty() || isEnough ? -1 : places[choice % places.size()];
    }

    Kind someKind()
    {
        static constexpr Kind kinds[] = {Kind::Session, Kind::Session, Kind::Frozen,  Kind::Frozen, Kind::Killed,
                                         Kind::Cut,     Kind::Stalled, Kind::Stalled, Kind::Reset};
        return kinds[between(0, std::ssize(kinds) - 1)];
    }

    qint64 lengthOf(Kind kind)
    {
        const qint64 ttl = std::chrono::microseconds(m_plan.ttl).count();
        switch (kind) {
        case Kind::Frozen:
            return between(ttl * 12 / 10, ttl * 25 / 10);
        case Kind::Cut:
            return between(ttl / 10, ttl * 15 / 10);
        case Kind::Stalled:
            return between(ttl / 4, ttl * 2);
        default:
            return 0;
        }
    }

    /// Twice in a short run; every twenty seconds or so of a long one.
    void disturbServer(qint64 end)
    {
        const qint64 step = std::clamp(end / 3, 5 * kSecond, 20 * kSecond);
        Kind kind = m_plan.seed % 2 == 0 ? Kind::Restart : Kind::Crash;
        for (qint64 at = step; at + 2 * kSecond <= end; at += step + between(0, step / 4)) {
            m_faults.push_back({kind, at, 0, 0, 0});
            kind = kind == Kind::Restart ? Kind::Crash : Kind::Restart;
        }
    }

    const RunPlan &m_plan;
    std::mt19937_64 m_random;
    std::vector<qint64> m_busyUntil;
    std::vector<Fault> m_faults;
};

} // namespace

const char *nameOf(Way way)
{
    return kWays[int(way)];
}

std::optional<Way> wayOf(const QString &name)
{
    const auto found = std::find(std::begin(kWays), std::end(kWays), name.toStdString());
    if (found == std::end(kWays))
        return std::nullopt;
    return Way(found - std::begin(kWays));
}

QJsonObject RunPlan::toJson() const
{
    return {{u"way"_s, QString::fromLatin1(nameOf(way))},
            {u"store"_s, store},
            {u"seed"_s, QString::number(seed)},
            {u"threads"_s, threads},
            {u"resources"_s, resources},
            {u"ttlMs"_s, qint64(ttl.count())},
            {u"thinkMs"_s, qint64(think.count())},
            {u"fenced"_s, isFenced}};
}

RunPlan RunPlan::fromJson(const QJsonObject &json)
{
    RunPlan plan;
    plan.way = wayOf(json[u"way"_s].toString()).value_or(Way::Unique);
    plan.store = json[u"store"_s].toString();
    plan.seed = json[u"seed"_s].toString().toULongLong();
    plan.threads = json[u"threads"_s].toInt();
    plan.resources = json[u"resources"_s].toInt();
    plan.ttl = std::chrono::milliseconds(json[u"ttlMs"_s].toInteger());
    plan.think = std::chrono::milliseconds(json[u"thinkMs"_s].toInteger());
    plan.isFenced = json[u"fenced"_s].toBool();
    return plan;
}

std::vector<Fault> planFaults(const RunPlan &plan)
{
    return Planner(plan).plan();
}

} // namespace lockscope::faults
