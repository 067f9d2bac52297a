// SPDX-License-Identifier: MIT
#pragma once

#include "event.h"
#include "session/reconnectingsession.h"

#include <stop_token>
#include <thread>

namespace lockscope::faults {

/// Commits a row of its own ten times a second, which no lock of a run can delay, and writes down when that took long:
/// then the machine or its disk stood still, and the engine could not do better.
/// Thread: any; it has one of its own.
class Pulse
{
public:
    Pulse(SessionTarget target, EventFile &events);

private:
    void run(const std::stop_token &stop);
    void beat(ReconnectingSession &link);

    const SessionTarget m_target;
    EventFile &m_events;
    std::jthread m_thread; // last: it uses the rest
};

} // namespace lockscope::faults
