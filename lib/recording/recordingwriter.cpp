// SPDX-License-Identifier: MIT
#include "recordingwriter.h"

#include "recordingdatabase.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QLockFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr int kPageSize = 16384;

/// A file has room for this many: their names have to fit into its first page.
constexpr int kSegments = 48;
constexpr qint64 kLeastSegment = 128 * 1024;
/// Beside the bytes of a row, and of its place in a page that is not quite full.
constexpr qint64 kRowOverhead = 48;
/// Changes are applied one after the other to show a moment: after so many, or so many bytes, a whole look is cheaper.
constexpr qint64 kMostChanges = 600;
constexpr qint64 kLeastKeyBytes = 64 * 1024;
/// A root page points to some more.
constexpr int kMaxLeaves = 1500;
/// What the log may grow to before it is folded into the file.
constexpr int kLogPages = 128;
constexpr int kLargePageSize = 65536;

QString sentence(const QString &path, const char *what)
{
    return QStringLiteral("%1 %2.").arg(path, QString::fromLatin1(what));
}

QString whyNoFile(const QString &path, const struct stat &found)
{
    if (!S_ISREG(found.st_mode))
        return sentence(path, "is not a file");
    if (found.st_uid != ::geteuid())
        return sentence(path, "belongs to another user, who could change what is recorded");
    if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return QStringLiteral("Others may read or write %1: chmod 600 it, or name another file.").arg(path);
    return {};
}

/// Makes it where it is missing, and reads how it begins.
std::optional<RecordingHeader> prepareFile(const QString &path, QString *error)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                          S_IRUSR | S_IWUSR);
    if (fd < 0) {
        *error = errno == ELOOP ? sentence(path, "is a symbolic link, which is not followed")
                                : QStringLiteral("%1 cannot be written: %2.").arg(path, qt_error_string(errno));
        return std::nullopt;
    }
    struct stat found = {};
    ::fstat(fd, &found);
    *error = whyNoFile(path, found);
    QByteArray start(100, '\0');
    const auto length = ::read(fd, start.data(), size_t(start.size()));
    ::close(fd); // before SQLite opens it, whose locks would go with this
    if (!error->isEmpty())
        return std::nullopt;
    return RecordingHeader::of(start.left(qMax<qsizetype>(length, 0)), found.st_size);
}

std::optional<RecordingHeader> usableFile(const QString &path, QString *error)
{
    auto header = prepareFile(path, error);
    if (!header || header->isEmpty)
        return header;
    *error = header->objection(path);
    if (error->isEmpty() && header->isCut())
        *error = sentence(path, "was cut: it can be read, and nothing can be added to it");
    return error->isEmpty() ? header : std::nullopt;
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
    const auto header = usableFile(options.path, error);
    if (!header)
        return nullptr;
    if (!lock->tryLock()) {
        *error = lock->error() == QLockFile::LockFailedError
            ? sentence(options.path, "is being recorded by another program")
            : QStringLiteral("A lock beside %1 cannot be made: the folder must be writable.").arg(options.path);
        return nullptr;
    }
    auto database = std::make_unique<RecordingDatabase>(options.path, RecordingDatabase::Use::Write);
    std::unique_ptr<RecordingWriter> writer(new RecordingWriter(options, std::move(database), std::move(lock)));
    const bool isReady = header->isEmpty ? writer->create(server) : writer->resume(server, error);
    if (isReady && writer->m_database->run(QStringLiteral("PRAGMA journal_mode = WAL")))
        return writer;
    if (error->isEmpty())
        *error = writer->failure();
    return nullptr;
}

RecordingWriter::RecordingWriter(const RecordingOptions &options, std::unique_ptr<RecordingDatabase> database,
                                 std::unique_ptr<QLockFile> lock)
    : m_options(options)
    , m_lock(std::move(lock))
    , m_database(std::move(database))
{
    m_database->run(QStringLiteral("PRAGMA synchronous = NORMAL"));
    m_database->run(QStringLiteral("PRAGMA wal_autocheckpoint = %1").arg(kLogPages));
}

RecordingWriter::~RecordingWriter()
{
    finish();
}

bool RecordingWriter::create(const QString &server)
{
    const qint64 leaf = m_options.maxBytes / kSegments > qint64{kMaxLeaves} * kPageSize ? kLargePageSize : kPageSize;
    const QStringList made{
        QStringLiteral("PRAGMA page_size = %1").arg(leaf),
        QStringLiteral("PRAGMA application_id = %1").arg(kRecordingApplication),
        QStringLiteral("PRAGMA user_version = %1").arg(kRecordingFormat),
        QStringLiteral("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"),
    };
    for (const QString &sql : made) {
        if (!m_database->run(sql))
            return false;
    }
    const auto tell = [this](const QString &name, const QString &value) {
        return m_database->run(QStringLiteral("INSERT INTO about VALUES (?, ?)"), {name, value});
    };
    return tell(QStringLiteral("server"), server)
        && tell(QStringLiteral("statements"), keepingName(m_options.statements));
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
    return QStringLiteral("%1 cannot be written: %2.").arg(m_options.path, m_database->error());
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

bool RecordingWriter::write(ServerTime at, const RecordedItems *items, const QList<RecordedMark> &marks)
{
    if ((m_state.begun == ServerTime{} || isSegmentOver(at)) && !beginSegment(at))
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
        m_state.segmentBytes += mark.body.size() + kRowOverhead;
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
    m_state = {};
    const QList<qint64> segments = segmentsOf(*m_database);
    m_state.segment = segments.isEmpty() ? 1 : segments.last() + 1;
    m_state.begun = at;
    return m_database->run(
               QStringLiteral("CREATE TABLE f%1 (i INTEGER PRIMARY KEY, a INT, k INT, b BLOB)").arg(m_state.segment))
        && m_database->run(
            QStringLiteral("CREATE TABLE m%1 (i INTEGER PRIMARY KEY, a INT, k INT, w INT, l INT, b BLOB)")
                .arg(m_state.segment));
}

/// The oldest, until there is room for another segment.
bool RecordingWriter::dropOld(ServerTime at)
{
    const qint64 room = std::max(m_options.maxBytes / kSegments, kLeastSegment);
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
    if (!m_database->isOpen() || m_database->run(QStringLiteral("PRAGMA journal_mode = DELETE")))
        return {};
    return failure();
}

qint64 RecordingWriter::bytes() const
{
    return QFileInfo(m_options.path).size() + QFileInfo(m_options.path + QStringLiteral("-wal")).size();
}

} // namespace lockscope
