// SPDX-License-Identifier: MIT
#pragma once

#include "waitscheck.h"

#include <QtCore/QJsonValue>

namespace lockscope::ctl {

/// What is judged of a server, whatever keeps its locks.
struct CheckFigures
{
    Microseconds wait{}; ///< the longest that is known
    int waitsUntold = 0; ///< of those who wait: since when is not known
    int queue = 0;
    Microseconds held{}; ///< the longest that is known
    int heldUntold = 0;  ///< locks that are held, and since when is not known
};

CheckState stateOf(const CheckFigures &figures, const WaitLimits &limits);
/// So that what is not seen does not matter.
bool isBad(CheckState state);
CheckResult checkResult(CheckState state, const QString &text, const CheckFigures &figures, const WaitLimits &limits,
                        const QJsonValue &heldBy);

/// "2 sessions wait, the longest for 20 s", the latter where it is known.
QString waitingText(const CheckFigures &figures, const QString &one, const QString &many);
/// "how long 2 requests have waited"; empty: all tell it.
QString untoldWaits(const CheckFigures &figures, const WaitLimits &limits, const QString &waiting);
/// "since when 2 leases are held"; empty: all tell it, or nobody asks.
QString untoldHolds(const WaitLimits &limits, int untold, const QString &one, const QString &many);
QString untoldHoldsOfOthers(const WaitLimits &limits, int untold);
/// "; not seen: metadata locks, since when 2 leases are held"; what is empty is left out.
QString notSeen(QStringList what);

} // namespace lockscope::ctl
