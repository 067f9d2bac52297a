#include "leasereader.h"

#include "engine/lockrequest.h"

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

/// Columns of monitor/list, monitor/one and monitor/page.
enum ListColumn {
    ResourceCol,
    SlotCol,
    TokenCol,
    KeptCol,
    HolderCol,
    AcquiredCol,
    ExpiresCol,
    TtlCol,
    OwnerCol,
    NoteCol,
    WaitersCol,
    IsHeldCol ///< monitor/page only
};
/// Columns of monitor/waiters.
enum WaiterColumn { TicketCol, ConnectionCol, SinceCol, WaiterTtlCol, WaiterOwnerCol, WaiterNoteCol };
/// Columns of monitor/events.
enum EventColumn {
    IdCol,
    AtCol,
    KindCol,
    EventResourceCol,
    EventSlotCol,
    EventTokenCol,
    EventOwnerCol,
    OperatorCol,
    ReasonCol
};

/// As many as monitor/page reads.
constexpr qsizetype kPageRows = 500;

std::optional<ServerTime> toTime(const QVariant &value)
{
    if (value.isNull())
        return std::nullopt;
    return ServerTime(Microseconds(value.toLongLong()));
}

std::optional<Microseconds> toMicroseconds(const QVariant &value)
{
    if (value.isNull())
        return std::nullopt;
    return Microseconds(value.toLongLong());
}

std::optional<quint64> toConnection(const QVariant &value)
{
    if (value.isNull())
        return std::nullopt;
    return value.toULongLong();
}

LockState stateOf(bool kept, bool alive, bool past, bool serverTells)
{
    if (kept)
        return LockState::Kept;
    if (past)
        return LockState::Expired;
    if (alive)
        return LockState::Held;
    return serverTells ? LockState::Orphan : LockState::Unknown;
}

LockRow toRow(const QVariantList &values, ServerTime now, bool serverTells, LockKind kind = LockKind::Lease)
{
    LockRow row;
    row.key.kind = kind;
    row.key.resource = values.value(ResourceCol).toByteArray();
    row.key.slot = values.value(SlotCol).toInt();
    row.token = values.value(TokenCol).toULongLong();
    row.connectionId = toConnection(values.value(HolderCol));
    row.sessionAlive = row.connectionId.has_value();
    row.acquiredAt = toTime(values.value(AcquiredCol));
    row.expiresAt = toTime(values.value(ExpiresCol));
    row.ttl = toMicroseconds(values.value(TtlCol));
    row.owner = Owner::fromJson(values.value(OwnerCol).toByteArray());
    row.note = values.value(NoteCol).toByteArray();
    row.waiters = values.value(WaitersCol).toInt();
    row.state =
        stateOf(values.value(KeptCol).toBool(), row.sessionAlive, row.expiresAt && *row.expiresAt <= now, serverTells);
    return row;
}

Event::Kind toEventKind(const QByteArray &name)
{
    if (name == "takeover")
        return Event::Kind::Takeover;
    if (name == "lost")
        return Event::Kind::Lost;
    if (name == "force_release")
        return Event::Kind::ForceRelease;
    if (name == "release_failed")
        return Event::Kind::ReleaseFailed;
    return Event::Kind::Other;
}

Event toEvent(const QVariantList &values)
{
    Event event;
    event.id = values.value(IdCol).toULongLong();
    event.at = toTime(values.value(AtCol)).value_or(ServerTime{});
    event.kindName = values.value(KindCol).toByteArray();
    event.kind = toEventKind(event.kindName);
    event.key.resource = values.value(EventResourceCol).toByteArray();
    event.key.slot = values.value(EventSlotCol).toInt();
    event.token = values.value(EventTokenCol).toULongLong();
    event.owner = Owner::fromJson(values.value(EventOwnerCol).toByteArray());
    event.operatorName = values.value(OperatorCol).toString();
    event.reason = values.value(ReasonCol).toString();
    return event;
}

Params keyParams(const LockKey &key)
{
    Params params;
    params.bytes("resource", key.resource).number("slot", qint64(key.slot));
    return params;
}

} // namespace

LeaseReader::LeaseReader(Session &session)
    : m_session(session)
{
}

/// One packet with the server's clock before the statements: the rows are then never older than the time they are
/// judged by, and the clock costs no round trip.
Reply LeaseReader::runWithClock(const QByteArrayList &names, const Params &params, SnapshotClock *clock)
{
    const Family family = m_session.info().family;
    QByteArray packet = sqlText("monitor/clock", family);
    for (const QByteArray &name : names)
        packet += "; " + renderSql(sqlText(name, family), params);
    Reply reply = m_session.run(packet, names.first());
    clock->server = toTime(reply.value(0)).value_or(ServerTime{});
    clock->local = std::chrono::steady_clock::now();
    return reply;
}

std::optional<LockError> LeaseReader::list(const ListOptions &options, LockSnapshot *snapshot)
{
    const auto start = std::chrono::steady_clock::now();
    LockSnapshot fresh;
    fresh.contains = options.contains;
    Params params;
    params.bytes("contains", options.contains).number("limit", qint64(options.limit));
    const Reply reply = runWithClock({"monitor/list", "monitor/rows"}, params, &fresh.clock);
    if (!reply)
        return reply.error;
    fresh.rows.reserve(reply.set(-2).rows.size() + reply.set(-1).rows.size());
    const bool serverTells = !m_session.info().readOnly;
    for (const auto &[set, kind] : {std::pair(-2, LockKind::Lease), std::pair(-1, LockKind::Row)}) {
        for (const QVariantList &values : reply.set(set).rows) {
            fresh.rows.append(toRow(values, fresh.clock.server, serverTells, kind));
            fresh.counts.add(fresh.rows.last().state);
            fresh.counts.waiting += fresh.rows.last().waiters;
        }
    }
    std::sort(fresh.rows.begin(), fresh.rows.end(), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    if (reply.set(-2).rows.size() >= options.limit) {
        if (auto error = countAll(options, &fresh.counts))
            return error;
        fresh.counts.held += reply.set(-1).rows.size();
    }
    fresh.cost = std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - start);
    *snapshot = std::move(fresh);
    return std::nullopt;
}

std::optional<LockError> LeaseReader::countAll(const ListOptions &options, LockCounts *counts)
{
    Params params;
    params.bytes("contains", options.contains);
    const Reply states = m_session.run("monitor/counts", params);
    if (!states)
        return states.error;
    const Reply waiting = m_session.run("monitor/waiting", Params());
    if (!waiting)
        return waiting.error;
    *counts = {};
    const bool serverTells = !m_session.info().readOnly;
    for (const QVariantList &values : states.set(-1).rows) {
        const LockState state =
            stateOf(values.value(0).toBool(), values.value(1).toBool(), values.value(2).toBool(), serverTells);
        counts->add(state, values.value(3).toLongLong());
    }
    counts->waiting = waiting.value().toLongLong();
    return std::nullopt;
}

std::optional<LockError> LeaseReader::one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock)
{
    SnapshotClock now;
    const Reply reply = runWithClock({"monitor/one"}, keyParams(key), &now);
    if (!reply)
        return reply.error;
    row->reset();
    if (!reply.set(-1).rows.isEmpty())
        *row = toRow(reply.set(-1).rows.first(), now.server, !m_session.info().readOnly);
    if (clock)
        *clock = now;
    return std::nullopt;
}

LeasePage LeasePage::ofPrefix(const QByteArray &prefix)
{
    LeasePage page;
    page.cursor.resource = prefix;
    page.cursor.slot = std::numeric_limits<int>::min();
    page.last = prefix.leftJustified(MaxResourceBytes, '\xff');
    return page;
}

std::optional<LockError> LeaseReader::next(LeasePage *page)
{
    Params params;
    params.bytes("cursor", page->cursor.resource).number("slot", qint64(page->cursor.slot)).bytes("last", page->last);
    const Reply reply = runWithClock({"monitor/page"}, params, &page->clock);
    if (!reply)
        return reply.error;
    const auto &found = reply.set(-1).rows;
    page->rows.clear();
    page->isLast = found.size() < kPageRows;
    for (const QVariantList &values : found) {
        if (values.value(IsHeldCol).toBool())
            page->rows.append(toRow(values, page->clock.server, !m_session.info().readOnly));
    }
    if (!found.isEmpty()) {
        page->cursor.resource = found.last().value(ResourceCol).toByteArray();
        page->cursor.slot = found.last().value(SlotCol).toInt();
    }
    return std::nullopt;
}

std::optional<LockError> LeaseReader::waiters(const LockKey &key, QList<Waiter> *waiters)
{
    waiters->clear();
    if (key.kind != LockKind::Lease)
        return std::nullopt; // InnoDB's own queue is not read yet
    const Reply reply = m_session.run("monitor/waiters", keyParams(key));
    if (!reply)
        return reply.error;
    for (const QVariantList &values : reply.set(-1).rows) {
        Waiter waiter;
        waiter.connectionId = toConnection(values.value(ConnectionCol));
        if (!waiter.connectionId)
            continue; // a dead request; it delays nobody and is swept by the engine
        waiter.position = int(waiters->size()) + 1;
        waiter.since = toTime(values.value(SinceCol));
        waiter.ttl = toMicroseconds(values.value(WaiterTtlCol));
        waiter.owner = Owner::fromJson(values.value(WaiterOwnerCol).toByteArray());
        waiter.note = values.value(WaiterNoteCol).toByteArray();
        waiters->append(std::move(waiter));
    }
    return std::nullopt;
}

std::optional<LockError> LeaseReader::events(const EventOptions &options, QList<Event> *events)
{
    Params params = options.key ? keyParams(*options.key) : Params();
    params.number("after", options.afterId).number("limit", qint64(options.limit));
    const Reply reply = m_session.run(options.key ? "monitor/events_of" : "monitor/events", params);
    if (!reply)
        return reply.error;
    events->clear();
    for (const QVariantList &values : reply.set(-1).rows)
        events->append(toEvent(values));
    return std::nullopt;
}

} // namespace lockscope
