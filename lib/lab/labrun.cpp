// SPDX-License-Identifier: MIT
#include "labrun.h"

#include "labfaults.h"
#include "labnodes.h"
#include "labschema.h"
#include "labtally.h"
#include "labteam.h"
#include "pidfile.h"
#include "privateserver/processfolder.h"
#include "processcpu.h"
#include "session/validation_p.h"

#include <algorithm>
#include <thread>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

using detail::badRequest;

constexpr auto kTick = 20ms;
constexpr auto kReportEvery = 100ms;
constexpr auto kCountConnectionsEvery = 500ms;

/// What a server on this machine has used of the processor, where its process may be looked at.
std::optional<Duration> cpuOfServer(Session &session)
{
    const Reply name = session.run("SELECT @@pid_file", "lab/pid_file");
    const auto process = name ? processInFile(name.value().toString()) : std::nullopt;
    return process ? cpuOfProcess(*process) : std::nullopt;
}

struct Cost
{
    qint64 statements = 0;
    std::optional<Duration> cpu;
};

/// A server behind a port may be another machine's, and its file's name somebody else's here.
std::optional<Cost> costOf(Session &session, const ServerUrl &url)
{
    const Reply reply = session.run("lab/cost", Params());
    if (!reply)
        return std::nullopt;
    Cost cost;
    cost.statements = reply.set(-1).rows.value(0).value(1).toLongLong();
    if (!url.socket.isEmpty())
        cost.cpu = cpuOfServer(session);
    return cost;
}

/// With that of the run's nodes.
std::optional<Cost> costOf(Session &session, const ServerUrl &url, LabNodes &nodes)
{
    auto cost = costOf(session, url);
    const LabNodes::Use use = nodes.use();
    if (cost)
        cost->statements += use.commands;
    if (cost && cost->cpu)
        *cost->cpu += use.cpu;
    return cost;
}

/// Of leases and rows in the database, by what it does at a commit.
LabLoss lossOf(Session &session, const LabPlan &plan)
{
    if (traitsOf(plan.way).store != LabStore::Database)
        return lossOfNodes(plan);
    const Reply flush = session.run("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit", "lab/durability");
    if (!flush)
        return LabLoss::Unknown;
    return flush.value().toInt() == 1 ? LabLoss::Nothing : LabLoss::LastSecond;
}

class Run
{
public:
    Run(const LabPlan &plan, const LabPlace &place, LabSchema &schema, LabNodes &nodes,
        const std::function<void(const LabProgress &)> &tell)
        : m_plan(plan)
        , m_place(place)
        , m_schema(schema)
        , m_nodes(nodes)
        , m_onProgress(tell)
        , m_tally(plan.workers, traitsOf(plan.way).isInTransaction,
                  plan.job == LabJob::Sale ? std::optional(quint64(plan.stock)) : std::nullopt)
    {
        m_report.plan = plan;
    }

    LabResult go(const std::stop_token &stop);

private:
    Duration elapsed() const { return std::chrono::duration_cast<Duration>(Clock::now() - m_begin); }
    void loop(LabTeam &team, const std::stop_token &stop);
    void takeEvents(LabTeam &team);
    void reportIfDue();
    void tell();
    void countConnections(const LabFaults &faults);
    void measureCost();
    void audit();

    const LabPlan &m_plan;
    const LabPlace &m_place;
    LabSchema &m_schema;
    LabNodes &m_nodes;
    const std::function<void(const LabProgress &)> &m_onProgress;
    LabTally m_tally;
    LabReport m_report;
    QList<LabEvent> m_unreported;
    std::optional<Cost> m_costBefore;
    std::optional<LockError> m_lost; ///< the server
    Clock::time_point m_begin = Clock::now();
    Clock::time_point m_reportedAt = m_begin;
    Clock::time_point m_countedAt = m_begin;
    Clock::time_point m_seenAt = m_begin;
};

LabResult Run::go(const std::stop_token &stop)
{
    LockError error;
    if (Session *control = m_schema.control(&error)) {
        m_report.server = control->info().version + m_nodes.text();
        m_report.loss = lossOf(*control, m_plan);
        m_costBefore = costOf(*control, m_place.target.url, m_nodes);
    }
    {
        LabTeam team(m_plan, m_schema.target(), m_nodes.access(), m_place.workerProgram);
        m_begin = Clock::now();
        loop(team, stop);
        m_report.length = std::min(elapsed(), m_plan.duration);
        measureCost();
        team.stop();
        takeEvents(team);
        if (!team.error().isEmpty())
            m_report.partial = team.error();
        m_report.firstError = team.firstError();
    }
    m_unreported += m_tally.finish();
    if (stop.stop_requested())
        m_report.partial = u"stopped by hand"_s;
    m_report.counts = m_tally.counts();
    m_report.latency = m_tally.latency();
    m_report.fairness = m_tally.fairness();
    audit();
    if (m_costBefore && m_report.statementsPerGrant && m_report.counts.granted > 0)
        *m_report.statementsPerGrant /= double(m_report.counts.granted);
    else
        m_report.statementsPerGrant.reset();
    tell(); // the last moments too
    return {m_report, m_lost};
}

void Run::loop(LabTeam &team, const std::stop_token &stop)
{
    LabFaults faults(m_plan, m_place, m_schema, m_nodes, team);
    while (!stop.stop_requested() && elapsed() < m_plan.duration && !m_lost) {
        std::this_thread::sleep_for(kTick);
        takeEvents(team);
        faults.act(elapsed(), m_tally);
        for (const LabFault &fault : m_place.commands ? m_place.commands->take() : QList<LabFault>())
            faults.doNow(fault, elapsed(), m_tally);
        countConnections(faults);
        reportIfDue();
        for (const QString &error : {faults.error(), team.error()}) {
            if (!error.isEmpty())
                m_lost = badRequest(error);
        }
    }
    if (m_lost)
        m_report.partial = m_lost->message;
}

void Run::takeEvents(LabTeam &team)
{
    const QList<LabEvent> counted = m_tally.add(team.takeEvents());
    if (m_onProgress)
        m_unreported += counted;
}

void Run::reportIfDue()
{
    if (Clock::now() - m_reportedAt >= kReportEvery)
        tell();
}

void Run::tell()
{
    m_reportedAt = Clock::now();
    LabProgress progress;
    progress.elapsed = elapsed();
    progress.counts = m_tally.counts();
    progress.waiting = m_tally.waiting();
    progress.holding = int(m_tally.holders().size());
    progress.events = std::exchange(m_unreported, {});
    if (m_onProgress)
        m_onProgress(progress);
}

/// A server that does not answer for ten seconds is lost, unless it is being restarted.
void Run::countConnections(const LabFaults &faults)
{
    constexpr auto patience = 10s;
    if (Clock::now() - m_countedAt < kCountConnectionsEvery)
        return;
    m_countedAt = Clock::now();
    const Reply reply = faults.isRestarting() ? Reply{{}, LockError()} : m_schema.connections();
    if (reply || faults.isRestarting())
        m_seenAt = Clock::now();
    if (reply)
        m_report.connections = std::max(m_report.connections, int(reply.set(-1).rows.size()));
    else if (Clock::now() - m_seenAt > patience)
        m_lost = reply.error;
}

void Run::measureCost()
{
    LockError error;
    Session *control = m_schema.control(&error);
    const auto after = control ? costOf(*control, m_place.target.url, m_nodes) : std::nullopt;
    if (!after || !m_costBefore || after->statements < m_costBefore->statements)
        return; // restarted meanwhile: it counts from its start
    m_report.statementsPerGrant = double(after->statements - m_costBefore->statements);
    if (after->cpu && m_costBefore->cpu)
        m_report.serverCpu = *after->cpu - *m_costBefore->cpu;
}

/// Counts again from what is left, which no event can be missing from.
void Run::audit()
{
    LockError error;
    Session *control = m_schema.control(&error);
    if (!control || m_plan.job == LabJob::Nothing)
        return;
    const auto initial = m_plan.job == LabJob::Sale ? qint64(m_plan.stock) : LabSchema::Plenty;
    const Reply reply = control->run("lab/audit", Params().number("initial", initial));
    const QVariantList sums = reply.set(-1).rows.value(0);
    if (!reply || sums.isEmpty())
        return;
    if (m_plan.job == LabJob::Sale)
        m_report.counts.oversold = sums.value(2).toULongLong();
    else if (m_plan.job == LabJob::Stock) // each write takes one away; a written-over one is missing
        m_report.counts.lostUpdates =
            std::max(m_report.counts.lostUpdates,
                     quint64(std::max<qint64>(0, sums.value(1).toLongLong() - sums.value(0).toLongLong())));
}

} // namespace

LabResult runLab(const LabPlan &plan, const LabPlace &place, const std::stop_token &stop,
                 const std::function<void(const LabProgress &)> &tell)
{
    LabResult result;
    result.report.plan = plan;
    if (auto refused = place.access.refusalOfLab())
        result.error = std::move(refused);
    else if (const auto wrong = plan.validate())
        result.error = badRequest(*wrong);
    else if (plan.needsProcesses() && place.workerProgram.isEmpty())
        result.error = badRequest(u"This plan needs worker processes, and the program for them was not found."_s);
    for (const LabFault &fault : plan.faults) {
        if (fault.kind == LabFault::Kind::Restart && !place.restart)
            result.error = badRequest(u"Only the private server can be restarted by a run."_s);
        if (isOfNetwork(fault.kind) && ProcessFolder::parent().isEmpty())
            result.error =
                badRequest(u"The network cannot be cut or slowed: there is no folder for sockets that nobody "
                           "else may enter, neither below XDG_RUNTIME_DIR nor in /tmp."_s);
        if (isOfNetwork(fault.kind) && place.target.url.socket.isEmpty())
            result.error = badRequest(u"A run can cut or slow the network only where the server is reached through a "
                                      "socket of this machine."_s);
    }
    ProcessFolder::removeDead();
    if (!result.error)
        result.error = cleanUpLab(place.target);
    if (result.error)
        return result;
    LockError error;
    const auto nodes = LabNodes::start(plan, &error);
    const auto schema = nodes ? LabSchema::make(place.target, plan, &error) : nullptr;
    if (!schema) {
        result.error = error;
        return result;
    }
    return Run(plan, place, *schema, *nodes, tell).go(stop);
}

} // namespace lockscope
