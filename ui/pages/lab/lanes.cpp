// SPDX-License-Identifier: MIT
#include "lanes.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

bool isBefore(qint64 time, const Lanes::Span &span)
{
    return time < span.from;
}

} // namespace

void Lanes::clear(int workers)
{
    m_lanes.assign(std::size_t(workers), {});
    m_holders.clear();
    m_total = 0;
}

void Lanes::add(const QList<LabEvent> &events)
{
    for (const LabEvent &event : events) {
        if (event.worker < 0 || isFull())
            continue;
        if (std::size_t(event.worker) >= m_lanes.size())
            m_lanes.resize(std::size_t(event.worker) + 1); // of a crowd
        apply(event);
    }
    if (events.isEmpty() || m_isRecording)
        return;
    forget(events.last().at - Kept);
    if (m_total > Max)
        merge();
}

void Lanes::apply(const LabEvent &event)
{
    Lane &lane = m_lanes[std::size_t(event.worker)];
    switch (event.kind) {
    case Kind::Ask:
        begin(event, State::Waiting, event.resource);
        if (const Holder holder = m_holders.value(event.resource); holder.end == Kind::Got)
            lane.spans.back().other = holder.worker;
        break;
    case Kind::Got: {
        const Holder before = m_holders.value(event.resource);
        begin(event, State::Holding, event.resource);
        Span &span = lane.spans.back();
        span.other = before.worker;
        span.otherEnd = before.end;
        span.otherEndedAt = before.endedAt;
        m_holders[event.resource] = {event.worker, 0, Kind::Got};
        break;
    }
    case Kind::Conflict:
        if (!lane.spans.empty())
            ++lane.spans.back().count;
        break;
    case Kind::Wrote: // told after the work has ended
        if (!lane.spans.empty() && lane.spans.back().state == State::Resting)
            lane.spans.back().count += int(event.value);
        break;
    case Kind::Refused:
        begin(event, State::Refused, event.resource);
        break;
    case Kind::Stale:
        begin(event, State::Stale, event.resource);
        break;
    case Kind::Crashed:
        endHold(event.worker, event);
        begin(event, State::Crashed);
        break;
    case Kind::Frozen:
        lane.beforeFrozen = lane.spans.empty() ? State::Resting : lane.spans.back().state;
        begin(event, State::Frozen, lane.spans.empty() ? -1 : lane.spans.back().resource);
        break;
    case Kind::Thawed:
        begin(event, lane.beforeFrozen, lane.spans.empty() ? -1 : lane.spans.back().resource);
        break;
    case Kind::CutOff:
    case Kind::Slowed:
    case Kind::Healed:
        changeNetwork(event);
        break;
    case Kind::Duplicate:
    case Kind::Skipped:
    case Kind::Released:
    case Kind::Halfway: // it waits until it has all of it
        break;
    case Kind::Finished:
        endHold(event.worker, event);
        begin(event, State::Resting, event.resource);
        break;
    case Kind::Busy:
    case Kind::TimedOut:
    case Kind::Deadlock:
    case Kind::NotHeld:
    case Kind::Failed:
    case Kind::Left:
        begin(event, State::Resting, event.resource);
        break;
    }
}

void Lanes::begin(const LabEvent &event, State state, int resource)
{
    auto &spans = m_lanes[std::size_t(event.worker)].spans;
    if (!spans.empty() && spans.back().to == 0) {
        Span &open = spans.back();
        const bool isSameRest = state == State::Resting && open.state == State::Resting;
        if (isSameRest && event.kind == Kind::NotHeld)
            open.why = event.kind; // what it did when it was through turned out to be too late
        if (isSameRest || (open.state == State::Crashed && state == State::Resting))
            return;
        open.to = std::max(event.at, open.from);
    }
    Span span;
    span.from = event.at;
    span.state = state;
    span.why = event.kind;
    span.resource = resource;
    spans.push_back(span);
    ++m_total;
}

/// Remembers how the worker's hold ended, unless somebody else has taken the resource meanwhile.
void Lanes::endHold(int worker, const LabEvent &event)
{
    const auto &spans = m_lanes[std::size_t(worker)].spans;
    if (spans.empty())
        return;
    const auto holder = m_holders.find(spans.back().resource);
    if (holder == m_holders.end() || holder->worker != worker || holder->end != Kind::Got)
        return;
    holder->end = event.kind;
    holder->endedAt = event.at;
}

void Lanes::changeNetwork(const LabEvent &event)
{
    auto &networks = m_lanes[std::size_t(event.worker)].networks;
    if (!networks.empty() && networks.back().to == 0)
        networks.back().to = event.at;
    if (event.kind == Kind::Healed)
        return;
    Span span;
    span.from = event.at;
    span.state = event.kind == Kind::CutOff ? State::CutOff : State::Slowed;
    span.why = event.kind;
    networks.push_back(span);
}

void Lanes::forget(qint64 before)
{
    const auto isKept = [before](const Span &span) { return span.to == 0 || span.to >= before; };
    m_total = 0;
    for (Lane &lane : m_lanes) {
        lane.spans.erase(lane.spans.begin(), std::find_if(lane.spans.begin(), lane.spans.end(), isKept));
        lane.networks.erase(lane.networks.begin(), std::find_if(lane.networks.begin(), lane.networks.end(), isKept));
        m_total += lane.spans.size();
    }
}

/// The older half of what there is.
void Lanes::merge()
{
    std::vector<qint64> begins;
    begins.reserve(m_total);
    for (const Lane &lane : m_lanes) {
        for (const Span &span : lane.spans)
            begins.push_back(span.from);
    }
    const auto middle = begins.begin() + std::ptrdiff_t(begins.size() / 2);
    std::nth_element(begins.begin(), middle, begins.end());
    m_total = 0;
    for (Lane &lane : m_lanes) {
        lane.spans = merged(lane.spans, *middle);
        m_total += lane.spans.size();
    }
}

/// Each moment becomes one span: what the worker did for most of it, and how often it held. What must not be missed
/// (killed, frozen, stale) and what takes longer stays.
std::vector<Lanes::Span> Lanes::merged(const std::vector<Span> &spans, qint64 before)
{
    std::vector<Span> result;
    qint64 longest = 0; // of those in the last one of `result`
    for (const Span &span : spans) {
        const bool isShort = span.to != 0 && span.to < before && span.to - span.from < Moment
            && (span.state == State::Resting || span.state == State::Waiting || span.state == State::Holding);
        const int holds = std::max(span.merged, int(span.state == State::Holding));
        const bool belongs =
            isShort && !result.empty() && longest > 0 && result.back().from / Moment == span.from / Moment;
        if (!belongs) {
            result.push_back(span);
            longest = isShort ? std::max<qint64>(1, span.to - span.from) : 0;
            continue;
        }
        Span &last = result.back();
        const int both = std::max(last.merged, int(last.state == State::Holding)) + holds;
        if (span.to - span.from > longest) {
            longest = span.to - span.from;
            last.state = span.state;
            last.resource = span.resource;
        }
        last.to = span.to;
        last.merged = std::max(1, both);
    }
    return result;
}

const Lanes::Span *Lanes::at(int worker, qint64 time) const
{
    if (worker < 0 || worker >= count())
        return nullptr;
    const auto &spans = this->spans(worker);
    const auto behind = std::upper_bound(spans.begin(), spans.end(), time, isBefore);
    return behind == spans.begin() ? nullptr : &*std::prev(behind);
}

const Lanes::Span *Lanes::before(int worker, const Span &span) const
{
    return at(worker, span.from - 1);
}

std::optional<Lanes::Change> Lanes::next(qint64 after) const
{
    std::optional<Change> first;
    for (int worker = 0; worker < count(); ++worker) {
        const auto &spans = this->spans(worker);
        const auto found = std::upper_bound(spans.begin(), spans.end(), after, isBefore);
        if (found != spans.end() && (!first || found->from < first->span.from))
            first = Change{worker, *found};
    }
    return first;
}

std::optional<Lanes::Change> Lanes::previous(qint64 before) const
{
    std::optional<Change> last;
    for (int worker = 0; worker < count(); ++worker) {
        const Span *found = at(worker, before - 1);
        if (found && (!last || found->from > last->span.from))
            last = Change{worker, *found};
    }
    return last;
}

} // namespace lockscope::ui
