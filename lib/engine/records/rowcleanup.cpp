// SPDX-License-Identifier: MIT
// Removes rows of pessimistic mode that were made long ago and that nobody holds.
#include "cleanup_p.h"

namespace lockscope::detail {

namespace {

/// Holds the rows only for the time of two packets.
std::optional<LockError> removeFree(ReconnectingSession &link, const QList<QByteArray> &names)
{
    if (names.isEmpty())
        return std::nullopt;
    const Reply taken = link.run("BEGIN; " + link.render("engine/row_take_old", Params().bytesList("resources", names)),
                                 "engine/row_take_old");
    QByteArray packet;
    for (const QVariantList &row : taken.set(-1).rows)
        packet += link.render("engine/row_remove", Params().bytes("resource", row.value(0).toByteArray())) + "; ";
    const Reply removed = taken ? link.run(packet + "COMMIT", "engine/row_remove") : taken;
    if (!removed)
        link.run("ROLLBACK", "engine/row_remove");
    return removed.error;
}

} // namespace

Cleaned cleanRows(ReconnectingSession &link, Duration kept, QByteArray *cursor)
{
    const Reply reply = link.run("engine/row_old", Params().bytes("cursor", *cursor).microseconds("age", kept));
    if (!reply)
        return unlessNoMatter(*reply.error);
    const auto &rows = reply.set(-1).rows;
    if (rows.isEmpty())
        return {};
    *cursor = rows.last().value(0).toByteArray();
    QList<QByteArray> old;
    for (const QVariantList &row : rows) {
        if (row.value(1).toBool())
            old += row.value(0).toByteArray();
    }
    const auto error = removeFree(link, old);
    return error ? unlessNoMatter(*error) : Cleaned{true};
}

} // namespace lockscope::detail
