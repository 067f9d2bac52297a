// SPDX-License-Identifier: MIT
#include "labtally.h"

#include "labstock.h"

#include <algorithm>

namespace lockscope {

namespace {

using Kind = LabEvent::Kind;

/// Batches of different processes arrive within this.
constexpr qint64 kDisorder = 500'000;
/// For this long a hold that has ended is remembered, for what is told late, even if nobody holds beside it.
constexpr qint64 kLate = 5'000'000;

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

LabTally::LabTally(int workers, bool isSessionBound, std::optional<quint64> stock)
    : m_isSessionBound(isSessionBound)
    , m_stock(stock)
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
    worker.seemsHalfway = event.kind == Kind::Halfway;
}

QList<LabEvent> LabTally::finish()
{
    const QList<LabEvent> counted = std::exchange(m_late, {});
    for (const LabEvent &event : counted)
        count(event);
    endStall(m_countedUntil);
    for (std::size_t i = 0; i < m_regulars; ++i) // of a crowd's workers the end may be long past
        end({m_countedUntil, Kind::Crashed, int(i)});
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
    if (event.kind == Kind::Ask || event.kind == Kind::Got)
        end({worker.heardAt, Kind::Crashed, event.worker}); // of its number, ended before it could tell its end
    m_countedUntil = std::max(m_countedUntil, event.at);
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
        endStall(event.at);
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
    case Kind::Stale:
        sell(event);
        break;
    case Kind::Wrote:
        sell(event);
        if (event.value > 0)
            m_counts.lostUpdates +=
                m_versions[event.resource].lose(event.version - quint64(event.value), event.version);
        break;
    case Kind::Failed:
        stopWaiting(worker);
        break;
    case Kind::Crashed:
        m_crashedAt = m_crashedAt > 0 ? m_crashedAt : event.at;
        stopWaiting(worker);
        end(event);
        break;
    case Kind::Finished:
        if (m_isSessionBound)
            worker.finished = event; // whether it still held then, only its release can tell
        else
            end(event);
        break;
    case Kind::Released:
    case Kind::NotHeld:
        if (m_isSessionBound)
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

void LabTally::endStall(qint64 at)
{
    if (m_crashedAt > 0)
        m_counts.stallMs = std::max(m_counts.stallMs, quint64(std::max<qint64>(0, at - m_crashedAt) / 1000));
    m_crashedAt = 0;
}

void LabTally::sell(const LabEvent &event)
{
    if (!m_stock)
        return;
    quint64 &sold = m_sold[event.resource];
    const quint64 before = std::max(sold, *m_stock);
    sold += quint64(LabStock::piecesFor(event.worker));
    m_counts.oversold += std::max(sold, before) - before;
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
    worker.heldFrom = event.at;
    worker.deadline = event.value;
    worker.finished.reset();
    m_resources[event.resource].begins.insert(event.at);
}

/// Of nothing, where it does not hold.
void LabTally::end(const LabEvent &event)
{
    Worker &worker = workerOf(event);
    if (!worker.isHolding)
        return;
    worker.isHolding = false;
    Resource &resource = m_resources[worker.resource];
    resource.begins.erase(resource.begins.find(worker.heldFrom));
    if (m_isSessionBound)
        worker.deadline = provenUntil(worker, event);
    else if (event.value > 0)
        worker.deadline = event.value; // renewed meanwhile
    compare(resource, worker.heldFrom, worker.finished ? worker.finished->at : event.at, worker.deadline);
    if (m_countedUntil - m_forgottenAt > kLate)
        forgetEverywhere();
}

/// 0: to its end.
qint64 LabTally::provenUntil(const Worker &worker, const LabEvent &end)
{
    if (end.kind == Kind::Released)
        return 0;
    return worker.finished ? std::max(worker.heldFrom, worker.finished->value) : worker.heardAt;
}

/// Each pair is counted once: when the second of the two has ended.
void LabTally::compare(Resource &resource, qint64 from, qint64 to, qint64 deadline)
{
    const std::size_t before = resource.spans.size();
    const quint64 beside = resource.spans.add(from, to);
    const quint64 violations = resource.held.add(from, deadline > 0 ? std::min(to, deadline) : to);
    m_counts.violations += violations;
    m_counts.overlaps += beside - violations;
    m_remembered += resource.spans.size() - before;
    forget(resource);
}

void LabTally::forget(Resource &resource)
{
    const auto forgetUntil = [this, &resource](qint64 time) {
        const std::size_t before = resource.spans.size();
        resource.spans.forgetUntil(time);
        resource.held.forgetUntil(time);
        m_remembered -= before - resource.spans.size();
    };
    const qint64 late = m_countedUntil - kLate;
    forgetUntil(resource.begins.empty() ? late : std::min(late, *resource.begins.begin()));
    while (m_remembered > MostRemembered && resource.spans.size() > 0)
        forgetUntil(resource.spans.firstEnd());
}

/// Also where nobody comes any more.
void LabTally::forgetEverywhere()
{
    m_forgottenAt = m_countedUntil;
    for (auto &[number, resource] : m_resources)
        forget(resource);
    std::erase_if(m_resources, [](const auto &it) { return it.second.begins.empty() && it.second.spans.size() == 0; });
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

std::optional<int> LabTally::halfway() const
{
    const auto found = std::find_if(m_workers.begin(), m_workers.begin() + qsizetype(m_regulars),
                                    [](const Worker &worker) { return worker.seemsHalfway; });
    const qsizetype number = found - m_workers.begin();
    return number < qsizetype(m_regulars) ? std::optional(int(number)) : std::nullopt;
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
