// SPDX-License-Identifier: MIT
#pragma once

#include "sources/locksource.h"

namespace lockscope::ctl {

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

} // namespace lockscope::ctl
