// SPDX-License-Identifier: MIT
#pragma once

#include "labnodes.h"
#include "labschema.h"
#include "labtally.h"
#include "labteam.h"

#include <future>
#include <random>

namespace lockscope {

struct LabPlace;

/// Does to a run what its plan says, when it says so. Whom it meets is drawn from the seed. Private to lib/lab. Thread:
/// its maker's.
class LabFaults
{
public:
    LabFaults(const LabPlan &plan, const LabPlace &place, LabSchema &schema, LabNodes &nodes, LabTeam &team);
    ~LabFaults();

    /// Does what is due.
    void act(Duration elapsed, const LabTally &tally);
    /// One that is asked for by hand.
    void doNow(const LabFault &fault, Duration elapsed, const LabTally &tally);
    bool isRestarting() const { return m_restart.valid(); }
    QString error() const { return m_error; }

private:
    struct Due
    {
        Duration at;
        std::function<void()> action;
    };

    std::optional<int> target(const LabTally &tally);
    Duration lengthOf(const LabFault &fault) const;
    void keepError(const std::optional<LockError> &error);
    void cutNodes(const LabFault &fault, Duration elapsed);
    void crash(const LabTally &tally);
    void crashHalfway(const LabTally &tally);
    void killSession();

    const LabPlan &m_plan;
    const LabPlace &m_place;
    LabSchema &m_schema;
    LabNodes &m_nodes;
    LabTeam &m_team;
    std::mt19937_64 m_random;
    std::vector<std::pair<Duration, LabFault>> m_next;
    std::vector<Due> m_due;   ///< ends of what was begun
    int m_crashesHalfway = 0; ///< that wait for a worker between two steps
    qsizetype m_cut = 0;      ///< how often a node was
    std::future<QString> m_restart;
    QString m_error;
};

} // namespace lockscope
