// Removes rows of pessimistic mode that were made long ago and that nobody holds.
#include "cleanup_p.h"

namespace lockscope::detail {

namespace {

/// Holds the rows only for the time of two packets.
std::optional<LockError> removeFree(Link &link, const QList<QByteArray> &names)
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

std::optional<LockError> cleanUpRows(Link &link, Duration kept)
{
    QByteArray cursor;
    for (int i = 0; i < MostCleaningBatches; ++i) {
        const Reply reply = link.run("engine/row_old", Params().bytes("cursor", cursor).microseconds("age", kept));
        std::optional<LockError> error = reply.error;
        QList<QByteArray> old;
        for (const QVariantList &row : reply.set(-1).rows) {
            cursor = row.value(0).toByteArray();
            if (row.value(1).toBool())
                old += cursor;
        }
        if (!error)
            error = removeFree(link, old);
        if (error)
            return unlessNoMatter(*error);
        if (reply.set(-1).rows.isEmpty())
            return std::nullopt;
    }
    return std::nullopt;
}

} // namespace lockscope::detail
