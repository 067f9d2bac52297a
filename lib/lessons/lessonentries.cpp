// SPDX-License-Identifier: MIT
#include "lessonentries.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr int kMostIndexes = 12;
constexpr int kMostKeys = 60;
/// Characters or bytes: an index has no more of a long text.
constexpr auto kMostOfAValue = "800";

bool isComparable(const KeyColumn &column)
{
    return isInteger(column) || isText(column) || column.type.endsWith(QLatin1String("binary"));
}

QByteArray selectOf(const QString &schema, const LessonEntries &of, const QList<KeyColumn> &columns)
{
    QByteArrayList names;
    QByteArrayList values;
    for (const KeyColumn &column : columns) {
        names += quotedIdentifier(column.name);
        values += isInteger(column) ? names.back() : "LEFT(" + names.back() + ", " + kMostOfAValue + ')';
    }
    const QByteArray list = names.join(", ");
    return "SELECT " + values.join(", ") + " FROM " + quotedTable(schema, of.table) + " FORCE INDEX ("
        + quotedIdentifier(of.index) + ") ORDER BY " + list + " LIMIT " + QByteArray::number(kMostKeys + 1);
}

/// As readableFields() has it for a lock.
QString keyOf(const QVariantList &row, const QList<KeyColumn> &columns)
{
    QStringList texts;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        const QVariant &value = row.at(i);
        if (value.isNull())
            texts += QStringLiteral("NULL");
        else if (isInteger(columns.at(i)))
            texts += value.toString();
        else if (isText(columns.at(i)))
            texts += quotedText(value.toString());
        else
            texts += hexadecimal(value.toByteArray());
    }
    return texts.join(QStringLiteral(", "));
}

QList<LessonEntries> placesOf(const IndexColumns &indexes)
{
    QList<LessonEntries> places;
    for (auto table = indexes.cbegin(); table != indexes.cend(); ++table) {
        for (auto index = table->cbegin(); index != table->cend(); ++index) {
            if (std::ranges::all_of(*index, isComparable))
                places.append({table.key(), index.key(), {}, false});
        }
    }
    // Not std::ranges: its result is a subrange, which Clang 14 cannot compile with GCC's library.
    std::stable_partition(places.begin(), places.end(),
                          [](const LessonEntries &of) { return of.index == QLatin1String("PRIMARY"); });
    places.resize(std::min<qsizetype>(kMostIndexes, places.size()));
    return places;
}

} // namespace

std::optional<LockError> readEntries(Session &session, const QString &schema, const IndexColumns &indexes,
                                     QList<LessonEntries> *entries)
{
    entries->clear();
    QList<LessonEntries> places = placesOf(indexes);
    if (places.isEmpty())
        return std::nullopt;
    QByteArrayList statements;
    for (const LessonEntries &of : std::as_const(places))
        statements += selectOf(schema, of, indexes.value(of.table).value(of.index));
    if (const Reply reply = session.run("lessons/reading", Params()); !reply)
        return reply.error;
    const Reply reply = session.run(statements.join("; "), "lessons/entries");
    if (!reply)
        return reply.error;
    for (qsizetype i = 0; i < places.size(); ++i) {
        LessonEntries &of = places[i];
        const QList<KeyColumn> columns = indexes.value(of.table).value(of.index);
        for (const QVariantList &row : reply.set(int(i)).rows)
            of.keys += keyOf(row, columns);
        of.isCut = of.keys.size() > kMostKeys;
        of.keys.resize(std::min<qsizetype>(kMostKeys, of.keys.size()));
    }
    *entries = places;
    return std::nullopt;
}

} // namespace lockscope
