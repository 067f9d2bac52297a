// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"
#include "waits/serverwaits.h"

namespace lockscope {

/// Connections that hold rows for the engine: what belongs to one of them is no lock of somebody else.
QSet<quint64> holdersOfRows(const QList<LockRow> &leases);

/// The server's own locks as rows of the one list. `leases` are the engine's: what belongs to one of them is not listed
/// a second time. Sorted by key.
QList<LockRow> serverRows(const ServerWaits &waits, const QList<LockRow> &leases);

/// The queue of one of them; empty when it is gone.
QList<Waiter> serverQueue(const ServerWaits &waits, const LockKey &key);

} // namespace lockscope
