// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"
#include "tablelock.h"

namespace lockscope {

class Session;

/// Which lock tables there are.
struct TableScan
{
    /// A server with more tables is not scanned whole: MariaDB takes a second for ten thousand of them.
    static constexpr qint64 MaxTables = 10'000;
    /// More lock tables are not read.
    static constexpr int MaxFound = 500;

    QList<LockTable> tables;  ///< by place
    QStringList oddities;     ///< tables that are named as a profile says and are not of its columns; English
    qint64 tableCount = 0;    ///< that the account can see
    bool isOneSchema = false; ///< only one was scanned
    bool isCut = false;       ///< there are more than `MaxFound`
};

/// Looks for them by their columns in all schemas that the account may read, or in one. Without `schema` and with more
/// than `maxTables` tables it looks into the session's own schema alone. Thread: that of `session`.
std::optional<LockError> scanLockTables(Session &session, const QList<TableProfile> &profiles, const QString &schema,
                                        TableScan *scan, qint64 maxTables = TableScan::MaxTables);

/// A column as information_schema tells it.
struct SchemaColumn
{
    QString name;
    QByteArray type;        ///< in small letters
    bool isIndexed = false; ///< first of some index

    bool operator==(const SchemaColumn &) const = default;
};

/// How a profile and a table go together.
struct ProfileMatch
{
    bool isMatch = false;
    QString oddity; ///< why not, where the table's name is the program's
    QList<TableColumn> columns;
};
/// Pure; any thread.
ProfileMatch matchProfile(const TableProfile &profile, const QString &table, const QList<SchemaColumn> &columns);
/// Of several that match the best: the user's own, then by name, then by most columns.
const TableProfile *bestProfile(const QList<TableProfile> &profiles, const QString &table,
                                const QList<SchemaColumn> &columns, ProfileMatch *match);

} // namespace lockscope
