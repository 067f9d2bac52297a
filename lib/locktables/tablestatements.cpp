// SPDX-License-Identifier: MIT
#include "tablestatements.h"

#include "session/statement.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope {

namespace {

QByteArray textLiteral(const QByteArray &text)
{
    return "_utf8mb4 x'" + text.toHex() + '\'';
}

QByteArray bytesLiteral(const QByteArray &bytes)
{
    return "x'" + bytes.toHex() + '\'';
}

bool isNumber(const LockTable &table, const QString &column)
{
    const ProfileColumn *known = table.profile.column(column);
    return known && known->family == ColumnFamily::Number;
}

/// `value` is a number where the column is one: the profile's reader has seen to it.
QByteArray literalOf(const LockTable &table, const HeldCondition &condition)
{
    return isNumber(table, condition.column) ? condition.value : textLiteral(condition.value);
}

/// True where the lock may be held. NULL is for the judge.
QByteArray mayBeHeld(const LockTable &table, const HeldCondition &condition)
{
    const QByteArray column = quotedIdentifier(condition.column);
    if (condition.test == HeldCondition::Test::IsSet)
        return column + " IS NOT NULL";
    if (condition.test == HeldCondition::Test::IsNull)
        return column + " IS NULL";
    const bool isEqual = condition.test == HeldCondition::Test::Equals;
    return '(' + column + " IS NULL OR " + column + (isEqual ? " = " : " <> ") + literalOf(table, condition) + ')';
}

/// What an index helps to find the row by, where its type compares exactly with a literal; empty: nothing.
QByteArray indexedGuard(const TableColumn &column, const TableValue &value)
{
    static const QRegularExpression whole(QStringLiteral("^-?\\d{1,20}$"));
    if (!column.isIndexed || !value || value->size() >= kMaxValueCharacters)
        return {};
    const QByteArray name = quotedIdentifier(column.name);
    if (column.type.endsWith("int") && whole.match(QString::fromLatin1(*value)).hasMatch())
        return name + " = " + *value;
    if (column.type == "varchar" || column.type == "char")
        return name + " = " + textLiteral(*value);
    return {};
}

/// Whether the table has the column; a profile's may be of some versions only.
bool has(const LockTable &table, const QString &column)
{
    return !column.isEmpty() && table.indexOf(column) >= 0;
}

/// Those that are held first, whatever the zone of their times is: what ends last, or where nothing ends, what is
/// oldest.
QByteArray heldFirst(const LockTable &table)
{
    const TableProfile &profile = table.profile;
    const QString &begin = profile.beat.isEmpty() ? profile.since : profile.beat;
    const QString &end = has(table, profile.until) ? profile.until : begin;
    if (!has(table, end))
        return {};
    const QByteArray column = quotedIdentifier(end);
    if (!has(table, profile.until) && !profile.lasts)
        return " ORDER BY " + column;
    const QByteArray endless = profile.forever && has(table, profile.until)
        ? column + " = " + QByteArray::number(*profile.forever) + " DESC, "
        : QByteArray();
    return " ORDER BY " + column + " IS NULL DESC, " + endless + column + " DESC";
}

QByteArray selection(const LockTable &table)
{
    QByteArrayList values;
    for (const TableColumn &column : table.columns)
        values.append(textExpression(column));
    return "SELECT " + values.join(", ") + " FROM " + quotedTable(table.schema, table.name);
}

/// True for the rows in which every value is the one that was seen, but for those of `changed`.
QByteArray guardWithout(const TableLock &lock, const QStringList &changed)
{
    QByteArrayList indexed;
    QByteArrayList exact;
    const QList<TableColumn> &columns = lock.table.columns;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        if (changed.contains(columns[i].name, Qt::CaseInsensitive))
            continue;
        const TableValue value = lock.values.value(i);
        if (const QByteArray guard = indexedGuard(columns[i], value); !guard.isEmpty())
            indexed.append(guard);
        exact.append(textExpression(columns[i]) + " <=> " + (value ? bytesLiteral(*value) : QByteArray("NULL")));
    }
    return (indexed + exact).join("\n  AND ");
}

QByteArray assigned(const Assignment &assignment)
{
    const QByteArray column = quotedIdentifier(assignment.column);
    switch (assignment.to) {
    case Assignment::To::Number:
        return column + " = " + QByteArray::number(assignment.number);
    case Assignment::To::Text:
        return column + " = " + textLiteral(assignment.text.toUtf8());
    case Assignment::To::Column:
        return column + " = " + quotedIdentifier(assignment.from);
    case Assignment::To::Sum:
        return column + " = " + column + " + " + QByteArray::number(assignment.number);
    case Assignment::To::Null:
        break;
    }
    return column + " = NULL";
}

} // namespace

QByteArray textExpression(const TableColumn &column)
{
    const QByteArray name = quotedIdentifier(column.name);
    QByteArray text = "CAST(" + name + " AS CHAR)";
    if (column.isBinary)
        text = name;
    else if (column.type == "bit")
        text = "CAST(" + name + " + 0 AS CHAR)";
    else if (column.type.endsWith("char") || column.type.endsWith("text"))
        text = "CONVERT(" + name + " USING utf8mb4)";
    return "CAST(LEFT(" + text + ", " + QByteArray::number(kMaxValueCharacters) + ") AS BINARY)";
}

QList<TableValue> tableValues(const QVariantList &row)
{
    QList<TableValue> values;
    for (const QVariant &value : row)
        values.append(value.isNull() ? std::nullopt : TableValue(value.toByteArray()));
    return values;
}

QByteArray readStatement(const LockTable &table, int limit)
{
    QByteArrayList conditions;
    for (const HeldCondition &condition : table.profile.held)
        conditions.append(mayBeHeld(table, condition));
    QByteArray sql = selection(table);
    if (!conditions.isEmpty())
        sql += " WHERE " + conditions.join(" AND ");
    return sql + heldFirst(table) + " LIMIT " + QByteArray::number(limit);
}

QByteArray guardOf(const TableLock &lock)
{
    return guardWithout(lock, {});
}

QByteArray checkStatement(const TableLock &lock, int limit)
{
    QStringList changed;
    for (const Assignment &assignment : lock.table.profile.release.set)
        changed.append(assignment.column);
    const QByteArray guard = guardWithout(lock, changed);
    return selection(lock.table) + (guard.isEmpty() ? QByteArray() : "\nWHERE " + guard) + "\nLIMIT "
        + QByteArray::number(limit);
}

QByteArray releaseStatement(const TableLock &lock)
{
    const ProfileRelease &release = lock.table.profile.release;
    const QByteArray table = quotedTable(lock.table.schema, lock.table.name);
    if (release.way == ProfileRelease::Way::Delete)
        return "DELETE FROM " + table + "\nWHERE " + guardOf(lock);
    if (release.way != ProfileRelease::Way::Update)
        return {};
    QByteArrayList assignments;
    for (const Assignment &assignment : release.set)
        assignments.append(assigned(assignment));
    return "UPDATE " + table + "\nSET " + assignments.join(", ") + "\nWHERE " + guardOf(lock);
}

} // namespace lockscope
