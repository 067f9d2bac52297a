// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockstore.h"
#include "nemesistally.h"

#include <functional>

namespace lockscope::test {

/// The place in the queue by which the lease with a token was granted; 0: there was no queue, or it is not known.
using PlaceOf = std::function<quint64(quint64 token)>;

/// What one process of a nemesis run does: three threads take one lease, hold it for a moment and give it back, until
/// they are killed. They use the store without the engine, whose own queue would hide its order.
struct NemesisWork
{
    LockStore &store;
    Duration ttl;
    std::chrono::microseconds longestHold;  ///< long enough to be frozen in it
    std::function<PlaceOf()> newPlace = {}; ///< for each thread one
};

/// Connects the store, and does not return unless that fails. `tallyFile` is shared with the others.
int runNemesisWork(const NemesisWork &plan, const QString &tallyFile);

} // namespace lockscope::test
