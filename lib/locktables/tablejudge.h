// SPDX-License-Identifier: MIT
#pragma once

#include "tablelock.h"

class QTimeZone;

namespace lockscope {

/// What a row says. `values` are those of the table's columns; `zone` is the application's, not valid: not known. What
/// cannot be read is `Unknown`, with a reason, whatever is in the row. Pure; any thread.
TableLock judgeRow(const LockTable &table, const QList<TableValue> &values, const QTimeZone &zone, ServerTime now);

} // namespace lockscope
