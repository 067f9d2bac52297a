// SPDX-License-Identifier: MIT
#include "nemesis.h"

using namespace Qt::StringLiterals;

namespace lockscope::faults {

void killSession(test::World &world, Crew &crew, int place, quint64 choice, EventFile &events)
{
    if (world.site()) // whose connection is whose it does not tell
        return crew.setNetwork(place, FaultyProxy::State::Reset);
    const QStringList ids = world.connectionIds(Crew::accountOf(place));
    if (ids.isEmpty())
        return;
    const QString &id = ids[qsizetype(choice % quint64(ids.size()))];
    events.add({Event::now(), Kind::Session, crew.processAt(place), 0, -1, 0, id.toLongLong()});
    world.endConnection(id);
}

Nemesis::Nemesis(const RunPlan &plan, test::World &world, Crew &crew, EventFile &events)
    : m_world(world)
    , m_crew(crew)
    , m_events(events)
    , m_faults(planFaults(plan))
{
    m_clock.start();
}

void Nemesis::act()
{
    while (!m_ends.empty() && m_ends.begin()->first <= elapsed()) {
        end(m_ends.begin()->second);
        m_ends.erase(m_ends.begin());
    }
    for (; m_next < m_faults.size() && m_faults[m_next].at <= elapsed(); ++m_next)
        begin(m_faults[m_next]);
}

void Nemesis::endAll()
{
    for (const auto &[at, fault] : m_ends)
        end(fault);
    m_ends.clear();
}

void Nemesis::begin(const Fault &fault)
{
    using State = FaultyProxy::State;
    switch (fault.kind) {
    case Kind::Killed:
        return m_crew.kill(fault.place);
    case Kind::Session:
        return killSession(m_world, m_crew, fault.place, fault.choice, m_events);
    case Kind::Reset:
        return m_crew.setNetwork(fault.place, State::Reset);
    case Kind::Frozen:
        m_crew.freeze(fault.place);
        break;
    case Kind::Cut:
        m_crew.setNetwork(fault.place, State::Cut);
        break;
    case Kind::Stalled:
        m_crew.setNetwork(fault.place, State::Stalled);
        break;
    default:
        return endServer(fault.kind);
    }
    m_ends.emplace(fault.at + fault.length, fault);
}

void Nemesis::end(const Fault &fault)
{
    if (fault.kind == Kind::Frozen)
        m_crew.thaw(fault.place);
    else
        m_crew.setNetwork(fault.place, FaultyProxy::State::Open);
}

void Nemesis::endServer(Kind kind)
{
    const qint64 begin = Event::now();
    m_events.add({begin, kind});
    m_world.changeServer(kind == Kind::Crash ? u"crash"_s : u"restart"_s);
    const qint64 end = Event::now();
    m_events.add({end, Kind::Up});
    m_away += end - begin;
}

} // namespace lockscope::faults
