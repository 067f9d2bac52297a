// SPDX-License-Identifier: MIT
#pragma once

#include "enginecore_p.h"

namespace lockscope::detail {

/// Looks after a hold in the timer's thread until it ends, and tells its loss: what keeps it alive is its own keep().
/// Returns at once, and may be called again: the next look is planned anew.
void watch(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold);
/// Plans the next look after `wait` (Forever: not at all) if engine and hold live, in place of one that was planned
/// before.
void checkLater(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, Duration wait);
/// The same, but not later than the hold's own news are due: its end, or that of its maxHold.
void checkInTime(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, Duration wait);
/// A renewal is about to be sent that may be carried out long before its answer is there: from now on the hold ends by
/// `end`, and its loss is told then, whoever still waits for the answer. Returns its end before, which setDeadline()
/// gives back where nothing of the renewal was carried out. Whoever renews plans the next look after the answer.
LeaseClock::time_point bringForward(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold,
                                    LeaseClock::time_point end);
/// Forgets the next look at a hold that ends.
void unwatch(EngineCore &core, Hold &hold);
/// Ends a hold that is over or somebody else's, and tells it.
void notifyLoss(const std::shared_ptr<EngineCore> &core, const std::shared_ptr<Hold> &hold, LossReason reason);

} // namespace lockscope::detail
