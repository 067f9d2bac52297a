// SPDX-License-Identifier: MIT
// Plans to begin with: what shows what a way is known for, and the scenarios.
#include "labplan.h"

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

LabPlan labPlanFor(LabWay way)
{
    LabPlan plan{.way = way};
    switch (way) {
    case LabWay::Central:
    case LabWay::NoIndex: // nobody wants what another has, and they wait nevertheless
        plan.resources = plan.workers;
        plan.skew = LabSkew::Own;
        break;
    case LabWay::Stripes: // as many as surely make two of a stripe
        plan.workers = 32;
        plan.resources = plan.workers;
        plan.skew = LabSkew::Own;
        break;
    case LabWay::RedisSetnx: // as seldom as others can go on after it
        plan.hold.mean = 100ms;
        plan.wait = 2s;
        plan.faults = {{LabFault::Kind::Crash, 2s, 4s}};
        plan.usesProcesses = true;
        break;
    case LabWay::InsertPoll:
    case LabWay::AutoIncrement: // until a crash hits a holder
        plan.hold.mean = 100ms;
        plan.wait = 2s;
        plan.faults = {{LabFault::Kind::Crash, 2s, 1s}};
        plan.usesProcesses = true;
        break;
    case LabWay::ReleaseByName:
    case LabWay::RedisGetset:
    case LabWay::RedisSet:
    case LabWay::RedisWake:
    case LabWay::Cleaner: // some hold for longer than the TTL
        plan.workers = 6;
        plan.hold = {LabTime::Shape::Uniform, 800ms};
        plan.ttl = 1s;
        break;
    case LabWay::Redlock: // the majority forgets one by one, within a hold
        plan.workers = 4;
        plan.hold.mean = 1s;
        plan.ttl = 3s;
        plan.faults = {{LabFault::Kind::NodeForgets, 1s, 300ms}};
        break;
    case LabWay::ZooKeeperHerd: // the more wait, the more are woken for nothing
        plan.workers = 24;
        break;
    case LabWay::MissingRow: // of one, the row would be there most of the time
        plan.resources = 5;
        break;
    default:
        break;
    }
    return plan;
}

namespace {

/// With a TTL that all of them take; a longer one takes the holds along.
LabPlan withTtlOf(const QList<LabWay> &ways, LabPlan plan)
{
    const Duration before = plan.ttl;
    for (const LabWay way : ways) {
        const LabStore store = traitsOf(way).store;
        if (store == LabStore::Etcd)
            plan.ttl = std::max<Duration>(std::chrono::ceil<std::chrono::seconds>(plan.ttl), LabPlan::ShortestEtcdTtl);
        else if (store == LabStore::ZooKeeper)
            plan.ttl = std::max(plan.ttl, LabPlan::ShortestSession);
    }
    plan.hold.mean = plan.hold.mean * plan.ttl.count() / before.count();
    return plan;
}

} // namespace

LabPlan labPlanFor(const QList<LabWay> &ways)
{
    for (const LabWay way : ways) {
        if (const LabPlan plan = labPlanFor(way); plan != LabPlan{.way = way})
            return withTtlOf(ways, plan);
    }
    return {};
}

namespace {

/// What a store is known for, and beside it what that does not happen to.
struct StoreScenario
{
    LabPlan load;
    LabComparison comparison;
};

LabPlan named(LabPlan plan, const QString &name)
{
    plan.name = name;
    return plan;
}

QList<StoreScenario> storeScenarios()
{
    using Kind = LabFault::Kind;
    LabPlan jump = labPlanFor(LabWay::Redlock);
    jump.keeping = LabKeeping::Durable;
    jump.faults = {{Kind::ClockJump, 1s, 300ms}};
    LabPlan crash = labPlanFor(LabWay::RedisSetnx);
    crash.wait = 5s; // longer than a TTL, after which others go on
    const LabPlan failover{.way = LabWay::RedisSet,
                           .workers = 4,
                           .hold = {LabTime::Shape::Fixed, 600ms},
                           .ttl = 1s,
                           .duration = 5s,
                           .keeping = LabKeeping::Durable,
                           .faults = {{Kind::Failover, 500ms}}};
    const LabPlan frozen{.way = LabWay::ZooKeeper,
                         .workers = 3,
                         .hold = {LabTime::Shape::Fixed, 300ms},
                         .ttl = 2s,
                         .duration = 14s,
                         .faults = {{Kind::Freeze, 500ms, 5s, 4s}},
                         .usesProcesses = true};
    return {{{.hold = {LabTime::Shape::Fixed, 1ms}, .duration = 4s, .job = LabJob::Nothing, .name = u"four-stores"_s},
             {{LabWay::RedisFair, LabWay::ZooKeeper, LabWay::Etcd, LabWay::Unique, LabWay::Pessimistic},
              {LabKeeping::Memory, LabKeeping::Durable}}},
            {named(labPlanFor(LabWay::Redlock), u"redlock-restart"_s),
             {{LabWay::Redlock}, {LabKeeping::Memory, LabKeeping::Durable}}},
            {named(jump, u"clock-jump"_s), {{LabWay::Redlock, LabWay::RedisFair}}},
            {named(failover, u"redis-failover"_s), {{LabWay::RedisSet, LabWay::RedisFair}}},
            {named(crash, u"setnx-crash"_s), {{LabWay::RedisSetnx, LabWay::RedisSet}}},
            {named(frozen, u"frozen-holder"_s), {{LabWay::ZooKeeper, LabWay::Etcd}, {}, {false, true}}}};
}

} // namespace

QList<LabPlan> labScenarios()
{
    using Kind = LabFault::Kind;
    constexpr LabTime none{};
    QList<LabPlan> plans;
    plans.append({.workers = 24, .hold = {LabTime::Shape::Uniform, 5ms}, .job = LabJob::Sale, .name = u"flash-sale"_s});
    plans.append({.workers = 20,
                  .resources = 200,
                  .hold = {LabTime::Shape::Fixed, 20ms},
                  .wait = 0ms,
                  .job = LabJob::Once,
                  .usesProcesses = true,
                  .name = u"nightly-job"_s});
    plans.append({.workers = 16, .resources = 50, .skew = LabSkew::Hot, .name = u"hot-row"_s});
    plans.append({.workers = 6, .hold = {LabTime::Shape::Exponential, 400ms}, .ttl = 1s, .name = u"long-holder"_s});
    plans.append({.workers = 6,
                  .hold = {LabTime::Shape::Fixed, 100ms},
                  .ttl = 1s,
                  .wait = 10s,
                  .duration = 20s,
                  .faults = {{Kind::Crash, 2s, 5s}, {Kind::Freeze, 4s, 5s}},
                  .name = u"crashing-holders"_s});
    plans.append({.workers = 4,
                  .hold = {LabTime::Shape::Fixed, 10ms},
                  .faults = {{Kind::Crowd, 3s, 0s, 3s, 60}},
                  .name = u"thundering-herd"_s});
    plans.append({.workers = 32,
                  .hold = {LabTime::Shape::Fixed, 1ms},
                  .think = none,
                  .job = LabJob::Nothing,
                  .name = u"fair-queue"_s});
    for (const StoreScenario &scenario : storeScenarios())
        plans.append(scenario.load);
    return plans;
}

std::optional<LabPlan> labScenarioOf(const QString &name)
{
    const QList<LabPlan> all = labScenarios();
    const auto found = std::ranges::find(all, name, &LabPlan::name);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

QList<LabPlan> labSideBySide(const LabPlan &load, const LabComparison &comparison)
{
    const auto orOf = [](const auto &wanted, auto own) { return wanted.isEmpty() ? QList{own} : wanted; };
    const QList<LabKeeping> keepings = orOf(comparison.keepings, load.keeping);
    const QList<bool> fences = orOf(comparison.fences, load.isFenced);
    QList<LabPlan> plans;
    for (const LabWay way : comparison.ways) {
        const LabWayTraits &traits = traitsOf(way);
        LabPlan plan = load;
        plan.way = way;
        for (const LabKeeping keeping : keepings.first(choosesKeeping(traits.store) ? keepings.size() : 1)) {
            plan.keeping = keeping;
            for (const bool isFenced : fences.first(traits.hasToken ? fences.size() : 1)) {
                plan.isFenced = isFenced;
                plans.append(plan);
            }
        }
    }
    return plans;
}

LabComparison labComparisonOf(const LabPlan &load)
{
    for (const StoreScenario &scenario : storeScenarios()) {
        if (scenario.load.name == load.name)
            return scenario.comparison;
    }
    return {{load.way}};
}

} // namespace lockscope
