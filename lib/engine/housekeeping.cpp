// Removes what nobody needs any more, in batches small enough that nobody waits for them.
#include "enginecore_p.h"
#include "versionrows_p.h"

namespace lockscope::detail {

namespace {

constexpr Duration kDeadTicketAge = std::chrono::minutes(1);
constexpr int kMostBatches = 200; // 100,000 rows a round; the next round goes on

struct Batch
{
    Reply reply;
    QByteArray lastResource;
    QList<QVariantList> idle;
    quint64 largestToken = 0;
};

Batch readBatch(Link &link, const QByteArray &cursor, Duration age)
{
    Batch batch;
    batch.reply = link.run("engine/idle_rows", Params().bytes("cursor", cursor).microseconds("age", age));
    for (const QVariantList &row : batch.reply.set(-1).rows) {
        batch.lastResource = row.value(0).toByteArray();
        if (!row.value(3).toBool())
            continue;
        batch.idle.append(row);
        batch.largestToken = std::max(batch.largestToken, row.value(2).toULongLong());
    }
    return batch;
}

/// One transaction: first the floor, then the rows, so that no new row can start below a token that was given.
std::optional<LockError> removeBatch(Link &link, const Batch &batch)
{
    if (batch.idle.isEmpty())
        return std::nullopt;
    QByteArray packet = "BEGIN; " + link.render("engine/raise_floor", Params().number("token", batch.largestToken));
    for (const QVariantList &row : batch.idle) {
        packet += "; "
            + link.render("engine/remove_row",
                          Params()
                              .bytes("resource", row.value(0).toByteArray())
                              .number("slot", row.value(1).toLongLong())
                              .number("token", row.value(2).toULongLong()));
    }
    const Reply reply = link.run(packet + "; COMMIT", "engine/remove_row");
    if (!reply)
        link.run("ROLLBACK", "engine/remove_row");
    return reply.error;
}

} // namespace

std::optional<LockError> cleanUp(Link &link, Duration idleRowsKept)
{
    const Reply tickets = link.run("engine/dead_tickets", Params().microseconds("age", kDeadTicketAge));
    if (!tickets)
        return tickets.error;
    if (auto error = cleanUpVersions(link, idleRowsKept))
        return error;
    QByteArray cursor;
    for (int i = 0; i < kMostBatches; ++i) {
        const Batch batch = readBatch(link, cursor, idleRowsKept);
        if (!batch.reply)
            return batch.reply.error;
        if (auto error = removeBatch(link, batch))
            return error;
        if (batch.lastResource.isEmpty())
            return std::nullopt;
        cursor = batch.lastResource;
    }
    return std::nullopt;
}

} // namespace lockscope::detail
