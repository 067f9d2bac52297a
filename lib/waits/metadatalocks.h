// SPDX-License-Identifier: MIT
#pragma once

#include "capabilities.h"
#include "userlockthreads.h"

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

/// What to read of them.
struct MetadataOptions
{
    int limit = 1000;
    ServerTime now{};           ///< of the server
    bool hasRowWaiters = false; ///< somebody waits for a row
};

/// From its table of these, or MariaDB's plugin; nothing where it has neither. `threads` are the same at each look at
/// one server. Cost on MySQL where engines have 100,000 leases: some 25 ms in three statements, two for each thread
/// that has user-level locks of others, 130 in eight more where somebody waits for a rare kind, and that of going
/// through all of them where these are many, where the server does not count them, and where somebody waits for an
/// engine's behind others (tests/bench).
MetadataTable readMetadataTable(Session &session, const Capabilities &capabilities, UserLockThreads *threads,
                                const MetadataOptions &options);

/// A user-level lock with the session that has it; 0: nobody, or the server refuses the name.
std::optional<LockError> readUserLock(Session &session, const QByteArray &name, ServerLock *lock);

} // namespace lockscope
