// SPDX-License-Identifier: MIT
#pragma once

#include "waits/waitforecast.h"

namespace lockscope {

/// What became of those who waited for a session that was ended.
struct KillAftermath
{
    qsizetype wentOn = 0;  ///< no longer wait for anything, or have ended
    qsizetype waiting = 0; ///< still wait, or wait again
    /// Who holds these up now without waiting for anybody; whoever holds up the most comes first.
    QList<quint64> blockedBy;

    /// All of them wait.
    bool isInVain() const { return wentOn == 0 && waiting > 0; }
    bool operator==(const KillAftermath &) const = default;
};

/// `expected` was made before the end; `after` is a look from after it. None where that look does not tell who waits.
/// Pure; any thread.
std::optional<KillAftermath> aftermathOf(const WaitForecast &expected, const ServerWaits &after);

} // namespace lockscope
