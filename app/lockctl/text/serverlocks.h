// SPDX-License-Identifier: MIT
#pragma once

#include "waits/heldlocks.h"

#include <QtCore/QJsonArray>
#include <QtCore/QStringList>

namespace lockscope::ctl {

/// Lines for lockTable().
QList<QStringList> serverLockCells(const QList<HeldLock> &locks, const ServerWaits &waits, ServerTime now,
                                   int columns = 0);
/// As `list --json` shows them.
QJsonArray serverLocksToJson(const QList<HeldLock> &locks, const ServerWaits &waits, ServerTime now);

} // namespace lockscope::ctl
