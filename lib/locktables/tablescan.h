// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"
#include "tablelock.h"

namespace lockscope {

class Session;

/// How far a scan goes.
struct ScanBounds
{
    /// A server with more tables is not scanned whole: MariaDB takes a second for ten thousand of them.
    qint64 tables = 10'000;
    /// Columns that have a name of some lock table's.
    qint64 columns = 200'000;
    /// Tables with all such columns, each of which is looked at by itself.
    int candidates = 2000;
    /// Lock tables; more are not read.
    int found = 500;
};

/// Which lock tables there are.
struct TableScan
{
    QList<LockTable> tables;  ///< by place
    QStringList oddities;     ///< tables that are named as a profile says and are not of its columns; English
    qint64 tableCount = 0;    ///< that the account can see
    bool isOneSchema = false; ///< only one was scanned
    bool isCut = false;       ///< bounds of it were reached, so there may be more lock tables
};

/// Looks for them by their columns in all schemas that the account may read, or in one. Without `schema` and with more
/// than `bounds.tables` tables it looks into the session's own schema alone. `known` are looked at first, and stay as
/// they are where the account does not see them: only who asks for their rows knows whether they are gone. Where a
/// bound is reached, the session's own schema came first, and each other one had its turn. Thread: that of `session`.
std::optional<LockError> scanLockTables(Session &session, const QList<TableProfile> &profiles, const QString &schema,
                                        TableScan *scan, const ScanBounds &bounds = {},
                                        const QList<LockTable> &known = {});

/// An error where this account sees no table of the schema: for one that a person named, or it would look like one
/// without lock tables. Thread: that of `session`.
std::optional<LockError> checkSchemaSeen(Session &session, const QString &schema);

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
