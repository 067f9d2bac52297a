// SPDX-License-Identifier: MIT
#include "tablejudge.h"

#include <QtCore/QTimeZone>

#include <cmath>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// No zone is further from UTC.
constexpr auto kMaxOffset = std::chrono::hours(14);
/// The end of the year 9999, in seconds: no date of a server is later.
constexpr double kMaxSeconds = 253'402'300'799.0;

/// A column's time: a moment, or one of those between two, which is which depends on the application's zone.
struct ReadTime
{
    enum class State { Absent, Null, Read, Unreadable };
    State state = State::Absent;
    ServerTime earliest{};
    ServerTime latest{};

    bool isExact() const { return state == State::Read && earliest == latest; }
};

ReadTime exactly(ServerTime time)
{
    return {ReadTime::State::Read, time, time};
}

ReadTime unreadable()
{
    return {ReadTime::State::Unreadable, {}, {}};
}

ReadTime numberTime(const TableProfile &profile, const QByteArray &text)
{
    bool isNumber = false;
    const double seconds = text.toDouble(&isNumber) / (profile.isUnitMilliseconds ? 1000 : 1);
    if (!isNumber || !std::isfinite(seconds) || seconds < 0 || seconds > kMaxSeconds)
        return unreadable();
    return exactly(ServerTime(Microseconds(std::llround(seconds * 1e6))));
}

/// "2026-11-26 04:00:00" with up to six further digits.
ReadTime dateTime(const TableProfile &profile, const TableColumn &column, const QByteArray &text, const QTimeZone &zone)
{
    const QDateTime seconds = QDateTime::fromString(QString::fromLatin1(text.left(19)), u"yyyy-MM-dd HH:mm:ss"_s);
    if (!seconds.isValid() || (text.size() > 19 && text[19] != '.'))
        return unreadable();
    const Microseconds fraction(text.mid(20).leftJustified(6, '0', true).toLongLong());
    QDateTime moment(seconds.date(), seconds.time(), QTimeZone::utc());
    // A TIMESTAMP is converted from the zone of the session that writes it, so what is written in local time is right
    // in it, and what is written in UTC is off by that zone.
    const bool isConverted = column.type == "timestamp";
    const bool isWrittenInUtc = profile.times == WrittenTime::Utc;
    if (isConverted != isWrittenInUtc)
        return exactly(toServerTime(moment) + fraction);
    if (!zone.isValid()) {
        const ServerTime middle = toServerTime(moment) + fraction;
        return {ReadTime::State::Read, middle - kMaxOffset, middle + kMaxOffset};
    }
    if (isConverted) {
        const QDateTime written = moment.toTimeZone(zone);
        moment = QDateTime(written.date(), written.time(), QTimeZone::utc());
    } else {
        moment = QDateTime(seconds.date(), seconds.time(), zone);
    }
    return exactly(toServerTime(moment) + fraction);
}

/// One row while it is judged.
class Row
{
public:
    Row(const LockTable &table, const QList<TableValue> &values, const QTimeZone &zone)
        : m_table(table)
        , m_values(values)
        , m_zone(zone)
    {
    }

    const TableProfile &profile() const { return m_table.profile; }
    TableValue value(const QString &column) const
    {
        const qsizetype at = m_table.indexOf(column);
        return at < 0 || at >= m_values.size() ? std::nullopt : m_values[at];
    }

    /// Of the columns that are there; `null` for those without a value.
    QByteArray joined(const QStringList &columns, const QByteArray &null) const
    {
        QByteArrayList parts;
        for (const QString &column : columns) {
            if (m_table.indexOf(column) >= 0)
                parts.append(value(column).value_or(null));
        }
        return parts.join(' ');
    }

    ReadTime time(const QString &column) const
    {
        const qsizetype at = column.isEmpty() ? -1 : m_table.indexOf(column);
        if (at < 0)
            return {};
        const TableValue text = value(column);
        if (!text)
            return {ReadTime::State::Null, {}, {}};
        return m_table.profile.column(column)->family == ColumnFamily::Number
            ? numberTime(m_table.profile, *text)
            : dateTime(m_table.profile, m_table.columns[at], *text, m_zone);
    }

    /// None: it cannot be told.
    std::optional<bool> isTrue(const HeldCondition &condition) const
    {
        const TableValue text = value(condition.column);
        if (condition.test == HeldCondition::Test::IsSet || condition.test == HeldCondition::Test::IsNull)
            return text.has_value() == (condition.test == HeldCondition::Test::IsSet);
        if (!text)
            return std::nullopt;
        bool isEqual = *text == condition.value;
        if (m_table.profile.column(condition.column)->family == ColumnFamily::Number) {
            bool isNumber = false;
            isEqual = text->toDouble(&isNumber) == condition.value.toDouble();
            if (!isNumber)
                return std::nullopt;
        }
        return isEqual == (condition.test == HeldCondition::Test::Equals);
    }

private:
    const LockTable &m_table;
    const QList<TableValue> &m_values;
    const QTimeZone &m_zone;
};

/// By its conditions alone; none: held as far as these tell.
std::optional<TableLockState> byConditions(const Row &row, TableLock *lock)
{
    for (const HeldCondition &condition : lock->table.profile.held) {
        const auto isTrue = row.isTrue(condition);
        if (!isTrue) {
            lock->reason = u"its %1 is no such value as the program writes"_s.arg(condition.column);
            return TableLockState::Unknown;
        }
        if (!*isTrue)
            return TableLockState::Free;
    }
    return std::nullopt;
}

/// Where its end is counted from, if the row has no end of its own.
const QString &beginOf(const TableProfile &profile)
{
    return profile.beat.isEmpty() ? profile.since : profile.beat;
}

/// Until when it is held, where the row has that, or the program's default tells it.
ReadTime endOf(const Row &row, const TableProfile &profile)
{
    const TableValue text = row.value(profile.until);
    if (profile.forever && text && text->toDouble() == double(*profile.forever))
        return {ReadTime::State::Null, {}, {}};
    const ReadTime until = row.time(profile.until);
    if (until.state != ReadTime::State::Absent || !profile.lasts)
        return until;
    ReadTime end = row.time(beginOf(profile));
    end.earliest += *profile.lasts;
    end.latest += *profile.lasts;
    return end;
}

/// Its end is no later than its begin, which is over in any time zone: unless it is to come in each of them, from a
/// clock that is ahead.
bool endsAsItBegan(const Row &row, const ReadTime &end)
{
    const ReadTime since = row.time(row.profile().since);
    return since.state == ReadTime::State::Read && since.isExact() == end.isExact() && end.latest <= since.latest;
}

void judgeEnd(const Row &row, ServerTime now, TableLock *lock)
{
    const TableProfile &profile = lock->table.profile;
    const ReadTime end = endOf(row, profile);
    if (end.state == ReadTime::State::Unreadable) {
        lock->state = TableLockState::Unknown;
        lock->reason =
            u"its %1 is no time"_s.arg(lock->table.indexOf(profile.until) < 0 ? beginOf(profile) : profile.until);
        return;
    }
    if (end.state != ReadTime::State::Read) {
        lock->state = TableLockState::Held;
        lock->isForever = true;
        return;
    }
    if (end.isExact())
        lock->until = end.earliest;
    const bool isFree = end.latest > now && end.earliest <= now && profile.isFreeAfter && endsAsItBegan(row, end);
    lock->needsZone = lock->needsZone || (!end.isExact() && !isFree);
    if (isFree)
        lock->state = TableLockState::Free;
    else if (end.latest <= now)
        lock->state = profile.isFreeAfter ? TableLockState::Free : TableLockState::Expired;
    else if (end.earliest > now)
        lock->state = TableLockState::Held;
    else
        lock->reason = u"its times depend on the application's time zone, which Lockscope has not been told"_s;
}

} // namespace

TableLock judgeRow(const LockTable &table, const QList<TableValue> &values, const QTimeZone &zone, ServerTime now)
{
    TableLock lock;
    lock.table = table;
    lock.values = values;
    const Row row(table, values, zone);
    lock.key = row.joined(table.profile.key, "NULL");
    lock.holder = row.joined(table.profile.holder, {});
    if (table.profile.isOfTransaction) {
        lock.reason = u"the row does not tell it: held while a transaction has locked the row"_s;
        return lock;
    }
    const ReadTime since = row.time(table.profile.since);
    if (since.isExact())
        lock.since = since.earliest;
    lock.needsZone = since.state == ReadTime::State::Read && !since.isExact();
    if (const auto state = byConditions(row, &lock)) {
        lock.state = *state;
        return lock;
    }
    judgeEnd(row, now, &lock);
    return lock;
}

} // namespace lockscope
