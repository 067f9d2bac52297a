// SPDX-License-Identifier: MIT
#include "recordingwriter.h"

#include "recordingfile.h"

#include <QtCore/QFileInfo>
#include <QtCore/QLockFile>
#include <QtCore/QStorageInfo>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr int kPageSize = 16384;

/// A file has room for this many: their names have to fit into its first page.
constexpr int kSegments = 48;
constexpr qint64 kLeastSegment = 128 << 10;
/// Beside the bytes of a row, and of its place in a page that is not quite full.
constexpr qint64 kRowOverhead = 48;
/// Changes are applied one after the other to show a moment: after so many, or so many bytes, a whole look is cheaper.
constexpr qint64 kMostChanges = 600;
constexpr qint64 kLeastKeyBytes = 64 << 10;
/// A root page points to some more.
constexpr int kMaxLeaves = 1500;
/// What the log may grow to before it is folded into the file.
constexpr int kLogPages = 128;
constexpr int kLargePageSize = 65536;
constexpr qint64 kRoomOfIndex = 32768; ///< by which SQLite lets the index of its log grow

QString sentence(const QString &path, const char *what)
{
    return QStringLiteral("%1 %2.").arg(path, QString::fromLatin1(what));
}

QString whyNoLock(const QString &path, QLockFile::LockError error)
{
    if (error == QLockFile::LockFailedError)
        return sentence(path, "is being recorded by another program");
    return QStringLiteral("A lock beside %1 cannot be made: %2.")
        .arg(path,
             error == QLockFile::PermissionError ? QStringLiteral("the folder must be writable")
                                                 : QStringLiteral("the disk may be full"));
}

/// What a mark takes in the file.
qint64 bytesOf(const RecordedMark &mark)
{
    return mark.body.size() + kRowOverhead;
}

QString whyNotUsable(const QString &path, const RecordingHeader &header)
{
    if (header.isEmpty)
        return {};
    const QString objection = header.objection(path);
    // Where a log is, a fold into the file that had no room is done once more.
    if (objection.isEmpty() && header.isCut() && !QFileInfo::exists(path + QStringLiteral("-wal")))
        return sentence(path, "was cut: it can be read, and nothing can be added to it");
    return objection;
}

} // namespace

std::unique_ptr<RecordingWriter> RecordingWriter::open(const RecordingOptions &options, const QString &server,
                                                       QString *error)
{
    *error = RecordingDatabase::missingDriver();
    if (!error->isEmpty())
        return nullptr;
    auto lock = std::make_unique<QLockFile>(options.path + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // a program that is gone has left its lock, however old it is
    auto file = RecordingFile::open(options.path, error);
    if (!file)
        return nullptr;
    const RecordingHeader header = file->header();
    *error = whyNotUsable(options.path, header);
    if (error->isEmpty() && !lock->tryLock())
        *error = whyNoLock(options.path, lock->error());
    else if (error->isEmpty() && !file->lock())
        *error = whyNoLock(options.path, QLockFile::LockFailedError);
    if (!error->isEmpty())
        return nullptr;
    auto database = std::make_unique<RecordingDatabase>(options.path, RecordingDatabase::Use::Write);
    std::unique_ptr<RecordingWriter> writer(
        new RecordingWriter(options, std::move(lock), std::move(file), std::move(database)));
    const bool isReady = header.isEmpty ? writer->create(server) : writer->resume(server, error);
    if (isReady && writer->m_database->run(QStringLiteral("PRAGMA journal_mode = WAL")))
        return writer;
    if (error->isEmpty())
        *error = writer->failure();
    return nullptr;
}

RecordingWriter::RecordingWriter(const RecordingOptions &options, std::unique_ptr<QLockFile> lock,
                                 std::unique_ptr<RecordingFile> file, std::unique_ptr<RecordingDatabase> database)
    : m_options(options)
    , m_lock(std::move(lock))
    , m_file(std::move(file))
    , m_database(std::move(database))
{
    m_database->run(QStringLiteral("PRAGMA synchronous = NORMAL"));
    m_database->run(QStringLiteral("PRAGMA wal_autocheckpoint = %1").arg(kLogPages));
}

RecordingWriter::~RecordingWriter()
{
    finish();
}

/// All of it or nothing: without room the file stays empty, and may be begun later.
bool RecordingWriter::create(const QString &server)
{
    const qint64 leaf = m_options.maxBytes / kSegments > qint64{kMaxLeaves} * kPageSize ? kLargePageSize : kPageSize;
    const auto run = [this](const QString &sql, const QVariantList &values = {}) {
        return m_database->run(sql, values);
    };
    const auto tell = [&run](const QString &name, const QString &value) {
        return run(QStringLiteral("INSERT INTO about VALUES (?, ?)"), {name, value});
    };
    const bool isMade = run(QStringLiteral("PRAGMA page_size = %1").arg(leaf)) && m_database->begin()
        && run(QStringLiteral("PRAGMA application_id = %1").arg(kRecordingApplication))
        && run(QStringLiteral("PRAGMA user_version = %1").arg(kRecordingFormat))
        && run(QStringLiteral("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"))
        && tell(QStringLiteral("server"), server)
        && tell(QStringLiteral("statements"), keepingName(m_options.statements)) && m_database->commit();
    if (!isMade)
        m_database->rollback();
    return isMade;
}

bool RecordingWriter::resume(const QString &server, QString *error)
{
    const auto told = [this](const char *name) {
        return m_database->value(QStringLiteral("SELECT value FROM about WHERE name = ?"), {QString::fromLatin1(name)})
            .toString();
    };
    if (const QString other = told("server"); other != server)
        *error = QStringLiteral("%1 is a recording of %2.").arg(m_options.path, other);
    else if (const QString kept = told("statements"); kept != keepingName(m_options.statements))
        *error = QStringLiteral("%1 was begun with --statements %2.").arg(m_options.path, kept);
    if (!error->isEmpty())
        return false;
    const QList<qint64> segments = segmentsOf(*m_database);
    if (segments.isEmpty())
        return true;
    m_state.segment = segments.last();
    for (const qint64 segment : segments) { // the last may hold marks alone
        for (const char table : {'f', 'm'})
            m_last = std::max(m_last, lastTimeOf(*m_database, table, segment));
    }
    return true; // the first look begins a new segment, with all that it sees
}

QString RecordingWriter::failure() const
{
    // On a full disk SQLite's words may be "disk I/O error": of the index of its log.
    const QString error = m_database->error();
    const bool isFull = !error.contains(u"full") && QStorageInfo(m_options.path).bytesAvailable() < kRoomOfIndex;
    return QStringLiteral("%1 cannot be written: %2%3.")
        .arg(m_options.path, error, isFull ? QStringLiteral(" (the disk is full)") : QString());
}

QString RecordingWriter::append(ServerTime at, const RecordedItems &items, const QList<RecordedMark> &marks)
{
    return append(at, &items, marks);
}

QString RecordingWriter::append(const QList<RecordedMark> &marks)
{
    return append(marks.isEmpty() ? m_last : marks.last().at, nullptr, marks);
}

QString RecordingWriter::append(ServerTime at, const RecordedItems *items, const QList<RecordedMark> &marks)
{
    if (checkLost())
        return m_lost;
    const State before = m_state;
    const ServerTime time = std::max(at, m_last);
    if (m_database->begin() && write(time, items, marks) && m_database->commit()) {
        m_last = time;
        return {};
    }
    m_database->rollback();
    m_state = before;
    return failure();
}

/// What SQLite writes goes to the file that it has opened, whatever its path leads to by now.
bool RecordingWriter::checkLost()
{
    if (!m_lost.isEmpty())
        return true;
    m_lost = m_file->whyLost();
    if (m_lost.isEmpty())
        return false;
    m_database->run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)")); // its log stays at the old path
    return true;
}

/// Marks alone go to the looks before them, however old these are: for a new segment old ones would go, and all looks
/// with them where the server does not answer for longer than they are kept.
bool RecordingWriter::write(ServerTime at, const RecordedItems *items, const QList<RecordedMark> &marks)
{
    const bool isOver = m_state.begun == ServerTime{} || (items && isSegmentOver(at));
    if (isOver && !beginSegment(at))
        return false;
    return writeMarks(marks) && (!items || writeLook(at, *items));
}

bool RecordingWriter::writeLook(ServerTime at, const RecordedItems &items)
{
    const bool isWhole = m_state.key == 0 || m_state.look - m_state.key >= kMostChanges
        || m_state.changedBytes > std::max(m_state.keyBytes, kLeastKeyBytes);
    const QByteArray body = packedChanges(isWhole ? RecordedItems() : m_state.items, items);
    const qint64 number = m_state.look + 1;
    const qint64 key = isWhole ? number : m_state.key;
    if (!m_database->run(QStringLiteral("INSERT INTO f%1 VALUES (?, ?, ?, ?)").arg(m_state.segment),
                         {number, toColumn(at), key, body}))
        return false;
    m_state.look = number;
    m_state.key = key;
    if (isWhole)
        m_state.keyBytes = body.size();
    m_state.changedBytes = isWhole ? 0 : m_state.changedBytes + body.size();
    m_state.segmentBytes += body.size() + kRowOverhead;
    m_state.items = items;
    return true;
}

bool RecordingWriter::writeMarks(const QList<RecordedMark> &marks)
{
    const QString sql = QStringLiteral("INSERT INTO m%1 (a, k, w, l, b) VALUES (?, ?, ?, ?, ?)").arg(m_state.segment);
    for (const RecordedMark &mark : marks) {
        const qint64 at = toColumn(mark.at);
        if (!m_database->run(sql, {at, int(mark.kind), mark.waiting, qint64(mark.longest.count()), mark.body}))
            return false;
        m_state.segmentBytes += bytesOf(mark);
        m_state.standing.take(mark);
    }
    return true;
}

/// What was told once stays in the file when the segment goes in which it was told. It does not count for the size of
/// the segment: a thousand alarms would fill one of a small file, and each look would begin the next.
bool RecordingWriter::repeatMarks()
{
    const QString sql = QStringLiteral("INSERT INTO m%1 VALUES (?, ?, ?, ?, ?, ?)").arg(m_state.segment);
    const QList<RecordedMark> marks = m_state.standing.marks();
    qint64 number = -marks.size(); // below zero, so that they are known from those of the segment's own time
    for (const RecordedMark &mark : marks) {
        const qint64 at = toColumn(mark.at);
        const qint64 longest = mark.longest.count();
        if (!m_database->run(sql, {number++, at, int(mark.kind), mark.waiting, longest, mark.body}))
            return false;
    }
    return true;
}

bool RecordingWriter::isSegmentOver(ServerTime at) const
{
    const qint64 most = std::max(m_options.maxBytes / kSegments, kLeastSegment);
    const bool isOld = m_options.keep && at - m_state.begun > std::max(*m_options.keep / kSegments, Microseconds(1min));
    return m_state.segmentBytes >= most || isOld;
}

bool RecordingWriter::beginSegment(ServerTime at)
{
    if (!dropOld(at))
        return false;
    State next;
    next.standing = m_state.standing;
    m_state = next;
    const QList<qint64> segments = segmentsOf(*m_database);
    m_state.segment = segments.isEmpty() ? 1 : segments.last() + 1;
    m_state.begun = at;
    return m_database->run(
               QStringLiteral("CREATE TABLE f%1 (i INTEGER PRIMARY KEY, a INT, k INT, b BLOB)").arg(m_state.segment))
        && m_database->run(
            QStringLiteral("CREATE TABLE m%1 (i INTEGER PRIMARY KEY, a INT, k INT, w INT, l INT, b BLOB)")
                .arg(m_state.segment))
        && repeatMarks();
}

/// The oldest, until there is room for another segment and what it repeats.
bool RecordingWriter::dropOld(ServerTime at)
{
    qint64 room = std::max(m_options.maxBytes / kSegments, kLeastSegment);
    for (const RecordedMark &mark : m_state.standing.marks())
        room += bytesOf(mark);
    QList<qint64> segments = segmentsOf(*m_database);
    while (!segments.isEmpty()) {
        const qint64 oldest = segments.first();
        const ServerTime last = std::max(lastTimeOf(*m_database, 'f', oldest), lastTimeOf(*m_database, 'm', oldest));
        const bool isOld = m_options.keep && at - last > *m_options.keep;
        const bool isFull = segments.size() > 1 && usedBytes(*m_database) + room > m_options.maxBytes;
        if (!isOld && !isFull && segments.size() < kSegments)
            return true;
        for (const char table : {'f', 'm'}) {
            if (!m_database->run(QStringLiteral("DROP TABLE %1%2").arg(QLatin1Char(table)).arg(oldest)))
                return false;
        }
        segments.removeFirst();
    }
    return true;
}

QString RecordingWriter::finish()
{
    if (!m_database->isOpen())
        return {};
    if (checkLost()) // the log at its path may be another file's
        return m_lost;
    m_database->run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    m_database->run(QStringLiteral("PRAGMA busy_timeout = 0"));
    if (m_database->run(QStringLiteral("PRAGMA journal_mode = DELETE")))
        return {};
    // Whoever reads the file keeps the log where it is. With nothing in it, the file stands alone all the same.
    return QFileInfo(m_options.path + QStringLiteral("-wal")).size() > 0 ? failure() : QString();
}

qint64 RecordingWriter::bytes() const
{
    return QFileInfo(m_options.path).size() + QFileInfo(m_options.path + QStringLiteral("-wal")).size();
}

} // namespace lockscope
