// Removes what nobody needs any more, in batches small enough that nobody waits for them.
#include "cleanup_p.h"
#include "enginecore_p.h"

#include <tuple>

namespace lockscope::detail {

namespace {

constexpr Duration kDeadTicketAge = std::chrono::minutes(1);
/// A living holder takes a request within seconds.
constexpr Duration kRequestsKept = std::chrono::hours(1);
constexpr int kMostOldBatches = 20; // 10,000 records a round: many times what an engine writes between two

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

std::optional<LockError> removeIdle(Link &link, Duration idleRowsKept)
{
    for (const char *dead : {"engine/dead_tickets", "engine/dead_waits"}) {
        if (const Reply removed = link.run(dead, Params().microseconds("age", kDeadTicketAge)); !removed)
            return removed.error;
    }
    QByteArray cursor;
    for (int i = 0; i < MostCleaningBatches; ++i) {
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

/// Removes from an append-only table, at the low end of its primary key, what `time` says is older than it is kept.
std::optional<LockError> removeOld(Link &link, const QString &table, const QString &time, Duration kept)
{
    if (kept == Forever)
        return std::nullopt;
    const auto which = Params()
                           .identifier("table", table)
                           .identifier("time", time)
                           .microseconds("age", std::max(kept, Duration::zero()));
    for (int i = 0; i < kMostOldBatches; ++i) {
        const Reply found = link.run("engine/old_records", which);
        if (!found)
            return unlessNoMatter(*found.error);
        const QVariantList range = found.set(-1).rows.value(0);
        if (range.value(0).isNull())
            return std::nullopt;
        const Reply removed = link.run(
            "engine/remove_records",
            Params(which).number("first", range.value(0).toULongLong()).number("last", range.value(1).toULongLong()));
        if (!removed)
            return unlessNoMatter(*removed.error);
    }
    return std::nullopt;
}

/// Finds by time, and removes in the order of the primary key, in which engines write.
std::optional<LockError> removeOldAttempts(Link &link, Duration kept)
{
    if (kept == Forever)
        return std::nullopt;
    const Duration age = std::max(kept, Duration::zero());
    for (int i = 0; i < MostCleaningBatches; ++i) {
        const Reply found = link.run("engine/old_attempt", Params().microseconds("age", age));
        if (!found)
            return unlessNoMatter(*found.error);
        QByteArray removals;
        for (const QVariantList &row : found.set(-1).rows) {
            removals += link.render("engine/remove_attempt",
                                    Params().bytes("resource", row.value(0).toByteArray()).microseconds("age", age))
                + "; ";
        }
        if (removals.isEmpty())
            return std::nullopt;
        const Reply removed = link.run("BEGIN; " + removals + "COMMIT", "engine/remove_attempt");
        if (!removed) {
            link.run("ROLLBACK", "engine/remove_attempt");
            return unlessNoMatter(*removed.error);
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<LockError> cleanUp(Link &link, const EngineConfig &config)
{
    if (auto error = removeIdle(link, config.idleRowsKept))
        return error;
    if (auto error = cleanUpRows(link, config.idleRowsKept))
        return error;
    if (auto error = cleanUpVersions(link, config.idleRowsKept))
        return error;
    const std::tuple<QString, QString, Duration> records[] = {
        {QStringLiteral("lock_event"), QStringLiteral("at"), config.eventsKept},
        {QStringLiteral("lock_done"), QStringLiteral("done_at"), config.doneKept},
        {QStringLiteral("lock_latency"), QStringLiteral("at"), config.latencyKept},
        {QStringLiteral("lock_release_request"), QStringLiteral("at"), kRequestsKept},
    };
    for (const auto &[table, time, kept] : records) {
        if (auto error = removeOld(link, table, time, kept))
            return error;
    }
    return removeOldAttempts(link, config.latencyKept);
}

} // namespace lockscope::detail
