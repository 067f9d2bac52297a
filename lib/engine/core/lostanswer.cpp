// SPDX-License-Identifier: MIT
#include "lostanswer_p.h"

#include <thread>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

constexpr auto kAskFor = 5s;
constexpr auto kAskAgain = 50ms;

} // namespace

Fate fateAfterLostAnswer(EngineCore &core, Link &link, quint64 brokenConnection, const std::function<Fate()> &ask)
{
    const auto giveUpAt = LeaseClock::now() + kAskFor;
    for (;;) {
        LockError ignored;
        if (link.session(&ignored)) {
            const quint64 asker = link.connectionId();
            const bool isEnded = core.endConnection(link, brokenConnection);
            const Fate fate = ask();
            if (fate == Fate::Done || (fate == Fate::NotDone && isEnded && link.connectionId() == asker))
                return fate;
        }
        if (LeaseClock::now() >= giveUpAt)
            return Fate::Unknown;
        std::this_thread::sleep_for(kAskAgain);
    }
}

} // namespace lockscope::detail
