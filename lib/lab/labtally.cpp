// SPDX-License-Identifier: MIT
#include "labtally.h"

#include <algorithm>

namespace lockscope {

namespace {

using Kind = LabEvent::Kind;

/// Batches of different processes arrive within this.
constexpr qint64 kDisorder = 500'000;
/// A hold that ended longer ago than this meets no other any more.
constexpr qint64 kForgotten = 120'000'000;

struct Counted
{
    Kind kind;
    quint64 LabCounts::*counter; ///< one more with each event of the kind
};
constexpr Counted kCounted[] = {
    {Kind::Ask, &LabCounts::attempts},
    {Kind::Got, &LabCounts::granted},
    {Kind::Busy, &LabCounts::busy},
    {Kind::TimedOut, &LabCounts::timedOut},
    {Kind::Deadlock, &LabCounts::deadlocks},
    {Kind::Conflict, &LabCounts::conflicts},
    {Kind::Wrote, &LabCounts::writes},
    {Kind::Stale, &LabCounts::staleWrites},
    {Kind::Stale, &LabCounts::violations},
    {Kind::Refused, &LabCounts::refusedWrites},
    {Kind::Duplicate, &LabCounts::duplicates},
    {Kind::Skipped, &LabCounts::skipped},
    {Kind::NotHeld, &LabCounts::notHeld},
    {Kind::Failed, &LabCounts::errors},
    {Kind::Crashed, &LabCounts::crashes},
    {Kind::Frozen, &LabCounts::freezes},
    {Kind::CutOff, &LabCounts::networkFaults},
    {Kind::Slowed, &LabCounts::networkFaults},
};

} // namespace

LabTally::LabTally(int workers, bool isSessionBound)
    : m_isSessionBound(isSessionBound)
    , m_regulars(std::size_t(workers))
    , m_workers(std::size_t(workers))
{
}

QList<LabEvent> LabTally::add(QList<LabEvent> batch)
{
    for (const LabEvent &event : std::as_const(batch))
        notice(event);
    const auto isEarlier = [](const LabEvent &a, const LabEvent &b) { return a.at < b.at; };
    std::stable_sort(batch.begin(), batch.end(), isEarlier);
    const qsizetype sorted = m_late.size();
    m_late += std::move(batch);
    std::inplace_merge(m_late.begin(), m_late.begin() + sorted, m_late.end(), isEarlier);
    const qint64 sure = LabEvent::now() - kDisorder;
    const auto end =
        std::find_if(m_late.cbegin(), m_late.cend(), [sure](const LabEvent &event) { return event.at > sure; });
    const QList<LabEvent> counted(m_late.cbegin(), end);
    m_late.erase(m_late.cbegin(), end);
    for (const LabEvent &event : counted)
        count(event);
    return counted;
}

void LabTally::notice(const LabEvent &event)
{
    Worker &worker = workerOf(event);
    const bool isItsOwn = LabEvent::isItsOwn(event.kind) || event.kind == Kind::Crashed; // after which it has nothing
    if (event.at < worker.newestAt || !isItsOwn)
        return;
    worker.newestAt = event.at;
    worker.seemsHolding = event.kind == Kind::Got;
}

QList<LabEvent> LabTally::finish()
{
    const QList<LabEvent> counted = std::exchange(m_late, {});
    for (const LabEvent &event : counted)
        count(event);
    return counted;
}

LabTally::Worker &LabTally::workerOf(const LabEvent &event)
{
    const auto index = std::size_t(std::max(0, event.worker));
    if (index >= m_workers.size())
        m_workers.resize(index + 1); // of a crowd
    return m_workers[index];
}

void LabTally::count(const LabEvent &event)
{
    Worker &worker = workerOf(event);
    if (event.kind == Kind::Ask && worker.isHolding) // another of its number was ended before it could tell its end
        end({worker.heardAt, Kind::Crashed, event.worker});
    if (LabEvent::isItsOwn(event.kind))
        worker.heardAt = event.at;
    for (const auto &[kind, counter] : kCounted) {
        if (kind == event.kind)
            ++(m_counts.*counter);
    }
    switch (event.kind) {
    case Kind::Ask:
        m_waiting += worker.askedAt == 0;
        worker.askedAt = event.at;
        break;
    case Kind::Got:
        ++worker.grants;
        if (worker.askedAt > 0)
            m_latency.add(Duration(event.at - worker.askedAt));
        stopWaiting(worker);
        begin(event);
        break;
    case Kind::Busy:
    case Kind::TimedOut:
    case Kind::Deadlock:
        stopWaiting(worker);
        break;
    case Kind::Wrote:
        m_counts.lostUpdates += quint64(event.value);
        break;
    case Kind::Failed:
    case Kind::Crashed:
        stopWaiting(worker);
        [[fallthrough]];
    case Kind::Finished:
        end(event);
        break;
    case Kind::Left:
        --m_counts.attempts;
        stopWaiting(worker);
        break;
    default:
        break;
    }
}

void LabTally::stopWaiting(Worker &worker)
{
    m_waiting -= worker.askedAt != 0;
    worker.askedAt = 0;
}

void LabTally::begin(const LabEvent &event)
{
    Worker &worker = workerOf(event);
    worker.isHolding = true;
    worker.resource = event.resource;
    m_holds[event.resource].push_back({event.at, event.value, 0, event.worker});
}

void LabTally::end(const LabEvent &event)
{
    Worker &worker = workerOf(event);
    if (!worker.isHolding)
        return;
    worker.isHolding = false;
    auto &holds = m_holds[worker.resource];
    const auto own = std::find_if(holds.begin(), holds.end(),
                                  [&event](const Hold &hold) { return hold.worker == event.worker && hold.to == 0; });
    if (own == holds.end())
        return;
    own->to = event.at;
    if (event.kind == Kind::Crashed && m_isSessionBound)
        own->deadline = worker.heardAt;
    own->deadline = event.value > 0 ? event.value : own->deadline; // renewed meanwhile
    compare(*own, holds);
    std::erase_if(holds, [&event](const Hold &hold) { return hold.to != 0 && hold.to < event.at - kForgotten; });
    if (holds.size() == 1 && holds.front().to != 0)
        holds.clear(); // nobody has begun beside it, and nobody will begin before its end
}

/// Each pair is met once: when the one that ended last has ended.
void LabTally::compare(const Hold &hold, std::vector<Hold> &others)
{
    const auto heldUntil = [](const Hold &it) { return it.deadline > 0 ? std::min(it.to, it.deadline) : it.to; };
    for (const Hold &other : others) {
        if (&other == &hold || other.to == 0 || other.to <= hold.from || other.from >= hold.to)
            continue;
        const bool didBothHold = std::max(hold.from, other.from) < std::min(heldUntil(hold), heldUntil(other));
        ++(didBothHold ? m_counts.violations : m_counts.overlaps);
    }
}

double LabTally::fairness() const
{
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < m_regulars; ++i) {
        sum += double(m_workers[i].grants);
        squares += double(m_workers[i].grants) * double(m_workers[i].grants);
    }
    return squares > 0 ? sum * sum / (double(m_regulars) * squares) : 1;
}

std::vector<int> LabTally::holders() const
{
    std::vector<int> holding;
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        if (m_workers[i].seemsHolding)
            holding.push_back(int(i));
    }
    return holding;
}

} // namespace lockscope
