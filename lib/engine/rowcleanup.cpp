// Removes rows of pessimistic mode that were made long ago and that nobody holds.
#include "rowlock_p.h"

namespace lockscope::detail {

namespace {

using Kind = LockError::Kind;

constexpr int kMostBatches = 200; // 100,000 rows a round; the next round goes on

Params named(const QByteArrayList &literals)
{
    return Params().variable("resources", literals.join(',').constData());
}

/// Holds the rows only for the time of two packets.
std::optional<LockError> removeFree(Link &link, const QByteArrayList &names)
{
    if (names.isEmpty())
        return std::nullopt;
    const Reply taken = link.run("BEGIN; " + link.render("engine/row_take_old", named(names)), "engine/row_take_old");
    QByteArray packet;
    for (const QVariantList &row : taken.set(-1).rows)
        packet += link.render("engine/row_remove", Params().bytes("resource", row.value(0).toByteArray())) + "; ";
    const Reply removed = taken ? link.run(packet + "COMMIT", "engine/row_remove") : taken;
    if (!removed)
        link.run("ROLLBACK", "engine/row_remove");
    return removed.error;
}

} // namespace

QByteArray rowLiteral(const QByteArray &name)
{
    return "x'" + name.toHex() + '\'';
}

std::optional<LockError> cleanUpRows(Link &link, Duration kept)
{
    QByteArray cursor;
    for (int i = 0; i < kMostBatches; ++i) {
        const Reply reply = link.run("engine/row_old", Params().bytes("cursor", cursor).microseconds("age", kept));
        std::optional<LockError> error = reply.error;
        QByteArrayList old;
        for (const QVariantList &row : reply.set(-1).rows) {
            cursor = row.value(0).toByteArray();
            if (row.value(1).toBool())
                old += rowLiteral(cursor);
        }
        if (!error)
            error = removeFree(link, old);
        // A user without the privilege does not use this mode; another cleaner at the same rows does the work for both.
        if (error)
            return error->kind == Kind::NoPermission || error->kind == Kind::Contention ? std::nullopt : error;
        if (reply.set(-1).rows.isEmpty())
            return std::nullopt;
    }
    return std::nullopt;
}

} // namespace lockscope::detail
