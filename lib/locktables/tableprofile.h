// SPDX-License-Identifier: MIT
// What a program's lock table looks like, and what its rows mean. resources/profiles/README.md has the format.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace lockscope {

/// What a profile asks of a column's type.
enum class ColumnFamily { Text, Number, Time };
/// "text", "number", "time", as profiles write it.
QString familyName(ColumnFamily family);

struct ProfileColumn
{
    QString name; ///< compared without case, as servers do
    ColumnFamily family = ColumnFamily::Text;
    bool isOptional = false; ///< of some versions of the program only

    bool operator==(const ProfileColumn &) const = default;
};

/// What a row says where somebody holds the lock.
struct HeldCondition
{
    enum class Test { Equals, Differs, IsSet, IsNull };
    QString column;
    Test test = Test::IsSet;
    QByteArray value = {};

    bool operator==(const HeldCondition &) const = default;
};

/// Whose clock writes the times of a table and judges by them.
enum class TableClock { Database, Application };

/// What a program writes into columns that are dates.
enum class WrittenTime { Utc, Local };

/// What the program makes of a lock's name before it stores it.
enum class KeyHash { None, Sha256, Uuid3 };

/// One assignment of the UPDATE that releases.
struct Assignment
{
    enum class To {
        Number,
        Text,
        Null,
        Column, ///< the value of `from`
        Sum     ///< its own value and `number`
    };
    QString column;
    To to = To::Null;
    qint64 number = 0;
    QString text = {};
    QString from = {};

    bool operator==(const Assignment &) const = default;
};

struct ProfileRelease
{
    enum class Way { None, Update, Delete };
    Way way = Way::None;
    QList<Assignment> set; ///< of an update
    QString reason;        ///< why there is none
    QString warning;       ///< what becomes of the holder

    bool operator==(const ProfileRelease &) const = default;
};

struct TableProfile
{
    QString id; ///< the file's name
    QString title;
    QString source;     ///< where its facts are from
    bool isOwn = false; ///< the user's: goes before those that come with Lockscope

    QStringList names;         ///< of the table, a * for anything
    bool isNameNeeded = false; ///< the columns alone could be another program's
    bool allowsOthers = true;  ///< columns that the profile does not name
    QList<ProfileColumn> columns;

    QStringList key;
    KeyHash hash = KeyHash::None;
    QString hashed; ///< which of the key's columns is one
    QStringList holder;
    QString since;
    QString until;
    std::optional<qint64> forever; ///< in `until`: it has no end, as with NULL
    QString beat;                  ///< when the holder last said that it lives
    std::optional<std::chrono::seconds>
        lasts;                       ///< after `beat`, else `since`, where the program does not write until when
    bool isUnitMilliseconds = false; ///< of times that are numbers; else seconds
    bool isFreeAfter = false;        ///< a row whose time is up is the normal state of a free lock
    bool isOfTransaction = false;    ///< the row says nothing: who has locked it in a transaction holds it
    TableClock clock = TableClock::Database;
    WrittenTime times = WrittenTime::Utc;
    QList<HeldCondition> held; ///< all must be true; none: each row is a lock that is held
    QString note;              ///< what a person should know of such a lock

    ProfileRelease release;

    const ProfileColumn *column(const QString &name) const;
    /// Whether a table of this name is what the program calls its table.
    bool isNamed(const QString &table) const;
    bool operator==(const TableProfile &) const = default;
};

} // namespace lockscope
