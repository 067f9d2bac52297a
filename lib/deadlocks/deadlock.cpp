// SPDX-License-Identifier: MIT
#include "deadlock.h"

#include "session/runnames.h"
#include "waits/statementshape.h"

#include <QtCore/QHash>
#include <QtCore/QSet>
#include <QtCore/QStringList>

#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

constexpr std::array<std::pair<DeadlockCause, const char *>, 7> kCauses{{
    {DeadlockCause::Order, "order"},
    {DeadlockCause::Upgrade, "upgrade"},
    {DeadlockCause::Gap, "gap"},
    {DeadlockCause::DuplicateKey, "duplicate key"},
    {DeadlockCause::Indexes, "indexes"},
    {DeadlockCause::Tables, "tables"},
    {DeadlockCause::Unknown, "unknown"},
}};

/// Where hundreds share one record, each waits for each.
constexpr qsizetype kMaxEdges = 2000;

QString tableOf(const PrintedLock &lock)
{
    return lock.schema + u'\n' + lock.table;
}

/// The same for locks of one record of one index.
QString recordOf(const PrintedLock &lock)
{
    return tableOf(lock) + u'\n' + lock.index + u'\n' + lock.place;
}

bool isShared(const PrintedLock &lock)
{
    return lock.mode.startsWith(u'S');
}

bool isInsert(const PrintedLock &lock)
{
    return lock.mode.contains("INSERT_INTENTION"_L1);
}

/// The locks that the waits of the cycle are for, as their holders have them.
QList<PrintedLock> heldIn(const Deadlock &deadlock, const QList<DeadlockEdge> &edges)
{
    QSet<QString> wanted; // of a side
    for (const DeadlockEdge &edge : edges)
        wanted += QString::number(edge.holder) + u'\n' + recordOf(edge.lock);
    QList<PrintedLock> held;
    for (const DeadlockSide &side : deadlock.sides) {
        for (const PrintedLock &lock : side.holds) {
            if (wanted.remove(QString::number(side.number) + u'\n' + recordOf(lock)))
                held += lock;
        }
    }
    return held;
}

/// Those in front of what a clustered index has behind its key: a transaction's number of 6 bytes and a pointer of 7.
QList<std::optional<QByteArray>> keyFields(const PrintedLock &lock)
{
    const auto isOf = [&lock](qsizetype i, qsizetype bytes) {
        return lock.fields[i] && lock.fields[i]->size() == bytes;
    };
    for (qsizetype i = 1; i + 1 < lock.fields.size(); ++i) {
        if (isOf(i, 6) && isOf(i + 1, 7))
            return lock.fields.first(i);
    }
    return lock.fields;
}

QByteArray sideShape(const DeadlockSide &side)
{
    QSet<QString> locks;
    for (const PrintedLock &lock : side.holds)
        locks += u"holds %1 %2 %3"_s.arg(tableOf(lock), lock.index, lock.mode);
    for (const PrintedLock &lock : side.waitsFor)
        locks += u"waits for %1 %2 %3"_s.arg(tableOf(lock), lock.index, lock.mode);
    QStringList lines(locks.cbegin(), locks.cend());
    lines.sort();
    lines.prepend(QString::fromUtf8(statementShape(side.statement.toUtf8())));
    return lines.join(u'\n').toUtf8();
}

} // namespace

const DeadlockSide *Deadlock::side(int number) const
{
    return number >= 1 && number <= sides.size() ? &sides[number - 1] : nullptr;
}

QString Deadlock::keyOf(const PrintedLock &lock) const
{
    if (lock.isEndOfIndex)
        return u"end of the index"_s;
    const auto known = columns.value(lock.schema).value(lock.table).value(lock.index);
    if (!known.isEmpty())
        return readableFields(lock.fields, known);
    QStringList fields;
    for (const auto &field : keyFields(lock))
        fields += field ? hexadecimal(*field) : u"NULL"_s;
    return fields.join(u", "_s);
}

QList<DeadlockEdge> edgesOf(const Deadlock &deadlock)
{
    QHash<QString, QList<int>> holders;
    for (const DeadlockSide &side : deadlock.sides) {
        for (const PrintedLock &lock : side.holds) {
            QList<int> &ofRecord = holders[recordOf(lock)];
            if (ofRecord.isEmpty() || ofRecord.back() != side.number)
                ofRecord += side.number;
        }
    }
    QList<DeadlockEdge> edges;
    for (const DeadlockSide &waiter : deadlock.sides) {
        for (const PrintedLock &wanted : waiter.waitsFor) {
            for (const int holder : holders.value(recordOf(wanted))) {
                if (holder != waiter.number && edges.size() < kMaxEdges)
                    edges += DeadlockEdge{waiter.number, holder, wanted};
            }
        }
    }
    return edges;
}

QString causeName(DeadlockCause cause)
{
    const auto *found = std::ranges::find(kCauses, cause, &std::pair<DeadlockCause, const char *>::first);
    return QString::fromLatin1(found->second);
}

DeadlockCause causeOf(const Deadlock &deadlock)
{
    const QList<DeadlockEdge> edges = edgesOf(deadlock);
    if (edges.size() < 2)
        return DeadlockCause::Unknown;
    const QList<PrintedLock> held = heldIn(deadlock, edges);
    QSet<QString> tables;
    QSet<QString> indexes;
    QSet<QString> places;
    for (const DeadlockEdge &edge : edges) {
        tables += tableOf(edge.lock);
        indexes += edge.lock.index;
        places += edge.lock.place;
    }
    const bool areShared = std::ranges::all_of(held, isShared);
    const bool areInserts = std::ranges::all_of(edges, [](const DeadlockEdge &edge) { return isInsert(edge.lock); });
    const bool isInserting = std::ranges::all_of(deadlock.sides, [](const DeadlockSide &side) {
        return side.statement.startsWith("insert"_L1, Qt::CaseInsensitive)
            || side.statement.startsWith("replace"_L1, Qt::CaseInsensitive);
    });
    // A shared lock that an insert takes is that of a row with the same unique key.
    if (areInserts && areShared && isInserting)
        return DeadlockCause::DuplicateKey;
    if (areInserts)
        return DeadlockCause::Gap;
    if (areShared && places.size() == 1)
        return DeadlockCause::Upgrade;
    if (tables.size() > 1)
        return DeadlockCause::Tables;
    if (indexes.size() > 1)
        return DeadlockCause::Indexes;
    return DeadlockCause::Order;
}

QByteArray shapeOf(const Deadlock &deadlock)
{
    QList<QByteArray> sides;
    for (const DeadlockSide &side : deadlock.sides)
        sides += sideShape(side);
    std::ranges::sort(sides);
    return sides.join("\n\n");
}

bool isOfRun(const Deadlock &deadlock)
{
    QSet<QString> schemas;
    for (const DeadlockSide &side : deadlock.sides) {
        for (const PrintedLock &lock : side.holds + side.waitsFor)
            schemas += lock.schema;
    }
    return schemas.size() == 1 && isRunSchema(*schemas.cbegin());
}

} // namespace lockscope
