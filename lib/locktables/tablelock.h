// SPDX-License-Identifier: MIT
// A row of another program's lock table, and what is known of it. Values.
#pragma once

#include "session/servertime.h"
#include "tableprofile.h"

#include <QtCore/QMap>

namespace lockscope {

/// A column of a table that a profile found, as the server has it.
struct TableColumn
{
    QString name;
    QByteArray type;        ///< "varchar", "timestamp", …
    bool isIndexed = false; ///< first of some index
    bool isBinary = false;

    bool operator==(const TableColumn &) const = default;
};

/// A table that a profile describes.
struct LockTable
{
    QString schema;
    QString name;
    TableProfile profile;
    QList<TableColumn> columns; ///< those that the profile names and that are there, in its order
    QString engine;             ///< "InnoDB"
    bool isLookAlike = false;   ///< its name is none of the profile's: it may be any other program's
    /// Where transactions hold the locks: the indexes whose records tell which lock they are of, each with the columns
    /// that do, with which its records begin.
    QMap<QString, QStringList> recordColumns = {};

    /// "shop.shedlock"
    QString place() const { return schema + u'.' + name; }
    /// Whether a transaction undoes a change of it.
    bool isTransactional() const { return engine.compare(QLatin1String("InnoDB"), Qt::CaseInsensitive) == 0; }
    qsizetype indexOf(const QString &column) const; ///< -1: it is optional, and not there
    bool operator==(const LockTable &) const = default;
};

enum class TableLockState {
    Held,
    Free,
    Expired, ///< its time is up, and the program has not removed it yet
    Unknown  ///< see TableLock::reason
};

/// A column's value, as the server writes it as text; none: NULL.
using TableValue = std::optional<QByteArray>;

/// One row. What of it is shown is what a release repeats.
struct TableLock
{
    LockTable table;
    QList<TableValue> values; ///< of the table's columns
    QByteArray key;           ///< the values of the key's columns, with a space between
    QByteArray candidate;     ///< the name whose hash the key has; empty: not found, or no hash
    QByteArray holder;
    TableLockState state = TableLockState::Unknown; ///< when its table was read; see stateNow()
    QString reason;                                 ///< why the state or the age is not known; English
    std::optional<ServerTime> since;
    std::optional<ServerTime> until;
    bool isForever = false; ///< held, and it has no end
    /// Its times cannot be read before the time zone of the application is known.
    bool needsZone = false;
    /// Why its table could not be read this time, so that it stands as it was seen last; English. Empty: it was read.
    QString unread;

    /// What a person calls it.
    QByteArray name() const { return candidate.isEmpty() ? key : candidate; }
    /// With its table: "shop.shedlock nightly".
    QByteArray fullName() const;
    /// What is known of it now: nothing, where its table was not read.
    TableLockState stateNow() const { return unread.isEmpty() ? state : TableLockState::Unknown; }
    /// Another one when anything that is shown has changed, up to 48 bits.
    quint64 fingerprint() const;
    bool operator==(const TableLock &) const = default;
};

} // namespace lockscope
