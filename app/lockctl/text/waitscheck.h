// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"
#include "locktables/tablereader.h"
#include "server/leasefigures.h"
#include "waits/waitgraph.h"

#include <QtCore/QJsonObject>

namespace lockscope::ctl {

/// The values above which a monitoring system is told.
struct WaitLimits
{
    std::optional<Duration> warn = {};    ///< the longest wait: WARNING
    std::optional<Duration> maxWait = {}; ///< the same: CRITICAL
    std::optional<int> maxQueue = {};     ///< sessions that wait: CRITICAL
    /// The oldest transaction with rows locked or changed, or lock in a table of another program: CRITICAL. Of a
    /// server that has leases alone, the oldest lease.
    std::optional<Duration> maxHeld = {};
};

/// What a monitoring plugin answers, also as its exit code.
enum class CheckState { Ok, Warning, Critical, Unknown };

struct CheckResult
{
    CheckState state = CheckState::Ok;
    QString line; ///< "CRITICAL - 11 sessions wait, …|wait=92.0s;10;30;0 queue=11;;;0 held=120.0s;;;0"
    /// The same for programs: state, text, waitMs, queue, heldMs, heldBy; the numbers are null where nothing is known.
    /// In the line an age that is not known is "U".
    QJsonObject json;
};

/// Pure, from one look.
CheckResult checkLeases(const LeaseFigures &figures, const WaitLimits &limits);
CheckResult checkWaits(const ServerWaits &waits, const WaitLimits &limits, const TableLocks &tables = {});
/// Where the server cannot be asked.
CheckResult unknownCheck(const QString &why);

} // namespace lockscope::ctl
