// SPDX-License-Identifier: MIT
#include "recordedmark.h"

#include "recordedfields.h"

namespace lockscope {

// As in recordedfields.h.

template<typename A>
void fields(A &archive, KeyColumn &column)
{
    archive(column.name, column.type, column.isUnsigned);
}

template<typename A>
void fields(A &archive, PrintedLock &lock)
{
    archive(lock.transaction, lock.session, lock.schema, lock.table, lock.index, lock.mode, lock.isWaiting,
            lock.isEndOfIndex, lock.isDeleteMarked, lock.fields, lock.place);
}

template<typename A>
void fields(A &archive, DeadlockSide &side)
{
    qint64 active = side.active.count();
    archive(side.number, side.transaction, side.session, side.client, active, side.statement, side.isStatementCut,
            side.holds, side.waitsFor);
    side.active = std::chrono::seconds(active);
}

template<typename A>
void fields(A &archive, Deadlock &deadlock)
{
    archive(deadlock.at, deadlock.sides, deadlock.victim, deadlock.isCut, deadlock.text);
}

template<typename A>
void fields(A &archive, Event &event)
{
    archive(event.id, event.at, event.kind, event.kindName, event.key, event.token, event.owner, event.operatorName,
            event.reason, event.account);
}

template<typename A>
void fields(A &archive, AuditLine &act)
{
    qint64 at = act.at.toMSecsSinceEpoch();
    archive(at, act.operatorName, act.server, act.account, act.target, act.statement, act.reason, act.outcome);
    act.at = QDateTime::fromMSecsSinceEpoch(at).toUTC();
}

template<typename A>
void fields(A &archive, Alarm &alarm)
{
    archive(alarm.subject.kind, alarm.subject.session, alarm.subject.object, alarm.subject.lock, alarm.length,
            alarm.waiting, alarm.blocker, alarm.account, alarm.blockerIs, alarm.owner, alarm.isQuiet);
}

template<typename A>
void fields(A &archive, WaitQueue &queue)
{
    archive(queue.blocker, queue.from, queue.seen, queue.to, queue.worst, queue.waiting, queue.object, queue.longest);
}

template<typename A>
void fields(A &archive, LatencyKey &key)
{
    archive(key.mode, key.kind, key.outcome, key.slot);
}

template<typename A>
void fields(A &archive, LatencyUserKey &key)
{
    archive(key.kind, key.program, key.prefix, key.slot);
}

namespace {

/// What a histogram is stored as; none where nothing was counted.
struct StoredHistogram
{
    QByteArray buckets;
    Microseconds sum{};
    Microseconds max{};

    static StoredHistogram of(const Histogram &histogram)
    {
        if (histogram.isEmpty())
            return {};
        return {histogram.toBytes(), histogram.sum(), histogram.max()};
    }
    void addTo(Histogram *histogram) const
    {
        if (const auto read = Histogram::fromBytes(buckets, sum, max))
            histogram->add(*read);
    }
};

template<typename A>
void fields(A &archive, StoredHistogram &histogram)
{
    archive(histogram.buckets, histogram.sum, histogram.max);
}

struct Measured
{
    LatencyKey key;
    StoredHistogram histogram;
};

template<typename A>
void fields(A &archive, Measured &measured)
{
    archive(measured.key, measured.histogram);
}

struct Used
{
    LatencyUserKey key;
    StoredHistogram granted;
    StoredHistogram others;
};

template<typename A>
void fields(A &archive, Used &used)
{
    archive(used.key, used.granted, used.others);
}

/// The columns of an index of one table.
struct StoredIndex
{
    QString schema;
    QString table;
    QString index;
    QList<KeyColumn> columns;
};

template<typename A>
void fields(A &archive, StoredIndex &index)
{
    archive(index.schema, index.table, index.index, index.columns);
}

QList<StoredIndex> indexesOf(const Deadlock &deadlock)
{
    QList<StoredIndex> indexes;
    for (const DeadlockSide &side : deadlock.sides) {
        for (const PrintedLock &lock : side.holds + side.waitsFor) {
            const auto columns = deadlock.columns.value(lock.schema).value(lock.table).value(lock.index);
            const auto isKnown = [&](const StoredIndex &one) {
                return one.schema == lock.schema && one.table == lock.table && one.index == lock.index;
            };
            if (!columns.isEmpty() && std::none_of(indexes.cbegin(), indexes.cend(), isKnown))
                indexes.append({lock.schema, lock.table, lock.index, columns});
        }
    }
    return indexes;
}

constexpr char kBody = 'b';

template<typename T>
QByteArray bodyOf(T &value)
{
    ItemWriter item(kBody);
    item(value);
    return packed(item.bytes());
}

template<typename T>
T valueOf(const QByteArray &body)
{
    T value{};
    QByteArray bytes;
    if (!unpack(body, &bytes))
        return value;
    ItemReader item(bytes);
    item(value);
    return value;
}

} // namespace

QByteArray toBody(Deadlock deadlock, StatementKeeper *keeper)
{
    for (DeadlockSide &side : deadlock.sides)
        side.statement = QString::fromUtf8(keeper->kept(side.statement.toUtf8()));
    deadlock.text = keeper->keptReport(deadlock.text);
    auto indexes = indexesOf(deadlock);
    ItemWriter item(kBody);
    item(deadlock, indexes);
    return packed(item.bytes());
}

Deadlock deadlockOf(const QByteArray &body)
{
    QByteArray bytes;
    Deadlock deadlock;
    if (!unpack(body, &bytes))
        return deadlock;
    QList<StoredIndex> indexes;
    ItemReader item(bytes);
    item(deadlock, indexes);
    for (const StoredIndex &one : std::as_const(indexes))
        deadlock.columns[one.schema][one.table].insert(one.index, one.columns);
    return deadlock;
}

QByteArray toBody(Event event)
{
    return bodyOf(event);
}

Event eventOf(const QByteArray &body)
{
    return valueOf<Event>(body);
}

QByteArray toBody(AuditLine act, StatementKeeper *keeper)
{
    act.statement = QString::fromUtf8(keeper->kept(act.statement.toUtf8()));
    return bodyOf(act);
}

AuditLine actOf(const QByteArray &body)
{
    return valueOf<AuditLine>(body);
}

QByteArray toBody(Alarm alarm)
{
    return bodyOf(alarm);
}

Alarm alarmOf(const QByteArray &body)
{
    return valueOf<Alarm>(body);
}

QByteArray toBody(QList<WaitQueue> queues)
{
    return bodyOf(queues);
}

QList<WaitQueue> queuesOf(const QByteArray &body)
{
    return valueOf<QList<WaitQueue>>(body);
}

QByteArray toBody(const LatencySeries &series)
{
    QList<Measured> measured;
    for (const auto &[key, histogram] : series.histograms)
        measured.append({key, StoredHistogram::of(histogram)});
    QList<Used> used;
    for (const auto &[key, use] : series.uses)
        used.append({key, StoredHistogram::of(use.granted), StoredHistogram::of(use.others)});
    if (measured.isEmpty() && used.isEmpty())
        return {};
    ItemWriter item(kBody);
    item(measured, used);
    return packed(item.bytes());
}

void addLatency(const QByteArray &body, LatencySeries *series)
{
    QByteArray bytes;
    if (!unpack(body, &bytes))
        return;
    QList<Measured> measured;
    QList<Used> used;
    ItemReader item(bytes);
    item(measured, used);
    for (const Measured &one : std::as_const(measured))
        one.histogram.addTo(&series->histograms[one.key]);
    for (const Used &one : std::as_const(used)) {
        LatencyUse &use = series->uses[one.key];
        one.granted.addTo(&use.granted);
        one.others.addTo(&use.others);
        series->programs.insert(one.key.program);
        series->prefixes.insert(one.key.prefix);
    }
}

} // namespace lockscope
