// SPDX-License-Identifier: MIT
#include "tablescan.h"

#include "session/session.h"
#include "waits/keycolumns.h"

#include <QtCore/QMap>
#include <QtCore/QSet>

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// A table with one of these is nothing special, so they are not what a table is found by.
bool isCommon(const QString &column)
{
    static const QSet<QString> common{u"id"_s,       u"name"_s,  u"key"_s,  u"value"_s,  u"version"_s,
                                      u"status"_s,   u"state"_s, u"type"_s, u"time"_s,   u"owner"_s,
                                      u"priority"_s, u"index"_s, u"lock"_s, u"region"_s, u"resource"_s};
    return common.contains(column.toLower());
}

/// Columns by which a profile's tables are found, in small letters.
QSet<QByteArray> signatureOf(const TableProfile &profile)
{
    QSet<QByteArray> rare;
    QSet<QByteArray> all;
    for (const ProfileColumn &column : profile.columns) {
        if (column.isOptional)
            continue;
        all.insert(column.name.toLower().toUtf8());
        if (!isCommon(column.name))
            rare.insert(column.name.toLower().toUtf8());
    }
    return rare.isEmpty() ? all : rare;
}

using Place = std::pair<QString, QString>; ///< schema, table

/// Tables with all columns of some signature.
std::optional<LockError> findCandidates(Session &session, const QList<TableProfile> &profiles, const QString &schema,
                                        const ScanBounds &bounds, TableScan *scan, QList<Place> *candidates)
{
    QList<QSet<QByteArray>> signatures;
    QSet<QByteArray> wanted;
    for (const TableProfile &profile : profiles) {
        signatures.append(signatureOf(profile));
        wanted.unite(signatures.last());
    }
    Params params;
    params.bytesList("columns", wanted.values());
    params.text("schema", schema).number("limit", bounds.columns + 1);
    const Reply reply = session.run(schema.isEmpty() ? "locktables/scan" : "locktables/scan_schema", params);
    if (reply.error)
        return reply.error;
    scan->isCut = reply.set(-1).rows.size() > bounds.columns;
    QMap<Place, QSet<QByteArray>> found;
    for (const QVariantList &row : reply.set(-1).rows)
        found[{row.value(0).toString(), row.value(1).toString()}].insert(row.value(2).toString().toLower().toUtf8());
    for (auto it = found.cbegin(); it != found.cend(); ++it) {
        const auto isThere = [&it](const QSet<QByteArray> &signature) { return it->contains(signature); };
        if (std::any_of(signatures.cbegin(), signatures.cend(), isThere))
            candidates->append(it.key());
    }
    return std::nullopt;
}

/// A candidate that is no table of rows, or is gone, has no columns.
std::optional<LockError> readShape(Session &session, const Place &place, QList<SchemaColumn> *columns, QString *engine)
{
    const Params params =
        Params().text("schema", place.first).text("table", place.second).bytes("exact", place.second.toUtf8());
    const Family family = session.info().family;
    const Reply reply = session.run(renderSql(sqlText("locktables/table", family), params) + "; "
                                        + renderSql(sqlText("locktables/columns", family), params),
                                    "locktables/columns");
    if (reply.error || reply.set(0).rows.isEmpty())
        return reply.error;
    *engine = reply.value(0).toString();
    for (const QVariantList &row : reply.set(-1).rows)
        columns->append({row.value(0).toString(), row.value(1).toString().toLower().toUtf8(), row.value(2).toBool()});
    return reply.error;
}

/// The columns of an index with which its records tell which lock of `table` they are of; none: they do not.
QStringList recordColumns(const LockTable &table, const QString &index, const QList<KeyColumn> &columns)
{
    QStringList names;
    QSet<qsizetype> places;
    QSet<qsizetype> keys;
    for (const QString &key : table.profile.key) {
        if (const qsizetype place = table.indexOf(key); place >= 0)
            keys.insert(place);
    }
    for (const KeyColumn &column : columns) {
        names.append(column.name);
        places.insert(table.indexOf(column.name));
        if (places == keys)
            return names;
    }
    return index == "PRIMARY"_L1 && !places.contains(-1) ? names : QStringList();
}

/// Who holds a lock of such a table the server tells by records that others wait for, of whatever index.
std::optional<LockError> readRecordColumns(Session &session, LockTable *table)
{
    IndexColumns indexes;
    if (const auto error = addIndexColumns(session, table->schema, table->name, &indexes))
        return error;
    const QMap<QString, QList<KeyColumn>> all = indexes.value(table->name);
    for (auto index = all.cbegin(); index != all.cend(); ++index) {
        const QStringList columns = recordColumns(*table, index.key(), index.value());
        if (!columns.isEmpty())
            table->recordColumns.insert(index.key(), columns);
    }
    return std::nullopt;
}

/// `known` is what a scan before found there, if any.
std::optional<LockError> lookAt(Session &session, const QList<TableProfile> &profiles, const Place &place,
                                TableScan *scan, const LockTable *known = nullptr)
{
    QList<SchemaColumn> columns;
    LockTable table;
    if (const auto error = readShape(session, place, &columns, &table.engine))
        return error;
    if (known && columns.isEmpty()) {
        scan->tables.append(*known);
        return std::nullopt;
    }
    ProfileMatch match;
    const TableProfile *profile = bestProfile(profiles, place.second, columns, &match);
    if (!profile) {
        if (!match.oddity.isEmpty())
            scan->oddities.append(u"%1.%2 %3."_s.arg(place.first, place.second, match.oddity));
        return std::nullopt;
    }
    table.schema = place.first;
    table.name = place.second;
    table.profile = *profile;
    table.columns = match.columns;
    table.isLookAlike = !profile->names.isEmpty() && !profile->isNamed(table.name);
    const auto error = profile->isOfTransaction ? readRecordColumns(session, &table) : std::nullopt;
    scan->tables.append(table);
    return error;
}

/// Those of the session's own schema, then the first of each other one, then the second of each: one with very many
/// hides none of the others'.
QList<Place> inTurns(const QList<Place> &bySchema, const QString &own)
{
    QMap<int, QList<Place>> rounds;
    int round = 0;
    for (qsizetype i = 0; i < bySchema.size(); ++i) {
        round = i > 0 && bySchema[i].first == bySchema[i - 1].first ? round + 1 : 0;
        rounds[bySchema[i].first == own ? -1 : round].append(bySchema[i]);
    }
    QList<Place> turns;
    turns.reserve(bySchema.size());
    for (const QList<Place> &places : std::as_const(rounds))
        turns += places;
    return turns;
}

std::optional<LockError> lookAtKnown(Session &session, const QList<TableProfile> &profiles,
                                     const QList<LockTable> &known, QList<Place> *candidates, TableScan *scan)
{
    QSet<Place> places;
    for (const LockTable &table : known) {
        places.insert({table.schema, table.name});
        if (const auto error = lookAt(session, profiles, {table.schema, table.name}, scan, &table))
            return error;
    }
    candidates->removeIf([&places](const Place &place) { return places.contains(place); });
    return std::nullopt;
}

std::optional<LockError> lookAtAll(Session &session, const QList<TableProfile> &profiles,
                                   const QList<Place> &candidates, const ScanBounds &bounds, TableScan *scan)
{
    for (qsizetype i = 0; i < candidates.size(); ++i) {
        if (i >= bounds.candidates || scan->tables.size() >= bounds.found) {
            scan->isCut = true;
            break;
        }
        if (const auto error = lookAt(session, profiles, candidates[i], scan))
            return error;
    }
    return std::nullopt;
}

} // namespace

std::optional<LockError> scanLockTables(Session &session, const QList<TableProfile> &profiles, const QString &schema,
                                        TableScan *scan, const ScanBounds &bounds, const QList<LockTable> &known)
{
    *scan = {};
    const Reply count = session.run("locktables/count", Params());
    if (count.error)
        return count.error;
    scan->tableCount = count.value().toLongLong();
    const QString own = count.set(-1).rows.value(0).value(1).toString();
    QString only = schema;
    if (only.isEmpty() && scan->tableCount > bounds.tables) {
        only = own;
        scan->isOneSchema = true;
        if (only.isEmpty())
            return std::nullopt;
    }
    scan->isOneSchema = scan->isOneSchema || !schema.isEmpty();
    QList<Place> candidates;
    if (const auto error = findCandidates(session, profiles, only, bounds, scan, &candidates))
        return error;
    if (auto error = lookAtKnown(session, profiles, known, &candidates, scan))
        return error;
    if (auto error = lookAtAll(session, profiles, inTurns(candidates, own), bounds, scan))
        return error;
    std::sort(scan->tables.begin(), scan->tables.end(), [](const LockTable &a, const LockTable &b) {
        return std::tie(a.schema, a.name) < std::tie(b.schema, b.name);
    });
    return std::nullopt;
}

std::optional<LockError> checkSchemaSeen(Session &session, const QString &schema)
{
    const Reply seen = session.run("locktables/schema", Params().text("schema", schema));
    if (!seen || !seen.set(-1).rows.isEmpty())
        return seen.error;
    LockError error;
    error.kind = LockError::Kind::NoPermission;
    error.statement = QStringLiteral("locktables/schema");
    error.message = u"There is no schema %1, or this account sees no table in it."_s.arg(schema);
    return error;
}

} // namespace lockscope
