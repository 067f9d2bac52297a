// SPDX-License-Identifier: MIT
#include "recordingdatabase.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QUrl>
#include <QtCore/QtEndian>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <algorithm>
#include <atomic>

namespace lockscope {

namespace {

// Of the header that every SQLite file begins with (sqlite.org/fileformat2.html).
constexpr char kMagic[] = "SQLite format 3";
constexpr qsizetype kHeaderBytes = 100;
constexpr qsizetype kPageSizeAt = 16;
constexpr qsizetype kPagesAt = 28;
constexpr qsizetype kFormatAt = 60;
constexpr qsizetype kApplicationAt = 68;

QString nextName()
{
    static std::atomic<quint64> number{0};
    return QStringLiteral("lockscope-recording-%1").arg(++number);
}

} // namespace

RecordingHeader RecordingHeader::of(const QByteArray &start, qint64 size)
{
    RecordingHeader header;
    header.size = size;
    header.isEmpty = size == 0;
    header.isSqlite = start.size() >= kHeaderBytes && start.startsWith(QByteArray(kMagic, sizeof kMagic));
    if (!header.isSqlite)
        return header;
    const char *bytes = start.constData();
    const quint16 pageSize = qFromBigEndian<quint16>(bytes + kPageSizeAt);
    header.pageSize = pageSize == 1 ? 65536 : pageSize;
    header.pages = qFromBigEndian<quint32>(bytes + kPagesAt);
    header.format = qFromBigEndian<qint32>(bytes + kFormatAt);
    header.application = qFromBigEndian<qint32>(bytes + kApplicationAt);
    return header;
}

std::optional<RecordingHeader> RecordingHeader::read(const QString &path, QString *error)
{
    QFile file(path);
    if (QFileInfo(path).exists() && !QFileInfo(path).isFile()) { // a pipe would never answer
        *error = QStringLiteral("%1 is not a file.").arg(path);
        return std::nullopt;
    }
    if (!file.open(QIODevice::ReadOnly)) {
        *error = QStringLiteral("%1 cannot be read: %2.").arg(path, file.errorString());
        return std::nullopt;
    }
    return of(file.read(kHeaderBytes), file.size());
}

QString RecordingHeader::objection(const QString &path) const
{
    if (!isRecording())
        return QStringLiteral("%1 is not a recording of Lockscope.").arg(path);
    if (format > kRecordingFormat)
        return QStringLiteral("%1 was recorded by a newer Lockscope: its format is %2, and this one reads up to %3. "
                              "Open it with that one.")
            .arg(path)
            .arg(format)
            .arg(kRecordingFormat);
    return {};
}

RecordingDatabase::RecordingDatabase(const QString &path, Use use)
    : m_name(nextName())
    , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
{
    if (!open(QFileInfo(path).absoluteFilePath(), use) && m_error.isEmpty())
        m_error = m_database.lastError().text();
}

QString RecordingDatabase::missingDriver()
{
    return QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE"))
        ? QString()
        : QStringLiteral("Recordings need Qt's driver for SQLite: install libqt6sql6-sqlite.");
}

RecordingDatabase::~RecordingDatabase()
{
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_name);
}

bool RecordingDatabase::open(const QString &path, Use use)
{
    m_database.setDatabaseName(path);
    if (use != Use::Write)
        m_database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
    if (use == Use::ReadAlone || use == Use::ReadCut) {
        m_database.setDatabaseName(QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded)
                                   + QStringLiteral("?immutable=1"));
        m_database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI"));
    }
    if (!m_database.open())
        return false;
    // What another wrote into the file's schema is not run.
    const bool isSafe = run(QStringLiteral("PRAGMA trusted_schema = OFF"));
    // Without this SQLite opens no file that has fewer pages than its header says.
    return isSafe && (use != Use::ReadCut || run(QStringLiteral("PRAGMA writable_schema = ON")));
}

bool RecordingDatabase::start(QSqlQuery *query, const QString &sql, const QVariantList &values)
{
    query->setForwardOnly(true);
    bool isDone = query->prepare(sql);
    for (qsizetype i = 0; isDone && i < values.size(); ++i)
        query->bindValue(int(i), values[i]);
    isDone = isDone && query->exec();
    if (!isDone)
        m_error = query->lastError().databaseText();
    return isDone;
}

bool RecordingDatabase::run(const QString &sql, const QVariantList &values)
{
    QSqlQuery query(m_database);
    return start(&query, sql, values);
}

bool RecordingDatabase::each(const QString &sql, const QVariantList &values,
                             const std::function<bool(const QSqlQuery &)> &take)
{
    QSqlQuery query(m_database);
    if (!start(&query, sql, values))
        return false;
    while (query.next()) {
        if (!take(query))
            return true;
    }
    if (!query.lastError().isValid())
        return true;
    m_error = query.lastError().databaseText();
    return false;
}

QVariant RecordingDatabase::value(const QString &sql, const QVariantList &values)
{
    QVariant first;
    each(sql, values, [&first](const QSqlQuery &row) {
        first = row.value(0);
        return false;
    });
    return first;
}

void RecordingDatabase::rollback()
{
    const QString error = m_error;
    run(QStringLiteral("ROLLBACK")); // after a full disk SQLite has done it by itself
    m_error = error;
}

QList<qint64> segmentsOf(RecordingDatabase &database)
{
    QList<qint64> segments;
    const auto take = [&segments](const QSqlQuery &row) {
        bool isNumber = false;
        const qint64 number = row.value(0).toString().mid(1).toLongLong(&isNumber);
        if (isNumber)
            segments.append(number);
        return true;
    };
    database.each(QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'm[0-9]*'"), {},
                  take);
    std::sort(segments.begin(), segments.end());
    return segments;
}

ServerTime lastTimeOf(RecordingDatabase &database, char table, qint64 segment)
{
    return fromColumn(database.value(
        QStringLiteral("SELECT a FROM %1%2 ORDER BY i DESC LIMIT 1").arg(QLatin1Char(table)).arg(segment)));
}

qint64 usedBytes(RecordingDatabase &database)
{
    const auto number = [&database](const char *name) {
        return database.value(QStringLiteral("PRAGMA ") + QLatin1String(name)).toLongLong();
    };
    return (number("page_count") - number("freelist_count")) * number("page_size");
}

} // namespace lockscope
