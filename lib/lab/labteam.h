// SPDX-License-Identifier: MIT
#pragma once

#include "labnetworks.h"
#include "labworker.h"

#include <map>

class QProcess;

namespace lockscope {

/// The workers of a run, as threads of this process or as processes of their own, which end with it however it ends.
/// Private to lib/lab. Thread: its maker's, with whose end the processes are killed.
class LabTeam
{
public:
    /// Starts them. `program` is lockctl; needed for processes only.
    LabTeam(const LabPlan &plan, SessionTarget target, LabNodeAccess nodes, QString program);
    ~LabTeam();

    QList<LabEvent> takeEvents();
    /// SIGKILL, and another process in its place.
    void crash(int worker);
    void freeze(int worker);
    void thaw(int worker);
    /// CutOff, Slowed or Healed, of a worker that is a process.
    void setNetwork(int worker, LabEvent::Kind kind);
    qsizetype nodes() const { return m_nodes.addresses.size(); }
    /// What all workers send to a node waits, or arrives again.
    void cutNode(qsizetype node, bool isCut);
    void beginCrowd(int count);
    void endCrowd();
    /// Ends all workers: within a second, or by force.
    void stop();
    /// Processes that did not start or ended by themselves, which none should: the run is not worth going on with.
    QString error() const { return m_error; }
    /// The first reason why something failed that a worker told; empty: none.
    QString firstError() const { return m_firstError; }

private:
    void startProcess(int worker);
    bool signal(int worker, int number);
    void takeFrom(LabCrew &crew);
    void readFrom(QProcess &process);
    static void endProcesses(std::map<int, std::unique_ptr<QProcess>> &processes);

    const LabPlan m_plan;
    const SessionTarget m_target;
    const LabNodeAccess m_nodes;
    const QString m_program;
    LabNetworks m_networks;
    std::unique_ptr<LabCrew> m_crew;
    std::unique_ptr<LabCrew> m_crowd;
    std::map<int, std::unique_ptr<QProcess>> m_processes;
    std::map<int, std::unique_ptr<QProcess>> m_crowdProcesses;
    QList<LabEvent> m_events;
    QString m_error;
    QString m_firstError;
};

} // namespace lockscope
