// SPDX-License-Identifier: MIT
#include "lostanswer_p.h"

#include <thread>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

constexpr auto kAskFor = 5s;
constexpr auto kAskAgain = 50ms;

} // namespace

Fate askAfterLostAnswer(EngineCore &core, ReconnectingSession &link, quint64 brokenSession,
                        const std::function<Fate()> &ask)
{
    LockError ignored;
    if (!link.session(&ignored))
        return Fate::Unknown;
    const quint64 asker = link.sessionNumber();
    const bool isEnded = core.mysql().endSession(link, brokenSession);
    const Fate fate = ask();
    return fate == Fate::NotDone && (!isEnded || link.sessionNumber() != asker) ? Fate::Unknown : fate;
}

Fate fateAfterLostAnswer(EngineCore &core, ReconnectingSession &link, quint64 brokenSession,
                         const std::function<Fate()> &ask)
{
    const auto giveUpAt = LeaseClock::now() + kAskFor;
    for (;;) {
        const Fate fate = askAfterLostAnswer(core, link, brokenSession, ask);
        if (fate != Fate::Unknown || LeaseClock::now() >= giveUpAt)
            return fate;
        std::this_thread::sleep_for(kAskAgain);
    }
}

} // namespace lockscope::detail
