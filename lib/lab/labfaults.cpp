// SPDX-License-Identifier: MIT
#include "labfaults.h"

#include "labrun.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

LabFaults::LabFaults(const LabPlan &plan, const LabPlace &place, LabSchema &schema, LabNodes &nodes, LabTeam &team)
    : m_plan(plan)
    , m_place(place)
    , m_schema(schema)
    , m_nodes(nodes)
    , m_team(team)
    , m_random(plan.seed)
{
    for (const LabFault &fault : plan.faults)
        m_next.emplace_back(fault.at, fault);
}

LabFaults::~LabFaults()
{
    m_nodes.resume(); // who would not answer what is asked at the end
    if (m_restart.valid())
        m_restart.wait();
}

void LabFaults::act(Duration elapsed, const LabTally &tally)
{
    std::vector<Due> due;
    std::partition_copy(m_due.begin(), m_due.end(), std::back_inserter(due), m_due.begin(),
                        [elapsed](const Due &it) { return it.at <= elapsed; });
    m_due.resize(m_due.size() - due.size());
    for (const Due &it : due)
        it.action();
    for (auto &[at, fault] : m_next) {
        if (at > elapsed)
            continue;
        doNow(fault, elapsed, tally);
        at = fault.every > Duration::zero() ? elapsed + fault.every : Duration::max();
    }
    if (m_crashesHalfway > 0)
        crashHalfway(tally);
    if (m_restart.valid() && m_restart.wait_for(0s) == std::future_status::ready)
        m_error = m_restart.get();
}

void LabFaults::doNow(const LabFault &fault, Duration elapsed, const LabTally &tally)
{
    switch (fault.kind) {
    case LabFault::Kind::KillSession:
        killSession();
        break;
    case LabFault::Kind::Crash:
        crash(tally);
        break;
    case LabFault::Kind::Freeze:
        if (const auto worker = target(tally)) {
            m_team.freeze(*worker);
            m_due.push_back({elapsed + lengthOf(fault), [this, worker = *worker] { m_team.thaw(worker); }});
        }
        break;
    case LabFault::Kind::Cut:
    case LabFault::Kind::Slow:
        if (const auto worker = target(tally)) {
            using Kind = LabEvent::Kind;
            m_team.setNetwork(*worker, fault.kind == LabFault::Kind::Cut ? Kind::CutOff : Kind::Slowed);
            m_due.push_back(
                {elapsed + lengthOf(fault), [this, worker = *worker] { m_team.setNetwork(worker, Kind::Healed); }});
        }
        break;
    case LabFault::Kind::Restart:
        if (!m_restart.valid() && m_place.restart)
            m_restart = std::async(std::launch::async, m_place.restart);
        break;
    case LabFault::Kind::NodeForgets:
        keepError(m_nodes.restartNext());
        break;
    case LabFault::Kind::ClockJump:
        keepError(m_nodes.moveNextClock(lengthOf(fault)));
        break;
    case LabFault::Kind::Failover:
        m_nodes.cutReplica();
        m_due.push_back({elapsed + lengthOf(fault), [this] { keepError(m_nodes.failOver()); }});
        break;
    case LabFault::Kind::ServerPause:
        m_nodes.pauseNext();
        m_due.push_back({elapsed + lengthOf(fault), [this] { m_nodes.resume(); }});
        break;
    case LabFault::Kind::LeaderKill:
        m_nodes.killLeader();
        m_due.push_back({elapsed + lengthOf(fault), [this] { keepError(m_nodes.startKilled()); }});
        break;
    case LabFault::Kind::NodeCut:
        cutNodes(fault, elapsed);
        break;
    case LabFault::Kind::Crowd:
        m_team.beginCrowd(fault.count);
        m_due.push_back({elapsed + fault.length, [this] { m_team.endCrowd(); }});
        break;
    }
}

void LabFaults::keepError(const std::optional<LockError> &error)
{
    if (error)
        m_error = error->toString();
}

void LabFaults::cutNodes(const LabFault &fault, Duration elapsed)
{
    const qsizetype all = m_team.nodes();
    for (qsizetype left = std::min<qsizetype>(std::max(fault.count, 1), all); left > 0; --left) {
        const qsizetype node = m_cut++ % all;
        m_team.cutNode(node, true);
        m_due.push_back({elapsed + lengthOf(fault), [this, node] { m_team.cutNode(node, false); }});
    }
}

void LabFaults::crash(const LabTally &tally)
{
    if (m_plan.restsHalfway())
        ++m_crashesHalfway;
    else if (const auto worker = target(tally))
        m_team.crash(*worker);
}

void LabFaults::crashHalfway(const LabTally &tally)
{
    const auto worker = tally.halfway();
    if (!worker)
        return;
    --m_crashesHalfway;
    m_team.crash(*worker);
}

Duration LabFaults::lengthOf(const LabFault &fault) const
{
    return fault.length > Duration::zero() ? fault.length : m_plan.ttl * 3 / 2;
}

/// A worker that holds, or any where nobody does.
std::optional<int> LabFaults::target(const LabTally &tally)
{
    std::vector<int> holding = tally.holders();
    std::erase_if(holding, [this](int worker) { return worker >= m_plan.workers; });
    if (holding.empty())
        return std::uniform_int_distribution<int>(0, m_plan.workers - 1)(m_random);
    return holding[std::uniform_int_distribution<std::size_t>(0, holding.size() - 1)(m_random)];
}

void LabFaults::killSession()
{
    const Reply connections = m_schema.connections();
    const auto &rows = connections.set(-1).rows;
    LockError ignored;
    Session *control = m_schema.control(&ignored);
    if (!control || rows.isEmpty())
        return;
    const auto which = std::uniform_int_distribution<qsizetype>(0, rows.size() - 1)(m_random);
    // They are the run's own: the schema is nobody else's.
    control->run("lab/kill", Params().number("connection", rows[which].value(0).toULongLong()));
}

} // namespace lockscope
