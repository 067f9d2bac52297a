// SPDX-License-Identifier: MIT
#include "recordedlook.h"

#include "recordedfields.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

/// What an item is of. Written in files: never give one another meaning.
enum Kind : char {
    KindEngine = 'm',
    KindLock = 'r',
    KindQueued = 'q',
    KindServer = 'i',
    KindCapabilities = 'c',
    KindSource = 'u',
    KindSession = 's',
    KindServerLock = 'l',
    KindEdge = 'e',
    KindLost = 'o',
    KindPrepared = 'p',
    KindTable = 't',
    KindEqualTable = 'y', ///< further locks of one table and key, by a number from 1 on
    KindUnreadTable = 'n',
    KindTableNote = 'w',
    KindTableScan = 'x'
};

void addEngine(RecordedLook &look, RecordedItems *items)
{
    ItemWriter engine(KindEngine);
    engine.endIdentity();
    engine(look.hasTables, look.locks.counts);
    engine.addTo(items);
    for (const LockRow &row : std::as_const(look.locks.rows)) {
        LockRow written = row;
        ItemWriter item(KindLock);
        item(written.key);
        item.endIdentity();
        item(written);
        item.addTo(items);
    }
    for (auto it = look.queues.cbegin(); it != look.queues.cend(); ++it) {
        LockKey key = it.key();
        for (Waiter waiter : it.value()) {
            ItemWriter item(KindQueued);
            item(key, waiter.position);
            item.endIdentity();
            item(waiter);
            item.addTo(items);
        }
    }
}

void addSessions(RecordedLook &look, StatementKeeper *keeper, RecordedItems *items)
{
    for (ServerSession session : std::as_const(look.waits.sessions)) {
        session.statement.text = keeper->kept(session.statement.text);
        for (PastStatement &past : session.history)
            past.text = keeper->kept(past.text);
        ItemWriter item(KindSession);
        item(session.id);
        item.endIdentity();
        item(session);
        item.addTo(items);
    }
}

/// Of values with a name and fields.
template<typename T>
void addNamed(Kind kind, const QList<T> &values, RecordedItems *items)
{
    for (T value : values) {
        ItemWriter item(kind);
        name(item, value);
        item.endIdentity();
        fields(item, value);
        item.addTo(items);
    }
}

/// Rows may have one key: in a table without a unique one, or where the values of its columns read the same joined.
void addTableLocks(const QList<TableLock> &locks, RecordedItems *items)
{
    std::map<std::tuple<QString, QString, QByteArray>, int> counts;
    for (TableLock lock : locks) {
        int number = counts[{lock.table.schema, lock.table.name, lock.key}]++;
        ItemWriter item(number == 0 ? KindTable : KindEqualTable);
        name(item, lock);
        if (number > 0)
            item(number);
        item.endIdentity();
        fields(item, lock);
        item.addTo(items);
    }
}

void addTables(RecordedLook &look, RecordedItems *items)
{
    addTableLocks(look.tables.locks, items);
    addNamed(KindUnreadTable, look.tables.unread, items);
    for (QString &note : look.tables.notes) {
        ItemWriter item(KindTableNote);
        item(note);
        item.endIdentity();
        item.addTo(items);
    }
    ItemWriter scan(KindTableScan);
    scan.endIdentity();
    scan(look.tables.serverTables, look.tables.isScanCut);
    scan.addTo(items);
}

void addServer(RecordedLook &look, RecordedItems *items)
{
    ItemWriter server(KindServer);
    server.endIdentity();
    server(look.waits.identity);
    server.addTo(items);
    ItemWriter capabilities(KindCapabilities);
    capabilities.endIdentity();
    capabilities(look.capabilities);
    capabilities.addTo(items);
    for (SourceStatus status : std::as_const(look.waits.sources)) {
        ItemWriter item(KindSource);
        item(status.source);
        item.endIdentity();
        item(status);
        item.addTo(items);
    }
    addNamed(KindServerLock, look.waits.locks, items);
    addNamed(KindEdge, look.waits.edges, items);
    addNamed(KindLost, look.waits.lost, items);
    for (auto it = look.waits.prepared.cbegin(); it != look.waits.prepared.cend(); ++it) {
        quint64 number = it.key();
        PreparedTransaction prepared = it.value();
        ItemWriter item(KindPrepared);
        item(number);
        item.endIdentity();
        item(prepared);
        item.addTo(items);
    }
}

template<typename T>
T read(ItemReader &item)
{
    T value{};
    item(value);
    return value;
}

template<typename T>
T readNamed(ItemReader &item)
{
    T value{};
    name(item, value);
    fields(item, value);
    return value;
}

TableLock readEqualTable(ItemReader &item)
{
    TableLock lock;
    int number = 0;
    name(item, lock);
    item(number);
    fields(item, lock);
    return lock;
}

void readQueued(ItemReader &item, RecordedLook *look)
{
    const auto key = read<LockKey>(item);
    Waiter waiter;
    item(waiter.position, waiter);
    look->queues[key].append(waiter);
}

void readItem(ItemReader &item, RecordedLook *look)
{
    ServerWaits &waits = look->waits;
    switch (Kind(item.kind())) {
    case KindEngine:
        item(look->hasTables, look->locks.counts);
        break;
    case KindLock: {
        LockRow row;
        item(row.key, row);
        look->locks.rows.append(row);
        break;
    }
    case KindQueued:
        readQueued(item, look);
        break;
    case KindServer:
        item(waits.identity);
        break;
    case KindCapabilities:
        item(look->capabilities);
        break;
    case KindSource: {
        SourceStatus status;
        item(status.source, status);
        waits.sources.append(status);
        break;
    }
    case KindSession: {
        ServerSession session;
        item(session.id, session);
        waits.sessions.insert(session.id, session);
        break;
    }
    case KindServerLock:
        waits.locks.append(readNamed<ServerLock>(item));
        break;
    case KindEdge:
        waits.edges.append(readNamed<WaitEdge>(item));
        break;
    case KindTable:
        look->tables.locks.append(readNamed<TableLock>(item));
        break;
    case KindEqualTable:
        look->tables.locks.append(readEqualTable(item));
        break;
    case KindUnreadTable:
        look->tables.unread.append(readNamed<UnreadTable>(item));
        break;
    case KindTableNote:
        look->tables.notes.append(read<QString>(item));
        break;
    case KindTableScan:
        item(look->tables.serverTables, look->tables.isScanCut);
        break;
    case KindLost:
        waits.lost.append(readNamed<LostWaiter>(item));
        break;
    case KindPrepared: {
        const auto number = read<quint64>(item);
        waits.prepared.insert(number, read<PreparedTransaction>(item));
        break;
    }
    }
}

auto orderOf(const ServerObject &object)
{
    return std::tie(object.kind, object.scope, object.schema, object.name, object.index, object.record);
}

/// A table of items has no order; readers get one that is the same each time.
void sort(RecordedLook *look)
{
    std::sort(look->locks.rows.begin(), look->locks.rows.end(),
              [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    for (QList<Waiter> &queue : look->queues)
        std::sort(queue.begin(), queue.end(), [](const Waiter &a, const Waiter &b) { return a.position < b.position; });
    std::sort(look->tables.locks.begin(), look->tables.locks.end(), [](const TableLock &a, const TableLock &b) {
        return std::tie(a.table.schema, a.table.name, a.key, a.values)
            < std::tie(b.table.schema, b.table.name, b.key, b.values);
    });
    std::sort(look->tables.unread.begin(), look->tables.unread.end(),
              [](const UnreadTable &a, const UnreadTable &b) { return a.place < b.place; });
    look->tables.notes.sort();
    ServerWaits &waits = look->waits;
    std::sort(waits.sources.begin(), waits.sources.end(),
              [](const SourceStatus &a, const SourceStatus &b) { return a.source < b.source; });
    std::sort(waits.locks.begin(), waits.locks.end(), [](const ServerLock &a, const ServerLock &b) {
        return std::tuple(a.session, orderOf(a.object), a.isGranted, std::tie(a.mode))
            < std::tuple(b.session, orderOf(b.object), b.isGranted, std::tie(b.mode));
    });
    std::sort(waits.edges.begin(), waits.edges.end(), [](const WaitEdge &a, const WaitEdge &b) {
        return std::tuple(a.since, a.waiter, a.blocker, orderOf(a.object), std::tie(a.mode))
            < std::tuple(b.since, b.waiter, b.blocker, orderOf(b.object), std::tie(b.mode));
    });
    std::sort(waits.lost.begin(), waits.lost.end(), [](const LostWaiter &a, const LostWaiter &b) {
        return std::tie(a.since, a.session, a.kind) < std::tie(b.since, b.session, b.kind);
    });
}

} // namespace

RecordedItems itemsOf(const RecordedLook &look, StatementKeeper *keeper)
{
    RecordedLook written = look; // shares what it holds; archives take what they could also read into
    RecordedItems items;
    addEngine(written, &items);
    addSessions(written, keeper, &items);
    addServer(written, &items);
    addTables(written, &items);
    return items;
}

RecordedLook lookOf(const RecordedItems &items, ServerTime at)
{
    RecordedLook look;
    for (auto it = items.cbegin(); it != items.cend(); ++it) {
        ItemReader item(it.key() + it.value());
        readItem(item, &look);
    }
    sort(&look);
    look.waits.clock = {at, std::chrono::steady_clock::now()};
    look.locks.clock = look.tables.clock = look.waits.clock;
    return look;
}

void SteadyTimes::settle(ServerWaits *waits)
{
    for (ServerSession &session : waits->sessions)
        settle(qHashMulti(KindSession, session.id), &session.commandSince);
    for (ServerLock &lock : waits->locks) {
        if (lock.age)
            settle(qHashMulti(KindServerLock, lock.session, lock.object, lock.mode, lock.isGranted), &lock.age->since);
    }
    for (WaitEdge &edge : waits->edges)
        settle(qHashMulti(KindEdge, edge.waiter, edge.blocker, edge.object, edge.mode), &edge.since);
    for (LostWaiter &lost : waits->lost)
        settle(qHashMulti(KindLost, lost.session, int(lost.kind)), &lost.since);
    m_before = std::exchange(m_now, {});
}

void SteadyTimes::settle(size_t what, std::optional<ServerTime> *time)
{
    if (*time)
        settle(what, &**time);
}

void SteadyTimes::settle(size_t what, ServerTime *time)
{
    const bool isWholeSeconds = time->time_since_epoch() % 1s == 0us;
    const Microseconds tolerance = isWholeSeconds ? Microseconds(1s) : Microseconds(200ms);
    if (const auto before = m_before.constFind(what);
        before != m_before.cend() && std::chrono::abs(*time - *before) <= tolerance)
        *time = *before;
    m_now.insert(what, *time);
}

} // namespace lockscope
