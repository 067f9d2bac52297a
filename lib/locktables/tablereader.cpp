// SPDX-License-Identifier: MIT
#include "tablereader.h"

#include "keyhash.h"
#include "session/session.h"
#include "tableerrors.h"
#include "tablejudge.h"
#include "tablestatements.h"

#include <QtCore/QHash>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// The server's: there is no such table, no such column, no right to read it.
constexpr int kNoTable = 1146;
constexpr int kNoColumn = 1054;

/// It was dropped, or changed.
bool isGone(const UnreadTable &table)
{
    return table.error && (table.error->code == kNoTable || table.error->code == kNoColumn);
}

void findCandidate(const QList<QByteArray> &candidates, TableLock *lock)
{
    const TableProfile &profile = lock->table.profile;
    const qsizetype at = lock->table.indexOf(profile.hashed);
    const TableValue stored = at < 0 ? std::nullopt : lock->values.value(at);
    if (profile.hash == KeyHash::None || !stored)
        return;
    const auto found = std::find_if(candidates.cbegin(), candidates.cend(), [&](const QByteArray &name) {
        return hashedKey(profile.hash, name).compare(*stored, Qt::CaseInsensitive) == 0;
    });
    if (found != candidates.cend())
        lock->candidate = *found;
}

QStringList scanNotes(const TableScan &scan, const QString &schema)
{
    QStringList notes;
    if (schema.isEmpty() && scan.isOneSchema)
        notes.append(
            u"the server has %1 tables, so lock tables of other programs were looked for in the connection's own "
            "schema alone; name another one"_s.arg(scan.tableCount));
    if (scan.isCut)
        notes.append(
            u"there are too many tables that could be lock tables: %1 were found, and there may be others; name one "
            "schema"_s.arg(scan.tables.size()));
    return notes;
}

} // namespace

TableReader::TableReader(QList<TableProfile> profiles, ApplicationZones zones)
    : m_profiles(std::move(profiles))
    , m_zones(std::move(zones))
{
}

std::optional<LockError> TableReader::scanIfOld(Session &session, const QString &schema)
{
    const auto now = std::chrono::steady_clock::now();
    if (m_scannedAt && now - *m_scannedAt < ScanLife && m_schema == schema)
        return std::nullopt;
    m_scannedAt.reset();
    const QList<LockTable> known = std::exchange(m_schema, schema) == schema ? m_scan.tables : QList<LockTable>();
    TableScan scan;
    if (const auto error = scanLockTables(session, m_profiles, schema, &scan, {}, known))
        return error;
    m_scan = std::move(scan);
    m_scannedAt = now;
    return std::nullopt;
}

std::optional<LockError> TableReader::readTable(Session &session, const LockTable &table,
                                                const TableReadOptions &options, TableLocks *found)
{
    const Reply reply = session.run(readStatement(table, MaxRows + 1), "locktables/rows");
    if (!reply.error) {
        judgeRows(table, reply.set(-1).rows, options, found);
        return std::nullopt;
    }
    if (reply.error->connectionGone)
        return reply.error;
    const LockError error = ofTable(*reply.error, TableUse::Read);
    found->notes.append(u"%1 cannot be read: %2"_s.arg(table.place(), error.toString()));
    found->unread.append({table.place(), table.isLookAlike, error});
    if (isGone(found->unread.last()))
        forgetTables();
    return std::nullopt;
}

void TableReader::judgeRows(const LockTable &table, const QList<QVariantList> &rows, const TableReadOptions &options,
                            TableLocks *found) const
{
    found->read.append(table.place());
    const QTimeZone zone = m_zones.value(table.profile.id);
    for (qsizetype i = 0; i < std::min(rows.size(), qsizetype(MaxRows)); ++i) {
        TableLock lock = judgeRow(table, tableValues(rows[i]), zone, found->clock.server);
        findCandidate(options.candidates, &lock);
        if (lock.state != TableLockState::Free || options.isFreeShown)
            found->locks.append(lock);
    }
    if (rows.size() <= MaxRows)
        return;
    found->notes.append(u"%1: %2 of %3 or more rows were read"_s.arg(table.place()).arg(MaxRows).arg(rows.size()));
    // Those that are held come first.
    const TableLockState next = judgeRow(table, tableValues(rows.last()), zone, found->clock.server).state;
    if (next == TableLockState::Held || next == TableLockState::Unknown)
        found->unread.append({table.place(), table.isLookAlike, {}, true});
}

void TableReader::goOnFrom(const TableReader &before)
{
    const auto isUnknown = [this](const LockTable &table) { return !m_profiles.contains(table.profile); };
    m_schema = before.m_schema;
    m_scan = before.m_scan;
    m_scan.tables.removeIf(isUnknown);
    m_clock = before.m_clock;
    m_last = before.m_last;
    m_last.removeIf([&isUnknown](const TableLock &lock) { return isUnknown(lock.table); });
}

/// Rows of a table that was not read are not gone with that.
void TableReader::addUnread(TableLocks *found) const
{
    QHash<QString, QString> reasons;
    for (const UnreadTable &table : std::as_const(found->unread)) {
        if (!table.isPartly && !isGone(table))
            reasons.insert(table.place,
                           table.error ? table.error->toString() : u"Others took all the time that there is."_s);
    }
    for (const TableLock &lock : m_last) {
        if (const auto why = reasons.constFind(lock.table.place()); why != reasons.cend()) {
            found->locks.append(lock);
            found->locks.last().unread = *why;
        }
    }
}

void TableReader::dropGone(const TableLocks &found)
{
    m_scan.tables.removeIf([&found](const LockTable &table) {
        return std::any_of(found.unread.cbegin(), found.unread.cend(), [&table](const UnreadTable &unread) {
            return isGone(unread) && unread.place == table.place();
        });
    });
}

std::optional<LockError> TableReader::readTables(Session &session, const TableReadOptions &options, TableLocks *found)
{
    const auto begin = std::chrono::steady_clock::now();
    int locked = 0;
    QStringList left;
    for (const LockTable &table : std::as_const(m_scan.tables)) {
        if (!options.table.isEmpty() && options.table != table.place())
            continue;
        ++found->tables;
        if (locked >= MaxLocked || std::chrono::steady_clock::now() - begin > MaxTime) {
            left.append(table.place());
            found->unread.append({table.place(), table.isLookAlike});
            continue;
        }
        const qsizetype before = found->unread.size();
        if (const auto error = readTable(session, table, options, found))
            return error;
        if (found->unread.size() > before && isOfLock(found->unread.last().error))
            ++locked;
    }
    if (!left.isEmpty())
        found->notes.append((locked >= MaxLocked
                                 ? u"not read, because the %1 tables above could not be read: %2"_s.arg(locked)
                                 : u"not read, because the others took %1 s: %2"_s.arg(MaxTime.count()))
                                .arg(left.join(u", "_s)));
    return std::nullopt;
}

/// What the look for tables left out.
void TableReader::noteScan(const TableReadOptions &options, TableLocks *found) const
{
    found->serverTables = options.schema.isEmpty() && m_scan.isOneSchema ? m_scan.tableCount : 0;
    found->isScanCut = m_scan.isCut;
}

TableLocks TableReader::asUnread(const LockError &error, const TableReadOptions &options) const
{
    TableLocks known;
    known.clock = m_clock;
    known.notes = {error.toString()};
    for (const LockTable &table : m_scan.tables) {
        if (options.table.isEmpty() || options.table == table.place())
            known.unread.append({table.place(), table.isLookAlike, error});
    }
    known.tables = int(known.unread.size());
    noteScan(options, &known);
    addUnread(&known);
    return known;
}

std::optional<LockError> TableReader::read(Session &session, const TableReadOptions &options, TableLocks *found)
{
    *found = {};
    auto error = readAll(session, options, found);
    if (error && !error->connectionGone)
        *found = asUnread(*error, options);
    return error;
}

std::optional<LockError> TableReader::readAll(Session &session, const TableReadOptions &options, TableLocks *found)
{
    if (const auto error = scanIfOld(session, options.schema))
        return error;
    const Reply clock = session.run("monitor/clock", Params());
    if (clock.error)
        return clock.error;
    found->clock = {toServerTime(clock.value()).value_or(ServerTime{}), std::chrono::steady_clock::now()};
    found->notes = m_scan.oddities + scanNotes(m_scan, options.schema);
    noteScan(options, found);
    if (const auto error = readTables(session, options, found))
        return error;
    addUnread(found);
    dropGone(*found);
    std::stable_sort(found->locks.begin(), found->locks.end(), [](const TableLock &a, const TableLock &b) {
        return std::pair(a.table.place(), a.key) < std::pair(b.table.place(), b.key);
    });
    m_last = found->locks;
    m_clock = found->clock;
    return std::nullopt;
}

} // namespace lockscope
