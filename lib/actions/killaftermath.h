// SPDX-License-Identifier: MIT
#pragma once

#include "waits/waitforecast.h"

namespace lockscope {

/// What became of those who waited for a session that was ended.
struct KillAftermath
{
    qsizetype wentOn = 0;     ///< wait for nothing any more, be it that they have ended
    qsizetype waiting = 0;    ///< wait still, or again
    QList<quint64> blockedBy; ///< who holds these up now and waits for nobody itself; who holds up most comes first

    bool operator==(const KillAftermath &) const = default;
};

/// `expected` was told before the end; `after` is a look from after it. None where that look does not tell who waits.
/// Pure; any thread.
std::optional<KillAftermath> aftermathOf(const WaitForecast &expected, const ServerWaits &after);

} // namespace lockscope
