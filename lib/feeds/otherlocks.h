// SPDX-License-Identifier: MIT
#pragma once

#include "locktables/tablereader.h"
#include "monitor.h"
#include "waits/heldlocks.h"

#include <QtCore/QSet>

namespace lockscope {

/// What others hold, beside the engine's locks in one list: the server's own, and those of other programs' tables. It
/// is read elsewhere. Private to lib/feeds.
class OtherLocks
{
public:
    /// Null: not known.
    void setWaits(const ServerWaitsPtr &waits);
    void setTables(const TableLocksPtr &tables);
    /// False: this kind of lock is the engine's, or nobody has looked yet.
    bool tellsOf(LockKind kind) const;
    /// `engines` are its locks but for leases: what these hold is told by them alone. True: other rows than before.
    bool update(const QList<SharedLockRow> &engines);
    /// As of the last update, sorted by key.
    const QList<SharedLockRow> &rows() const { return m_rows; }
    void addTo(LockCounts *counts) const;
    /// Of a server without the engine's tables. Empty: nothing was read.
    SnapshotClock clock() const;
    Microseconds cost() const { return m_waits ? m_waits->cost : Microseconds(); }
    /// As of the last update.
    LockDetails details(const LockKey &key) const;

private:
    void judgeTables();

    ServerWaitsPtr m_waits;
    QList<HeldLock> m_held; ///< of m_waits
    TableLocksPtr m_tables;
    QList<SharedLockRow> m_tableRows; ///< of m_tables, with what m_waits tells of them
    QList<SharedLockRow> m_rows;
    QSet<quint64> m_waiters; ///< for the server's locks of m_rows; one may wait for several that hold the same
};

} // namespace lockscope
