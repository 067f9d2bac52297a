// SPDX-License-Identifier: MIT
// Removes what nobody needs any more, in batches small enough that nobody waits for them.
#include "cleanup_p.h"
#include "lockscope/engineconfig.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace lockscope::detail {

namespace {

constexpr Duration kDeadWaitAge = std::chrono::minutes(1);
/// Dead requests of one row's queue that a round removes.
constexpr int kDropsDead = 8;
/// A living holder takes a request within seconds.
constexpr Duration kRequestsKept = std::chrono::hours(1);

struct Batch
{
    Reply reply;
    QByteArray lastResource;
    QList<QVariantList> idle;
    quint64 largestToken = 0;
};

Batch readBatch(ReconnectingSession &link, const QByteArray &cursor, Duration age)
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
std::optional<LockError> removeBatch(ReconnectingSession &link, const Batch &batch)
{
    if (batch.idle.isEmpty())
        return std::nullopt;
    QByteArray packet = "BEGIN; " + link.render("engine/raise_floor", Params().number("token", batch.largestToken));
    for (const QVariantList &row : batch.idle) {
        const auto lease = Params()
                               .bytes("resource", row.value(0).toByteArray())
                               .number("slot", row.value(1).toLongLong())
                               .number("token", row.value(2).toULongLong());
        for (int i = 0; row.value(4).toBool() && i < kDropsDead; ++i)
            packet += "; " + link.render("engine/drop_dead", lease);
        packet += "; " + link.render("engine/remove_row", lease);
    }
    const Reply reply = link.run(packet + "; COMMIT", "engine/remove_row");
    if (!reply)
        link.run("ROLLBACK", "engine/remove_row");
    return reply.error;
}

Cleaned cleanDeadWaits(ReconnectingSession &link)
{
    return {false, link.run("engine/dead_waits", Params().microseconds("age", kDeadWaitAge)).error};
}

Cleaned cleanLeases(ReconnectingSession &link, Duration idleRowsKept, QByteArray *cursor)
{
    const Batch batch = readBatch(link, *cursor, idleRowsKept);
    if (!batch.reply)
        return {false, batch.reply.error};
    if (batch.lastResource.isEmpty())
        return {};
    *cursor = batch.lastResource;
    auto error = removeBatch(link, batch);
    return {!error, std::move(error)};
}

/// Removes from an append-only table, at the low end of its primary key, what `time` says is older than it is kept: a
/// batch, of `*count` rows.
std::optional<LockError> removeRecords(ReconnectingSession &link, const QString &table, const QString &time,
                                       Duration kept, qint64 *count)
{
    *count = 0;
    const auto which = Params()
                           .identifier("table", table)
                           .identifier("time", time)
                           .microseconds("age", std::max(kept, Duration::zero()));
    const Reply found = link.run("engine/old_records", which);
    if (!found)
        return found.error;
    const QVariantList range = found.set(-1).rows.value(0);
    if (range.value(0).isNull())
        return std::nullopt;
    const Reply removed = link.run(
        "engine/remove_records",
        Params(which).number("first", range.value(0).toULongLong()).number("last", range.value(1).toULongLong()));
    *count = removed.set(-1).affected;
    return removed.error;
}

Cleaned cleanRecords(ReconnectingSession &link, const QString &table, const QString &time, Duration kept)
{
    qint64 count = 0;
    if (const auto error = removeRecords(link, table, time, kept, &count))
        return unlessNoMatter(*error);
    return {count > 0};
}

/// Finds by time, and removes in the order of the primary key, in which engines write.
Cleaned cleanAttempts(ReconnectingSession &link, Duration kept)
{
    const Duration age = std::max(kept, Duration::zero());
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
        return {};
    const Reply removed = link.run("BEGIN; " + removals + "COMMIT", "engine/remove_attempt");
    if (!removed) {
        link.run("ROLLBACK", "engine/remove_attempt");
        return unlessNoMatter(*removed.error);
    }
    const auto hasRemoved = [](const ResultSet &set) { return set.affected > 0; };
    return {std::any_of(removed.sets.begin(), removed.sets.end(), hasRemoved)};
}

} // namespace

std::optional<LockError> removeOldEvents(ReconnectingSession &link, Duration kept, qint64 *removed)
{
    *removed = 0;
    for (qint64 count = 1; count > 0; *removed += count) {
        if (auto error = removeRecords(link, u"lock_event"_s, u"at"_s, kept, &count))
            return error;
    }
    return std::nullopt;
}

CleaningRound::CleaningRound(const EngineConfig &config)
{
    const Duration idle = config.idleRowsKept;
    m_batches.emplace_back([](ReconnectingSession &link, QByteArray *) { return cleanDeadWaits(link); });
    m_batches.emplace_back(
        [idle](ReconnectingSession &link, QByteArray *cursor) { return cleanLeases(link, idle, cursor); });
    m_batches.emplace_back(
        [idle](ReconnectingSession &link, QByteArray *cursor) { return cleanRows(link, idle, cursor); });
    m_batches.emplace_back(
        [idle](ReconnectingSession &link, QByteArray *cursor) { return cleanVersions(link, idle, cursor); });
    const std::tuple<const char *, const char *, Duration> records[] = {
        {"lock_event", "at", config.eventsKept},
        {"lock_done", "done_at", config.doneKept},
        {"lock_latency", "at", config.latencyKept},
        {"lock_release_request", "at", kRequestsKept},
    };
    for (const auto &[table, time, kept] : records) {
        if (kept != Forever) {
            m_batches.emplace_back([table = QString::fromLatin1(table), time = QString::fromLatin1(time),
                                    kept = kept](ReconnectingSession &link, QByteArray *) {
                return cleanRecords(link, table, time, kept);
            });
        }
    }
    if (config.latencyKept != Forever)
        m_batches.emplace_back(
            [kept = config.latencyKept](ReconnectingSession &link, QByteArray *) { return cleanAttempts(link, kept); });
}

bool CleaningRound::step(ReconnectingSession &link)
{
    Cleaned cleaned = m_batches.front()(link, &m_cursor);
    m_error = std::move(cleaned.error);
    if (!cleaned.isMore) {
        m_batches.pop_front();
        m_cursor.clear();
    }
    return !m_error && !m_batches.empty();
}

} // namespace lockscope::detail
