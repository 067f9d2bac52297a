// SPDX-License-Identifier: MIT
#pragma once

#include "commandpalette.h"
#include "locks/lockgroups.h"
#include "locks/snapshotdiff.h"

namespace lockscope::ui {

struct WaitPicture;

/// The locks of a list, by name, owner and note, and by server where the list has several. Thread: any, both.
QList<Finding> lockFindings(const QList<LockItem> &locks, const ServerNames &servers,
                            const std::function<void(const LockKey &)> &show);
/// The sessions that block or wait, by number, account, program and statement. Null: none.
QList<Finding> sessionFindings(const WaitPicture *picture, const std::function<void(quint64)> &show);

} // namespace lockscope::ui
