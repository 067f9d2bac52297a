#include "pulse.h"

#include "guardedstore.h"

namespace lockscope::faults {

using namespace std::chrono_literals;

namespace {

constexpr auto kEvery = 100ms;
constexpr auto kLong = 300'000; // µs

} // namespace

Pulse::Pulse(SessionTarget target, EventFile &events)
    : m_target(std::move(target))
    , m_events(events)
    , m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

void Pulse::run(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        LockError error;
        const auto session = Session::open(m_target, &error);
        while (session && !stop.stop_requested() && beat(*session)) { }
        std::this_thread::sleep_for(kEvery); // the server is away
    }
}

/// False: the connection is broken. That a commit took long is known then, too.
bool Pulse::beat(Session &session)
{
    const qint64 due = Event::now() + std::chrono::microseconds(kEvery).count();
    std::this_thread::sleep_for(kEvery);
    const Reply reply = session.run(pulseSql(), "faults/pulse");
    const qint64 end = Event::now();
    if (end - due > kLong)
        m_events.add({.at = end, .kind = Kind::Stood, .value = due});
    return !reply.error;
}

} // namespace lockscope::faults
