// SPDX-License-Identifier: MIT
#pragma once

#include "sources/locksource.h"

namespace lockscope::ctl {

/// What stands in for a server's waits where there are leases alone.
struct LeaseFigures
{
    Microseconds wait{};  ///< the longest that is known
    int queue = 0;        ///< requests that wait
    QByteArray waitsFor;  ///< the lease of the longest wait
    int waitsUntold = 0;  ///< of those that wait: since when is not known
    QByteArray untoldFor; ///< the lease of the first of these
    Microseconds held{};  ///< the oldest grant that is known
    QByteArray heldName;
    Owner holder;
    int heldUntold = 0; ///< leases that are held, and since when is not known
    int unreadable = 0; ///< names of leases that belong to something else
    QString unread;     ///< the error that something could not be read for; the rest was measured all the same
    // Of other programs' locks, where somebody asks how old they are:
    bool isOthersUnseen = false;   ///< the account may not look for them
    qint64 othersUnreadable = 0;   ///< keys and folders that it may not read, and may be or have locks
    bool areOthersTooMany = false; ///< only a part of what is there was looked at
    int othersUntold = 0;          ///< as heldUntold
    /// Requests that wait for them. They are no part of `queue`: who stands by to lead waits on purpose, and may look
    /// like anybody else who waits.
    int othersQueue = 0;
};

/// One look at a server that is open; with `withOthers` also at other programs' locks, by the conventions that it was
/// told. After an error it has what was measured until then.
LeaseFigures measureLeases(LockSource &source, bool withOthers);

} // namespace lockscope::ctl
