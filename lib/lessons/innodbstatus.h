// SPDX-License-Identifier: MIT
// The row locks that MariaDB prints in SHOW ENGINE INNODB STATUS when innodb_status_output_locks is on: the only place
// where it shows granted locks for which nobody waits. It prints at most ten pages of locks for a transaction.
#pragma once

#include "waits/printedlock.h"

namespace lockscope {

struct PrintedLocks
{
    QList<PrintedLock> locks;
    bool isCut = false; ///< the server printed not all of them
};

/// Of the whole text; whatever is not as expected is left out. Any bytes.
PrintedLocks printedLocks(const QByteArray &status);

} // namespace lockscope
