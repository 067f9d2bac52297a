// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"

#include <QtCore/QStringList>

namespace lockscope::ctl {

/// Lines for lockTable(): one for each holder, with the guard where leases have their token.
QList<QStringList> keyLockCells(const QList<LockRow> &locks, ServerTime now);

} // namespace lockscope::ctl
