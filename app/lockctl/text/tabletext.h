// SPDX-License-Identifier: MIT
#pragma once

#include "locktables/tablelock.h"

#include <QtCore/QStringList>

namespace lockscope::ctl {

/// "shop.shedlock nightly"
QString tableLockName(const TableLock &lock);
/// "ShedLock", "looks like ShedLock"
QString tableProfileText(const TableLock &lock);
/// Lines for lockTable().
QList<QStringList> tableLockCells(const QList<TableLock> &locks, ServerTime now);
/// Why an age or a state is not known, and what to do about it; empty: all is.
QString zoneHint(const QList<TableLock> &locks);

} // namespace lockscope::ctl
