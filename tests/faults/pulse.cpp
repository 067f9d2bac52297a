// SPDX-License-Identifier: MIT
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
    ReconnectingSession link(m_target);
    while (!stop.stop_requested())
        beat(link);
}

/// To connect is no commit: the server may be away. One that hung until its connection broke counts.
void Pulse::beat(ReconnectingSession &link)
{
    const bool wasOpen = link.isOpen();
    const qint64 due = Event::now() + std::chrono::microseconds(kEvery).count();
    std::this_thread::sleep_for(kEvery);
    link.run(pulseSql(), "faults/pulse");
    const qint64 end = Event::now();
    if (wasOpen && end - due > kLong)
        m_events.add({.at = end, .kind = Kind::Stood, .value = due});
}

} // namespace lockscope::faults
