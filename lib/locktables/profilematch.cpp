// SPDX-License-Identifier: MIT
#include "tablescan.h"

#include <QtCore/QHash>

#include <algorithm>
#include <tuple>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

std::optional<ColumnFamily> familyOf(const QByteArray &type)
{
    static const QHash<QByteArray, ColumnFamily> families = [] {
        QHash<QByteArray, ColumnFamily> all;
        for (const char *text : {"char", "varchar", "tinytext", "text", "mediumtext", "longtext", "binary", "varbinary",
                                 "tinyblob", "blob", "mediumblob", "longblob", "enum", "set", "uuid"})
            all.insert(text, ColumnFamily::Text);
        for (const char *number : {"tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "double",
                                   "bit"}) // a float loses digits of a time
            all.insert(number, ColumnFamily::Number);
        all.insert("datetime", ColumnFamily::Time);
        all.insert("timestamp", ColumnFamily::Time);
        return all;
    }();
    const auto found = families.constFind(type);
    return found == families.cend() ? std::nullopt : std::optional(*found);
}

bool isBinary(const QByteArray &type)
{
    return type.endsWith("binary") || type.endsWith("blob");
}

const SchemaColumn *columnNamed(const QList<SchemaColumn> &columns, const QString &name)
{
    const auto found = std::find_if(columns.cbegin(), columns.cend(), [&name](const SchemaColumn &column) {
        return column.name.compare(name, Qt::CaseInsensitive) == 0;
    });
    return found == columns.cend() ? nullptr : &*found;
}

} // namespace

ProfileMatch matchProfile(const TableProfile &profile, const QString &table, const QList<SchemaColumn> &columns)
{
    ProfileMatch match;
    const bool isNamed = profile.isNamed(table);
    if (profile.isNameNeeded && !isNamed)
        return match;
    for (const ProfileColumn &asked : profile.columns) {
        const SchemaColumn *there = columnNamed(columns, asked.name);
        if (!there && asked.isOptional)
            continue;
        if (!there)
            return match; // another table
        if (familyOf(there->type) != asked.family) {
            if (isNamed)
                match.oddity = u"is named as the table of %1, but its column %2 is of type %3, not a %4"_s.arg(
                    profile.title, asked.name, QString::fromUtf8(there->type), familyName(asked.family));
            match.columns.clear();
            return match;
        }
        match.columns.append({there->name, there->type, there->isIndexed, isBinary(there->type)});
    }
    match.isMatch = profile.allowsOthers || match.columns.size() == columns.size();
    return match;
}

const TableProfile *bestProfile(const QList<TableProfile> &profiles, const QString &table,
                                const QList<SchemaColumn> &columns, ProfileMatch *match)
{
    const TableProfile *best = nullptr;
    std::tuple<bool, bool, qsizetype> bestRank;
    for (const TableProfile &profile : profiles) {
        ProfileMatch found = matchProfile(profile, table, columns);
        if (!found.isMatch) {
            if (!best && match->oddity.isEmpty())
                match->oddity = found.oddity;
            continue;
        }
        const std::tuple rank(profile.isOwn, profile.isNamed(table), found.columns.size());
        if (best && rank <= bestRank)
            continue;
        best = &profile;
        bestRank = rank;
        *match = std::move(found);
    }
    return best;
}

} // namespace lockscope
