// SPDX-License-Identifier: MIT
#include "tableeffects.h"

#include "session/session.h"
#include "session/statement.h"

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

bool handsOn(const QString &rule)
{
    return rule.startsWith(u"CASCADE"_s) || rule.startsWith(u"SET "_s);
}

/// Columns: schema, table, its ON DELETE, its ON UPDATE, the referenced column or NULL.
bool isTouched(const QVariantList &reference, const ProfileRelease &release)
{
    if (release.way == ProfileRelease::Way::Delete)
        return handsOn(reference.value(2).toString());
    const QString column = reference.value(4).toString();
    const auto sets = [&column](const Assignment &each) {
        return column.isEmpty() || each.column.compare(column, Qt::CaseInsensitive) == 0;
    };
    return handsOn(reference.value(3).toString()) && std::any_of(release.set.cbegin(), release.set.cend(), sets);
}

std::optional<LockError> lookUpReferences(Session &session, const LockTable &table, const Params &params, QString *why)
{
    const Reply reply = session.run("locktables/references", params);
    if (reply.error)
        return reply.error;
    QStringList names;
    for (const QVariantList &row : reply.set(-1).rows) {
        const QString name = row.value(0).toString() + u'.' + row.value(1).toString();
        if (isTouched(row, table.profile.release) && !names.contains(name))
            names.append(name);
    }
    if (!names.isEmpty())
        *why = u"foreign keys hand the change on to rows of %1"_s.arg(names.join(u", "_s));
    return std::nullopt;
}

std::optional<LockError> lookUpTriggers(Session &session, const LockTable &table, const Params &params, QString *why)
{
    const Reply seen = session.run("locktables/trigger_right", params);
    if (seen.error)
        return seen.error;
    if (seen.value().toInt() == 0) {
        *why = u"triggers of its table could not be looked up, which takes the privilege TRIGGER on it"_s;
        return std::nullopt;
    }
    const Reply reply = session.run("locktables/triggers", params);
    if (reply.error)
        return reply.error;
    const bool isDeletion = table.profile.release.way == ProfileRelease::Way::Delete;
    QStringList names;
    for (const QVariantList &row : reply.set(-1).rows) {
        if (row.value(1).toString() == (isDeletion ? "DELETE"_L1 : "UPDATE"_L1))
            names.append(row.value(0).toString());
    }
    if (!names.isEmpty())
        *why = u"its table has triggers that it would run: %1"_s.arg(names.join(u", "_s));
    return std::nullopt;
}

} // namespace

std::optional<LockError> lookUpEffects(Session &session, const LockTable &table, QString *why)
{
    // Names all columns, so it is refused to who may see only some: the others could make it another program's table.
    const Reply whole =
        session.run("SELECT * FROM " + quotedTable(table.schema, table.name) + " LIMIT 0", "locktables/whole");
    if (whole.error && whole.error->kind == LockError::Kind::NoPermission) {
        *why = u"this account may not see all columns of its table, which could be another program's"_s;
        return std::nullopt;
    }
    if (whole.error)
        return whole.error;
    const Params params = Params().text("schema", table.schema).text("table", table.name);
    const auto error = lookUpReferences(session, table, params, why);
    return error || !why->isEmpty() ? error : lookUpTriggers(session, table, params, why);
}

} // namespace lockscope
