#include "nemesis.h"

namespace lockscope::faults {

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
        return killSession(fault);
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

void Nemesis::killSession(const Fault &fault)
{
    const QString account = Crew::accountOf(fault.place);
    const QStringList ids =
        m_world.sql("SELECT GROUP_CONCAT(id)" + m_world.connectionsOf(account)).split(u',', Qt::SkipEmptyParts);
    if (ids.isEmpty())
        return;
    const auto which = qsizetype(fault.choice % quint64(ids.size()));
    m_events.add({Event::now(), Kind::Session, m_crew.processAt(fault.place), 0, -1, 0, ids[which].toLongLong()});
    m_world.sql("KILL " + ids[which].toLatin1());
}

void Nemesis::endServer(Kind kind)
{
    const qint64 begin = Event::now();
    m_events.add({begin, kind});
    m_world.disconnect();
    if (kind == Kind::Crash)
        m_world.server().kill9();
    m_world.server().restart();
    const qint64 end = Event::now();
    m_events.add({end, Kind::Up});
    m_away += end - begin;
}

} // namespace lockscope::faults
