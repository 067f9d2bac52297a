// SPDX-License-Identifier: MIT
#pragma once

#include "supervisor.h"

#include <stop_token>
#include <thread>

namespace lockscope::ctl {

/// Ctrl+C ends what goes on and keeps what there is. A second one ends the program. Make it before any other thread.
class Interruption
{
public:
    Interruption();
    ~Interruption();

    std::stop_token token() const { return m_asked.get_token(); }

private:
    void watch(const std::stop_token &isOver);

    SignalInbox m_inbox; // before the thread
    std::stop_source m_asked;
    std::jthread m_thread;
};

} // namespace lockscope::ctl
