#include "lanes.h"

#include <algorithm>

namespace lockscope::ui {

using Kind = LabEvent::Kind;

void Lanes::clear(int workers)
{
    m_lanes.assign(std::size_t(workers), {});
}

void Lanes::add(const QList<LabEvent> &events)
{
    QList<LabEvent> sorted = events;
    std::stable_sort(sorted.begin(), sorted.end(), [](const LabEvent &a, const LabEvent &b) { return a.at < b.at; });
    for (const LabEvent &event : std::as_const(sorted)) {
        if (event.worker < 0)
            continue;
        if (std::size_t(event.worker) >= m_lanes.size())
            m_lanes.resize(std::size_t(event.worker) + 1); // of a crowd
        switch (event.kind) {
        case Kind::Ask:
            change(event, State::Waiting);
            break;
        case Kind::Got:
            change(event, State::Holding);
            break;
        case Kind::Refused:
        case Kind::Stale:
            change(event, State::Stale);
            break;
        case Kind::Crashed:
            change(event, State::Crashed);
            break;
        case Kind::Frozen:
            change(event, State::Frozen);
            break;
        case Kind::Conflict:
        case Kind::Wrote:
        case Kind::Duplicate:
        case Kind::Skipped:
            break;
        case Kind::CutOff:
        case Kind::Slowed:
        case Kind::Healed:
            break;
        case Kind::Thawed: // what it says next tells what it was
        case Kind::Busy:
        case Kind::TimedOut:
        case Kind::Deadlock:
        case Kind::Finished:
        case Kind::Released:
        case Kind::NotHeld:
        case Kind::Failed:
        case Kind::Left:
            change(event, State::Resting);
            break;
        }
    }
    if (!sorted.isEmpty())
        forget(sorted.last().at - kept);
}

void Lanes::change(const LabEvent &event, State state)
{
    auto &lane = m_lanes[std::size_t(event.worker)];
    if (!lane.empty() && lane.back().to == 0) {
        const bool isCrash = lane.back().state == State::Crashed && state == State::Resting;
        if (lane.back().state == state || isCrash)
            return;
        lane.back().to = std::max(event.at, lane.back().from);
    }
    lane.push_back({event.at, 0, state, event.resource});
}

void Lanes::forget(qint64 before)
{
    for (auto &lane : m_lanes) {
        const auto first = std::find_if(lane.begin(), lane.end(),
                                        [before](const Span &span) { return span.to == 0 || span.to >= before; });
        lane.erase(lane.begin(), first);
    }
}

const Lanes::Span *Lanes::at(int worker, qint64 time) const
{
    if (worker < 0 || worker >= count())
        return nullptr;
    const auto &lane = m_lanes[std::size_t(worker)];
    const auto behind =
        std::upper_bound(lane.begin(), lane.end(), time, [](qint64 at, const Span &span) { return at < span.from; });
    return behind == lane.begin() ? nullptr : &*std::prev(behind);
}

} // namespace lockscope::ui
