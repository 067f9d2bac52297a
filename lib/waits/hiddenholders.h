// SPDX-License-Identifier: MIT
#pragma once

#include "capabilities.h"

namespace lockscope {

/// Holders of metadata locks that the performance schema does not show as such; after the edges that it tells, and with
/// the sessions' statements. All edges are marked as inferred.
///
/// MariaDB keeps the mode in which a lock was first asked for: a running ALTER that copies its table, LOCK TABLES …
/// READ and BACKUP STAGE hold stronger ones. Who waits until a table is closed waits for no lock that either server
/// lists.
void addHiddenHolders(Family family, ServerWaits *waits);

} // namespace lockscope
