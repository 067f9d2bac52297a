// SPDX-License-Identifier: MIT
// Removes versions that nobody committed for long.
#include "cleanup_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

/// One transaction: first the floor, then the rows, so that no new row can start below a version that was there.
std::optional<LockError> removeIdle(ReconnectingSession &link, const QList<QVariantList> &rows)
{
    quint64 largest = 0;
    QByteArray removals;
    for (const QVariantList &row : rows) {
        if (!row.value(2).toBool())
            continue;
        const quint64 version = row.value(1).toULongLong();
        largest = std::max(largest, version);
        removals += "; "
            + link.render("engine/version_remove",
                          Params().bytes("resource", row.value(0).toByteArray()).number("version", version));
    }
    if (removals.isEmpty())
        return std::nullopt;
    const QByteArray floor = link.render("engine/version_floor", Params().number("version", largest));
    const Reply reply = link.run("BEGIN; " + floor + removals + "; COMMIT", "engine/version_remove");
    if (!reply)
        link.run("ROLLBACK", "engine/version_remove");
    return reply.error;
}

} // namespace

Cleaned cleanVersions(ReconnectingSession &link, Duration idleRowsKept, QByteArray *cursor)
{
    const Reply reply =
        link.run("engine/version_idle", Params().bytes("cursor", *cursor).microseconds("age", idleRowsKept));
    if (!reply)
        return unlessNoMatter(*reply.error);
    const auto &rows = reply.set(-1).rows;
    if (rows.isEmpty())
        return {};
    *cursor = rows.last().value(0).toByteArray();
    const auto error = removeIdle(link, rows);
    return error ? unlessNoMatter(*error) : Cleaned{true};
}

} // namespace lockscope::detail
