// SPDX-License-Identifier: MIT
#pragma once

#include "capabilities.h"

namespace lockscope {

/// A metadata lock and for how long the server says that it lasts.
struct MetadataLock
{
    ServerLock lock;
    QString duration;   ///< "STATEMENT", "TRANSACTION", "EXPLICIT"; empty: not told
    quint64 thread = 0; ///< that took it, which may be there no more while the lock is
};

/// What the server tells of metadata locks and user-level locks.
struct MetadataTable
{
    QList<MetadataLock> locks;
    bool isCut = false;
    std::optional<LockError> error;
};

/// From its table of these, or MariaDB's plugin; nothing where it has neither. At most `limit`; `now` is its clock.
MetadataTable readMetadataTable(Session &session, const Capabilities &capabilities, int limit, ServerTime now);

} // namespace lockscope
