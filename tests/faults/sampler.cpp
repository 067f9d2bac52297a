// SPDX-License-Identifier: MIT
#include "sampler.h"

#include "guardedstore.h"

namespace lockscope::faults {

using namespace std::chrono_literals;

namespace {

constexpr auto kEvery = 40ms;

} // namespace

Sampler::Sampler(const RunPlan &plan, SessionTarget target, EventFile &events)
    : m_plan(plan)
    , m_target(std::move(target))
    , m_events(events)
    , m_thread([this](const std::stop_token &stop) { run(stop); })
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

std::optional<LockError> Sampler::look(LeaseReader &reader)
{
    const qint64 begin = Event::now();
    LockSnapshot snapshot;
    if (auto error = reader.list({}, &snapshot))
        return error;
    const qint64 end = Event::now();
    const int resources = m_plan.resources * (m_plan.way == Way::Optimistic ? 2 : 1);
    for (int resource = 0; resource < resources; ++resource) {
        Event event = seen(resource, snapshot);
        event.at = end;
        event.value = begin;
        m_events.add(event);
    }
    return m_plan.way == Way::Unique ? lookAtQueues(reader) : std::nullopt;
}

Event Sampler::seen(int resource, const LockSnapshot &snapshot) const
{
    Event event;
    event.kind = Kind::Free;
    event.resource = resource;
    const LockKind kind = m_plan.way == Way::Unique ? LockKind::Lease : LockKind::Row;
    for (const LockRow &row : snapshot.rows) {
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

std::optional<LockError> Sampler::lookAtQueues(LeaseReader &reader)
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
