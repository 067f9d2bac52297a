// SPDX-License-Identifier: MIT
#include "leasereader.h"

#include "leasequeues.h"

#include <algorithm>

namespace lockscope {

namespace {

using namespace detail; // LeaseColumn

/// Columns of monitor/versions, after ResourceCol.
enum VersionColumn { VersionCol = 1, CommittedCol, CommitsCol, ConflictsCol, RetriesCol, FirstCol, CountedCol };
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
    ReasonCol,
    AccountCol
};

/// From the columns of monitor/versions.
LockRow toVersion(const QVariantList &values)
{
    LockRow row;
    row.key.kind = LockKind::Version;
    row.key.resource = values.value(ResourceCol).toByteArray();
    row.state = LockState::Open;
    row.attempts.emplace();
    if (const QVariant version = values.value(VersionCol); !version.isNull())
        row.attempts->version = version.toULongLong();
    row.attempts->committedAt = toServerTime(values.value(CommittedCol));
    row.attempts->total = {values.value(CommitsCol).toULongLong(), values.value(ConflictsCol).toULongLong()};
    row.attempts->retries = values.value(RetriesCol).toULongLong();
    row.attempts->since = toServerTime(values.value(FirstCol));
    row.attempts->countedAt = toServerTime(values.value(CountedCol));
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
    if (name == "kill")
        return Event::Kind::Kill;
    return Event::Kind::Other;
}

Event toEvent(const QVariantList &values)
{
    Event event;
    event.id = values.value(IdCol).toULongLong();
    event.at = toServerTime(values.value(AtCol)).value_or(ServerTime{});
    event.kindName = values.value(KindCol).toByteArray();
    event.kind = toEventKind(event.kindName);
    event.key.resource = values.value(EventResourceCol).toByteArray();
    event.key.slot = values.value(EventSlotCol).toInt();
    event.token = values.value(EventTokenCol).toULongLong();
    event.owner = Owner::fromJson(values.value(EventOwnerCol).toByteArray());
    event.operatorName = values.value(OperatorCol).toString();
    event.reason = values.value(ReasonCol).toString();
    event.account = values.value(AccountCol).toString();
    return event;
}

/// All of a kind, or one.
struct KindStatement
{
    LockKind kind;
    const char *name;
};
constexpr KindStatement kKinds[] = {
    {LockKind::Lease, "monitor/list"}, {LockKind::Row, "monitor/rows"}, {LockKind::Version, "monitor/versions"}};

/// `only` without a name: all locks.
Params listParams(const ListOptions &options, const LockKey &only = {})
{
    Params params;
    params.bytes("only", only.resource).number("slot", qint64(only.slot));
    params.bytes("contains", options.contains).number("limit", qint64(options.limit));
    return params;
}

} // namespace

LeaseReader::LeaseReader(Session &session)
    : m_session(session)
{
}

LockRow LeaseReader::toRow(LockKind kind, const QVariantList &values, ServerTime now)
{
    return traitsOf(kind).hasAttempts ? toVersion(values)
                                      : toHeldRow(kind, values, now, !m_session.info().readOnly, &m_owners);
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
    clock->server = toServerTime(reply.value(0)).value_or(ServerTime{});
    clock->local = std::chrono::steady_clock::now();
    return reply;
}

std::optional<LockError> LeaseReader::list(const ListOptions &options, LockSnapshot *snapshot)
{
    const auto start = std::chrono::steady_clock::now();
    LockSnapshot fresh;
    fresh.contains = options.contains;
    QList<LockRow> all;
    if (auto error = readKinds(options, &all, &fresh))
        return error;
    std::sort(all.begin(), all.end(), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    fresh.rows = shared(std::move(all));
    fresh.cost = std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - start);
    *snapshot = std::move(fresh);
    return std::nullopt;
}

std::optional<LockError> LeaseReader::readKinds(const ListOptions &options, QList<LockRow> *all, LockSnapshot *snapshot)
{
    const int first = options.leasesToo ? 0 : 1;
    QByteArrayList names;
    for (int i = first; i < int(std::size(kKinds)); ++i)
        names += kKinds[i].name;
    const Reply reply = runWithClock(names, listParams(options), &snapshot->clock);
    if (!reply)
        return reply.error;
    for (int i = first; i < int(std::size(kKinds)); ++i) {
        const auto &found = reply.set(i - first + 1).rows; // after the clock
        QList<LockRow> rows;
        rows.reserve(found.size());
        for (const QVariantList &values : found)
            rows.append(toRow(kKinds[i].kind, values, snapshot->clock.server));
        if (auto error = findQueues(kKinds[i].kind, found, &rows))
            return error;
        if (auto error = count(kKinds[i].kind, rows, options, &snapshot->counts))
            return error;
        *all += rows;
    }
    return std::nullopt;
}

/// How many wait for each; `found` is what the rows were made of.
std::optional<LockError> LeaseReader::findQueues(LockKind kind, const QList<QVariantList> &found, QList<LockRow> *rows)
{
    if (rows->isEmpty() || !traitsOf(kind).hasQueue)
        return std::nullopt;
    if (kind == LockKind::Lease)
        return findLeaseQueues(found, rows);
    if (auto error = m_queues.read(m_session))
        return error;
    for (LockRow &row : *rows)
        row.waiters = m_queues.lengthOf(row.key.resource);
    return std::nullopt;
}

std::optional<LockError> LeaseReader::findLeaseQueues(const QList<QVariantList> &found, QList<LockRow> *rows)
{
    QList<QByteArray> stored;
    for (const QVariantList &values : found)
        stored.append(values.value(QueueCol).toByteArray());
    LeaseQueues queues(m_session);
    auto error = queues.ask(stored);
    for (qsizetype i = 0; i < rows->size(); ++i)
        (*rows)[i].waiters = queues.countLiving(stored[i]);
    return error;
}

/// Adds the locks of one kind, also those that the limit left out.
std::optional<LockError> LeaseReader::count(LockKind kind, const QList<LockRow> &rows, const ListOptions &options,
                                            LockCounts *counts)
{
    if (rows.size() >= options.limit && kind == LockKind::Lease)
        return countLeases(options, counts);
    for (const LockRow &row : rows) {
        counts->add(row.state);
        counts->waiting += row.waiters.value_or(0);
        counts->isWaitingKnown = counts->isWaitingKnown && row.waiters;
    }
    if (rows.size() < options.limit || kind != LockKind::Version)
        return std::nullopt;
    const Reply all = m_session.run("monitor/version_count", listParams(options));
    counts->open = all.value().toLongLong();
    return all.error;
}

std::optional<LockError> LeaseReader::countLeases(const ListOptions &options, LockCounts *counts)
{
    const Reply states = m_session.run("monitor/counts", listParams(options));
    if (!states)
        return states.error;
    const Reply waiting = m_session.run("monitor/waiting", Params());
    if (!waiting)
        return waiting.error;
    const bool serverShows = !m_session.info().readOnly;
    for (const QVariantList &values : states.set(-1).rows) {
        const LockState state =
            leaseStateOf(values.value(0).toBool(), values.value(1).toBool(), values.value(2).toBool(), serverShows);
        counts->add(state, values.value(3).toLongLong());
    }
    counts->waiting += waiting.value().toLongLong();
    return std::nullopt;
}

std::optional<LockError> LeaseReader::one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock)
{
    SnapshotClock now;
    const auto *kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&key](const auto &known) { return known.kind == key.kind; });
    const Reply reply = runWithClock({kind->name}, listParams({1, {}}, key), &now);
    if (!reply)
        return reply.error;
    QList<LockRow> found;
    for (const QVariantList &values : reply.set(-1).rows)
        found.append(toRow(key.kind, values, now.server));
    if (auto error = findQueues(key.kind, reply.set(-1).rows, &found))
        return error;
    *row = found.isEmpty() ? std::nullopt : std::optional(found.first());
    if (clock)
        *clock = now;
    return std::nullopt;
}

std::optional<LockError> LeaseReader::leasesBehind(const LockKey &key, int limit, QList<LockRow> *leases,
                                                   SnapshotClock *clock)
{
    Params params;
    params.bytes("after", key.resource).number("slot", qint64(key.slot)).bytes("upto", QByteArray(255, '\xff'));
    params.null("since").bytes("contains", {}).number("limit", qint64(limit));
    const Reply reply = runWithClock({"monitor/lease_part"}, params, clock);
    if (!reply)
        return reply.error;
    leases->clear();
    for (const QVariantList &values : reply.set(-1).rows)
        leases->append(toRow(LockKind::Lease, values, clock->server));
    return findQueues(LockKind::Lease, reply.set(-1).rows, leases);
}

std::optional<LockError> LeaseReader::next(LeasePage *page)
{
    const Reply reply = runWithClock({"engine/lease_page"}, page->walk.params(), &page->clock);
    if (!reply)
        return reply.error;
    page->rows.clear();
    QList<QVariantList> held = reply.set(-1).rows;
    held.removeIf([](const QVariantList &values) { return !values.value(IsHeldCol).toBool(); });
    for (const QVariantList &values : std::as_const(held))
        page->rows.append(toRow(LockKind::Lease, values, page->clock.server));
    page->walk.pass(reply.set(-1).rows);
    return findQueues(LockKind::Lease, held, &page->rows);
}

std::optional<LockError> LeaseReader::waiters(const LockKey &key, QList<Waiter> *waiters)
{
    waiters->clear();
    if (key.kind == LockKind::Row) {
        auto error = m_queues.read(m_session);
        *waiters = m_queues.of(key.resource);
        return error;
    }
    if (!traitsOf(key.kind).hasQueue)
        return std::nullopt;
    const Reply reply =
        m_session.run("monitor/waiters", Params().bytes("resource", key.resource).number("slot", qint64(key.slot)));
    if (!reply)
        return reply.error;
    const QByteArray stored = reply.value().toByteArray();
    LeaseQueues queues(m_session);
    if (auto error = queues.ask({stored}))
        return error;
    for (const QueueEntry &entry : queues.livingOf(stored)) { // the dead delay nobody
        Waiter waiter;
        waiter.connectionId = queues.connectionOf(entry.name);
        waiter.position = int(waiters->size()) + 1;
        waiter.since = ServerTime(Microseconds(entry.since));
        waiter.ttl = entry.ttl == Forever ? std::nullopt : std::optional<Microseconds>(entry.ttl);
        waiter.owner = Owner::fromJson(entry.owner);
        waiter.note = entry.note;
        waiters->append(std::move(waiter));
    }
    return std::nullopt;
}

std::optional<LockError> LeaseReader::events(const EventOptions &options, QList<Event> *events)
{
    Params params = listParams({options.limit, {}}, options.key.value_or(LockKey()));
    params.number("after", options.afterId);
    const Reply reply = m_session.run("monitor/events", params);
    if (!reply)
        return reply.error;
    events->clear();
    for (const QVariantList &values : reply.set(-1).rows)
        events->append(toEvent(values));
    return std::nullopt;
}

} // namespace lockscope
