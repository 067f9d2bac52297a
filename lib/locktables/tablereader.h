// SPDX-License-Identifier: MIT
#pragma once

#include "applicationzones.h"
#include "tablescan.h"

#include <chrono>

namespace lockscope {

/// A lock table of which not all that is held was seen.
struct UnreadTable
{
    QString place;
    bool isLookAlike = false;
    std::optional<LockError> error = {}; ///< none: it has more rows than are read, or was left out
};

/// What one look at other programs' lock tables saw. A value.
struct TableLocks
{
    SnapshotClock clock;
    QList<TableLock> locks; ///< by place and key; those that are free are left out
    QStringList notes;      ///< what could not be read or was left out, and why; English
    QList<UnreadTable> unread;
    int tables = 0; ///< that were found and asked for
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

    /// A table that cannot be read does not keep the others from being read.
    std::optional<LockError> read(Session &session, const TableReadOptions &options, TableLocks *found);
    /// The next read looks for the tables anew.
    void forgetTables() { m_scannedAt.reset(); }
    const TableScan &scan() const { return m_scan; }

private:
    std::optional<LockError> scanIfOld(Session &session, const QString &schema);
    std::optional<LockError> readTables(Session &session, const TableReadOptions &options, TableLocks *found);
    std::optional<LockError> readTable(Session &session, const LockTable &table, const TableReadOptions &options,
                                       TableLocks *found);
    void judgeRows(const LockTable &table, const QList<QVariantList> &rows, const TableReadOptions &options,
                   TableLocks *found) const;

    const QList<TableProfile> m_profiles;
    const ApplicationZones m_zones;
    TableScan m_scan;
    QString m_schema;
    std::optional<std::chrono::steady_clock::time_point> m_scannedAt;
};

} // namespace lockscope
