// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"
#include "locktables/tablereader.h"
#include "sources/locksource.h"
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
    QJsonObject json;
};

/// What stands in for a server's waits where there are leases alone.
struct LeaseFigures
{
    Microseconds wait{}; ///< the longest
    int queue = 0;       ///< requests that wait
    QByteArray waitsFor; ///< the lease of the longest wait
    Microseconds held{}; ///< the oldest grant
    QByteArray heldName;
    Owner holder;
    int unreadable = 0; ///< names of leases that belong to something else
    QString unread;     ///< the error that something could not be read for; the rest was measured all the same
    // Of other programs' locks, where somebody asks how old they are:
    bool isOthersUnseen = false;   ///< the account may not look for them
    qint64 othersUnreadable = 0;   ///< keys and folders that it may not read, and may be or have locks
    bool areOthersTooMany = false; ///< only a part of what is there was looked at
};

/// One look at a server that is open; with `withOthers` also at other programs' locks, by the conventions that it was
/// told. After an error it has what was measured until then.
LeaseFigures measureLeases(LockSource &source, bool withOthers);

/// Pure, from one look.
CheckResult checkLeases(const LeaseFigures &figures, const WaitLimits &limits);
CheckResult checkWaits(const ServerWaits &waits, const WaitLimits &limits, const TableLocks &tables = {});
/// Where the server cannot be asked.
CheckResult unknownCheck(const QString &why);

} // namespace lockscope::ctl
