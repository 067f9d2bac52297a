// SPDX-License-Identifier: MIT
#pragma once

#include "applicationzones.h"
#include "tablescan.h"

#include <chrono>
#include <memory>
#include <utility>

namespace lockscope {

/// A lock table of which not all that is held was seen.
struct UnreadTable
{
    QString place;
    bool isLookAlike = false;
    std::optional<LockError> error = {}; ///< none: it has more rows than are read, or was left out
    bool isPartly = false;               ///< it has more rows than are read: those that are held come first
};

struct TableLocks;
/// Shared, because they may be many and go to several places.
using TableLocksPtr = std::shared_ptr<const TableLocks>;

/// What one look at other programs' lock tables saw. A value.
struct TableLocks
{
    SnapshotClock clock;
    /// By place and key; those that are free are left out. Of a table that was not read there are those that the read
    /// before knew, and say so: see TableLock::unread.
    QList<TableLock> locks;
    QStringList notes; ///< what could not be read or was left out, and why; English
    QList<UnreadTable> unread;
    QStringList read; ///< places of the tables that were read, all or in part
    int tables = 0;   ///< that were found and asked for

    // The same as some of the notes, for whoever says it in words of its own.
    qint64 serverTables = 0;    ///< not 0: the server has so many that only the connection's own schema was looked into
    bool isScanCut = false;     ///< there may be more lock tables
    QStringList faultyProfiles; ///< of the user, which are not used: "path:line: reason"; set by whoever read them
};

struct TableReadOptions
{
    QString schema;               ///< empty: all
    QList<QByteArray> candidates; ///< names of locks, to be known again where the table has a hash of them
    QString table;                ///< only that one: "shop.shedlock"; empty: all
    bool isFreeShown = false;
};

/// Finds the tables, seldom, and reads their rows, often. Belongs to the thread of its session.
class TableReader
{
public:
    /// Rows of one table.
    static constexpr int MaxRows = 1000;
    static constexpr std::chrono::minutes ScanLife{5};
    /// After as many tables that are locked, or as long a time, the others are left out: each locked one takes the
    /// session's whole patience.
    static constexpr int MaxLocked = 3;
    static constexpr std::chrono::seconds MaxTime{5};

    explicit TableReader(QList<TableProfile> profiles, ApplicationZones zones = {});

    /// A table that cannot be read does not keep the others from being read. One that is known is asked for until it
    /// is gone, also where a later look for tables ends before it or the account sees it no more. With an error that
    /// leaves the connection, none was read: `*found` has what was known, as unread.
    std::optional<LockError> read(Session &session, const TableReadOptions &options, TableLocks *found);
    /// What was known, where none can be read now; `error` says why. Nothing, where no lock table is known.
    TableLocks asUnread(const LockError &error, const TableReadOptions &options = {}) const;
    /// From the next read on.
    void setZones(ApplicationZones zones) { m_zones = std::move(zones); }
    /// The next read looks for the tables anew.
    void forgetTables() { m_scannedAt.reset(); }
    /// What another reader of the same server found goes on here, as far as the profiles are the same; the next read
    /// looks for the tables anew.
    void goOnFrom(const TableReader &before);

private:
    std::optional<LockError> scanIfOld(Session &session, const QString &schema);
    std::optional<LockError> readTables(Session &session, const TableReadOptions &options, TableLocks *found);
    std::optional<LockError> readTable(Session &session, const LockTable &table, const TableReadOptions &options,
                                       TableLocks *found);
    std::optional<LockError> readAll(Session &session, const TableReadOptions &options, TableLocks *found);
    void noteScan(const TableReadOptions &options, TableLocks *found) const;
    void addUnread(TableLocks *found) const;
    void dropGone(const TableLocks &found);
    void judgeRows(const LockTable &table, const QList<QVariantList> &rows, const TableReadOptions &options,
                   TableLocks *found) const;

    const QList<TableProfile> m_profiles;
    ApplicationZones m_zones;
    TableScan m_scan;
    QString m_schema;
    QList<TableLock> m_last; ///< of the last read
    SnapshotClock m_clock;   ///< of the same
    std::optional<std::chrono::steady_clock::time_point> m_scannedAt;
};

} // namespace lockscope
