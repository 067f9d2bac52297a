// SPDX-License-Identifier: MIT
#pragma once

#include "crew.h"
#include "runplan.h"
#include "world.h"

#include <QtCore/QElapsedTimer>

#include <map>

namespace lockscope::faults {

/// KILL of one of the connections of the process at the place, if it has any; those to a store are closed all at once.
void killSession(test::World &world, Crew &crew, int place, quint64 choice, EventFile &events);

/// Does what was planned, when it was planned. Thread: that of server and crew.
class Nemesis
{
public:
    Nemesis(const RunPlan &plan, test::World &world, Crew &crew, EventFile &events);

    /// Time of the plan, which stands still while the server is away. In microseconds.
    qint64 elapsed() const { return m_clock.nsecsElapsed() / 1000 - m_away; }
    /// Does what is due and has not been done.
    void act();
    /// Ends what is still going on.
    void endAll();

private:
    void begin(const Fault &fault);
    void end(const Fault &fault);
    void endServer(Kind kind);

    test::World &m_world;
    Crew &m_crew;
    EventFile &m_events;
    const std::vector<Fault> m_faults;
    QElapsedTimer m_clock;
    qint64 m_away = 0;
    std::size_t m_next = 0;
    std::multimap<qint64, Fault> m_ends; ///< of what was begun
};

} // namespace lockscope::faults
