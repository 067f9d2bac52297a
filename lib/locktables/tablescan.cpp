// SPDX-License-Identifier: MIT
#include "tablescan.h"

#include "session/session.h"

#include <QtCore/QMap>
#include <QtCore/QSet>

#include <algorithm>
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
                                        QList<Place> *candidates)
{
    QList<QSet<QByteArray>> signatures;
    QSet<QByteArray> wanted;
    for (const TableProfile &profile : profiles) {
        signatures.append(signatureOf(profile));
        wanted.unite(signatures.last());
    }
    Params params;
    params.bytesList("columns", wanted.values());
    params.text("schema", schema);
    const Reply reply = session.run(schema.isEmpty() ? "locktables/scan" : "locktables/scan_schema", params);
    if (reply.error)
        return reply.error;
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
    const Reply table = session.run("locktables/table", params);
    if (table.error || table.set(-1).rows.isEmpty())
        return table.error;
    *engine = table.value().toString();
    const Reply reply = session.run("locktables/columns", params);
    for (const QVariantList &row : reply.set(-1).rows)
        columns->append({row.value(0).toString(), row.value(1).toString().toLower().toUtf8(), row.value(2).toBool()});
    return reply.error;
}

std::optional<LockError> lookAt(Session &session, const QList<TableProfile> &profiles, const Place &place,
                                TableScan *scan)
{
    QList<SchemaColumn> columns;
    LockTable table;
    if (const auto error = readShape(session, place, &columns, &table.engine))
        return error;
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
    scan->tables.append(table);
    return std::nullopt;
}

} // namespace

std::optional<LockError> scanLockTables(Session &session, const QList<TableProfile> &profiles, const QString &schema,
                                        TableScan *scan, qint64 maxTables)
{
    *scan = {};
    const Reply count = session.run("locktables/count", Params());
    if (count.error)
        return count.error;
    scan->tableCount = count.value().toLongLong();
    QString only = schema;
    if (only.isEmpty() && scan->tableCount > maxTables) {
        only = count.set(-1).rows.value(0).value(1).toString();
        scan->isOneSchema = true;
        if (only.isEmpty())
            return std::nullopt;
    }
    scan->isOneSchema = scan->isOneSchema || !schema.isEmpty();
    QList<Place> candidates;
    if (const auto error = findCandidates(session, profiles, only, &candidates))
        return error;
    for (const Place &place : std::as_const(candidates)) {
        if (scan->tables.size() >= TableScan::MaxFound) {
            scan->isCut = true;
            break;
        }
        if (const auto error = lookAt(session, profiles, place, scan))
            return error;
    }
    return std::nullopt;
}

} // namespace lockscope
