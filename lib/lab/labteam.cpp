// SPDX-License-Identifier: MIT
#include "labteam.h"

#include "labrun.h"
#include "privateserver/ownedchild.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>
#include <QtCore/QSocketNotifier>

#include <csignal>
#include <cstdio>
#include <poll.h>
#include <unistd.h>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Kind = LabEvent::Kind;

namespace {

constexpr int kStopWithin = 900;    // ms
constexpr int kLongestLine = 65536; // of the plan

/// The password goes where no process list shows it.
constexpr auto kPasswordVariable = "LOCKSCOPE_PASSWORD";

QJsonObject orderFor(const LabPlan &plan, const SessionTarget &target, const LabNodeAccess &nodes, int worker)
{
    return {{u"plan"_s, plan.toJson()},
            {u"url"_s, target.url.toString()},
            {u"nodes"_s, QJsonArray::fromStringList(nodes.addresses)},
            {u"nodePassword"_s, nodes.password},
            {u"worker"_s, worker}};
}

constexpr char kErrorMark = '!';

/// At once and past every buffer: what a worker did before it is killed must be known.
void write(const QByteArray &text)
{
    const QByteArray line = text + '\n';
    if (::write(STDOUT_FILENO, line.constData(), size_t(line.size())) != line.size())
        std::_Exit(1); // nobody reads any more
}

} // namespace

LabTeam::LabTeam(const LabPlan &plan, SessionTarget target, LabNodeAccess nodes, QString program)
    : m_plan(plan)
    , m_target(std::move(target))
    , m_nodes(std::move(nodes))
    , m_program(std::move(program))
    , m_networks(plan.needsProcesses() ? QStringList{m_target.url.socket} + m_nodes.addresses : QStringList())
{
    if (!plan.needsProcesses()) {
        m_crew = std::make_unique<LabCrew>(plan, m_target, m_nodes, 0, plan.workers);
        return;
    }
    for (int worker = 0; worker < plan.workers; ++worker)
        startProcess(worker);
}

LabTeam::~LabTeam()
{
    stop();
}

void LabTeam::startProcess(int worker)
{
    auto process = std::make_unique<QProcess>();
    SessionTarget target = m_target;
    const QStringList addresses = m_networks.addressesOf(worker);
    target.url.socket = addresses.constFirst();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(kPasswordVariable), m_target.password);
    process->setProcessEnvironment(environment);
    process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process->setChildProcessModifier(endsWithItsOwner()); // a frozen worker would not see its input close
    process->start(m_program, {u"simulate"_s, u"--as-worker"_s});
    process->write(QJsonDocument(orderFor(m_plan, target, {addresses.mid(1), m_nodes.password}, worker))
                       .toJson(QJsonDocument::Compact)
                   + '\n');
    if (!process->waitForStarted())
        m_error = u"A worker process did not start (%1): %2"_s.arg(m_program, process->errorString());
    process->waitForBytesWritten(1000);
    (worker < m_plan.workers ? m_processes : m_crowdProcesses)[worker] = std::move(process);
}

void LabTeam::readFrom(QProcess &process)
{
    process.waitForReadyRead(0);
    while (process.canReadLine()) {
        const QByteArray line = process.readLine().trimmed();
        if (const auto event = LabEvent::fromLine(line))
            m_events.append(*event);
        else if (line.startsWith(kErrorMark) && m_firstError.isEmpty())
            m_firstError = QString::fromUtf8(line.mid(1));
    }
}

void LabTeam::takeFrom(LabCrew &crew)
{
    m_events += crew.events().take();
    if (m_firstError.isEmpty())
        m_firstError = crew.events().firstError();
}

QList<LabEvent> LabTeam::takeEvents()
{
    for (LabCrew *crew : {m_crew.get(), m_crowd.get()}) {
        if (crew)
            takeFrom(*crew);
    }
    for (auto *processes : {&m_processes, &m_crowdProcesses}) {
        for (auto &[worker, process] : *processes) {
            readFrom(*process);
            if (process->state() == QProcess::NotRunning && m_error.isEmpty())
                m_error = u"A worker process ended by itself."_s; // LabTeam::crash() has another in its place
        }
    }
    return std::exchange(m_events, {});
}

void LabTeam::crash(int worker)
{
    const auto found = m_processes.find(worker);
    if (found == m_processes.end())
        return;
    const qint64 crashedAt = LabEvent::now();
    found->second->kill();
    found->second->waitForFinished(kStopWithin);
    readFrom(*found->second);
    // What it did in its last moment would otherwise follow its end.
    m_events.removeIf([=](const LabEvent &event) { return event.worker == worker && event.at >= crashedAt; });
    m_events.append({crashedAt, Kind::Crashed, worker});
    startProcess(worker);
}

/// A process that does not run has the number 0, which would be all of ours.
bool LabTeam::signal(int worker, int number)
{
    const auto found = m_processes.find(worker);
    const qint64 pid = found == m_processes.end() ? 0 : found->second->processId();
    return pid > 0 && ::kill(pid_t(pid), number) == 0;
}

void LabTeam::freeze(int worker)
{
    if (!signal(worker, SIGSTOP))
        return;
    m_events.append({LabEvent::now(), Kind::Frozen, worker});
}

void LabTeam::thaw(int worker)
{
    if (!signal(worker, SIGCONT))
        return;
    m_events.append({LabEvent::now(), Kind::Thawed, worker});
}

void LabTeam::setNetwork(int worker, Kind kind)
{
    using State = FaultyProxy::State;
    if (!m_processes.contains(worker))
        return;
    const State state = kind == Kind::CutOff ? State::Stalled : kind == Kind::Slowed ? State::Slow : State::Open;
    if (m_networks.set(worker, state))
        m_events.append({LabEvent::now(), kind, worker});
    else if (m_firstError.isEmpty())
        m_firstError = u"The network of a worker was not cut or slowed: it could not be given one of its own."_s;
}

void LabTeam::cutNode(qsizetype node, bool isCut)
{
    const qsizetype server = node + 1; // behind the database
    if (!isCut)
        m_networks.healServer(server);
    else if (!m_networks.cutServer(server) && m_firstError.isEmpty())
        m_firstError = u"The networks to a node were not cut: the workers have none of their own."_s;
}

void LabTeam::beginCrowd(int count)
{
    if (m_crew) {
        m_crowd = std::make_unique<LabCrew>(m_plan, m_target, m_nodes, m_plan.workers, count);
        return;
    }
    for (int i = 0; i < std::min(count, LabPlan::MaxProcesses); ++i)
        startProcess(m_plan.workers + i);
}

void LabTeam::endCrowd()
{
    if (m_crowd) {
        m_crowd->stop();
        takeFrom(*m_crowd);
    }
    m_crowd.reset();
    endProcesses(m_crowdProcesses);
    for (auto &[worker, process] : m_crowdProcesses)
        readFrom(*process); // their last words: the next crowd has the same numbers
    m_crowdProcesses.clear();
}

void LabTeam::endProcesses(std::map<int, std::unique_ptr<QProcess>> &processes)
{
    for (auto &[worker, process] : processes) {
        if (process->processId() > 0)
            ::kill(pid_t(process->processId()), SIGCONT); // a frozen one would not hear
        process->closeWriteChannel();
    }
    const QDeadlineTimer deadline(kStopWithin);
    for (auto &[worker, process] : processes) {
        if (process->state() != QProcess::NotRunning && !process->waitForFinished(int(deadline.remainingTime()))) {
            process->kill();
            process->waitForFinished(kStopWithin);
        }
    }
}

void LabTeam::stop()
{
    m_networks.openAll(); // a worker that hears nothing of the server would not end in time
    endCrowd();
    if (m_crew) {
        m_crew->stop();
        takeFrom(*m_crew);
        m_crew.reset();
    }
    endProcesses(m_processes);
    for (auto &[worker, process] : m_processes)
        readFrom(*process);
    m_processes.clear();
}

int runLabWorkerProcess()
{
    char line[kLongestLine];
    if (!std::fgets(line, sizeof line, stdin))
        return 1;
    const QJsonObject order = QJsonDocument::fromJson(QByteArray(line)).object();
    QString error;
    const auto plan = LabPlan::fromJson(order.value(u"plan"_s).toObject(), &error);
    SessionTarget target;
    if (!plan || !ServerUrl::parse(order.value(u"url"_s).toString(), &target.url, &error)) {
        std::fprintf(stderr, "lockctl: %s\n", qPrintable(error));
        return 1;
    }
    target.password = qEnvironmentVariable(kPasswordVariable);
    const LabEvents::Listener listener{[](const LabEvent &event) { write(event.toLine()); },
                                       [](const QString &why) { write(kErrorMark + why.simplified().toUtf8()); }};
    const LabNodeAccess nodes{order.value(u"nodes"_s).toVariant().toStringList(),
                              order.value(u"nodePassword"_s).toString()};
    LabCrew crew(*plan, target, nodes, order.value(u"worker"_s).toInt(), 1, listener);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (::poll(&input, 1, -1) < 0) { } // interrupted; else the run is over, or its process is gone
    crew.stop();
    std::_Exit(0); // the engine's last measurements interest nobody
}

} // namespace lockscope
