// SPDX-License-Identifier: MIT
#include "sampler.h"

#include "guardedstore.h"
#include "sources/storeaddress.h"

namespace lockscope::faults {

using namespace std::chrono_literals;

namespace {

constexpr auto kEvery = 40ms;

} // namespace

Sampler::Sampler(const RunPlan &plan, SessionTarget target, QString storeUrl, EventFile &events)
    : m_plan(plan)
    , m_target(std::move(target))
    , m_storeUrl(std::move(storeUrl))
    , m_events(events)
    , m_thread([this](const std::stop_token &stop) { m_storeUrl.isEmpty() ? run(stop) : runOnStore(stop); })
{
}

void Sampler::run(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        LockError error;
        const auto session = Session::open(forWatching(forReading(m_target)), &error);
        if (session) {
            LeaseReader reader(*session);
            while (!stop.stop_requested() && !look(reader))
                std::this_thread::sleep_for(kEvery);
        }
        std::this_thread::sleep_for(kEvery); // the server is away
    }
}

void Sampler::runOnStore(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        const auto source = makeSource(m_storeUrl, {});
        while (!stop.stop_requested() && !look(*source))
            std::this_thread::sleep_for(kEvery);
        std::this_thread::sleep_for(kEvery); // it is away
    }
}

std::optional<LockError> Sampler::look(LockSource &source)
{
    const qint64 begin = Event::now();
    QList<LockRow> rows;
    if (auto error = source.leases({}, [&rows](const QList<LockRow> &part, const SnapshotClock &) { rows += part; }))
        return error;
    tellSeen(begin, shared(rows));
    return lookAtQueues(source);
}

std::optional<LockError> Sampler::look(LeaseReader &reader)
{
    const qint64 begin = Event::now();
    LockSnapshot snapshot;
    if (auto error = reader.list({}, &snapshot))
        return error;
    tellSeen(begin, snapshot.rows);
    return m_plan.way == Way::Unique ? lookAtQueues(reader) : std::nullopt;
}

void Sampler::tellSeen(qint64 begin, const QList<SharedLockRow> &rows)
{
    const qint64 end = Event::now();
    const int resources = m_plan.resources * (m_plan.way == Way::Optimistic ? 2 : 1);
    for (int resource = 0; resource < resources; ++resource) {
        Event event = seen(resource, rows);
        event.at = end;
        event.value = begin;
        m_events.add(event);
    }
}

Event Sampler::seen(int resource, const QList<SharedLockRow> &rows) const
{
    Event event;
    event.kind = Kind::Free;
    event.resource = resource;
    const LockKind kind = m_plan.way == Way::Unique ? LockKind::Lease : LockKind::Row;
    for (const LockRow &row : rows) {
        if (row.key.kind != kind || row.key.resource != resourceName(resource))
            continue;
        event.kind = row.state == LockState::Expired ? Kind::Expired : Kind::Held;
        const auto owner = writerOf(row.owner.thread).value_or(std::pair(0, 0));
        event.process = owner.first;
        event.request = owner.second;
        event.token = row.token;
    }
    return event;
}

template<typename Reader>
std::optional<LockError> Sampler::lookAtQueues(Reader &reader)
{
    for (int resource = 0; resource < m_plan.resources; ++resource) {
        QList<Waiter> waiters;
        if (auto error = reader.waiters({LockKind::Lease, resourceName(resource)}, &waiters))
            return error;
        const qint64 now = Event::now();
        for (const Waiter &waiter : waiters) {
            const auto owner = writerOf(waiter.owner.thread);
            if (owner && m_queued.insert(*owner).second)
                m_events.add({now, Kind::Queued, owner->first, owner->second, resource});
        }
    }
    return std::nullopt;
}

} // namespace lockscope::faults
