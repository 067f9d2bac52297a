#pragma once

#include "waits/serverwaits.h"

#include <QtCore/QJsonArray>
#include <QtCore/QSet>
#include <QtCore/QStringList>

namespace lockscope::ctl {

/// What sessions hold of the server's own locks: transactions with rows locked or changed (as one lock each, on what is
/// waited for of them), and granted metadata, table and user-level locks. Not those of lockctl itself, and not the rows
/// of `known`, connections whose rows are shown as the engine's.
QList<ServerLock> heldServerLocks(const ServerWaits &waits, const QSet<quint64> &known);

/// Lines for lockTable().
QList<QStringList> serverLockCells(const QList<ServerLock> &locks, const ServerWaits &waits, ServerTime now);
/// As `list --json` shows them.
QJsonArray serverLocksToJson(const QList<ServerLock> &locks, const ServerWaits &waits, ServerTime now);

} // namespace lockscope::ctl
