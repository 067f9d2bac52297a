// SPDX-License-Identifier: MIT
// Held locks are kept alive in time, and their loss is told.
#include "watchdog_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

void look(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold)
{
    if (hold->state() != Hold::State::Held || core->isClosing())
        return;
    if (LeaseClock::now() < hold->deadline()) {
        hold->notifyMaxHold();
        hold->keep(core);
    } else if (!hold->goesOnPastDeadline(core)) {
        notifyLoss(core, hold, hold->reasonOfEnd());
    }
}

} // namespace

void watch(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold)
{
    checkInTime(core, hold, hold->keepInterval());
}

void checkLater(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, Duration wait)
{
    const auto job = [weakCore = std::weak_ptr(core), weakHold = std::weak_ptr(hold)](ReconnectingSession &) {
        const auto liveCore = weakCore.lock();
        const auto liveHold = weakHold.lock();
        if (liveCore && liveHold)
            look(liveCore, liveHold);
    };
    // One look is planned at a time; a renewal by hand may want an earlier one.
    const auto plan = [&] {
        return wait == Forever ? ConnectionThread::Timed()
                               : core->timer.postAt(ConnectionThread::Clock::now() + wait, job);
    };
    core->timer.cancel(hold->exchangeWatch(plan));
}

void checkInTime(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, Duration wait)
{
    checkLater(core, hold, std::min(wait, hold->untilNews()));
}

LeaseClock::time_point bringForward(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold,
                                    LeaseClock::time_point end)
{
    const auto before = hold->endBy(end);
    if (end < before)
        checkInTime(core, hold, Forever);
    return before;
}

void unwatch(EngineCore &core, Hold &hold)
{
    core.timer.cancel(hold.exchangeWatch([] { return ConnectionThread::Timed(); }));
}

void notifyLoss(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, LossReason reason)
{
    if (!core->endHold(*hold, Hold::State::Lost))
        return;
    core->forgetHold(hold);
    hold->letGo(*core, reason);
    if (hold->onLost) // not in the thread that renews or works
        core->timer.post([hold, reason](ReconnectingSession &) { hold->onLost(reason); });
}

} // namespace lockscope::detail
