// SPDX-License-Identifier: MIT
#include "recording.h"

#include "recordingdatabase.h"

#include <QtCore/QFileInfo>
#include <QtSql/QSqlQuery>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using Kind = RecordedMark::Kind;
using Use = RecordingDatabase::Use;

constexpr Microseconds kMarkSlack = 1min;

QString logOf(const QString &path)
{
    return path + QStringLiteral("-wal");
}

bool isReadable(RecordingDatabase &database)
{
    return database.value(QStringLiteral("SELECT count(*) FROM sqlite_master")).toInt() > 0;
}

QString about(RecordingDatabase &database, const char *name)
{
    return database.value(QStringLiteral("SELECT value FROM about WHERE name = ?"), {QString::fromLatin1(name)})
        .toString();
}

/// Opens it in the way that shows most of it; `*damage` says what is missing then.
std::unique_ptr<RecordingDatabase> openMost(const QString &path, bool isCut, QString *damage)
{
    const bool hasLog = QFileInfo::exists(logOf(path));
    if (hasLog || !isCut) {
        auto database = std::make_unique<RecordingDatabase>(path, hasLog ? Use::Read : Use::ReadAlone);
        if (database->isOpen() && isReadable(*database))
            return database;
    }
    *damage = isCut ? QStringLiteral("The file was cut: only what lies before the cut is here.")
                    : QStringLiteral("The log beside the file cannot be read: what was recorded last is missing.");
    auto database = std::make_unique<RecordingDatabase>(path, isCut ? Use::ReadCut : Use::ReadAlone);
    if (database->isOpen() && isReadable(*database))
        return database;
    return nullptr;
}

} // namespace

std::unique_ptr<Recording> Recording::open(const QString &path, QString *error)
{
    const auto header = RecordingHeader::read(path, error);
    if (!header)
        return nullptr;
    *error = header->objection(path);
    if (error->isEmpty())
        *error = RecordingDatabase::missingDriver();
    if (!error->isEmpty())
        return nullptr;
    QString damage;
    auto database = openMost(path, header->isCut(), &damage);
    std::unique_ptr<Recording> recording;
    if (database) {
        recording.reset(new Recording(path, std::move(database)));
        recording->m_info.damage = damage;
        recording->m_isCut = header->isCut() && !damage.isEmpty();
        recording->refresh();
    }
    if (!recording || (recording->m_isCut && recording->info().looks == 0)) {
        *error = header->isCut() ? QStringLiteral("%1 was cut before its first look.").arg(path)
                                 : QStringLiteral("%1 is damaged and cannot be read.").arg(path);
        return nullptr;
    }
    return recording;
}

Recording::Recording(const QString &path, std::unique_ptr<RecordingDatabase> database)
    : m_database(std::move(database))
{
    m_info.path = path;
    m_info.server = about(*m_database, "server");
    m_info.statements = keepingNamed(about(*m_database, "statements")).value_or(StatementKeeping::Keep);
}

Recording::~Recording() = default;

void Recording::refresh()
{
    m_segments.clear();
    m_info.bytes = QFileInfo(m_info.path).size() + QFileInfo(logOf(m_info.path)).size();
    m_info.looks = 0;
    const QList<qint64> segments = segmentsOf(*m_database);
    for (const qint64 number : segments)
        addSegment(number);
    if (m_segments.isEmpty())
        return;
    m_info.from = m_segments.first().from;
    m_info.to = std::max(m_segments.last().to, lastDone(segments));
}

/// When the last act or event was, of those in the segment of the last look and behind it.
ServerTime Recording::lastDone(const QList<qint64> &segments)
{
    ServerTime last{};
    const QString sql = QStringLiteral("SELECT max(a) FROM m%1 WHERE i >= 0 AND k IN (%2, %3)");
    for (const qint64 number : segments) {
        if (number >= m_segments.last().number)
            last = std::max(last,
                            fromColumn(m_database->value(sql.arg(number).arg(int(Kind::Act)).arg(int(Kind::Event)))));
    }
    return last;
}

void Recording::addSegment(qint64 number)
{
    Segment segment;
    segment.number = number;
    const QString table = QStringLiteral("f%1").arg(number);
    const auto take = [&segment](const QSqlQuery &row) {
        if (segment.looks == 0)
            segment.from = fromColumn(row.value(1));
        segment.looks = row.value(0).toLongLong();
        segment.to = fromColumn(row.value(1));
        return true;
    };
    const QString columns = QStringLiteral("SELECT i, a FROM ") + table;
    const bool isWhole = !m_isCut && m_database->each(columns + QStringLiteral(" ORDER BY i LIMIT 1"), {}, take)
        && m_database->each(columns + QStringLiteral(" ORDER BY i DESC LIMIT 1"), {}, take);
    if (!isWhole)
        countReadable(&segment);
    if (segment.looks == 0)
        return;
    segment.firstMark =
        fromColumn(m_database->value(QStringLiteral("SELECT a FROM m%1 WHERE i >= 0 ORDER BY i LIMIT 1").arg(number)));
    m_info.looks += segment.looks;
    m_segments.append(segment);
}

/// Bytes behind a cut are no error if their page has begun before it: they are read as zeros.
void Recording::countReadable(Segment *segment)
{
    segment->looks = 0;
    const auto take = [segment](const QSqlQuery &row) {
        QByteArray bytes;
        const QByteArray body = row.value(2).toByteArray();
        if (row.value(0).toLongLong() != segment->looks + 1 || !(body.isEmpty() || unpack(body, &bytes)))
            return false;
        if (segment->looks == 0)
            segment->from = fromColumn(row.value(1));
        ++segment->looks;
        segment->to = fromColumn(row.value(1));
        return true;
    };
    m_database->each(QStringLiteral("SELECT i, a, b FROM f%1 ORDER BY i").arg(segment->number), {}, take);
    if (m_info.damage.isEmpty())
        m_info.damage = QStringLiteral("The file is damaged: some of it cannot be read.");
}

/// The number of the last look until then; the first one's where all are later.
qint64 Recording::lookAt(const Segment &segment, ServerTime time)
{
    const QString sql = QStringLiteral("SELECT a FROM f%1 WHERE i = ?").arg(segment.number);
    qint64 low = 1;
    qint64 high = segment.looks;
    while (low < high) {
        const qint64 middle = low + (high - low + 1) / 2;
        if (fromColumn(m_database->value(sql, {middle})) <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool Recording::rebuild(const Segment &segment, qint64 look, RecordedMoment *moment)
{
    const QString table = QStringLiteral(" FROM f%1 WHERE i ").arg(segment.number);
    const qint64 key =
        m_database->value(QStringLiteral("SELECT k") + table + QStringLiteral("= ?"), {look}).toLongLong();
    RecordedItems items;
    bool isRead = key > 0;
    const auto take = [&](const QSqlQuery &row) {
        moment->at = fromColumn(row.value(0));
        isRead = isRead && applyChanges(row.value(1).toByteArray(), &items);
        return isRead;
    };
    isRead = m_database->each(QStringLiteral("SELECT a, b") + table + QStringLiteral("BETWEEN ? AND ? ORDER BY i"),
                              {key, look}, take)
        && isRead;
    if (isRead)
        moment->look = lookOf(items, moment->at);
    return isRead;
}

/// That of the last look until then; null before the first.
const Recording::Segment *Recording::segmentAt(ServerTime time) const
{
    const auto later = std::find_if(m_segments.cbegin(), m_segments.cend(),
                                    [time](const Segment &segment) { return segment.from > time; });
    return later == m_segments.cbegin() ? nullptr : &*std::prev(later);
}

std::optional<RecordedMoment> Recording::at(ServerTime time)
{
    const Segment *segment = segmentAt(time);
    RecordedMoment moment;
    if (!segment || !rebuild(*segment, lookAt(*segment, time), &moment))
        return std::nullopt;
    moment.isGap = isGap(moment.at, time);
    return moment;
}

bool Recording::isGap(ServerTime look, ServerTime time)
{
    return !marks(look, time, {Kind::Unreachable, Kind::Unwritten, Kind::Ended}).isEmpty();
}

void Recording::eachLook(ServerTime from, ServerTime to, const std::function<bool(ServerTime at)> &take)
{
    for (const Segment &segment : std::as_const(m_segments)) {
        if (segment.to < from || segment.from > to)
            continue;
        bool isWanted = true;
        const auto takeRow = [&](const QSqlQuery &row) {
            const ServerTime at = fromColumn(row.value(0));
            isWanted = at <= to && take(at);
            return isWanted;
        };
        m_database->each(QStringLiteral("SELECT a FROM f%1 WHERE i >= ? ORDER BY i").arg(segment.number),
                         {lookAt(segment, from)}, takeRow);
        if (!isWanted)
            return;
    }
}

std::optional<ServerTime> Recording::lookUntil(ServerTime time)
{
    const Segment *segment = segmentAt(time);
    if (!segment)
        return std::nullopt;
    const QString sql = QStringLiteral("SELECT a FROM f%1 WHERE i = ?").arg(segment->number);
    return fromColumn(m_database->value(sql, {lookAt(*segment, time)}));
}

std::optional<ServerTime> Recording::lookAfter(ServerTime time)
{
    std::optional<ServerTime> after;
    eachLook(time, ServerTime::max(), [&after, time](ServerTime at) {
        if (at > time)
            after = at;
        return !after;
    });
    return after;
}

/// Marks are of the time of their segment's looks, or a little before or after, but for those that had to wait.
bool Recording::mayHaveMarks(qint64 number, ServerTime from, ServerTime to) const
{
    const auto found = std::find_if(m_segments.cbegin(), m_segments.cend(),
                                    [number](const Segment &segment) { return segment.number == number; });
    if (found == m_segments.cend())
        return true;
    const auto next = std::next(found);
    const bool isBefore = next != m_segments.cend() && next->from + kMarkSlack < from;
    return !isBefore && std::min(found->from, found->firstMark) - kMarkSlack <= to;
}

void Recording::readMarks(qint64 segment, const QString &condition, const QVariantList &values,
                          QList<RecordedMark> *marks)
{
    const auto take = [marks](const QSqlQuery &row) {
        marks->append({fromColumn(row.value(0)), Kind(row.value(1).toInt()), row.value(2).toInt(),
                       Microseconds(row.value(3).toLongLong()), row.value(4).toByteArray()});
        return true;
    };
    m_database->each(QStringLiteral("SELECT a, k, w, l, b FROM m%1 WHERE ").arg(segment) + condition
                         + QStringLiteral(" ORDER BY i"),
                     values, take);
}

QList<RecordedMark> Recording::marks(ServerTime from, ServerTime to, const QSet<Kind> &kinds)
{
    return marksOf(segmentsOf(*m_database), from, to, kinds);
}

QList<RecordedMark> Recording::marksOf(const QList<qint64> &segments, ServerTime from, ServerTime to,
                                       const QSet<Kind> &kinds)
{
    QStringList numbers;
    for (const Kind kind : kinds)
        numbers.append(QString::number(int(kind)));
    QString wanted = QStringLiteral("i >= 0 AND a BETWEEN ? AND ?");
    if (!kinds.isEmpty())
        wanted += QStringLiteral(" AND k IN (%1)").arg(numbers.join(u','));
    QList<RecordedMark> found;
    for (const qint64 segment : segments) {
        if (mayHaveMarks(segment, from, to))
            readMarks(segment, wanted, {toColumn(from), toColumn(to)}, &found);
    }
    return found;
}

/// What stood when a segment began, which becomes `*first`: that one, or the last before it that says so. The first one
/// of a program says nothing, nor do those of older programs.
QList<RecordedMark> Recording::repeatedMarks(const QList<qint64> &segments, qsizetype *first)
{
    QList<RecordedMark> repeated;
    const QString condition = QStringLiteral("i < 0");
    readMarks(segments[*first], condition, {}, &repeated);
    while (repeated.isEmpty() && *first > 0)
        readMarks(segments[--*first], condition, {}, &repeated);
    return repeated;
}

StandingMarks Recording::standingAt(ServerTime time)
{
    StandingMarks standing;
    const QList<qint64> segments = segmentsOf(*m_database);
    if (segments.isEmpty())
        return standing;
    const Segment *segment = segmentAt(time);
    qsizetype first = segment ? std::max<qsizetype>(segments.indexOf(segment->number), 0) : 0;
    for (const RecordedMark &mark : repeatedMarks(segments, &first))
        standing.take(mark);
    for (const RecordedMark &mark :
         marksOf(segments.mid(first), ServerTime{}, time - Microseconds(1), StandingMarks::kinds()))
        standing.take(mark);
    return standing;
}

} // namespace lockscope
