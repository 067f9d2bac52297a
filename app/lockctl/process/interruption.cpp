// SPDX-License-Identifier: MIT
#include "interruption.h"

#include "terminal/exitcode.h"

#include <chrono>
#include <csignal>
#include <cstdlib>

namespace lockscope::ctl {

namespace {

using namespace std::chrono_literals;

/// `timeout` sends its signal twice, to the program and to its group; nobody presses Ctrl+C as fast again.
constexpr auto kOneAsk = 500ms;

} // namespace

Interruption::Interruption()
    : m_thread([this](const std::stop_token &isOver) { watch(isOver); })
{
}

Interruption::~Interruption()
{
    m_thread.request_stop();
    m_inbox.wake();
}

void Interruption::watch(const std::stop_token &isOver)
{
    using Clock = std::chrono::steady_clock;
    Clock::time_point askedAt;
    while (!isOver.stop_requested()) {
        const auto signal = m_inbox.wait();
        if (signal == SIGTSTP)
            stopLikeCtrlZ();
        if (!signal || !isEnding(*signal))
            continue;
        if (m_asked.request_stop())
            askedAt = Clock::now();
        else if (Clock::now() - askedAt > kOneAsk)
            std::_Exit(Signalled + *signal);
    }
}

} // namespace lockscope::ctl
