// SPDX-License-Identifier: MIT
// A recording as an SQLite file. Its content is in segments, each two tables: f<n> of looks and m<n> of marks. A
// segment begins with a whole look and the marks that stood then: these have numbers below zero, and repeat what an
// earlier segment has, which may be gone (files of older programs have none). A segment keeps to so many pages that its
// tables are a root page and leaves, in the order in which they were written. So of a file that was cut, all is read
// that lies before the cut; and what is old goes by dropping a segment, whose pages the next one takes.
#pragma once

#include "session/servertime.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QVariant>
#include <QtSql/QSqlDatabase>

#include <functional>
#include <optional>

class QSqlQuery;

namespace lockscope {

constexpr int kRecordingFormat = 1;
/// "LkRc", in the header of the file.
constexpr qint32 kRecordingApplication = 0x4c6b5263;

/// What the first page of a file says, without SQLite.
struct RecordingHeader
{
    bool isSqlite = false;
    qint32 application = 0;
    qint32 format = 0;
    qint64 pages = 0; ///< that belong to it
    qint64 size = 0;  ///< of the file, in bytes
    qint64 pageSize = 0;
    bool isEmpty = false;

    bool isRecording() const { return isSqlite && application == kRecordingApplication; }
    bool isCut() const { return size < pages * pageSize; }
    /// Why this program cannot read it; empty: it can.
    QString objection(const QString &path) const;

    static std::optional<RecordingHeader> read(const QString &path, QString *error);
    static RecordingHeader of(const QByteArray &start, qint64 size);
};

/// A connection of its own to one file, closed with it. Belongs to the thread that made it.
class RecordingDatabase
{
public:
    enum class Use {
        Write,
        Read,
        ReadCut,  ///< a file that ends before it should: pages behind the cut are errors of whoever asks for them
        ReadAlone ///< beside the file nothing is read or made: where the folder does not allow it
    };
    RecordingDatabase(const QString &path, Use use);
    /// A sentence where Qt has no driver for such files here; empty: it has.
    static QString missingDriver();
    ~RecordingDatabase();
    RecordingDatabase(const RecordingDatabase &) = delete;
    RecordingDatabase &operator=(const RecordingDatabase &) = delete;

    bool isOpen() const { return m_database.isOpen(); }
    /// Of the last thing that failed, in SQLite's words.
    const QString &error() const { return m_error; }
    bool run(const QString &sql, const QVariantList &values = {});
    /// Each row to `take`, until it returns false. False after an error, also in the middle of the rows.
    bool each(const QString &sql, const QVariantList &values, const std::function<bool(const QSqlQuery &)> &take);
    /// The first value of the first row; invalid where there is none or after an error.
    QVariant value(const QString &sql, const QVariantList &values = {});
    bool begin() { return run(QStringLiteral("BEGIN IMMEDIATE")); }
    bool commit() { return run(QStringLiteral("COMMIT")); }
    void rollback();

private:
    bool open(const QString &path, Use use);
    bool start(QSqlQuery *query, const QString &sql, const QVariantList &values);

    QString m_name;
    QSqlDatabase m_database;
    QString m_error;
};

/// The numbers of its segments, oldest first.
QList<qint64> segmentsOf(RecordingDatabase &database);
/// Of the last row of a table ('f' or 'm').
ServerTime lastTimeOf(RecordingDatabase &database, char table, qint64 segment);
/// What its pages take that are in use.
qint64 usedBytes(RecordingDatabase &database);

inline qint64 toColumn(ServerTime time)
{
    return time.time_since_epoch().count();
}
inline ServerTime fromColumn(const QVariant &value)
{
    return ServerTime(Microseconds(value.toLongLong()));
}

} // namespace lockscope
