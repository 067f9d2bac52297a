// SPDX-License-Identifier: MIT
#pragma once

#include "commandpalette.h"
#include "locks/snapshot.h"

namespace lockscope::ui {

class LockTableModel;
struct WaitPicture;

/// The locks in the list, by name, owner and note.
QList<Finding> lockFindings(const LockTableModel &locks, const std::function<void(const LockKey &)> &show);
/// The sessions that block or wait, by number, account, program and statement. Null: none.
QList<Finding> sessionFindings(const WaitPicture *picture, const std::function<void(quint64)> &show);

} // namespace lockscope::ui
