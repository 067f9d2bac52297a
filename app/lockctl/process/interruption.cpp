// SPDX-License-Identifier: MIT
#include "interruption.h"

#include "terminal/exitcode.h"

#include <csignal>
#include <cstdlib>

namespace lockscope::ctl {

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
    while (!isOver.stop_requested()) {
        const auto signal = m_inbox.wait();
        if (signal == SIGTSTP)
            stopLikeCtrlZ();
        if (signal && isEnding(*signal) && !m_asked.request_stop())
            std::_Exit(Signalled + *signal);
    }
}

} // namespace lockscope::ctl
